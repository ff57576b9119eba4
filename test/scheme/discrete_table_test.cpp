// [discrete]: tables that spell out a built-in discrete Lagrangian give its trajectories; others are told what they
// are.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/copy.hpp"
#include "scheme/discrete_table.hpp"

namespace rattleback {
namespace {

struct Case {
    std::string name, model, table;
    std::vector<std::pair<std::string, std::string>> methods; // with ld=model, and the built-in one
};

const std::string free_mechanics = R"toml(coordinates = ["x", "y"]
[parameters]
k = 1.3
[mechanics]
lagrangian = "(x'^2 + 2*y'^2)/2 + x*y'/3 - k*(x^2 + y^2)/2 - x^2*y + x*sin(t)/4"
force = { y = "-y'/10 + cos(t)/5" }
[initial]
q = [0.3, 0.1]
v = [0.2, -0.4]
)toml";
const std::string free_midpoint =
    R"toml([discrete]
lagrangian = "h*((((x_1 - x_0)/h)^2 + 2*((y_1 - y_0)/h)^2)/2 + (x_0 + x_1)/2*(y_1 - y_0)/h/3)toml"
    R"toml( - k*((x_0 + x_1)^2 + (y_0 + y_1)^2)/8 - (x_0 + x_1)^2*(y_0 + y_1)/8 + (x_0 + x_1)/2*sin((t_0)toml"
    R"toml( + t_1)/2)/4)"
)toml";
const std::string free_forces = R"toml(forces = { begin = { y = "-(y_1 - y_0)/20 + h/2*cos(t_0 + h/2)/5" }, )toml"
                                R"toml(end = { y = "-(y_1 - y_0)/20 + h/2*cos(t_1 - h/2)/5" } }
)toml";
const std::string sphere = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + p_z^2)/2 + z + 0.3*x*y"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [1, 0, 0]
p = [0, 1, 0.3]
[discrete]
lagrangian = "((x_1 - x_0)^2 + (y_1 - y_0)^2 + (z_1 - z_0)^2)/(2*h) - h/2*(z_0 + z_1 + 0.3*(x_0*y_0 + x_1*y_1))"
)toml";
const std::string particle = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)"
[constraints]
velocity = ["z' - y*x'"]
[symmetries]
along_z = { z = "1" }
[initial]
q = [1, 0.5, 0]
v = [0.4, 1, 0.2]
)toml";
const std::string particle_midpoint = R"toml([discrete]
lagrangian = "((x_1 - x_0)^2 + (y_1 - y_0)^2 + (z_1 - z_0)^2)/(2*h) - h*((x_0 + x_1)^2 + (y_0 + y_1)^2)/4"
)toml";
// Example 4.2 of de Leon, Martin de Diego and Santamaria: the reaction in closed form, at the midpoint.
const std::string multiplier = "((x_0 + x_1)*(y_0 + y_1)/2 - (x_1 - x_0)*(y_1 - y_0)/h^2)/(1 + ((y_0 + y_1)/2)^2)";
std::string particle_reaction(const std::string& share_0, const std::string& share_1) {
    const auto end = [](const std::string& share) {
        return "{ x = \"-" + share + "*h*(y_0 + y_1)/2*" + multiplier + "\", z = \"" + share + "*h*" + multiplier +
               "\" }";
    };
    return "reaction = { begin = " + end(share_0) + ", end = " + end(share_1) + " }\n";
}
const std::string particle_constraint = "constraint = [\"(z_1 - z_0) - (y_0 + y_1)/2*(x_1 - x_0)\"]\n";

const std::string chain =
    R"toml(coordinates = ["x[1..n]"]
[parameters]
n = 6
[definitions]
"x[0]" = "0.1*sin(t)"
"x[n+1]" = "0"
[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 0..n: (x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4)"
[initial]
q = { "x[i]" = "sin(pi*i/(n+1))" }
v = { "x[i]" = "0" }
[discrete]
lagrangian = "h*(sum(i in 1..n: ((x_1[i] - x_0[i])/h)^2/2) - sum(i in 0..n: (x_0[i+1] - x_0[i])^2/2)toml"
    R"toml( + (x_0[i+1] - x_0[i])^4)/2 - sum(i in 0..n: (x_1[i+1] - x_1[i])^2/2 + (x_1[i+1] - x_1[i])^4)/2)"
)toml";

