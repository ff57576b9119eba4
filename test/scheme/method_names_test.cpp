#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>
namespace rattleback { namespace {
TEST(Show, Messages){
  const Model pendulum=read_model("coordinates=[\"x\"]\n[mechanics]\nlagrangian=\"x'^2/2+cos(x)\"\n[initial]\nq=[1]\nv=[0]\n","p.toml");
  for(const char* t:{"","gauss,","gauss,,rk4",":stages=2","gauss:stages","gauss:=2","gauss:stages=","gauss:stages=2:stages=3","gaus","xyzzy","gauss:stage=2","gauss:order=2","gauss:stages=0","gauss:stages=11","gauss:stages=1.5","gauss:stages=two","gauss:stages=1/0","gauss:stages=[1,2]","rk4:stages=2","del:ld=simpson","del:ld=","del:ld=galerkin:stages=0","del:alpha=x","del:ld=alpha:alpha=","compose:order=5","compose:order=9","compose:base=rk4","compose:base=compose","compose:base=gauss:stages=2","compose:base=del:ld=alpha:alpha=1/4","compose:base=foo","compose:foo=1","compose:base=rk","rk","rk:tableau=","rk:tableau=/nonexistent.toml","tableau=/nonexistent.toml","dop853:tol=abc","midpoint:stages=2","gauss :stages=2"," gauss","gauss;stages=2","GAUSS","gauss:stages=2:"}){
    try{ auto n=parse_methods(t); for(auto&x:n) build_method(pendulum,x); printf("%-30s OK (%zu)\n",t,n.size()); }catch(std::exception&e){ printf("%-30s %s: %s\n",t,dynamic_cast<BadMethod*>(&e)?"BadMethod":dynamic_cast<Unsuitable*>(&e)?"Unsuitable":"OTHER",e.what()); }
  }
}
}}
