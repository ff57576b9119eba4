// Round-off must not drift: where a method's own error is below it, the energy error is a random walk of 1e-18 a step,
// and a line fitted to it rises by what that walk does. Every bias, were it 1e-20 a step, would show.
#include <gtest/gtest.h>

#include "laws/measure.hpp"
#include "scheme/operators.hpp"

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

// Distances in the weak Dirac form: what rounding leaves walks away, unless each step takes it back.
TEST(ConstraintDrift, OfTheWeakFormIsTakenBack) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    const auto largest = [&](const char* method) {
        return *integrate(model, {.method = method, .step = 0.05, .steps = 200000, .every = 200000})
                    .summary()
                    .holonomic_max;
    };
    EXPECT_LE(largest("dirac_weak:stages=2"), 6e-16) << "measured 2.8e-16, also in 1e6 steps";
    EXPECT_GE(largest("dirac_weak:stages=2:correct=no"), 1e-15);
}

} // namespace
} // namespace rattleback::laws
