// Control problems with bounds: closed forms, and Newton's method where nothing is bounded. Limits are twice what was
// measured, but for Goddard's rocket, whose altitude is published with five digits (COPS 3.0, 2004).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "boundary/bounded.hpp"

namespace rattleback {
namespace {

class Bounded : public testing::Test {
  protected:
    void SetUp() override {
        try {
            static_cast<void>(boundary::ipopt_module());
        } catch (const Unsuitable& e) { GTEST_SKIP() << e.what(); }
    }
};

Model double_integrator(const std::string& control, const std::string& ends) {
    return read_model(R"(coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "u" }
)" + control + "\n[boundary]\n" +
                          ends,
                      "test.toml");
}

Model bounded_effort(const std::string& bound) {
    return double_integrator("cost = \"u^2/2\"\nbounds = { u = [-" + bound + ", " + bound + "] }",
                             "from = { x = 0, v = 0 }\nto = { x = 1, v = 0 }\ntime = 1");
}

std::string message_of(const Model& model, const SolveOptions& options) {
    try {
        static_cast<void>(find_path(model, options));
    } catch (const Error& e) { return e.what(); }
    return "";
}

// From (0, 0.3) to (1, 0): u = 1 up to the speed s with s^2 = 1.045, then -1.
TEST_F(Bounded, MinimumTimeIsBangBang) {
    const Model model = double_integrator("cost = \"1\"\nbounds = { u = [-1, 1] }",
                                          "from = { x = 0, v = 0.3 }\nto = { x = 1, v = 0 }\ntime = \"free\"");
    const Solution s = find_path(model);
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    const double top = std::sqrt(1.045);
    EXPECT_NEAR(s.best().cost, 2 * top - 0.3, 2e-10);
    EXPECT_LE(std::abs(s.best().cost - (2 * top - 0.3)), s.cost_error);
    EXPECT_NEAR(s.best().time, 2 * top - 0.3, 2e-10);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    EXPECT_NEAR(s.best().p0[0], -1 / top, 4e-7);
    EXPECT_NEAR(s.best().p0[1], -(top - 0.3) / top, 3e-6);
    int between = 0;
    const Table &u = s.run["u"], &energy = s.run.energy();
    for (std::size_t k = 0; k < u.rows(); ++k) between += std::abs(std::abs(u[k]) - 1) > 1e-6;
    EXPECT_LE(between, 44) << "of " << u.rows();
    for (std::size_t k = 0; k < u.rows(); k += u.rows() - 1) EXPECT_NEAR(energy[k], 0, 3e-6) << "node " << k;
}

// u = +-5 outside of |t - 1/2| < d, linear inside, d^2 = 0.15.
TEST_F(Bounded, EffortWithinBounds) {
    const Solution s = find_path(bounded_effort("5"));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    const double d = std::sqrt(0.15);
    EXPECT_NEAR(s.best().cost, 12.5 - 50 * d / 3, 1e-10);
    EXPECT_NEAR(s.best().p0[0], -5 / d, 3e-6);
    EXPECT_NEAR(s.best().p0[1], -2.5 / d, 2e-6);
    EXPECT_NEAR(s.u_first[0], 5, 1e-9);
    EXPECT_NEAR(s.u_last[0], -5, 1e-9);
    const Table &u = s.run["u"], &t = s.run.t;
    for (std::size_t k = 0; k < u.rows(); ++k)
        EXPECT_NEAR(u[k], std::clamp(5 * (0.5 - t[k]) / d, -5.0, 5.0), 6e-4) << "t = " << t[k];
    EXPECT_NEAR(find_path(bounded_effort("7")).best().cost, 6, 1e-9) << "a bound that is not reached";
}

// Bryson, Denham and Dreyfus (1963): x <= l has the cost 4/(9 l) where l <= 1/6.
TEST_F(Bounded, CoordinateWithinBounds) {
    for (const auto& [written, l] : {std::pair("1/9", 1.0 / 9), std::pair("1/7", 1.0 / 7)}) {
        const Model model =
            double_integrator("cost = \"u^2/2\"\nbounds = { x = [\"-inf\", \"" + std::string(written) + "\"] }",
                              "from = { x = 0, v = 1 }\nto = { x = 0, v = -1 }\ntime = 1");
        SolveOptions options;
        options.accuracy = 1e-7, options.starts = 1;
        const Solution s = find_path(model, options);
        ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
        EXPECT_LE(s.cost_error, 1e-7);
        EXPECT_NEAR(s.best().cost, 4 / (9 * l), 1e-7) << written;
        EXPECT_LE(std::abs(s.best().cost - 4 / (9 * l)), s.cost_error) << written;
        for (std::size_t k = 0; k < s.run.q.rows(); ++k) EXPECT_LE(s.run.q(k, 0), l + 1e-10);
    }
}

// x = 0 is stationary, not a minimum: the time is longer than pi. Cheaper: u = 1 up to a with a tan(2 - a) = 1, then
// x = A cos(t - 2) with A = 1/sin(2 - a), and the same backwards.
TEST_F(Bounded, SaddlesAreNoMinima) {
    const Model model = read_model(R"(coordinates = ["x"]
[control]
inputs   = ["u"]
dynamics = { x = "u" }
cost     = "(u^2 - x^2)/2"
bounds   = { u = [-1, 1] }
[boundary]
from = { x = 0 }
to   = { x = 0 }
time = 4
)",
                                   "test.toml");
    double low = 1, high = 1.9;
    for (int i = 0; i < 60; ++i) {
        const double a = (low + high) / 2;
        (a * std::tan(2 - a) > 1 ? low : high) = a;
    }
    const double a = low, A = 1 / std::sin(2 - a);
    const double cost = a - a * a * a / 3 - A * A / 2 * std::sin(2 * (2 - a));
    const Solution s = find_path(model);
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().cost, cost, 1e-9);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    bool saddle = false;
    for (const Extremal& e : s.extremals)
        if (std::abs(e.cost) < 1e-9) {
            saddle = true;
            EXPECT_EQ(e.verdict, Extremal::Verdict::stationary);
        }
    EXPECT_TRUE(saddle) << "the straight line leads there";
}

