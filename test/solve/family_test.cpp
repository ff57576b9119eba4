// A family of unknowns, each given by its own equation after a division, is eliminated all at once; others are solved.
#include <gtest/gtest.h>

#include "expr/formulas.hpp"
#include "solve/eliminate.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

constexpr int n = 40;
constexpr double m = 1.75, left = 0.3; // a parameter, and w[0]

struct Case {
    const char* residual; // of "each member k", with y given and w unknown
    bool at_once;
    double (*member)(double y, double y_next, double w_before); // by hand
};
const Case cases[] = {
    {"m*w[k] - y[k]*y[k+1]", true, [](double y, double next, double) { return y * next / m; }},
    {"3 - y[k] - 2*w[k]", true, [](double y, double, double) { return (3 - y) / 2; }},
    {"m^2*(w[k] + y[k]) - if(y[k] > 0, 1, y[k+1])", true,
     [](double y, double next, double) { return (y > 0 ? 1 : next) / (m * m) - y; }},
    {"w[k]*(y[k] - y[k] + m) + (w[k+1] - w[k+1])*y[k] - 1", true, [](double, double, double) { return 1 / m; }},
    {"m*w[k] - w[k-1] - y[k]", false, [](double y, double, double before) { return (y + before) / m; }},
    {"(2 + y[k])*w[k] - 1", false, [](double y, double, double) { return 1 / (2 + y); }},
    {"w[k]^3 - y[k]^3", false, [](double y, double, double) { return y; }},
    {"m*w[k] - if(w[k] > 10, 1, y[k])", false, [](double y, double, double) { return y / m; }},
    {"m*w[k] - w[1]/2 - y[k]", false, nullptr},
};

double given(int k) { return k > n ? 0.25 : 0.1 + 0.8 * std::sin(2.0 * k); }

TEST(FamilyOfUnknowns, IsGivenAllAtOnceWhereEachMemberHasItsEquation) {
    for (const Case& c : cases) {
        const auto graph = std::make_shared<Graph>();
        test::TestScope scope(*graph);
        const Expr mass = scope.add("m");
        const Component y = scope.add_family("y", 1, n, {{n + 1, Expr(0.25)}});
        const Component w = scope.add_family("w", 1, n, {{0, Expr(left)}, {n + 1, Expr(0)}});
        Component residual = w, difference = w, start = w;
        residual.value = scope.each(c.residual), difference.value = scope.each("w[k] - w[k-1]");
        start.value = y.value;
        const System system{graph,
                            Vec({y, {"m", mass}}),
                            {{Vec({w}), Vec({start})}},
                            {Vec({residual}) == zeros_like(Vec({residual}))},
                            Vec({w, difference}),
                            {},
                            1,
                            {m}};
        EXPECT_EQ(solve::eliminate(system).find.empty(), c.at_once) << c.residual;
        SystemSolver<double> solver(compile(system));
        for (int k = 1; k <= n; ++k) solver.given()[k - 1] = given(k);
        solver.given()[n] = m;
        Report report;
        ASSERT_TRUE(solver.solve(report)) << c.residual << ": " << report.text();
        for (int k = 1; k <= n; ++k) {
            const auto at = static_cast<std::size_t>(k - 1);
            const double before = k > 1 ? solver.result(at - 1) : left;
            EXPECT_NEAR(solver.result(n + at), solver.result(at) - before, 1e-15) << c.residual << ", member " << k;
            if (!c.member) continue;
            EXPECT_NEAR(solver.result(at), c.member(given(k), given(k + 1), before), 2e-15)
                << c.residual << ", member " << k;
        }
    }
}

} // namespace
} // namespace rattleback
