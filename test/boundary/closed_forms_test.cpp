// Problems whose solution is known in closed form, or to many digits.
#include "problems.hpp"

#include <numbers>

namespace rattleback::boundary_test {
namespace {

// The discrete problem has the inputs u_k = a + b k with sum u_k = 0 and h^2 sum (N - 1 - k) u_k = 1.
TEST(ClosedForms, DoubleIntegratorInStepsCosts) {
    for (int N : {2, 3, 4, 7, 10, 30, 100, 1000}) {
        const Solution s = solved(double_integrator, {.method = "type2", .steps = N});
        ASSERT_EQ(s.status, Solution::Status::solved) << N;
        EXPECT_NEAR(s.best().cost, 6.0 * N * N / (double(N) * N - 1), 1e-12) << N;
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum) << N;
        EXPECT_EQ(s.run.t.rows(), static_cast<std::size_t>(N) + 1);
    }
}

TEST(ClosedForms, DoubleIntegratorInContinuousTime) {
    const Solution s = solved(double_integrator);
    EXPECT_NEAR(s.best().cost, 6, 1e-13);
    EXPECT_LE(apart(s.best().p0, {-12, -6}), 1e-12);
    for (std::size_t k = 0; k < s.run.t.rows(); ++k) {
        const double t = s.run.t[k];
        EXPECT_NEAR(s.run.q(k, 0), t * t * (3 - 2 * t), 1e-13);
        EXPECT_NEAR(s.run["u"][k], 6 - 12 * t, 1e-12);
    }
}

// The angle phi of the arc from (0, 0) to (1, 0) that encloses the area 3/10.
double arc_angle(double area) {
    double lo = 0.1, hi = 6;
    const auto enclosed = [](double phi) { return (phi - std::sin(phi)) / (8 * std::pow(std::sin(phi / 2), 2)); };
    for (int i = 0; i < 100; ++i) (enclosed((lo + hi) / 2) < area ? lo : hi) = (lo + hi) / 2;
    return lo;
}

TEST(ClosedForms, HeisenbergExtremalsAreArcs) {
    for (const double area : {0.05, 0.3, 0.9}) {
        const Solution s = solved(with_area(heisenberg, area), {.method = "gauss:stages=4", .steps = 40});
        ASSERT_EQ(s.status, Solution::Status::solved);
        const double phi = arc_angle(area), radius = 1 / (2 * std::sin(phi / 2));
        EXPECT_NEAR(s.best().cost, std::pow(phi * radius, 2) / 2, 1e-10);
        EXPECT_NEAR(s.best().p0[2], -phi, 1e-10);
        const double height = radius * std::cos(phi / 2); // of the centre; areas are positive to the left
        for (std::size_t k = 0; k < s.run.t.rows(); ++k)
            EXPECT_NEAR(std::hypot(s.run.q(k, 0) - 0.5, s.run.q(k, 1) - height), radius, 1e-10) << "node " << k;
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    }
}

// Arcs of more than a turn, which sweep the same area, have a conjugate point after one turn.
TEST(ClosedForms, LongerArcsAreNoMinima) {
    const Solution s =
        solved(with_area(heisenberg_lagrange, 2), {.method = "gauss:stages=4", .steps = 60, .starts = 200});
    constexpr double turn = 2 * std::numbers::pi;
    ASSERT_GE(s.extremals.size(), 2u);
    EXPECT_LT(std::abs(s.best().p0[2]), turn);
    for (std::size_t i = 1; i < s.extremals.size(); ++i) {
        const Extremal& e = s.extremals[i];
        EXPECT_GT(std::abs(e.p0[2]), turn);
        EXPECT_EQ(e.verdict, Extremal::Verdict::conjugate);
        EXPECT_NEAR(e.conjugate.at(0), turn / std::abs(e.p0[2]), 1e-4);
    }
}

// x' = u at the price 1 + u^2/2: u = sqrt(2) whatever the way, and H = 0.
TEST(ClosedForms, FreeTime) {
    const std::string running = R"-(coordinates = ["x"]
[control]
inputs   = ["u"]
dynamics = { x = "u" }
cost     = "1 + u^2/2"
[boundary]
from = { x = 0 }
to   = { x = 2 }
time = "free"
)-";
    std::string terminal = running;
    terminal.replace(terminal.find("\"1 + u^2/2\""), 11, "\"u^2/2\"\nterminal_cost = \"t\"");
    for (const std::string& text : {running, terminal}) {
        const Solution s = solved(text);
        ASSERT_EQ(s.status, Solution::Status::solved);
        EXPECT_NEAR(s.best().time, std::sqrt(2.0), 1e-12);
        EXPECT_NEAR(s.best().cost, 2 * std::sqrt(2.0), 1e-12);
        EXPECT_NEAR(s.best().p0[0], -std::sqrt(2.0), 1e-12);
        EXPECT_NEAR(s.run.t.back(), s.best().time, 1e-12);
        EXPECT_NEAR(s.run.q.back(), 2, 1e-14);
    }
}

