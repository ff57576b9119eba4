// What a motion does not conserve has no error: it is said why, and the balance is measured.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "run/balance.hpp"
#include "scheme/build.hpp"

namespace rattleback {
namespace {

Model model(const std::string& text) { return read_model(text, "m.toml"); }

Model oscillator(const std::string& mechanics) {
    return model("coordinates = [\"x\"]\n[mechanics]\n" + mechanics + "\n[initial]\nq = [1]\nv = [0.5]\n");
}

Model particle(const std::string& mechanics, const std::string& more, const std::string& start) {
    return model("coordinates = [\"x\", \"y\"]\n[mechanics]\n" + mechanics + "\n" + more + "\n[initial]\n" + start +
                 "\n");
}

Model of_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name);
    throw std::runtime_error("no model " + name);
}

Balance balance(const Model& m, const std::string& method, double h, double until, const std::string& of = "energy") {
    const rattleback::Run run = integrate(m, {.method = method, .step = h, .until = until});
    EXPECT_TRUE(run.report().ok()) << run.report().text();
    const Balance* b = run.summary().balance(of);
    return b ? *b : Balance{};
}

// By which power of two the balance is kept better with half the step.
double order_of(const Model& m, const std::string& method, double h, double until, const std::string& of = "energy") {
    return std::log2(*balance(m, method, h, until, of).error / *balance(m, method, h / 2, until, of).error);
}

TEST(NodeQuadrature, IntegratesPolynomialsOverEachStep) {
    for (const std::size_t nodes : {2, 3, 5, 8, 10, 14}) {
        const NodeQuadrature quadrature(nodes);
        for (std::size_t j = 0; j + 1 < nodes; ++j)
            for (std::size_t power = 0; power < nodes; ++power) { // in x = s/(nodes - 1), so that nothing grows
                const double n = static_cast<double>(nodes - 1), a = static_cast<double>(j) / n,
                             b = static_cast<double>(j + 1) / n, d = static_cast<double>(power);
                double sum = 0;
                for (std::size_t i = 0; i < nodes; ++i)
                    sum += quadrature.weights(j)[i] / n * std::pow(static_cast<double>(i) / n, d);
                EXPECT_NEAR(sum, (std::pow(b, d + 1) - std::pow(a, d + 1)) / (d + 1), 2e-14) << nodes << " " << power;
            }
    }
}

// Against polynomials step by step, whatever comes at once: in the middle the weights are used as corrections of a sum.
TEST(RunningBalance, IsThatOfPolynomialsOverEachStep) {
    constexpr double h = 0.1;
    for (const int order : {2, 6})
        for (const std::size_t count : {3, 9, 10, 11, 14, 15, 40, 3000}) {
            std::vector<double> x, rate;
            for (std::size_t k = 0; k < count; ++k) {
                const double t = h * static_cast<double>(k);
                x.push_back(std::sin(t) + 0.01 * std::cos(7 * t)), rate.push_back(std::cos(t) + 0.1 * std::sin(9 * t));
            }
            const std::size_t fine = std::min<std::size_t>(count, order <= 4 ? 10 : 14),
                              coarse = fine > 4 ? fine - 2 : 2;
            const NodeQuadrature quadratures[] = {NodeQuadrature(fine), NodeQuadrature(coarse)};
            long double work[2] = {}, error = 0, doubt = 0;
            for (std::size_t j = 0; j + 1 < count; ++j) {
                for (int i = 0; i < 2; ++i) {
                    const std::size_t n = quadratures[i].nodes(), before = n / 2 - 1;
                    const std::size_t first = std::min(count - n, j > before ? j - before : 0);
                    for (std::size_t k = 0; k < n; ++k)
                        work[i] += static_cast<long double>(h) * quadratures[i].weights(j - first)[k] * rate[first + k];
                }
                error = std::max(error, std::abs(x[j + 1] - x[0] - work[0]));
                doubt = std::max(doubt, std::abs(work[0] - work[1]));
            }
            std::optional<RunningBalance::Result> alone;
            for (const std::size_t at_once : {1, 5, 256}) {
                RunningBalance balance(order, h);
                for (std::size_t k = 0; k < count; k += at_once)
                    balance.add(&x[k], &rate[k], std::min(at_once, count - k));
                const RunningBalance::Result found = balance.at_the_end();
                EXPECT_NEAR(found.error, static_cast<double>(error), 2e-15) << order << " " << count;
                EXPECT_NEAR(found.doubt, static_cast<double>(doubt), 2e-15) << order << " " << count;
                if (!alone) alone = found;
                EXPECT_EQ(found.error, alone->error) << count << " " << at_once;
                EXPECT_EQ(found.doubt, alone->doubt) << count << " " << at_once;
            }
        }
}

