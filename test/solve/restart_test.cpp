// Newton's method begun elsewhere where it fails: only where that is allowed, and only if there is one solution.
#include <gtest/gtest.h>

#include <cmath>

#include "expr/graph.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

// f(l) = c for l, from a guess; allowed: the guess is no more than a starting value.
struct Case {
    explicit Case(const std::function<Expr(const Expr&)>& f, bool allowed = true) {
        auto graph = std::make_shared<Graph>();
        const Expr c = graph->symbol("c"), guess = graph->symbol("guess"), l = graph->symbol("l");
        System system{graph,
                      Vec({{"c", c}, {"guess", guess}}),
                      {{Vec({{"l", l}}), Vec({{"guess", guess}})}},
                      {Vec({{"f", f(l)}}) == Vec({{"c", c}})},
                      Vec({{"l", l}})};
        if (allowed) system.restarts = {1, 1};
        compiled = compile(system);
    }
    template <class T> bool solve(T c, T guess, T& l) {
        SystemSolver<T> solver(compiled);
        solver.given()[0] = c, solver.given()[1] = guess;
        report = {};
        const bool solved = solver.solve(report);
        l = solver.result(0);
        EXPECT_EQ(solver.given()[1], guess) << "what was given stays";
        return solved;
    }

    std::shared_ptr<const CompiledSystem> compiled;
    Report report;
};

Expr cube(const Expr& l) { return l * l * l; }

TEST(Restart, FindsTheOneRootFromASingularPlace) {
    Case plain(cube, false), again(cube);
    for (const double c : {0.3, -0.014, 2e-12, -5e15}) {
        double l = 0;
        EXPECT_FALSE(plain.solve(c, 0.0, l));
        EXPECT_EQ(plain.report.what, "the equations have no unique solution here");
        ASSERT_TRUE(again.solve(c, 0.0, l)) << c << again.report.text();
        EXPECT_TRUE(again.report.ok());
        EXPECT_NEAR(l / std::cbrt(c), 1, 2.3e-16) << c;
        quad exact = 0;
        ASSERT_TRUE(again.solve(static_cast<quad>(c), static_cast<quad>(0), exact)) << c;
        EXPECT_LE(static_cast<double>(real::abs(exact * exact * exact / static_cast<quad>(c) - 1)), 1e-33) << c;
    }
}

TEST(Restart, TakesAMultipleRootThatIsExact) {
    Case plain(cube, false), again(cube);
    double l = 1;
    EXPECT_FALSE(plain.solve(0.0, 0.0, l));
    ASSERT_TRUE(again.solve(0.0, 0.0, l));
    EXPECT_EQ(l, 0);
}

// l^3 - 3 l = c at l = 1, where its slope is 0: three solutions for |c| < 2, one beyond.
TEST(Restart, RefusesSeveralSolutionsAsNewtonDid) {
    const auto cubic = [](const Expr& l) { return l * l * l - 3 * l; };
    Case plain(cubic, false), again(cubic);
    double l = 0;
    EXPECT_FALSE(plain.solve(0.5, 1.0, l));
    EXPECT_FALSE(again.solve(0.5, 1.0, l));
    EXPECT_EQ(again.report.text(), plain.report.text());
    ASSERT_TRUE(again.solve(2.5, 1.0, l)) << again.report.text();
    EXPECT_NEAR(l * l * l - 3 * l, 2.5, 2e-15);
    EXPECT_FALSE(Case([](const Expr& x) { return fn::exp(x) + x * x * 0; }).solve(-1.0, 0.0, l)) << "no root at all";
}

} // namespace
} // namespace rattleback