// The shortest way around a disc: two tangents of length sqrt(3) and an arc of 60 degrees.
TEST_F(Bounded, WayAroundADisc) {
    const Model model = read_model(R"(coordinates = ["x", "y"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w" }
cost     = "(u^2 + w^2)/2"
path     = ["x^2 + y^2 >= 1"]
[boundary]
from = { x = -2, y = 0 }
to   = { x = 2, y = 0 }
time = 1
)",
                                   "test.toml");
    SolveOptions options;
    options.starts = 2, options.accuracy = 1e-7;
    const Solution s = find_path(model, options);
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    const double length = 2 * std::sqrt(3) + std::numbers::pi / 3;
    EXPECT_NEAR(s.best().cost, length * length / 2, 1e-7);
    for (std::size_t k = 0; k < s.run.q.rows(); ++k) EXPECT_GE(std::hypot(s.run.q(k, 0), s.run.q(k, 1)), 1 - 1e-10);
}

TEST_F(Bounded, GoddardsRocket) {
    const Model model = read_model(R"(coordinates = ["h", "v", "m"]
[parameters]
c = 0.5
D = 310
k = 500
[control]
inputs   = ["T"]
dynamics = { h = "v", v = "(T - D*v^2*exp(-k*(h - 1)))/m - 1/h^2", m = "-T/c" }
cost     = "0"
terminal_cost = "-h"
bounds   = { T = [0, 3.5], v = [0, "inf"], m = [0.6, 1] }
[boundary]
from = { h = 1, v = 0, m = 1 }
to   = { m = 0.6 }
time = "free"
)",
                                   "test.toml");
    SolveOptions options;
    options.starts = 2;
    const Solution s = find_path(model, options);
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().q[0], 1.01283, 1e-5);
    EXPECT_NEAR(s.best().p[0], -1, 1e-6); // the slope of the terminal cost
    EXPECT_LE(s.cost_error, 1e-8);
}