// From a point to the unit circle, and from the circle to a line: the shortest ways are normal to both.
TEST(ClosedForms, EndsOnSets) {
    const std::string plane = R"-(coordinates = ["x", "y"]
[control]
inputs   = ["u", "v"]
dynamics = { x = "u", y = "v" }
cost     = "(u^2 + v^2)/2"
[boundary]
time = 1
)-";
    const Solution point = solved(plane + "from = { x = 3, y = 1 }\nto = [\"x^2 + y^2 - 1\"]\n");
    ASSERT_EQ(point.status, Solution::Status::solved);
    EXPECT_NEAR(point.best().cost, std::pow(std::sqrt(10.0) - 1, 2) / 2, 1e-12);
    EXPECT_NEAR(std::hypot(point.best().q[0], point.best().q[1]), 1, 1e-13);
    EXPECT_NEAR(point.best().p[0] * point.best().q[1] - point.best().p[1] * point.best().q[0], 0, 1e-12);

    const Solution line = solved(plane + "from = [\"x^2 + y^2 - 1\"]\nto = [\"x + 2*y - 5\"]\n");
    ASSERT_EQ(line.status, Solution::Status::solved);
    const Extremal& e = line.best();
    EXPECT_NEAR(e.cost, std::pow(std::sqrt(5.0) - 1, 2) / 2, 1e-12);
    EXPECT_NEAR(e.p0[0] * e.q0[1] - e.p0[1] * e.q0[0], 0, 1e-12);
    EXPECT_NEAR(2 * e.p[0] - e.p[1], 0, 1e-12);
    EXPECT_EQ(e.verdict, Extremal::Verdict::minimum);
}

// The farthest point of the circle is stationary and no minimum; it is not the answer.
TEST(ClosedForms, OneCoordinateAsAFormulaOfOthers) {
    const Solution s = solved(R"-(coordinates = ["x", "y"]
[control]
inputs   = ["u", "v"]
dynamics = { x = "u", y = "v" }
cost     = "(u^2 + v^2)/2"
[boundary]
from = { x = 0, y = 0 }
to   = { y = "2 - x" }
time = 2
)-");
    EXPECT_NEAR(s.best().cost, 0.5, 1e-13); // length sqrt(2) in time 2
    EXPECT_LE(apart(s.best().q, {1, 1}), 1e-13);
    EXPECT_LE(apart(s.best().p, {-0.5, -0.5}), 1e-13);
}

// x' = a + u with u^2/2 + a^2/2: both do half.
TEST(ClosedForms, ChosenParameters) {
    const Solution s = solved(R"-(coordinates = ["x"]
[parameters]
a = 3
[control]
inputs     = ["u"]
dynamics   = { x = "a + u" }
cost       = "(u^2 + a^2)/2"
parameters = ["a"]
[boundary]
from = { x = 0 }
to   = { x = 1 }
time = 1
)-");
    ASSERT_EQ(s.best().parameters.size(), 1u);
    EXPECT_NEAR(s.best().parameters[0], 0.5, 1e-13);
    EXPECT_NEAR(s.best().cost, 0.25, 1e-13);
}

