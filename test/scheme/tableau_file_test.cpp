#include "scheme/tableau_file.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include <rattleback/rattleback.hpp>
namespace rattleback { namespace {
TEST(Show, Messages){
  for(const char* t:{"","A = [[0.5]]\n","b = [1]\n","A = [[0.5]]\nb = [1]\nd = [1]\n","A = 1\nb = [1]\n","A = [[0.5]]\nb = 1\n","A = [[0.5]]\nb = []\n","A = [[0.5], [0.5]]\nb = [1]\n","A = [[0, 0], [1]]\nb = [0.5, 0.5]\n","A = [[0.5]]\nb = [1]\nc = [0, 1]\n","A = [[0.5]]\nb = [\"x\"]\n","A = [[0.5]]\nb = [true]\n","A = [[\"1/0\"]]\nb = [1]\n","A = [[0.5]]\nb = [0.9]\n","A = [[0.5]\nb = [1]\n","A = [[\"1/2 +\"]]\nb = [1]\n","A = [[inf]]\nb = [1]\n","A = [0.5]\nb = [1]\n","A = [[0.5]]\nb = [1]\nname = 3\n","A = [[0.5]]\nb = [1]\nc = [0.7]\n", "A = [[\"1/2\"]]\nb = [\"1\"]\nname = \"midpoint\"\nreference = \"x\"\n"}){
    std::ofstream("t.toml")<<t;
    try{ Tableau x=read_tableau("t.toml"); printf("---- %s\nOK order %d\n",t,order_of(x)); }catch(std::exception&e){ printf("---- %s%s: %s\n",t,dynamic_cast<BadMethod*>(&e)?"BadMethod":"OTHER",e.what()); }
  }
  std::string many="A = [", b="b = [";
  for(int i=0;i<65;++i){ many+="[]," ; b+="0,"; }
  std::ofstream("t.toml")<<many<<"]\n"<<b<<"]\n";
  try{ read_tableau("t.toml"); }catch(std::exception&e){ puts(e.what());}
}
}}