// Gauss collocation of the problem and Gauss's method on Hamilton's equations have the same paths.
TEST_F(Bounded, AgreesWithNewton) {
    const std::pair<const char*, const char*> problems[] = {{"double integrator", R"(coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "u" }
cost     = "u^2/2"
[boundary]
from = { x = 0, v = 0 }
to   = { x = 1, v = 0 }
time = 1
)"},
                                                            {"swing-up", R"(coordinates = ["theta", "omega"]
[control]
inputs   = ["u"]
dynamics = { theta = "omega", omega = "-sin(theta) + u" }
cost     = "u^2/2"
[boundary]
from = { theta = 0, omega = 0 }
to   = { theta = "pi", omega = 0 }
time = 5
)"},
                                                            {"Heisenberg", R"(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w", z = "(x*w - y*u)/2" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 1, y = 0.5, z = 0.3 }
time = 1
)"},
                                                            {"Martinet", R"(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w", z = "x^2*w/2" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 0.5, y = 1, z = 0.3 }
time = 1
)"},
                                                            {"free end and time", R"(coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "-x + u + t/5" }
cost     = "u^2/2 + 1/2"
terminal_cost = "v^2"
[boundary]
from = { x = 0, v = 0 }
to   = { x = 1 }
time = "free"
)"}};
    for (const char* method : {"midpoint", "gauss:stages=2", "gauss:stages=3"})
        for (const auto& [name, text] : problems) {
            const Model model = read_model(text, "test.toml");
            SolveOptions options;
            options.method = method, options.steps = 20, options.solver = "newton";
            const Solution newton = find_path(model, options);
            options.solver = "ipopt";
            const Solution ipopt = find_path(model, options);
            ASSERT_EQ(newton.status, Solution::Status::solved) << name << ": " << newton.what;
            ASSERT_EQ(ipopt.status, Solution::Status::solved) << name << ": " << ipopt.what;
            EXPECT_NEAR(ipopt.best().cost, newton.best().cost, 2e-10 * newton.best().cost) << name << ", " << method;
            for (std::size_t i = 0; i < newton.run.q.size(); ++i) {
                EXPECT_NEAR(ipopt.run.q.values()[i], newton.run.q.values()[i], 1e-7) << name << ", " << method;
                EXPECT_NEAR(ipopt.run.p.values()[i], newton.run.p.values()[i], 1e-6) << name << ", " << method;
            }
        }
}

TEST_F(Bounded, SaysThatThereIsNoPath) { // |u| <= 4 is needed
    const Solution s = find_path(bounded_effort("3"));
    EXPECT_EQ(s.status, Solution::Status::infeasible);
    EXPECT_TRUE(s.extremals.empty());
    EXPECT_EQ(s.what.substr(0, 73), "no path satisfies all conditions: of 9 starts the nearest misses by 0.006");
}

TEST_F(Bounded, StopsWhenAsked) {
    const volatile int stop = 1;
    SolveOptions options;
    options.interrupt = &stop;
    const Solution s = find_path(bounded_effort("5"), options);
    EXPECT_EQ(s.status, Solution::Status::interrupted);
    EXPECT_EQ(s.what, "interrupted before a path was found");
}

TEST_F(Bounded, RefusesWithAReason) {
    const Model bounded = bounded_effort("5");
    SolveOptions newton, unknown, method;
    newton.solver = "newton", unknown.solver = "simplex", method.method = "rk4";
    EXPECT_EQ(message_of(bounded, newton),
              "'u' is bounded: Newton's method takes no bounds and no inequalities, take ipopt");
    EXPECT_EQ(message_of(bounded, unknown),
              "solver 'simplex' is not known; there are newton, shooting, multiple_shooting and ipopt");
    EXPECT_EQ(message_of(bounded, method), "Ipopt takes the methods midpoint and gauss, not 'rk4'");
    const Model outside = double_integrator("cost = \"u^2/2\"\nbounds = { x = [0, 1] }",
                                            "from = { x = 0, v = 0 }\nto = { x = 2, v = 0 }\ntime = 1");
    EXPECT_EQ(message_of(outside, {}), "the path ends at x = 2, outside the bounds of 'x'");
    const Model motion = read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2\"\n[boundary]\n"
                                    "from = { x = 0 }\nto = { x = 1 }\ntime = 1\n",
                                    "test.toml");
    SolveOptions ipopt;
    ipopt.solver = "ipopt";
    EXPECT_EQ(message_of(motion, ipopt),
              "Ipopt takes control problems; boundary values of a motion have no cost, take newton");
    try {
        static_cast<void>(compile(bounded, "midpoint"));
        FAIL() << "it was compiled";
    } catch (const Unsuitable& e) {
        EXPECT_STREQ(e.what(), "'u' is bounded: costates alone do not give the inputs then; `rattleback solve` finds "
                               "the path between the ends of [boundary]");
    }
}

} // namespace
} // namespace rattleback
