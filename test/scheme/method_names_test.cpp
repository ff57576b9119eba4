// Methods as they are written on the command line: what is understood, and the exact text of every refusal.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "expr/real_functions.hpp"
#include "scheme/citations.hpp"

namespace rattleback {
namespace {

Model pendulum() {
    return read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 + cos(x)\"\n"
                      "[initial]\nq = [1]\nv = [0]\n",
                      "pendulum.toml");
}

// The message of the refusal; empty: it was built.
std::string refusal(const Model& model, const std::string& text) {
    try {
        for (const MethodName& name : parse_methods(text)) build_method(model, name);
        return "";
    } catch (const BadMethod& e) { return e.what(); }
}

TEST(MethodNames, AreParsed) {
    const auto names = parse_methods("gauss:stages=3,del:ld=alpha:alpha=1/4,rk4");
    ASSERT_EQ(names.size(), 3u);
    EXPECT_EQ(names[0].id, "gauss");
    EXPECT_EQ(names[0].text, "gauss:stages=3");
    EXPECT_EQ(names[0].options.integer("stages", 1, 1, 10), 3);
    EXPECT_EQ(names[1].options.word("ld", "midpoint"), "alpha");
    EXPECT_EQ(names[1].options.number("alpha", 0), static_cast<quad>(0.25));
    EXPECT_EQ(names[2].id, "rk4");
    EXPECT_TRUE(names[2].options.values().empty());
    EXPECT_FALSE(names[2].options.has("stages"));
    EXPECT_EQ(names[2].options.integer("stages", 7, 1, 10), 7);

    const auto tableau = parse_methods("tableau=my.toml"); // short for rk:tableau=my.toml
    EXPECT_EQ(tableau[0].id, "rk");
    EXPECT_EQ(tableau[0].text, "tableau=my.toml");
    EXPECT_EQ(tableau[0].options.word("tableau", ""), "my.toml");
}

TEST(MethodNames, TakeFormulasWithAllDigitsOfQuad) {
    const auto name = parse_methods("del:ld=alpha:alpha=1/2-sqrt(3)/6")[0];
    const quad alpha = name.options.number("alpha", 0);
    EXPECT_LE(static_cast<double>(real::abs(alpha - real::parse("0.21132486540518711774542560974902127218"))), 1e-34);
    EXPECT_EQ(parse_methods("gauss:stages=2*3-1")[0].options.integer("stages", 1, 1, 10), 5);
}

struct Refused {
    const char *text, *message;
};
class Refusals : public testing::TestWithParam<Refused> {};
TEST_P(Refusals, HaveTheirText) { EXPECT_EQ(refusal(pendulum(), GetParam().text), GetParam().message); }

const Refused refusals[] = {
    {"", "a method's name is missing in ''"},
    {"gauss,", "a method's name is missing in 'gauss,'"},
    {"gauss,,rk4", "a method's name is missing in 'gauss,,rk4'"},
    {":stages=2", "a method's name is missing in ':stages=2'"},
    {"gauss:stages", "'stages' in 'gauss:stages' is not of the form option=value"},
    {"gauss:=2", "'=2' in 'gauss:=2' is not of the form option=value"},
    {"gauss:stages=2:stages=3", "option 'stages' is given twice in 'gauss:stages=2:stages=3'"},
    {"gaus", "unknown method 'gaus'; did you mean 'gauss'?"},
    {"GAUSS", "unknown method 'GAUSS'; did you mean 'gauss'?"},
    {" gauss", "unknown method ' gauss'; did you mean 'gauss'?"},
    {"midpiont", "unknown method 'midpiont'; did you mean 'midpoint'?"},
    {"xyzzy", "unknown method 'xyzzy'; 'rattleback methods' lists them"},
    {"gauss:stage=2", "method 'gauss' has no option 'stage'; did you mean 'stages'?"},
    {"gauss:order=2", "method 'gauss' has no option 'order'; 'rattleback methods gauss' lists them"},
    {"rk4:stages=2", "method 'rk4' has no option 'stages'; 'rattleback methods rk4' lists them"},
    {"gauss:stages=", "option stages=: empty formula"},
    {"gauss:stages=0", "option stages=0: a whole number from 1 to 16 is needed"},
    {"gauss:stages=17", "option stages=17: a whole number from 1 to 16 is needed"},
    {"gauss:stages=1.5", "option stages=1.5: a whole number from 1 to 16 is needed"},
    {"gauss:stages=1e300", "option stages=1e300: a whole number from 1 to 16 is needed"},
    {"gauss:stages=two", "option stages=two: unknown name 'two'"},
    {"gauss:stages=1/0", "option stages=1/0: 1/0 is not a finite number"},
    {"gauss:stages=[1", "option stages=[1: ']' is missing for this '['"},
    {"del:ld=simpson",
     "option ld=simpson is not known; choose one of midpoint, alpha, sym_alpha, verlet, galerkin, model"},
    {"del:ld=galerkin:stages=0", "option stages=0: a whole number from 1 to 10 is needed"},
    {"del:ld=alpha:alpha=", "option alpha=: empty formula"},
    {"compose:order=5", "option order=5: choose 4, 6 or 8"},
    {"compose:order=2", "option order=2: a whole number from 4 to 8 is needed"},
    {"compose:base=compose", "compose cannot be the base of itself"},
    {"compose:base=rk4", "compose needs a symmetric base method; 'rk4' is not symmetric"},
    {"compose:base=del:ld=alpha:alpha=1/4",
     "compose needs a symmetric base method; 'del:alpha=1/4:ld=alpha' is not symmetric"},
    {"compose:base=gauss:stages=2", "compose needs a base method of order 2; 'gauss:stages=2' has order 4"},
    {"compose:base=gaus", "unknown method 'gaus'; did you mean 'gauss'?"},
    {"compose:stages=2", "method 'midpoint' has no option 'stages'; 'rattleback methods midpoint' lists them"},
    {"rk", "method 'rk' needs tableau=FILE"},
    {"gauss:stages=2:", "'gauss:stages=2:' ends with a colon; an option is written option=value"},
    {"del:alpha=1/3", "option alpha=1/3 has no effect with ld=midpoint; it is for ld=alpha and ld=sym_alpha"},
    {"del:ld=verlet:alpha=1/4", "option alpha=1/4 has no effect with ld=verlet; it is for ld=alpha and ld=sym_alpha"},
    {"del:ld=galerkin:alpha=0", "option alpha=0 has no effect with ld=galerkin; it is for ld=alpha and ld=sym_alpha"},
    {"del:ld=midpoint:stages=99", "option stages=99 has no effect with ld=midpoint; it is for ld=galerkin"},
    {"dop853:tol=-1", "option tol=-1: a positive number is needed"},
    {"dop853:tol=0", "option tol=0: a positive number is needed"},
    {"dop853:tol=abc", "option tol=abc: unknown name 'abc'"},
};
INSTANTIATE_TEST_SUITE_P(All, Refusals, testing::ValuesIn(refusals));

TEST(MethodNames, WhatAMethodCannotTakeIsUnsuitable) {
    const auto why = [](const Model& model, const char* text) -> std::string {
        try {
            build_method(model, parse_methods(text)[0]);
            return "";
        } catch (const Unsuitable& e) { return e.what(); }
    };
    const std::string head = "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n",
                      tail = "\n[initial]\nq = [1, 0]\nv = [0, 0]\n";
    const Model holonomic = read_model(head + "[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]" + tail, "m.toml");
    const Model rolling = read_model(head + "[constraints]\nvelocity = [\"x*y' - y*x'\"]" + tail, "m.toml");
    for (const char* id : {"gauss", "midpoint"}) {
        EXPECT_EQ(
            why(holonomic, id),
            "method '" + std::string(id) +
                "' takes models without constraints; this model has holonomic constraints: try rattle or lobatto");
        EXPECT_EQ(
            why(rolling, id),
            "method '" + std::string(id) +
                "' takes models without constraints; this model has nonholonomic constraints: try nh_gauss or gni");
    }
    const Model hamiltonian = read_model("coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"p_x^2/2 + x^4\"\n"
                                         "[initial]\nq = [1]\np = [0]\n",
                                         "m.toml");
    EXPECT_EQ(why(hamiltonian, "del"), "");
    const Model relativistic =
        read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nhamiltonian = \"sqrt(1 + p_x^2 + p_y^2)\"\n"
                   "[constraints]\nvelocity = [\"x*y' - y*x'\"]" +
                       tail,
                   "m.toml");
    for (const char* id : {"gni", "nh_rattle", "nh_shake", "dla", "gf", "gf_sym", "gf_proj", "gf_sym_proj",
                           "gf_geometric", "nh_gauss", "projected", "baumgarte"})
        EXPECT_EQ(why(relativistic, id), "") << id;
    EXPECT_EQ(why(holonomic, "gf_geometric"),
              "method 'gf_geometric' takes nonholonomic models; this model has holonomic constraints only");
    const Model general = read_model("variables = [\"x\", \"y\"]\n[hamiltonian]\nformula = \"x^2 + y^4\"\n"
                                     "structure = [[0, -1], [1, 0]]\n[initial]\nz = [1, 0]\n",
                                     "m.toml");
    EXPECT_EQ(why(general, "del"), "method 'del' needs a Lagrangian or a Hamiltonian of (q, p)");
    EXPECT_EQ(why(general, "compose:base=del:ld=verlet"), "method 'del' needs a Lagrangian or a Hamiltonian of (q, p)");
}

