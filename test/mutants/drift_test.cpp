// Round-off must not drift: where a method's own error is below it, the energy error is a random walk of 1e-18 a step,
// and a line fitted to it rises by what that walk does. Every bias, were it 1e-20 a step, would show.
#include <gtest/gtest.h>

#include "expr/rewrite.hpp"
#include "laws/measure.hpp"
#include "scheme/build.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::laws {
namespace {

// By how much the line fitted to the energy error rises over the run.
double rise(const Model& model, const Step& step, double h, int steps) {
    const Method method{.id = "gauss", .step = step, .order = 10};
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    EXPECT_TRUE(stepper.start(report, h) && reader.read(stepper, 0, report)) << report.text();
    const double initial = reader.node().energy;
    double moment = 0, weight = 0;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(stepper.advance(k, h, report) && reader.read(stepper, (k + 1) * h, report)) << report.text();
        const double along = static_cast<double>(k) / steps - 0.5;
        moment += along * (reader.node().energy - initial), weight += along * along;
    }
    return moment / weight;
}

TEST(EnergyDrift, IsThatOfARandomWalk) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/henon_heiles.toml");
    for (const auto& [stages, h] : {std::pair{5, 0.2}, {5, 0.3}, {6, 0.4}}) {
        const double by = rise(model, runge_kutta_step(model, gauss(stages)), h, 200000);
        EXPECT_LE(std::abs(by), 7e-15) << stages << " stages, step " << h;
    }
}

TEST(EnergyDrift, ShowsWeightsRoundedToDouble) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/henon_heiles.toml");
    Tableau rounded = gauss(5);
    for (auto& row : rounded.a)
        for (quad& a : row) a = static_cast<double>(a);
    EXPECT_GE(std::abs(rise(model, runge_kutta_step(model, rounded), 0.3, 200000)), 2e-14);
}

// Lobatto's weights, such as 1/6 and 5/24, with the second of their two parts such that both make the nearest double.
Method with_rounded_weights(const Model& model, int stages) {
    Method method = build_in_graph(model, parse_methods("lobatto:stages=" + std::to_string(stages))[0]);
    const Tableau A = lobatto_a(stages), B = symplectic_partner(A);
    Rewriter rewrite(*model.graph, true);
    const auto round = [&](const std::vector<quad>& weights) {
        for (const quad w : weights) {
            const quad most = static_cast<float>(w), rest = w - most, rounded = static_cast<double>(w);
            if (rest == 0) continue;
            rewrite.replace(Expr(rest).in(*model.graph), rounded - most);
            rewrite.replace(Expr(-rest).in(*model.graph), most - rounded);
        }
    };
    for (const Tableau* t : {&A, &B}) {
        for (const auto& row : t->a) round(row);
        round(t->b);
    }
    const auto rewritten = [&](Vec v) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i].value = rewrite(v[i].value);
        return v;
    };
    method.step.increment = rewritten(method.step.increment);
    for (Equation& e : method.step.equations) e = rewritten(e.lhs) == rewritten(e.rhs);
    return method;
}

TEST(EnergyDrift, ShowsLobattosWeightsRoundedToDouble) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/henon_heiles.toml");
    const Method right = build_in_graph(model, parse_methods("lobatto:stages=6")[0]);
    EXPECT_LE(std::abs(rise(model, right.step, 0.3, 200000)), 7e-15) << "measured 1.7e-15";
    EXPECT_GE(std::abs(rise(model, with_rounded_weights(model, 6).step, 0.3, 200000)), 2e-14) << "measured 3.0e-14";
}

// Distances in the weak Dirac form: what rounding leaves walks away, unless each step takes it back.
TEST(ConstraintDrift, OfTheWeakFormIsTakenBack) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    const auto largest = [&](const char* method) {
        return *integrate(model, {.method = method, .step = 0.05, .steps = 200000, .every = 200000})
                    .summary()
                    .holonomic_max;
    };
    EXPECT_LE(largest("dirac_weak"), 6e-16) << "measured 2.8e-16";
    EXPECT_GE(largest("dirac_weak:correct=no"), 2e-15);
}

// Angular momentum of a spherical pendulum: a walk, not a march.
double momentum_error(const Model& model, const Method& method) {
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    const double h = 0.0123456789;
    EXPECT_TRUE(stepper.start(report, h) && reader.read(stepper, 0, report)) << report.text();
    const double initial = reader.node().momenta[0];
    constexpr int steps = 400000;
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    EXPECT_TRUE(reader.read(stepper, steps * h, report));
    return std::abs(reader.node().momenta[0] - initial);
}

TEST(MomentumDrift, IsThatOfARandomWalk) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    Method method = build_in_graph(model, parse_methods("rattle")[0]);
    EXPECT_LE(momentum_error(model, method), 4e-15);
    // The mutant: velocities are unknowns of Newton's method, no formulas of the multiplier it ends with.
    for (Equation& e : method.step.equations)
        if (e.lhs[0].name.find("x'") != std::string::npos) e = Expr(2) * e.lhs == Expr(2) * e.rhs;
    EXPECT_GE(momentum_error(model, method), 2e-14);
}

} // namespace
} // namespace rattleback::laws
