// Starts that come from an easier problem: linear-quadratic, convex, without bounds; and what is said where there is
// nothing to begin with.
#include "problems.hpp"

#include "boundary/convex.hpp"
#include "boundary/descent.hpp"
#include "boundary/paths_without_bounds.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary_test {
namespace {

using namespace boundary;

// From the one path that stays at rest, at one go to the minimum of a linear-quadratic problem: x = 3 t^2 - 2 t^3 but
// for the error of the midpoint rule, the costates of the discrete problem.
TEST(EasierStarts, TheRegulatorSolvesALinearProblemAtOneGo) {
    const Problem problem(read_model(double_integrator, "lqr.toml"));
    PathSolver solver(problem, "midpoint");
    Descent descent(problem, solver);
    constexpr std::size_t N = 60;
    Descent::Nodes nodes{std::vector<double>((N + 1) * 4, 0.0), {}};
    std::vector<double> u(N, 0.0), from, to;
    ASSERT_TRUE(descent.to_least_of_model(nodes, u, from, to));
    const double cost = 6.0 * N * N / (N * N - 1.0); // of the discrete problem
    double sum = 0;
    for (const double each : u) sum += each * each / 2 / N;
    EXPECT_NEAR(sum, cost, 1e-11);
    EXPECT_NEAR(nodes.x[N * 4], 1, 1e-13);
    EXPECT_NEAR(nodes.x[N * 2], 0.5, 1e-13);
    EXPECT_NEAR(nodes.x[2], -12.0 * N * N / (N * N - 1.0), 1e-9);
}

// The pendulum about the straight line from 0 to pi: H is quadratic with share 0, its own with share 1.
TEST(EasierStarts, TheConvexProblemIsQuadratic) {
    const Model model = read_model(swing_up, "swing.toml");
    const std::optional<Model> near = nearly_convex(model, 0);
    ASSERT_TRUE(near);
    const Vec x = concat({near->q, near->p});
    for (const Component& first : gradient(near->function, x))
        for (const Component& second : gradient(first.value, x))
            for (const Component& third : gradient(second.value, x)) EXPECT_TRUE(third.value.is(0));
    EXPECT_EQ(to_text(nearly_convex(model, 1)->function), to_text(model.function));
}

TEST(EasierStarts, PathsAreLedFromTheConvexProblem) {
    const Solution direct = solved(swing_up), led = solved(swing_up, {.along = {{"convex", 0}}});
    ASSERT_EQ(led.status, Solution::Status::solved) << led.what;
    EXPECT_EQ(led.note, "by continuation from the linearised, convex problem");
    EXPECT_NEAR(led.best().cost, direct.best().cost, 1e-9);
    const std::string free = "coordinates = [\"x\"]\n[control]\ninputs = [\"u\"]\ndynamics = { x = \"u\" }\n"
                             "cost = \"1 + u^2\"\n[boundary]\nfrom = { x = 0 }\nto = { x = 1 }\ntime = \"free\"\n";
    EXPECT_THROW(solved(free, {.along = {{"convex", 0}}}), BadRun);
}

// Lorenz's equations across to the other wing, |u| <= 30: bent lines lead to 354.477 alone.
TEST(EasierStarts, WithoutBoundsThereAreStartsForIpopt) {
    const std::string text = R"-(coordinates = ["x", "y", "z"]
[control]
inputs = ["u"]
dynamics = { x = "10*(y - x)", y = "x*(28 - z) - y + u", z = "x*y - 8*z/3" }
cost = "u^2/2"
bounds = { u = [-30, 30] }
[boundary]
from = { x = 8, y = 8, z = 27 }
to = { x = -8, y = -8, z = 27 }
time = 1.5
)-";
    const Model model = read_model(text, "lorenz.toml");
    const Problem problem(model);
    EXPECT_FALSE(paths_without_bounds(model, problem, {}).empty());
    const Solution s = solved(text, {.steps = 40});
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_LT(s.best().cost, 310);
}

TEST(EasierStarts, WhatHasNoValuesIsNamed) {
    const auto what = [](const std::string& cost) {
        std::string text = double_integrator;
        text.replace(text.find("u^2/2"), 5, cost);
        const Solution s = solved(text, {.starts = 6});
        EXPECT_EQ(s.status, Solution::Status::failed);
        return s.what;
    };
    EXPECT_EQ(what("u^2/2 + log(-1 - x^2)").substr(0, 86),
              "the cost, the dynamics or their derivatives have no finite value on any of 6 starts: a");
    EXPECT_EQ(what("sqrt(u^2)").substr(0, 57), "the cost, the dynamics or their derivatives have no finit");
}

// Unstable, and everything can be reached: W of the whole path has one large eigenvalue, but it is not abnormal.
TEST(EasierStarts, GrowingMotionsAreNotAbnormal) {
    const Solution s = solved(R"-(coordinates = ["x", "y"]
[control]
inputs = ["u"]
dynamics = { x = "y", y = "x^3 + sin(y) + u" }
cost = "(u^2 + x^2 + y^2)/2"
[boundary]
from = { x = 1, y = 0 }
to = { x = 1, y = 0 }
time = 25
)-",
                              {.starts = 12});
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
}

} // namespace
} // namespace rattleback::boundary_test
