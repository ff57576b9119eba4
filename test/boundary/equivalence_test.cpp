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

// The vehicle of section 5. Each minimum of the control problem is a motion of the Lagrange problem, with the other
// sign of p; of mirror images each search may show another one first.
TEST(Equivalence, VehicleAsControlAndAsLagrangeProblem) {
    const SolveOptions options{.method = "gauss:stages=4", .steps = 100};
    const Solution control = solved(R"-(coordinates = ["x", "y", "theta", "phi"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u*cos(phi)", y = "u*sin(phi)", theta = "u*sin(phi - theta)", phi = "w" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = [0, 0, 0, 0]
to   = [0, 1, 0, 0]
time = 1
)-",
                                    options);
    const std::string lagrange = R"-(coordinates = ["x", "y", "theta", "phi"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + phi'^2)/2"
[constraints]
velocity  = ["x'*sin(phi) - y'*cos(phi)", "theta' - y'*cos(theta) + x'*sin(theta)"]
principle = "variational"
)-";
    const Solution motion =
        solved(lagrange + "[boundary]\nfrom = [0, 0, 0, 0]\nto = [0, 1, 0, 0]\ntime = 1\n", options);
    ASSERT_EQ(control.status, Solution::Status::solved);
    ASSERT_EQ(motion.status, Solution::Status::solved);
    EXPECT_NEAR(control.best().cost, motion.best().cost, 1e-9);
    EXPECT_EQ(control.best().verdict, motion.best().verdict);
    for (const Extremal& e : control.extremals) {
        if (e.verdict != Extremal::Verdict::minimum) continue;
        std::string p;
        for (const double x : e.p0) p += (p.empty() ? "" : ", ") + real::to_text(-x);
        const rattleback::Run run =
            integrate(read_model(lagrange + "[initial]\nq = [0, 0, 0, 0]\np = [" + p + "]\n", "vehicle.toml"),
                      {.method = "gauss:stages=4", .step = 0.01, .steps = 100});
        ASSERT_TRUE(run.report().ok());
        const auto end = run.q.row(100);
        EXPECT_LE(apart({end.begin(), end.end()}, {0, 1, 0, 0}), 1e-9) << e.cost;
        EXPECT_NEAR(run.summary().energy_initial, e.cost, 1e-8); // of a path that takes a time of 1
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
