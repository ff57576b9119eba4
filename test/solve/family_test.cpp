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

// Two stages of explicit steps with a mass: m w = f(y), u = y + w, m z = f(u). The second stage names u, which is given
// outright. A stage that couples all members is eliminated, since its matrix of derivatives would be full.
TEST(FamilyOfUnknowns, OfLaterStagesAreGivenWhereTheyHaveSums) {
    for (const bool sums : {true, false}) {
        const auto graph = std::make_shared<Graph>();
        test::TestScope scope(*graph);
        const Expr mass = scope.add("m");
        scope.add("n", Tensor(graph->constant(n)));
        const Component y = scope.add_family("y", 1, n), w = scope.add_family("w", 1, n),
                        u = scope.add_family("u", 1, n), z = scope.add_family("z", 1, n);
        const auto equation = [&](const char* text) {
            Component c = y;
            c.value = scope.each(text);
            return Vec({c});
        };
        const Vec zero = zeros_like(Vec({y}));
        const System system{graph,
                            Vec({y, {"m", mass}}),
                            {{Vec({w}), {}}, {Vec({u}), {}}, {Vec({z}), {}}},
                            {equation(sums ? "m*w[k] - sum(j in 1..n: y[k]*y[j])" : "m*w[k] - y[k]^2") == zero,
                             Vec({u}) == equation("y[k] + w[k]"),
                             equation(sums ? "m*z[k] - sum(j in 1..n: u[k]*u[j])" : "m*z[k] - u[k]^2") == zero},
                            Vec({z}),
                            {},
                            1,
                            {m}};
        EXPECT_EQ(solve::eliminate(system).find.empty(), sums);
        SystemSolver<double> solver(compile(system));
        for (int k = 1; k <= n; ++k) solver.given()[k - 1] = given(k);
        solver.given()[n] = m;
        Report report;
        ASSERT_TRUE(solver.solve(report)) << report.text();
        double of_y = 0, of_u = 0;
        const auto stage = [&](int k) { return given(k) + given(k) * (sums ? of_y : given(k)) / m; };
        for (int k = 1; k <= n; ++k) of_y += given(k);
        for (int k = 1; k <= n; ++k) of_u += stage(k);
        for (int k = 1; k <= n; ++k) {
            const double by_hand = stage(k) * (sums ? of_u : stage(k)) / m;
            EXPECT_NEAR(solver.result(static_cast<std::size_t>(k - 1)), by_hand, 1e-12 * (1 + std::abs(by_hand))) << k;
        }
    }
}

// The same stage by stage for scalars, of which there may be more than are searched for what they depend on: nothing is
// left to be solved. Where one equation is not explicit, many are left as they are.
TEST(ManyUnknowns, AreGivenWhereStagesAreExplicit) {
    for (const int count : {300, 3000})
        for (const bool is_explicit : {true, false}) {
            const auto graph = std::make_shared<Graph>();
            const Expr mass = graph->symbol("m"), y = graph->symbol("y");
            System system{graph, Vec({{"y", y}, {"m", mass}}), {}, {}, {}, {}, 1, {m}};
            Vec unknowns, lhs, rhs, results;
            Expr before = y;
            for (int k = 0; k < count; ++k) { // s = a, m a = before/2 + 1
                const std::string number = std::to_string(k);
                const Expr s = graph->symbol("s" + number), a = graph->symbol("a" + number);
                unknowns.push_back({"s" + number, s}), unknowns.push_back({"a" + number, a});
                lhs.push_back({"", s}), rhs.push_back({"", a});
                lhs.push_back({"", mass * a}), rhs.push_back({"", before / 2 + 1});
                if (!is_explicit && k + 1 == count) rhs[rhs.size() - 1].value = a * a / 4 + 1;
                before = s;
            }
            system.find = {{unknowns, {}}}, system.equations = {lhs == rhs}, system.results = Vec({{"s", before}});
            int solved = 0;
            for (const Unknown& u : solve::eliminate(system).find) solved += u.symbols.count();
            EXPECT_EQ(solved, is_explicit ? 0 : count == 300 ? 1 : 2 * count);
            SystemSolver<double> solver(compile(system));
            solver.given()[0] = 0.7, solver.given()[1] = m;
            Report report;
            ASSERT_TRUE(solver.solve(report)) << report.text();
            double by_hand = 0.7;
            for (int k = 0; k < count; ++k) by_hand = (by_hand / 2 + 1) / m;
            if (!is_explicit) by_hand = 2 * m - 2 * std::sqrt(m * m - 1); // a^2/4 - m a + 1 = 0
            EXPECT_NEAR(solver.result(0), by_hand, 4e-15);
        }
}

} // namespace
} // namespace rattleback
