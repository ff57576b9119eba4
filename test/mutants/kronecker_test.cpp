// The simplified Newton method of stages with something wrong in its matrix: it finds the same solution, in more
// iterations or not at all.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

#include "run/compiled.hpp"
#include "solve/collocation.hpp"
#include "solve/kronecker.hpp"

namespace rattleback {
namespace {

CompiledMethod method(const std::string& k) {
    const std::string text = "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - " + k +
                             "*(sqrt(x^2 + y^2) - 1)^2/2 - y\"\n[initial]\nq = [1, 0]\nv = [0, -0.3]\n";
    return compile(read_model(text, "spring.toml"), "gauss:stages=5:iteration=kronecker");
}

// Iterations of a step, over 20 of them; 60 where it gives up.
double iterations(const CompiledKronecker& kronecker) {
    constexpr int steps = 20;
    constexpr double h = 0.02;
    const CompiledMethod compiled = method("1e4");
    CompiledStages stages = *compiled.parts().stages;
    stages.kronecker = std::make_shared<const CompiledKronecker>(kronecker);
    Stepper<double> at(compiled);
    Report report;
    EXPECT_TRUE(at.start(report, h)) << report.text();
    std::vector<double> state = at.state(), hint = at.hint();
    StageSolver<double> solver(std::make_shared<const CompiledStages>(stages));
    solver.reset(hint.data());
    report.newton_iterations = 0;
    for (int k = 0; k < steps; ++k) {
        if (!solver.solve(state.data(), k * h, h, at.parameters().data(), false, hint.data(), report)) return 60;
        for (std::size_t i = 0; i < state.size(); ++i) state[i] += solver.increment()[i];
    }
    return static_cast<double>(report.newton_iterations) / steps;
}

TEST(KroneckerMutants, TakeMoreIterations) {
    const CompiledKronecker own = *method("1e4").parts().stages->kronecker;
    const double right = iterations(own);
    EXPECT_LE(right, 10);
    CompiledKronecker mutant = own;
    mutant.spectrum.shift[0].re *= 1 + quad(0.2); // another eigenvalue
    EXPECT_GE(iterations(mutant), 1.2 * right);
    mutant = own;
    for (std::size_t i = 0; i < 5; ++i) mutant.spectrum.into[0][i].im *= -1; // the eigenvector of its conjugate
    EXPECT_GE(iterations(mutant), 2 * right);
    mutant = own;
    std::swap(mutant.spectrum.from[0], mutant.spectrum.from[4]); // stages in another order
    EXPECT_GE(iterations(mutant), 2 * right);
    mutant = own, mutant.slopes = method("2e4").parts().stages->kronecker->slopes; // J of another place
    EXPECT_GE(iterations(mutant), 1.5 * right);
}

} // namespace
} // namespace rattleback
