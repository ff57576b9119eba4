// Systems that are not of index 1: refused with the assumption that fails; and what becomes of them when they are run
// all the same (McLachlan, Modin, Verdier and Wilkins 2014, section 2).
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "run/initial.hpp"

#include <cmath>
#include <limits>

namespace rattleback {
namespace {

constexpr const char* pendulum = R"toml(
variables = ["x", "y", "p", "r", "l"]
[hamiltonian]
formula = "(p^2 + r^2)/2 + y + l*(x^2 + y^2 - 1)/2"
structure = [[0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]
[initial]
z = [1, 0, 0, -0.5, 0.25]
)toml";

std::string general(const std::string& H, const std::string& structure, const std::string& z) {
    return "variables = [\"x\", \"y\"]\n[hamiltonian]\nformula = \"" + H + "\"\nstructure = " + structure +
           "\n[initial]\nz = " + z + "\n";
}
std::string inside(const std::string& mechanics, const std::string& constraint, const std::string& initial) {
    return "coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\n" + mechanics + "\n[constraints]\nvelocity = [\"" +
           constraint + "\"]\nprinciple = \"variational\"\n[initial]\n" + initial + "\n";
}

std::string with_multiplier(const std::string& term, const std::string& z) {
    return "variables = [\"x\", \"p\", \"l\"]\n[hamiltonian]\nformula = \"p^2/2 + x^2/2 + " + term +
           "\"\nstructure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\nz = " + z + "\n";
}
const std::string
    undetermined_without_remedy =
        "the system is not of index 1: H_lambda_lambda has rank 0 of 1 at the start, and H_lambda = 0 does not "
        "determine the multipliers\n  ",
    remedy = "a holonomic constraint belongs under holonomic = [...] of a mechanical model; --force index runs it as "
             "it is",
    undetermined = undetermined_without_remedy + remedy,
    hidden = undetermined_without_remedy + "dirac and dirac_weak take it, with the constraints hidden in it; " + remedy;

struct Refusal {
    const char* what;
    std::string model, message;
};

const Refusal refusals[] = {
    {"a holonomic constraint as a multiplier", pendulum, hidden},
    {"a multiplier that is not determined at this place only", with_multiplier("x*l^2/2", "[0, 1, 0]"), undetermined},
    {"a multiplier that exists on one side only, l^2 = p - x", with_multiplier("l^3/3 - l*(p - x)/5", "[0.7, 0.7, 0]"),
     undetermined},
    {"a multiplier with three values on one side, l^3 = l*(p - x)",
     with_multiplier("l^4/4 - l^2*(p - x)/5", "[0.7, 0.7, 0]"), undetermined},
    {"J = 0", general("(x - 1)^2/2 + y^2", "[[0, 0], [0, 0]]", "{}"),
     "J = 0: grad H(z) = 0 are equations without time, and nothing moves\n  --force index runs it as it is"},
    {"an indefinite metric",
     inside("lagrangian = \"(x'^2 - y'^2 + z'^2)/2\"", "x' + y'", "q = [0, 0, 1]\nv = [1, -1, 0]\nlambda = [0]"),
     "the variational problem is not of index 1: phi_v F_vv^-1 phi_v^T is singular at the start, F = L - lambda . phi; "
     "that phi_v has full rank is not enough where F_vv is indefinite\n  --force index runs it as it is"},
    {"a metric without a direction that the constraint allows",
     inside("lagrangian = \"(x'^2 + z'^2)/2 - y^2\"", "z' - y*x'", "q = [0, 1, 0]\nv = [1, 0, 1]\nlambda = [0]"),
     "the variational problem is not of index 1: F_vv is singular at the start along directions that the constraints "
     "allow, F = L - lambda . phi\n  --force index runs it as it is"},
    {"an indefinite Hamiltonian",
     inside("hamiltonian = \"(p_x^2 - p_y^2 + p_z^2)/2\"", "x' + y'", "q = [0, 0, 1]\np = [1, 1, 0]"),
     "the variational problem is not of index 1: phi_v H_pp phi_v^T is singular at the start; that phi_v has full rank "
     "is not enough\n  --force index runs it as it is"},
    {"an indefinite metric, from momenta",
     inside("lagrangian = \"(x'^2*(1 + x)^2 - y'^2 + z'^2)/2\"", "x' + y'", "q = [0, 0, 1]\np = [1, 1, 0]"),
     "the variational problem is not of index 1: phi_v F_vv^-1 phi_v^T is singular at the start, F = L - lambda . phi; "
     "that phi_v has full rank is not enough where F_vv is indefinite\n  --force index runs it as it is"},
    {"a singular Lagrangian",
     "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"x'^2/2 - x^2/2 + x*y - y^2/2\"\n[initial]\n"
     "q = [1, 1]\nv = [0, 0]\n",
     "the Lagrangian is singular: the momenta do not determine y'\n  every velocity must enter the kinetic energy; "
     "--force index runs it as it is"},
};

std::string complaint(const Model& model, const std::string& method) {
    try {
        return integrate(model, {.method = method, .step = 0.1, .steps = 2}).report().text();
    } catch (const std::exception& e) { return e.what(); }
}

TEST(Index, OtherThanOneIsRefusedWithTheAssumptionThatFails) {
    for (const auto& [what, text, message] : refusals)
        for (const char* method : {"midpoint", "gauss:stages=2"})
            EXPECT_EQ(complaint(read_model(text, "m.toml"), method), message) << what;
}

// Sub-Riemannian: nothing but the constrained directions has a length, and that is enough.
TEST(Index, IsOneWhereTheConstraintsMakeUpForTheMetric) {
    const Model model = read_model(
        inside("lagrangian = \"(x'^2 + y'^2)/2\"", "z' - y*x'", "q = [0, 1, 0]\nv = [1, 0, 1]\nlambda = [0.3]"),
        "m.toml");
    EXPECT_EQ(index_problem(model), "");
    EXPECT_EQ(complaint(model, "midpoint"), "finished");
}

// Prop. 4 asks for one solution of H_lambda = 0, not for a regular H_lambda_lambda: l^3 = (p - x)/5 has one at l = 0,
// and so has each step. The end after 40 steps: test/oracle/flat_multiplier.py.
TEST(Index, IsOneWhereAMultipleRootIsTheOnlyOne) {
    const std::string H = "l^4/4 - l*(p - x)/5";
    const std::vector<double> end{-0.9930924808737908, -0.31663601507335604, 0.5133614850906423};
    for (const char* z : {"[0.7, 0.7, 0]", "{ x = 0.7, p = 0.7 }"}) {
        const Model model = read_model(with_multiplier(H, z), "m.toml");
        EXPECT_EQ(index_problem(model), "");
        for (const auto engine : {RunOptions::Engine::interpreted, RunOptions::Engine::compiled}) {
            const auto run = integrate(model, {.method = "midpoint", .step = 0.1, .steps = 40, .engine = engine});
            ASSERT_TRUE(run.report().ok()) << run.report().text();
            EXPECT_EQ(run.summary().note.find("several roots"), std::string::npos) << run.summary().note;
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.summary().end["z"][i], end[i], 2.5e-16) << z;
        }
        for (const char* method : {"gauss:stages=3", "rk4", "dop853", "compose"})
            EXPECT_EQ(complaint(model, method), "finished") << method << z;
        Report report; // the first step, whose hint is the singular place, keeps the form, and in quad, too
        const CompiledMethod compiled = compile(model, "midpoint");
        EXPECT_LE(symplectic_defect<double>(compiled, 0.1, 20, report).value(), 2e-16); // 5.8e-17
        EXPECT_LE(static_cast<double>(symplectic_defect<quad>(compiled, 0.1, 3, report).value()), 1e-33);
    }
}

// Members of a batch leave the lanes where Newton's method fails, and have the bits of a run of their own.
TEST(Index, OfAMultipleRootIsOneOnLanesToo) {
    const Model model = read_model(with_multiplier("l^4/4 - l*(p - x)/5", "[0.7, 0.7, 0]"), "m.toml");
    const CompiledMethod method = compile(model, "midpoint");
    Batch batch(method, 5);
    Stepper<double> alone(method);
    for (std::size_t member = 0; member < 5; ++member) ASSERT_TRUE(batch.start(member));
    batch.advance(0, 40, 0.1);
    Report report;
    ASSERT_TRUE(alone.start(report, 0.1));
    for (long long k = 0; k < 40; ++k) ASSERT_TRUE(alone.advance(k, 0.1, report)) << report.text();
    for (std::size_t member = 0; member < 5; ++member) EXPECT_EQ(batch.state(member), alone.state());
}

TEST(Roots, OfMultipliersThatWereLeftOutAreToldByARun) {
    const std::string H = "l^3/3 - l*(2 + x)";
    const auto end = [&](const char* z, std::string& note) {
        const auto run =
            integrate(read_model(with_multiplier(H, z), "m.toml"), {.method = "midpoint", .step = 0.1, .steps = 1});
        note = run.summary().note;
        return run.summary().end["z"];
    };
    std::string note;
    const std::vector<double> taken = end("{ x = 0.25, p = 0.5 }", note);
    EXPECT_EQ(note.substr(0, 91),
              "H_lambda = 0 has several roots: l = 1.5 is taken; others: l = -1.5 (--z takes another)")
        << note;
    EXPECT_EQ(end("[0.25, 0.5, 1.5]", note), taken);
    EXPECT_EQ(note.find("roots"), std::string::npos) << note;
    EXPECT_NEAR(end("[0.25, 0.5, -1.5]", note)[2], -1.51364230730056, 1e-13);
}

Model forced(const std::string& text) {
    Model model = read_model(text, "m.toml");
    EXPECT_NE(index_problem(model), "");
    model.any_index = true;
    return model;
}

// Constraints are met in the middle of steps, and the two-form is kept (Prop. 3); but the multipliers alternate with a
// size of 1/h, and the momenta converge to something that does not lie along the circle.
TEST(ForcedIndex, LetsAHolonomicConstraintShowThatItDoesNotConverge) {
    const Model model = forced(pendulum);
    const double infinity = std::numeric_limits<double>::infinity();
    double last = 0;
    for (const double h : {0.1, 0.05, 0.025, 0.0125}) {
        const auto run = integrate(model, {.method = "midpoint", .step = h, .until = 2});
        ASSERT_TRUE(run.report().ok()) << run.report().text();
        double largest = 0;
        for (std::size_t i = 0; i < run.z.rows(); ++i) largest = std::max(largest, std::abs(run.z(i, 4)));
        EXPECT_NEAR(largest / last, 2, last > 0 ? 0.11 : infinity); // 1.90, 1.95, 1.97
        last = largest;
        const std::vector<double> z = run.summary().end["z"];
        EXPECT_GT(std::abs(z[0] * z[2] + z[1] * z[3]), 0.6) << "the hidden constraint"; // 0.625 ... 0.629
        EXPECT_GT(run.energy_error_max(), 0.19);
        Report report;
        const Method method = build_method(model, parse_methods("midpoint")[0]);
        EXPECT_LE(*symplectic_defect<double>(compile(model, method), h, 20, report), 1e-14);
    }
}

TEST(ForcedIndex, FindsTheEquilibriumOfEquationsWithoutTime) {
    const Model model = forced(general("(x - 1)^2/2 + y^2", "[[0, 0], [0, 0]]", "[0, 3]"));
    const auto run = integrate(model, {.method = "gauss:stages=2", .step = 0.1, .steps = 3});
    EXPECT_EQ(run.summary().end["z"], (std::vector<double>{1, 0}));
}

// y has no velocity in L: p_y = 0 at the stages makes y = x there, and the motion is x'' = 0.
TEST(ForcedIndex, RunsASingularLagrangianThroughItsStages) {
    const Model model =
        forced("coordinates = [\"x\", \"y\"]\n[mechanics]\n"
               "lagrangian = \"x'^2/2 - x^2/2 + x*y - y^2/2\"\n[initial]\nq = [1, 1]\nv = [0.5, 0.5]\n");
    const auto run = integrate(model, {.method = "midpoint", .step = 0.1, .steps = 10});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_NEAR(run.summary().end["q"][0], 1.5, 2e-15);
    EXPECT_NEAR(run.summary().end["q"][1], 1.5, 2e-15);
}

} // namespace
} // namespace rattleback