const Case cases[] = {
    {"free", free_mechanics, free_midpoint, {{"del", "del:ld=midpoint"}}},
    {"with forces of its own", free_mechanics, free_midpoint + free_forces, {{"del", "del:ld=midpoint"}}},
    {"sphere", sphere, "", {{"del", "del:ld=verlet"}}},
    {"particle",
     particle,
     particle_midpoint,
     {{"gni", "gni:ld=midpoint"},
      {"dla", "dla:ld=midpoint"},
      {"gf", "gf:ld=alpha"},
      {"gf_proj", "gf_proj:ld=alpha"},
      {"gf_geometric", "gf_geometric:ld=alpha"}}},
    {"with everything",
     particle,
     particle_midpoint + particle_reaction("0.5", "0.5") + particle_constraint,
     {{"gni", "gni:ld=midpoint"}, {"dla", "dla:ld=midpoint"}, {"gf", "gf:ld=alpha"}, {"gf_proj", "gf_proj:ld=alpha"}}},
    {"chain", chain, "", {{"del", "del:ld=verlet"}}},
};

Run run_of(const std::string& text, const std::string& method) {
    return integrate(read_model(text, "table.toml"), {.method = method, .step = 0.1, .steps = 100});
}

double distance(const Run& a, const Run& b) {
    double worst = 0;
    for (const char* group : {"q", "v", "p"})
        for (std::size_t i = 0; i < a.summary().end[group].size(); ++i)
            worst = std::max(worst, std::abs(a.summary().end[group][i] - b.summary().end[group][i]));
    return worst;
}

TEST(DiscreteTable, GivesTheTrajectoriesOfTheBuiltInOnes) {
    for (const Case& c : cases)
        for (const auto& [id, built_in] : c.methods) {
            const auto own = run_of(c.model + c.table, id + ":ld=model"), other = run_of(c.model, built_in);
            ASSERT_TRUE(own.report().ok() && other.report().ok()) << c.name << " " << id;
            EXPECT_LE(distance(own, other), 3.5e-15) << c.name << " " << id; // 1.7e-15: sphere
        }
}

// What is asked for by name does not depend on the table, to the last bit; what is not asked for is said.
TEST(DiscreteTable, ChangesNothingThatIsNamed) {
    for (const char* method : {"gni:ld=midpoint", "dla:ld=verlet", "gf:ld=alpha", "nh_gauss", "gni"}) {
        const std::string table = particle_midpoint + particle_reaction("0.5", "0.5") + particle_constraint;
        const auto with = run_of(particle + table, method), without = run_of(particle, method);
        EXPECT_EQ(distance(with, without), 0) << method;
        EXPECT_EQ(with.summary().warnings.size(), std::string(method) == "gni") << method;
    }
}

// A closed form that no quadrature of L gives: cos and sin of a large step.
TEST(DiscreteTable, OfTheExactActionIsExact) {
    const std::string oscillator = R"toml(coordinates = ["x"]
[parameters]
w = 1.7
[mechanics]
lagrangian = "x'^2/2 - w^2*x^2/2"
[initial]
q = [1]
v = [0.5]
[discrete]
lagrangian = "w/(2*sin(w*h))*((x_0^2 + x_1^2)*cos(w*h) - 2*x_0*x_1)"
)toml";
    const Model model = read_model(oscillator, "exact.toml");
    const auto run = integrate(model, {.method = "del:ld=model", .step = 1.1, .steps = 100});
    const double phase = 1.7 * 110;
    EXPECT_NEAR(run.summary().end["q"][0], std::cos(phase) + 0.5 / 1.7 * std::sin(phase), 5e-14);   // 2.4e-14
    EXPECT_NEAR(run.summary().end["v"][0], 0.5 * std::cos(phase) - 1.7 * std::sin(phase), 1.6e-14); // 8e-15
}

std::string why_not(const std::string& text, const std::string& method) {
    try {
        (void)build_method(read_model(text, "table.toml"), parse_methods(method)[0]);
        return "";
    } catch (const Unsuitable& e) { return e.what(); }
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), with);
}

