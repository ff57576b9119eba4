// Lobatto's pairs by iteration with something wrong in it: other weights lead elsewhere, multipliers that are corrected
// by other weights, or led ahead by none, take longer, and ends without their own multipliers are off the constraints.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

#include "run/compiled.hpp"
#include "solve/pairs.hpp"

namespace rattleback {
namespace {

struct Path {
    std::vector<double> end;
    double iterations = 0; // of a step
    double constraint = 0; // G v at the end
};

class PairMutants : public testing::Test {
  protected:
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_pendulum.toml");
    const CompiledMethod method = compile(model, "lobatto:stages=6:iteration=fixed");
    const CompiledPairs& own = *method.parts().stages->pairs;

    // Steps from the model's start, with these pairs in place of the method's own.
    Path walk(const CompiledPairs& pairs) const {
        constexpr int steps = 50;
        constexpr double h = 0.05;
        Stepper<double> at(method);
        Report report;
        EXPECT_TRUE(at.start(report, h)) << report.text();
        std::vector<double> state = at.state(), hint = at.hint();
        CompiledStages stages = *method.parts().stages;
        stages.pairs = std::make_shared<const CompiledPairs>(pairs);
        PairSolver<double> solver(std::make_shared<const CompiledStages>(stages));
        solver.reset(hint.data());
        report.newton_iterations = 0;
        for (int k = 0; k < steps; ++k) {
            if (!solver.solve(state.data(), k * h, h, at.parameters().data(), false, hint.data(), report)) return {};
            for (std::size_t i = 0; i < state.size(); ++i) state[i] += solver.increment()[i];
        }
        return {state, static_cast<double>(report.newton_iterations) / steps,
                std::abs(state[0] * state[2] + state[1] * state[3])};
    }
    static double apart(const Path& a, const Path& b) {
        double most = a.end.empty() ? 1 : 0;
        for (std::size_t i = 0; i < a.end.size(); ++i) most = std::max(most, std::abs(a.end[i] - b.end[i]));
        return most;
    }
};

TEST_F(PairMutants, HaveOtherWeights) {
    const Path right = walk(own);
    EXPECT_LE(right.constraint, 1e-13);
    CompiledPairs mutant = own;
    mutant.weights.mu[2][1] *= 1 + quad(1e-6);
    EXPECT_GE(apart(walk(mutant), right), 1e-9);
    mutant = own, mutant.weights.b[2] *= 1 + quad(1e-6);
    EXPECT_GE(apart(walk(mutant), right), 1e-8);
}

// The solution is the same: multipliers only find it later, or not at all.
TEST_F(PairMutants, CorrectMultipliersWrongly) {
    const Path right = walk(own);
    CompiledPairs mutant = own;
    for (auto& row : mutant.weights.inverse)
        for (quad& w : row) w *= quad(0.9);
    const Path slow = walk(mutant);
    EXPECT_LE(apart(slow, right), 1e-12);
    EXPECT_GE(slow.iterations, 1.2 * right.iterations);
    for (auto& row : mutant.weights.inverse) row.assign(row.size(), 0);
    EXPECT_GE(apart(walk(mutant), right), 1e-6);
}

TEST_F(PairMutants, DoNotLeadAhead) {
    const Path right = walk(own);
    CompiledPairs mutant = own;
    for (std::size_t i = 0; i < mutant.weights.stages(); ++i)
        for (std::size_t j = 0; j < mutant.weights.stages(); ++j) mutant.weights.ahead[i][j] = i == j ? 1 : 0;
    const Path slow = walk(mutant);
    EXPECT_LE(apart(slow, right), 1e-12);
    EXPECT_GE(slow.iterations, 1.1 * right.iterations);
}

} // namespace
} // namespace rattleback
