// The same problem in two forms has the same extremals.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

// p of a motion is L_v, costates have the other sign.
void expect_same_extremals(const Solution& control, const Solution& lagrange) {
    ASSERT_EQ(control.status, Solution::Status::solved);
    ASSERT_EQ(lagrange.status, Solution::Status::solved);
    EXPECT_NEAR(control.best().cost, lagrange.best().cost, 1e-11);
    EXPECT_EQ(control.best().verdict, lagrange.best().verdict);
    std::vector<double> costates = lagrange.best().p0;
    for (double& p : costates) p = -p;
    EXPECT_LE(apart(control.best().p0, costates), 1e-10);
    EXPECT_LE(apart(control.run.q, lagrange.run.q), 1e-11);
}

// McLachlan, Modin, Verdier and Wilkins 2014, section 1: least (|u|^2)/2 with q' = sum u_i X_i(q), or least L with
// q' in the span of X_i.
TEST(Equivalence, HeisenbergAsControlAndAsLagrangeProblem) {
    const SolveOptions options{.method = "gauss:stages=4", .steps = 50};
    expect_same_extremals(solved(heisenberg, options), solved(heisenberg_lagrange, options));
}

TEST(Equivalence, UnicycleAsControlAndAsLagrangeProblem) {
    const SolveOptions options{.method = "gauss:stages=4", .steps = 50};
    const Solution control = solved(unicycle, options), lagrange = solved(unicycle_lagrange, options);
    expect_same_extremals(control, lagrange);
    // Those that are no minima, too: every one that the first form finds, the second finds.
    for (const Extremal& e : control.extremals) {
        const bool found =
            std::any_of(lagrange.extremals.begin(), lagrange.extremals.end(), [&](const Extremal& other) {
                return std::abs(other.cost - e.cost) < 1e-8 && other.verdict == e.verdict;
            });
        EXPECT_TRUE(found) << e.cost;
    }
}

// A crane: the equations of motion from the Lagrangian, and by hand.
TEST(Equivalence, MechanicsAndDynamics) {
    const SolveOptions options{.method = "gauss:stages=4", .steps = 50, .starts = 6};
    const Solution mechanics = solved(R"-(coordinates = ["x", "theta"]
[mechanics]
lagrangian = "1.3/2*x'^2 + 0.15*x'*theta'*cos(theta) + 0.075/2*theta'^2 + 1.4715*cos(theta)"
force      = { x = "u" }
[control]
inputs = ["u"]
cost   = "u^2/2"
[boundary]
from = { q = { x = 0, theta = 0 }, v = { x = 0, theta = 0 } }
to   = { q = { x = 1, theta = 0 }, v = { x = 0, theta = 0 } }
time = 2
)-",
                                      options);
    const Solution dynamics = solved(R"-(coordinates = ["x", "theta", "v", "w"]
[definitions]
a = "(u + 0.15*w^2*sin(theta) + 0.3*9.81*sin(theta)*cos(theta))/(1 + 0.3*sin(theta)^2)"
[control]
inputs   = ["u"]
dynamics = { x = "v", theta = "w", v = "a", w = "-2*(cos(theta)*a + 9.81*sin(theta))" }
cost     = "u^2/2"
[boundary]
from = { x = 0, theta = 0, v = 0, w = 0 }
to   = { x = 1, theta = 0, v = 0, w = 0 }
time = 2
)-",
                                     options);
    ASSERT_EQ(mechanics.status, Solution::Status::solved);
    ASSERT_EQ(dynamics.status, Solution::Status::solved);
    EXPECT_NEAR(mechanics.best().cost, dynamics.best().cost, 1e-10);
    EXPECT_LE(apart(mechanics.best().p0, dynamics.best().p0), 1e-9);
    EXPECT_LE(apart(mechanics.run["u"], dynamics.run["u"]), 1e-9);
    EXPECT_GT(mechanics.best().cost, 0.1);
}

} // namespace
} // namespace rattleback::boundary_test