TEST(MethodNames, VariationalMethodsSayWhatTheyTake) {
    const auto why = [](const std::string& mechanics, const std::string& constraints, const char* text) -> std::string {
        const Model model =
            read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\n" + mechanics + "\n[constraints]\n" +
                           constraints + "\n[initial]\nq = [1, 0, 0]\np = [0, 0, 0]\n",
                       "m.toml");
        try {
            build_method(model, parse_methods(text)[0]);
            return "";
        } catch (const std::exception& e) { return e.what(); }
    };
    const std::string L = "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"", H = "hamiltonian = \"(p_x^2 + p_y^2 + p_z^2)/2\"";
    const std::string velocity = "velocity = [\"z' - y*x'\"]\n", inside = velocity + "principle = \"variational\"\n",
                      both = inside + "holonomic = [\"x^2 + y^2 + z^2 - 1\"]\n";
    EXPECT_EQ(why(L, both, "lobatto"), "");
    EXPECT_EQ(why(H, inside, "lobatto"), "");
    EXPECT_EQ(
        why(L, velocity, "lobatto"),
        "method 'lobatto' takes holonomic constraints; this model has nonholonomic ones: try nh_gauss or nh_rattle");
    EXPECT_EQ(why(L, velocity, "partitioned"), "method 'partitioned' takes variational velocity constraints");
    EXPECT_EQ(why(L, both, "partitioned"), "method 'partitioned' takes variational velocity constraints");
    EXPECT_EQ(why(H, inside, "partitioned"), "");
    EXPECT_EQ(why(H, inside, "dvak"), "");
    EXPECT_EQ(why(L, inside, "partitioned:stages=1"),
              "multipliers=lobatto needs at least 2 stages: its nodes are both ends of a step");
    EXPECT_EQ(why(L, inside, "partitioned:multipliers=radau"),
              "option multipliers=radau is not known; choose one of gauss, lobatto");
    EXPECT_EQ(why(L, both, "gauss"),
              "method 'gauss' takes variational constraints on velocities alone; rattle_midpoint "
              "and lobatto take holonomic ones beside them");
}