TEST(DiscreteTable, ThatDoesNotTendToTheModelIsRefused) {
    const std::string all = particle + particle_midpoint + particle_reaction("0.5", "0.5") + particle_constraint;
    for (const char* method :
         {"gni:ld=model", "dla:ld=model", "gf:ld=model", "gf_proj:ld=model", "gf_geometric:ld=model"})
        EXPECT_EQ(why_not(all, method), "") << method;
    const auto says = [](const std::string& why, const std::string& words) {
        EXPECT_NE(why.find(words), std::string::npos) << why;
    };
    // Half the potential; L in place of h L; a total derivative, which changes momenta; a spring that is not there.
    for (const auto& [right, wrong] :
         {std::pair("^2)/4", "^2)/8"), std::pair("^2)/4", "^2)/4.00000004"), std::pair("(2*h)", "2"),
          std::pair("- h*((x_0", "+ x_1 - x_0 - h*((x_0"), std::pair("- h*((x_0", "- (z_1 - z_0)^4/h - h*((x_0")}) {
        const std::string why = why_not(replaced(all, right, wrong), "gni:ld=model");
        if (std::string(wrong).find("^4") == std::string::npos)
            says(why, "lagrangian in [discrete]: not consistent with the model; as h -> 0, L_d(q, q + h v, h)/h must "
                      "tend to L(q, v), but it is");
        else
            EXPECT_EQ(why, ""); // of higher order in h
    }
    says(why_not(replaced(all, "begin = { x = \"-0.5", "begin = { x = \"-0.6"), "gf:ld=model"),
         "reaction in [discrete]: not consistent");
    EXPECT_EQ(why_not(replaced(all, "begin = { x = \"-0.5", "begin = { x = \"-0.6"), "gni:ld=model"), "");
    says(why_not(replaced(all, "/2*(x_1 - x_0)\"]", "*(x_1 - x_0)\"]"), "dla:ld=model"),
         "' is not consistent with the model");
    says(why_not(replaced(all, "/2*(x_1 - x_0)\"]", "/2.00000002*(x_1 - x_0)\"]"), "dla:ld=model"),
         "' is not consistent with the model");
    EXPECT_EQ(why_not(replaced(all, "(y_0 + y_1)/2*(x_1 - x_0)\"]", "y_0*(x_1 - x_0) + h^2*x_0\"]"), "dla:ld=model"),
              "");
    says(why_not(replaced(all, "begin = { x = \"-0.5", "begin = { x = \"-0.50000001"), "gf:ld=model"),
         "reaction in [discrete]");
    const std::string forced = free_mechanics + free_midpoint + free_forces;
    EXPECT_EQ(why_not(forced, "del:ld=model"), "");
    says(why_not(replaced(forced, "/20 +", "/10 +"), "del:ld=model"), "forces in [discrete]: not consistent");
    says(why_not(particle, "gni:ld=model"), "this model has none");
}

TEST(DiscreteTable, ToldByItsSymmetries) {
    const auto facts = [](const std::string& table) {
        const Model model = deep_copy(read_model(free_mechanics + table, "table.toml"));
        return std::pair(is_symmetric(model), is_reversible(model));
    };
    EXPECT_EQ(facts(free_midpoint), std::pair(true, false)); // x y' is odd in velocities, sin(t) in time
    EXPECT_EQ(facts(free_midpoint + free_forces), std::pair(true, false));
    EXPECT_EQ(facts(replaced(free_midpoint, "- k*", "- 1e-24*h^2*x_0^2 - k*")), std::pair(false, false));
    EXPECT_EQ(facts(free_midpoint + replaced(free_forces, "cos(t_1 - h/2)", "cos(t_1)")), std::pair(false, false));
    const auto of_particle = [](const std::string& table) {
        const Model model = deep_copy(read_model(particle + table, "table.toml"));
        return std::array{is_symmetric(model), is_reversible(model), has_symmetric_constraint(model),
                          is_invariant(model, model.symmetries[0].generator)};
    };
    using Facts = std::array<bool, 4>;
    const std::string right = particle_midpoint + particle_constraint, reaction = particle_reaction("0.5", "0.5");
    EXPECT_EQ(of_particle(right), (Facts{true, true, true, true}));
    EXPECT_EQ(of_particle(right + reaction), (Facts{true, true, true, false})); // which acts along z
    EXPECT_EQ(of_particle(right + particle_reaction("0.25", "0.75")), (Facts{false, false, true, false}));
    EXPECT_EQ(of_particle(replaced(right, "(y_0 + y_1)/2*(x", "y_0*(x")), (Facts{true, true, false, true}));
    EXPECT_EQ(of_particle(replaced(right, "- h*", "- h^2*z_0^2 - h*")), (Facts{false, false, true, false}));
    EXPECT_EQ(of_particle(replaced(right, "- h*", "- h^2*(z_0 + z_1)^2 - h*")), (Facts{false, true, true, false}));
}

