// Stages by fixed-point iteration with something wrong in it: other weights lead elsewhere, slopes that are not led
// ahead take longer.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

#include "run/compiled.hpp"
#include "solve/collocation.hpp"

namespace rattleback {
namespace {

struct Path {
    std::vector<double> end;
    double iterations = 0; // of a step
};

// Steps from the model's start, with these stages in place of the method's own.
Path walk(const CompiledMethod& method, CompiledStages stages, double h) {
    constexpr int steps = 50;
    Stepper<double> at(method);
    Report report;
    EXPECT_TRUE(at.start(report, h)) << report.text();
    std::vector<double> state = at.state(), hint = at.hint();
    StageSolver<double> solver(std::make_shared<const CompiledStages>(std::move(stages)));
    solver.reset(hint.data());
    report.newton_iterations = 0;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(solver.solve(state.data(), k * h, h, at.parameters().data(), false, hint.data(), report)) << k;
        for (std::size_t i = 0; i < state.size(); ++i) state[i] += solver.increment()[i];
    }
    return {state, static_cast<double>(report.newton_iterations) / steps};
}

double apart(const Path& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < b.size(); ++i) most = std::max(most, std::abs(a.end[i] - b[i]));
    return most;
}

class StageMutants : public testing::TestWithParam<std::pair<const char*, const char*>> {
  protected:
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + GetParam().first + ".toml");
    const CompiledMethod method = compile(model, GetParam().second + std::string(":iteration=fixed"));
    const CompiledStages& own = *method.parts().stages;
    static constexpr double h = 0.2;

    std::vector<double> by_newton() const {
        Stepper<double> at(compile(model, GetParam().second + std::string(":iteration=newton")));
        Report report;
        EXPECT_TRUE(at.start(report, h));
        for (int k = 0; k < 50; ++k) EXPECT_TRUE(at.advance(k, h, report));
        return at.state();
    }
};

TEST_P(StageMutants, HaveOtherWeights) {
    const std::vector<double> newton = by_newton();
    EXPECT_LE(apart(walk(method, own, h), newton), 9e-14);
    CompiledStages mutant = own;
    mutant.weights.mu[0][1] *= 1 + quad(1e-6);
    EXPECT_GE(apart(walk(method, mutant, h), newton), 1e-9);
    mutant = own, mutant.weights.b[0] *= 1 + quad(1e-6);
    EXPECT_GE(apart(walk(method, mutant, h), newton), 1e-7);
}

TEST_P(StageMutants, DoNotLeadSlopesAhead) {
    CompiledStages mutant = own;
    for (auto& row : mutant.weights.ahead) row.assign(row.size(), 0);
    EXPECT_GE(walk(method, mutant, h).iterations, 1.1 * walk(method, own, h).iterations);
}

// Slopes of the old chart in the new one.
TEST(ChartMutants, DoNotLeadSlopesIntoTheNewChart) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/heavy_top.toml");
    const CompiledMethod method = compile(model, "gauss:stages=6:iteration=fixed");
    const CompiledStages& own = *method.parts().stages;
    CompiledStages mutant = own;
    mutant.recentred = nullptr;
    const Path right = walk(method, own, 0.1), wrong = walk(method, mutant, 0.1);
    EXPECT_GE(wrong.iterations, 1.1 * right.iterations);
    EXPECT_LE(apart(wrong, right.end), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(All, StageMutants,
                         testing::Values(std::pair{"henon_heiles", "gauss:stages=6"},
                                         std::pair{"nonholonomic_particle", "nh_gauss:stages=6"},
                                         std::pair{"cartesian_pendulum", "dirac_weak:stages=6"}));

} // namespace
} // namespace rattleback
