// What is left of the formulas when a system is compiled: what messages need, and no graph.
#include <gtest/gtest.h>

#include "solve/system.hpp"

namespace rattleback {
namespace {

TEST(Kept, ACompiledSystemDoesNotKeepItsGraphAndStillNamesTheCulprit) {
    auto graph = std::make_shared<Graph>();
    const Expr x = graph->symbol("x"), y = graph->symbol("y");
    const auto compiled = [&] {
        const System system{graph, Vec({{"x", x}, {"y", y}}), {}, {}, Vec({{"f", fn::sin(y) + 1 / (x - y)}})};
        return compile(system);
    }();
    EXPECT_EQ(graph.use_count(), 1);
    graph.reset();
    SystemSolver<double> solver(compiled);
    solver.given()[0] = solver.given()[1] = 2;
    Report report;
    EXPECT_FALSE(solver.solve(report));
    EXPECT_EQ(report.culprit, "1/(x - y) (the denominator must not be 0)");
}

TEST(Kept, NothingBesideTheProgram) {
    auto graph = std::make_shared<Graph>();
    const Expr x = graph->symbol("x");
    Expr unused = x;
    for (int i = 0; i < 1000; ++i) unused = fn::sin(unused) + i;
    const auto compiled = compile(System{graph, Vec({{"x", x}}), {}, {}, Vec({{"f", x * x + 3}})});
    EXPECT_GT(graph->size(), 2000u);
    EXPECT_LT(compiled->formulas->graph().size(), 10u);
}

} // namespace
} // namespace rattleback
