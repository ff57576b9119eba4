// The measurement of orders measured: against closed forms, and where there is nothing to fit.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "evidence/defects.hpp"
#include "evidence/studies.hpp"
#include "expr/real_functions.hpp"

namespace rattleback {
namespace {

Model model_of(const std::string& mechanics, const std::string& initial) {
    return read_model("coordinates = [\"x\"]\n[mechanics]\n" + mechanics + "\n[initial]\n" + initial + "\n", "m.toml");
}
OrderStudy study(const Model& model, const char* method, const OrderOptions& options) {
    return observed_order(compile(model, build_method(model, parse_methods(method)[0])), options);
}

// x' = v, v' = -x by the midpoint rule is a rotation by 2 atan(h/2) a step: its error is known in closed form.
TEST(OrderStudies, ReportTheErrorsThereAre) {
    const Model model = model_of("lagrangian = \"x'^2/2 - x^2/2\"", "t = 0.75\nq = [1]\nv = [0]");
    const OrderStudy s = study(model, "midpoint", {.until = 2, .coarsest = 4, .most_halvings = 5});
    ASSERT_EQ(s.steps.size(), 6u);
    ASSERT_EQ(s.errors.size(), 6u);
    ASSERT_EQ(s.orders.size(), 5u);
    EXPECT_EQ(s.until, 2);
    for (std::size_t i = 0; i < s.steps.size(); ++i) {
        const int n = 4 << i;
        const double h = 2.0 / n, angle = n * 2 * std::atan(h / 2);
        EXPECT_EQ(s.steps[i], h);
        const double error =
            std::max(std::abs(std::cos(angle) - std::cos(2.0)), std::abs(std::sin(angle) - std::sin(2.0)));
        EXPECT_NEAR(s.errors[i] / error, 1, 1e-11) << n;
    }
    for (std::size_t i = 0; i < s.orders.size(); ++i)
        EXPECT_NEAR(s.orders[i], std::log2(s.errors[i] / s.errors[i + 1]), 1e-12);
    EXPECT_EQ(s.order, s.orders.back());
    EXPECT_EQ(s.note, "");
}

// The reference is good enough for errors of 1e-25: the exact solution of the pendulum's separatrix, x = 4 atan(e^t) -
// pi.
TEST(OrderStudies, HaveAReferenceOf26Digits) {
    const Model model = model_of("hamiltonian = \"p_x^2/2 - cos(x)\"", "q = [0]\np = [2]");
    Method reference = build_method(model, parse_methods("dop853")[0]);
    reference.tolerance = 1e-30;
    Stepper<quad> stepper(model, reference);
    Report report;
    ASSERT_TRUE(stepper.start(report) && stepper.advance(0, 1, report));
    const quad exact = 4 * real::atan(real::exp(static_cast<quad>(1))) - real::pi();
    EXPECT_LE(static_cast<double>(real::abs(stepper.state()[0] - exact)), 1e-28);
}

// Where dop853 takes no phase constraints: p_x = y, p_y = 0 make (x, y) canonical, and the separatrix again the motion.
TEST(OrderStudies, HaveAReferenceWithPhaseConstraints) {
    const Model model = read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nhamiltonian = \"y^2/2 - cos(x)\"\n"
                                   "[constraints]\nphase = [\"p_x - y\", \"p_y\"]\n[initial]\nq = [0, 2]\np = [2, 0]\n",
                                   "m.toml");
    const std::vector<quad> end = exact_end(model, 1);
    const quad e = real::exp(static_cast<quad>(1));
    const quad exact[] = {4 * real::atan(e) - real::pi(), 4 / (e + 1 / e)};
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LE(static_cast<double>(real::abs(end[i] - exact[i])), 1e-29) << i;
    EXPECT_NEAR(study(model, "dirac:stages=2", {.until = 1, .coarsest = 8, .most_halvings = 3}).order, 4, 0.01);
}

TEST(OrderStudies, SayWhenThereIsNothingToFit) {
    const Model model = model_of("lagrangian = \"x'^2/2\"", "q = [1]\nv = [1]"); // every method is exact
    const OrderStudy s = study(model, "midpoint", {});
    ASSERT_EQ(s.errors.size(), 1u);
    EXPECT_LE(s.errors[0], 2e-29); // 7e-30: the published coefficients of the reference have 30 digits
    EXPECT_TRUE(s.orders.empty());
    EXPECT_EQ(s.order, 0);
    EXPECT_EQ(s.note, "no two steps could be compared");
}

TEST(OrderStudies, SkipStepsThatAreTooCoarseForNewton) {
    const Model model = model_of("lagrangian = \"x'^2/2 + 50*cos(x)\"", "q = [2]\nv = [3]");
    const OrderStudy s = study(model, "midpoint", {.until = 12, .coarsest = 12, .most_halvings = 8});
    EXPECT_LT(s.steps.size(), 9u);
    EXPECT_LT(s.steps.front(), 1); // the first ones failed
    EXPECT_NEAR(s.order, 2, 0.1);
}

TEST(Inspections, TellWhatAModelIs) {
    const auto facts = [](const Model& model) {
        std::string s;
        for (const auto& [name, words] : inspect(model).facts) s += name + ": " + words + "\n";
        return s;
    };
    EXPECT_EQ(
        facts(model_of("lagrangian = \"x'^2/2*(1 + x^2) - x*cos(t)\"\nforce = { x = \"-x'\" }", "q = [1]\nv = [0]")),
        "model: (no name)\ncoordinates: 1: x\ngiven by: a Lagrangian\n"
        "time: enters the formulas: energy is not conserved\nforces: yes: energy and momenta follow them\n"
        "kinetic energy: quadratic, with a metric that depends on q\nregularity: L is regular at the start\n");
    EXPECT_EQ(facts(read_model("variables = [\"x\", \"y\", \"l\"]\n[hamiltonian]\nformula = \"(x^2 + y^2 + l^2)/2\"\n"
                               "structure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\nz = { x = 1, y = 0 }\n",
                               "m.toml")),
              "model: (no name)\nvariables: 3: x, y, l\ngiven by: J z' = grad H(z)\n"
              "structure: rank 2, kernel of dimension 1\ntime: does not enter the Hamiltonian\n"
              "restricted form: rank 2 of 2 on the constraint set: symplectic\nindex: 1: "
              "H_lambda_lambda is regular at the start\n");
}

TEST(Inspections, WarnOfSymmetriesThatAreNone) {
    const Model model =
        read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - x^2 - y^2/2\"\n"
                   "[symmetries]\nturn = { x = \"-y\", y = \"x\" }\n[initial]\nq = [1, 0.5]\nv = [0, 0]\n",
                   "m.toml");
    ASSERT_EQ(inspect(model).warnings.size(), 1u);
    EXPECT_EQ(inspect(model).warnings[0].substr(0, 66),
              "'turn' is declared a symmetry, but changes the Lagrangian at a rat");
}

// Known failure, asserted as it is, so that a fix is noticed: a force along a symmetry changes its momentum.
TEST(Inspection, SeesForcesAlongASymmetry) {
    const Model model =
        read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2\"\nforce = { x = \"-x'\" }\n"
                   "[symmetries]\nshift = { x = \"1\" }\n[initial]\nq = [0]\nv = [1]\n",
                   "m.toml");
    const Inspection found = inspect(model);
    EXPECT_TRUE(found.warnings.empty());
    EXPECT_EQ(found.facts.back().second, "shift: leaves the formulas unchanged; a force acts along it");
}

} // namespace
} // namespace rattleback