TEST(Balance, ForcesDoWork) {
    const Model damped = oscillator("lagrangian = \"x'^2/2 - x^2/2\"\nforce = { x = \"-x'/5 + sin(2*t)\" }");
    EXPECT_EQ(balance(damped, "midpoint", 0.1, 4).why, "forces do work");
    EXPECT_NEAR(order_of(damped, "midpoint", 0.1, 4), 2, 0.05);
    EXPECT_NEAR(order_of(damped, "gauss:stages=2", 0.05, 4), 4, 0.1) << "4.00";
    EXPECT_LE(*balance(damped, "gauss:stages=3", 0.05, 8).error, 2e-11) << "1.0e-11 with 10 nodes";
    EXPECT_NEAR(order_of(damped, "rk4", 0.1, 4), 4, 0.2);
    EXPECT_LE(*balance(damped, "dop853", 0.05, 4).error, 2e-12) << "0.8e-12";
    EXPECT_LE(*balance(damped, "gauss:stages=6", 0.05, 4).error, 2e-14);
}

TEST(Balance, TheLagrangianOrTheHamiltonianDependsOnTime) {
    const Model lagrangian = oscillator("lagrangian = \"exp(t/4)*(x'^2/2 - x^2/2)\"");
    EXPECT_EQ(balance(lagrangian, "midpoint", 0.1, 4).why, "the Lagrangian depends on t");
    EXPECT_NEAR(order_of(lagrangian, "gauss:stages=2", 0.2, 4), 4, 0.2);
    const Model hamiltonian = oscillator("hamiltonian = \"p_x^2/2 + (1 + cos(t)/2)*x^2/2\"");
    EXPECT_EQ(balance(hamiltonian, "midpoint", 0.1, 4).why, "the Hamiltonian depends on t");
    EXPECT_NEAR(order_of(hamiltonian, "midpoint", 0.1, 4), 2, 0.1);
}

// A bead on a rod that turns: r = cosh t, E = (sinh^2 + cosh^2)/2, and the rod gives it sinh^2 t.
TEST(Balance, ConstraintsThatMoveDoWork) {
    const Model rod = particle("lagrangian = \"(x'^2 + y'^2)/2\"",
                               "[constraints]\nholonomic = [\"y*cos(t) - x*sin(t)\"]", "q = [1, 0]\nv = [0, 1]");
    const rattleback::Run run = integrate(rod, {.method = "lobatto:stages=3", .step = 0.01, .until = 1.0});
    EXPECT_NEAR(run.summary().energy_error_max, std::pow(std::sinh(1.0), 2), 1e-8);
    ASSERT_TRUE(run.summary().balance("energy"));
    EXPECT_LE(*run.summary().balance("energy")->error, 1e-9);
    EXPECT_NEAR(order_of(rod, "rattle", 0.02, 1), 2, 0.1);
    EXPECT_LE(*balance(rod, "lobatto:stages=3", 0.025, 2).error, 1.1e-12) << "5.3e-13";
}

// x' = 1 against a slope: the reaction is 1, and does the work t.
TEST(Balance, ConstraintsThatAreNotHomogeneousDoWork) {
    const Model pushed = particle("lagrangian = \"(x'^2 + y'^2)/2 - x\"", "[constraints]\nvelocity = [\"x' - 1\"]",
                                  "q = [0, 0]\nv = [1, 0.3]");
    const rattleback::Run run = integrate(pushed, {.method = "nh_gauss", .step = 0.1, .until = 2.0});
    EXPECT_NEAR(run.summary().energy_error_max, 2, 1e-12);
    ASSERT_TRUE(run.summary().balance("energy"));
    EXPECT_LE(*run.summary().balance("energy")->error, 2e-14);
    // Even in the velocities, and yet not homogeneous: at a constant speed energy is lost on the way up.
    const Model steady = particle("lagrangian = \"(x'^2 + y'^2)/2 - y\"",
                                  "[constraints]\nvelocity = [\"x'^2 + y'^2 - 1\"]", "q = [0, 0]\nv = [0.8, 0.6]");
    EXPECT_NEAR(order_of(steady, "nh_gauss", 0.1, 2), 2, 0.1);
    EXPECT_NEAR(order_of(steady, "nh_gauss:stages=2", 0.05, 2), 4, 0.1) << "4.00";
    const Model cone =
        model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - z\"\n"
              "[constraints]\nvelocity = [\"x'^2 + y'^2 - z'^2\"]\n[initial]\nq = [0, 0, 0]\nv = [3, 4, 5]\n");
    EXPECT_FALSE(integrate(cone, {.method = "nh_gauss", .step = 0.1, .steps = 3}).summary().balance("energy"));
}