TEST(MethodNames, OptionsWithoutEffectAreRefusedWithConstraintsToo) {
    const auto model = [](const std::string& principle, const std::string& more) {
        return read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n"
                          "[constraints]\nvelocity = [\"z' - y*x'\"]\nprinciple = \"" +
                              principle + "\"\n[initial]\nq = [0, 0, 0]\nv = [1, 1, 0]\n" + more,
                          "m.toml");
    };
    const Model rolling = model("nonholonomic", ""), geodesic = model("variational", "lambda = [1]\n");
    const auto why = [](const Model& m, const char* text) -> std::string {
        try {
            build_method(m, parse_methods(text)[0]);
            return "";
        } catch (const BadMethod& e) { return e.what(); }
    };
    for (const std::string id : {"gf", "gf_proj"}) {
        EXPECT_EQ(why(rolling, (id + ":stages=2").c_str()),
                  "option stages=2 has no effect with ld=alpha; it is for ld=galerkin");
        EXPECT_EQ(why(rolling, (id + ":ld=galerkin:alpha=1/2").c_str()),
                  "option alpha=1/2 has no effect with ld=galerkin; it is for ld=alpha");
        EXPECT_EQ(why(rolling, (id + ":ld=verlet").c_str()),
                  "option ld=verlet is not known; choose one of alpha, galerkin, model");
        EXPECT_EQ(why(rolling, (id + ":ld=galerkin:stages=11").c_str()),
                  "option stages=11: a whole number from 1 to 10 is needed");
        EXPECT_EQ(why(rolling, (id + ":ld=galerkin:stages=2").c_str()), "");
    }
    EXPECT_EQ(why(rolling, "gf_sym:stages=2"),
              "method 'gf_sym' has no option 'stages'; 'rattleback methods gf_sym' lists them");
    EXPECT_EQ(why(rolling, "gni:alpha=1/4"),
              "option alpha=1/4 has no effect with ld=midpoint; it is for ld=alpha and ld=sym_alpha");
    EXPECT_EQ(why(rolling, "gni:start=rough"), "option start=rough is not known; choose one of smooth, plain");
    EXPECT_EQ(why(rolling, "dla:ld=galerkin"), "option ld=galerkin: the constraint of dla has one slope a step; choose "
                                               "midpoint, alpha, sym_alpha or verlet");
    EXPECT_EQ(why(rolling, "compose:base=nh_rattle:order=6"),
              "compositions of 'nh_rattle' reach order 4 and no more: the multiplier it carries depends on the step; "
              "nh_gauss has any order");
    EXPECT_EQ(why(geodesic, "dvak:alpha=1/4"),
              "option alpha=1/4 has no effect with ld=midpoint; it is for ld=alpha and ld=sym_alpha");
    EXPECT_EQ(why(geodesic, "dvak:ld=verlet:alpha=0"),
              "option alpha=0 has no effect with ld=verlet; it is for ld=alpha and ld=sym_alpha");
    EXPECT_EQ(why(geodesic, "dvak:ld=galerkin"),
              "option ld=galerkin is not known; choose one of midpoint, alpha, sym_alpha, verlet");
}

TEST(Registry, SchemesDescribeThemselves) {
    std::vector<std::string> ids;
    for (const Scheme* s : all_schemes()) {
        ids.push_back(s->id);
        EXPECT_FALSE(s->title.empty() || s->takes.empty()) << s->id;
        EXPECT_NE(find_citation(s->cite), nullptr) << s->id;
        EXPECT_EQ(&find_scheme(s->id), s);
        for (const OptionInfo& o : s->options) EXPECT_FALSE(o.name.empty() || o.help.empty()) << s->id;
        EXPECT_FALSE(s->claims({}).empty()) << s->id;
    }
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
    EXPECT_EQ(find_citation("nobody1900"), nullptr);
}

} // namespace
} // namespace rattleback