// Only what is its own adjoint has order 2; the other one says so, and keeps what every L_d keeps.
TEST(DiscreteTable, ThatIsNotItsOwnAdjointHasOrderOne) {
    const std::string conservative = replaced(free_mechanics, "force = { y = \"-y'/10 + cos(t)/5\" }\n", "");
    const std::string left = R"toml([discrete]
lagrangian = "h*((((x_1 - x_0)/h)^2 + 2*((y_1 - y_0)/h)^2)/2 + x_0*(y_1 - y_0)/h/3 - k*(x_0^2)toml"
                             R"toml( + y_0^2)/2 - x_0^2*y_0 + x_0*sin(t_0)/4)"
)toml";
    for (const auto& [table, order] : {std::pair(left, 1), std::pair(free_midpoint, 2)}) {
        const Model model = read_model(conservative + table, "table.toml");
        const Verification found = verify(model, parse_methods("del:ld=model")[0], {.step = 0.1});
        const auto claim = [&](const std::string& name) {
            return *std::find_if(found.claims.begin(), found.claims.end(),
                                 [&](const MeasuredClaim& c) { return c.name == name; });
        };
        EXPECT_EQ(claim("symplectic").verdict, MeasuredClaim::pass);
        EXPECT_EQ(claim("symmetric").verdict, order == 2 ? MeasuredClaim::pass : MeasuredClaim::not_applicable);
        EXPECT_EQ(claim("order").claimed, std::to_string(order));
        EXPECT_NEAR(*claim("order").measured, order, 0.1);
        EXPECT_TRUE(found.holds());
    }
    // dla with the constraint at one end of the step.
    const std::string constraint = replaced(particle_constraint, "(y_0 + y_1)/2", "y_0");
    const Model model = read_model(particle + particle_midpoint + constraint, "table.toml");
    const Verification found = verify(model, parse_methods("dla:ld=model")[0], {.step = 0.02});
    EXPECT_TRUE(found.holds());
    EXPECT_NEAR(found.order.order, 1, 0.1);
}

// Each condition of a claim is needed: promised without it, the claim fails on a table that does not meet it.
TEST(DiscreteTable, NeedsTheConditionsOfItsClaims) {
    const std::string central = R"toml(coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)^2/4"
[symmetries]
turn = { x = "-y", y = "x" }
[initial]
q = [0.8, 0.1]
v = [0.1, 0.7]
[discrete]
lagrangian = "((x_1 - x_0)^2 + (y_1 - y_0)^2)/(2*h) - h*((x_0^2 + y_0^2)^2 + (x_1^2 + y_1^2)^2)/8 TERM"
)toml";
    const auto verdict = [&](const std::string& term, Property property, std::vector<Condition> conditions) {
        const Model model = read_model(replaced(central, "TERM", term), "central.toml");
        const Method method = build_method(model, parse_methods("del:ld=model")[0]);
        const Claim claim{property, Answer::yes, std::move(conditions)};
        return verify(model, method, {claim}, {.step = 0.1, .steps = 100}).claims[0].verdict;
    };
    using enum Property;
    using enum Condition;
    const std::string neither = "- h^2*x_0^2*y_0^2", even = "+ h^2*(x_1^2 - x_0^2)", skew = "- h^3*x_0*x_1";
    for (const auto& [term, property, condition] :
         {std::tuple(neither, symmetric, discrete_symmetric), std::tuple(even, reversible, discrete_reversible),
          std::tuple(skew, momentum_exact, discrete_invariant)}) {
        EXPECT_EQ(verdict(term, property, {}), MeasuredClaim::fail) << to_text(property);
        EXPECT_EQ(verdict(term, property, {condition}), MeasuredClaim::not_applicable) << to_text(property);
        EXPECT_EQ(verdict("", property, {condition}), MeasuredClaim::pass) << to_text(property);
    }
}

} // namespace
} // namespace rattleback