// With the parameter fixed beside its best value the cost is higher, on both sides.
TEST(ClosedForms, ChosenParametersAreBest) {
    const std::string text = R"-(coordinates = ["x"]
[parameters]
a = 0.3
[control]
inputs   = ["u"]
dynamics = { x = "a*x + u" }
cost     = "(u^2 + x^2)/2 + (a + 1)^2/2"
[boundary]
from = { x = 1 }
to   = { x = 2 }
time = 1
)-";
    std::string chosen = text;
    chosen.replace(chosen.find("[boundary]"), 10, "parameters = [\"a\"]\n[boundary]");
    const Solution best = solved(chosen);
    ASSERT_EQ(best.status, Solution::Status::solved);
    const double a = best.best().parameters[0];
    for (const double off : {-1e-3, 0.0, 1e-3}) {
        LoadOptions options;
        options.set.emplace_back("a", real::to_text(a + off));
        const Solution s = find_path(read_model(text, "problem.toml", options));
        if (off == 0)
            EXPECT_NEAR(s.best().cost, best.best().cost, 1e-12);
        else
            EXPECT_GT(s.best().cost, best.best().cost + 1e-7);
    }
}

TEST(ClosedForms, GreatCircle) {
    const Solution s = solved(R"-(coordinates = ["x", "y", "z"]
[mechanics]
kinetic   = "(x'^2 + y'^2 + z'^2)/2"
potential = "0"
[constraints]
holonomic = ["(x^2 + y^2 + z^2 - 1)/2"]
[boundary]
from = { x = 1, y = 0, z = 0 }
to   = { x = -0.6, y = 0.64, z = 0.48 }
time = 2
)-");
    ASSERT_EQ(s.status, Solution::Status::solved);
    const double angle = std::acos(-0.6);
    EXPECT_NEAR(s.best().cost, angle * angle / 4, 1e-11);
    EXPECT_LE(apart(s.best().p0, {0, 0.4 * angle, 0.3 * angle}), 1e-11);
    EXPECT_LE(apart(s.best().p, {-0.4 * angle, -0.24 * angle, -0.18 * angle}), 1e-11);
    for (std::size_t k = 0; k < s.run.t.rows(); ++k) {
        EXPECT_NEAR(s.run.q(k, 0), std::cos(angle * s.run.t[k] / 2), 1e-11);
        EXPECT_NEAR(3 * s.run.q(k, 1), 4 * s.run.q(k, 2), 1e-12); // one plane
    }
}

// Action and momenta of both arcs of Lambert's problem: shooting in long double, Gauss with 20 stages.
TEST(ClosedForms, Lambert) {
    const Solution s = solved(R"-(coordinates = ["x", "y"]
[mechanics]
kinetic   = "(x'^2 + y'^2)/2"
potential = "-1/sqrt(x^2 + y^2)"
[boundary]
from = { x = 1, y = 0 }
to   = { x = -0.5, y = 1.2 }
time = 2
)-");
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 3.00489912784722788, 1e-10);
    EXPECT_LE(apart(s.best().p0, {-0.09493348666763043, 1.13407648229272787}), 1e-10);
    EXPECT_LE(apart(s.best().p, {-0.90887940432811007, -0.08684239419799158}), 1e-10);
    ASSERT_GE(s.extremals.size(), 2u);
    EXPECT_NEAR(s.extremals[1].cost, 5.44088414522718197, 1e-6);
    EXPECT_LE(apart(s.extremals[1].p0, {-0.82632765996330937, -0.81369390701437882}), 1e-6);
}

} // namespace
} // namespace rattleback::boundary_test