TEST(Balance, ForcesAcrossTheMotionDoNone) {
    const Model magnetic = particle("lagrangian = \"(x'^2 + y'^2)/2 - x^4\"\nforce = { x = \"2*y'\", y = \"-2*x'\" }",
                                    "[symmetries]\nup = { y = \"1\" }", "q = [0.3, 0]\nv = [0.1, 0.2]");
    const rattleback::Run run = integrate(magnetic, {.method = "gauss:stages=2", .step = 0.1, .until = 4.0});
    EXPECT_FALSE(run.summary().balance("energy"));
    ASSERT_TRUE(run.summary().balance("up"));
    EXPECT_EQ(run.summary().balance("up")->why, "forces act along it");
    EXPECT_NEAR(order_of(magnetic, "gauss:stages=2", 0.1, 4, "up"), 4, 0.3);
}

TEST(Balance, OfMomentaThatConstraintForcesChange) {
    const Model sleigh = of_gallery("chaplygin_sleigh");
    std::string first;
    for (const Symmetry& s : sleigh.symmetries)
        if (first.empty()) first = s.name;
    EXPECT_EQ(balance(sleigh, "nh_gauss", 0.02, 2, first).why, "constraint forces act along it");
    EXPECT_NEAR(order_of(sleigh, "nh_gauss", 0.02, 2, first), 2, 0.1);
    EXPECT_NEAR(order_of(sleigh, "nh_gauss:stages=2", 0.04, 2, first), 4, 0.3);
    EXPECT_NEAR(order_of(sleigh, "gni", 0.02, 2, first), 2, 0.3);
    EXPECT_FALSE(integrate(sleigh, {.method = "nh_gauss", .step = 0.1, .steps = 3}).summary().balance("energy"));
}

TEST(Balance, OfBodiesAndOfVariationalConstraints) {
    const Model satellite = of_gallery("satellite_with_rotors");
    EXPECT_NEAR(order_of(satellite, "lie_del", 0.05, 4), 2, 0.2);
    EXPECT_FALSE(integrate(satellite, {.method = "lie_del", .step = 0.1, .steps = 3}).summary().balance("momentum_x"));
    const Model vakonomic =
        model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n"
              "force = { y = \"sin(t)\" }\n[constraints]\nvelocity = [\"z' - y*x'\"]\n"
              "principle = \"variational\"\n[initial]\nq = [0, 0.5, 0]\nv = [1, 0.2, 0.5]\nlambda = [0.3]\n");
    EXPECT_NEAR(order_of(vakonomic, "gauss:stages=2", 0.1, 2), 4, 0.3);
}

// A declared symmetry that is none is told from a bad method.
TEST(Balance, OfWhatIsNoSymmetry) {
    const Model m = particle("lagrangian = \"(x'^2 + y'^2)/2 - x^2/2 - y^2\"",
                             "[symmetries]\nturn = { x = \"-y\", y = \"x\" }", "q = [1, 0]\nv = [0, 1]");
    EXPECT_EQ(balance(m, "midpoint", 0.1, 4, "turn").why, "the Lagrangian changes along it");
    EXPECT_NEAR(order_of(m, "gauss:stages=2", 0.1, 4, "turn"), 4, 0.2);
}

// Half of the force in the steps: what is given and what is gained no longer agree.
TEST(Balance, ShowsStepsWithAnotherForce) {
    const Model damped = oscillator("lagrangian = \"x'^2/2 - x^2/2\"\nforce = { x = \"-x'/5\" }");
    Scheme wrong = find_scheme("midpoint");
    wrong.build = [](const Model& m, const Options& o) {
        Model other = m;
        other.force = Expr(0.5) * m.force;
        return find_scheme("midpoint").build(other, o);
    };
    const rattleback::Run run = integrate(damped, wrong, {.step = 0.02, .until = 10.0});
    ASSERT_TRUE(run.summary().balance("energy"));
    EXPECT_GT(*run.summary().balance("energy")->error, 0.1);
    EXPECT_LT(*balance(damped, "midpoint", 0.02, 10).error, 1e-3);
}

// Where the nodes are too far apart to tell the work, that is said.
TEST(Balance, KnowsHowWellTheNodesTell) {
    const Model driven = oscillator("lagrangian = \"x'^2/2 - x^2/2\"\nforce = { x = \"sin(40*t)\" }");
    const Balance sparse = balance(driven, "dop853", 0.2, 8);
    EXPECT_GT(sparse.quadrature, *sparse.error / 10) << "the steps are right, the quadrature is not";
    const Balance dense = balance(driven, "dop853", 0.005, 8);
    EXPECT_LT(*dense.error, 1e-10);
    EXPECT_EQ(balance(driven, "rk4", 0.01, 0.02).error.has_value(), true);
}

} // namespace
} // namespace rattleback
