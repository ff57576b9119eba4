// Coordinates on groups: closed forms, and the same problem in ordinary coordinates.
#include "problems.hpp"

#include <numbers>

namespace rattleback::boundary_test {
namespace {

constexpr double pi = std::numbers::pi;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

std::vector<double> costs(const Solution& s) {
    std::vector<double> all;
    for (const Extremal& e : s.extremals) all.push_back(e.cost);
    return all;
}

bool has_cost(const Solution& s, double cost, double within) {
    const std::vector<double> all = costs(s);
    return std::any_of(all.begin(), all.end(), [&](double c) { return std::abs(c - cost) < within; });
}

const std::string turning = R"-(coordinates = ["R in SO(3)"]
[control]
inputs   = ["a", "b", "c"]
dynamics = { R = ["a", "b", "c"] }
cost     = "(a^2 + b^2 + c^2)/2"
[boundary]
from = { R = "rotx(0.4)" }
to   = { R = "rotx(0.4)*rotz(2)*rotx(1)" }
time = 2
)-";

// One-parameter subgroups, in both homotopy classes.
TEST(PathsOnGroups, TurnsOfLeastEffortAreSubgroups) {
    const Solution s = solved(turning, {.starts = 12});
    ASSERT_EQ(s.status, Solution::Status::solved);
    const double angle = 2 * std::acos(std::cos(1.0) * std::cos(0.5)), back = 2 * pi - angle;
    EXPECT_NEAR(s.best().cost, angle * angle / 4, 2e-14);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    ASSERT_EQ(s.extremals.size(), 2u);
    EXPECT_NEAR(s.extremals[1].cost, back * back / 4, 1e-12);
    const double size =
        std::sqrt(s.best().p0[0] * s.best().p0[0] + s.best().p0[1] * s.best().p0[1] + s.best().p0[2] * s.best().p0[2]);
    EXPECT_NEAR(size, angle / 2, 1e-13);
    for (std::size_t k = 0; k < s.run.t.rows(); ++k)
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(s.run["u"](k, i), -s.best().p0[i], 1e-12);
}

// A chart ends at a turn of 2 pi; the path winds on. Other axes are dear, so that turns about e_z stay the shortest.
TEST(PathsOnGroups, PathsWindBeyondOneChart) {
    const Solution s = solved(R"-(coordinates = ["R in SO(3)", "x"]
[control]
inputs   = ["a", "b", "c", "d"]
dynamics = { R = ["a", "b", "c"], x = "c + d" }
cost     = "(100*a^2 + 100*b^2 + c^2 + 1000*d^2)/2"
[boundary]
from = { R = "rotz(0)", x = 0 }
to   = { R = "rotz(20)", x = 20 }
time = 2
)-",
                              {.starts = 6});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 100, 1e-11);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    for (std::size_t k = 0; k < s.run.t.rows(); ++k) {
        EXPECT_NEAR(s.run.q(k, 0), std::cos(10 * s.run.t[k]), 1e-12);
        EXPECT_NEAR(s.run.q(k, 3), std::sin(10 * s.run.t[k]), 1e-12);
    }
}

// On a great sphere of radius 2, as which SO(3) has that metric: geodesics of all numbers of rounds, and the conjugate
// points of those longer than 2 pi, twofold.
TEST(PathsOnGroups, GeodesicsOfTheRoundMetricAndTheirConjugatePoints) {
    const Solution s = solved(R"-(coordinates = ["R in SO(3)"]
[mechanics]
kinetic   = "dot(body(R), body(R))/2"
potential = "0"
[boundary]
from = { R = "rotz(0)" }
to   = { R = "rotz(1)" }
time = 1
)-",
                              {.starts = 24});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 0.5, 1e-14);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    EXPECT_TRUE(has_cost(s, (2 * pi - 1) * (2 * pi - 1) / 2, 1e-10));
    const auto longer = std::find_if(s.extremals.begin(), s.extremals.end(), [](const Extremal& e) {
        return std::abs(e.cost - (2 * pi + 1) * (2 * pi + 1) / 2) < 1e-9;
    });
    ASSERT_NE(longer, s.extremals.end());
    ASSERT_EQ(longer->conjugate.size(), 2u);
    for (const double t : longer->conjugate) EXPECT_NEAR(t, 2 * pi / (2 * pi + 1), 4e-6);
}

// A curve on the sphere whose parallel transport turns by A encloses the area A: the shortest is a circle of length
// sqrt(A (4 pi - A)). As a control problem and as a variational one.
TEST(PathsOnGroups, SubRiemannianTurnsAreCircles) {
    const double A = pi / 2, cost = A * (4 * pi - A) / 2;
    std::string text = replaced(turning, "\"a\", \"b\", \"c\"] }", "\"a\", \"b\", \"0\"] }");
    text = replaced(text, "\"a\", \"b\", \"c\"]", "\"a\", \"b\"]"), text = replaced(text, " + c^2", "");
    text = replaced(replaced(text, "time = 2", "time = 1"), "rotz(2)*rotx(1)", "rotz(pi/2)");
    const Solution control = solved(text, {.starts = 8});
    ASSERT_EQ(control.status, Solution::Status::solved);
    EXPECT_NEAR(control.best().cost, cost, 1e-12);
    EXPECT_NEAR(std::abs(control.best().p0[2]), 2 * pi - A, 1e-11);
    const Solution motion = solved(R"-(coordinates = ["R in SO(3)"]
[mechanics]
kinetic   = "(body(R)[1]^2 + body(R)[2]^2)/2"
potential = "0"
[constraints]
velocity  = ["body(R)[3]"]
principle = "variational"
[boundary]
from = { R = "rotz(0)" }
to   = { R = "rotz(pi/2)" }
time = 1
)-",
                                   {.starts = 40});
    ASSERT_EQ(motion.status, Solution::Status::solved);
    EXPECT_NEAR(motion.best().cost, cost, 1e-12);
}

const std::string body = R"-(coordinates = ["R in SO(3)"]
[parameters]
I1 = 3.0
I2 = 2.0
I3 = 1.0
[control]
inputs = ["a", "b", "c"]
cost   = "(a^2 + b^2 + c^2)/2"
[mechanics]
kinetic   = "(I1*body(R)[1]^2 + I2*body(R)[2]^2 + I3*body(R)[3]^2)/2"
potential = "0"
force     = { R = ["a", "b", "c"] }
[boundary]
from = { q = { R = "rotz(0)" }, v = { R = [0, 0, 0] } }
to   = { q = { R = "roty(1.2)" }, v = { R = [0, 0, 0] } }
time = 1.5
)-";

TEST(PathsOnGroups, TurnsFromRestToRestAboutAnAxis) {
    const Solution s = solved(body, {.starts = 6});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 6 * 2.0 * 2.0 * 1.2 * 1.2 / std::pow(1.5, 3), 2e-13);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    for (std::size_t k = 0; k < s.run.t.rows(); ++k) {
        const double at = s.run.t[k] / 1.5;
        EXPECT_NEAR(s.run.q(k, 0), std::cos(1.2 * at * at * (3 - 2 * at)), 1e-12);
        EXPECT_NEAR(s.run.q(k, 10), 1.2 / 1.5 * 6 * at * (1 - at), 1e-12);
    }
}

TEST(PathsOnGroups, ShootingAndCompositionsFindTheSamePath) {
    const std::string general = replaced(body, "roty(1.2)", "roty(1.2)*rotx(0.7)");
    const double cost = solved(general, {.starts = 4}).best().cost;
    EXPECT_NEAR(solved(general, {.steps = 60, .solver = "multiple_shooting", .starts = 4}).best().cost, cost, 1e-9);
    EXPECT_NEAR(solved(general, {.method = "compose", .steps = 100, .starts = 4}).best().cost, cost, 2e-7);
    EXPECT_NEAR(solved(general, {.method = "midpoint", .steps = 100, .starts = 4}).best().cost, cost, 2e-3);
}

// Of 2000 steps and more machine code evaluates eight side by side, each with charts of its own.
TEST(PathsOnGroups, ManyStepsHaveTheErrorOfTheMethod) {
    const std::string general = replaced(body, "roty(1.2)", "roty(1.2)*rotx(0.7)");
    const double cost = solved(general, {.starts = 4}).best().cost;
    const Solution s = solved(general, {.method = "midpoint", .steps = 2000, .starts = 4}),
                   coarse = solved(general, {.method = "midpoint", .steps = 500, .starts = 4});
    EXPECT_NEAR((coarse.best().cost - cost) / (s.best().cost - cost), 16, 0.01);
    EXPECT_NEAR(std::abs(s.best().cost - cost) / s.cost_error, 1, 1e-3);
}

// In the table [group] with forces as its own.
TEST(PathsOnGroups, TheTableGroupIsShortForTheSame) {
    const Solution s = solved(R"-([group]
name    = "SO(3)"
inertia = [[3, 0, 0], [0, 2, 0], [0, 0, 1]]
force   = ["a", "b", "c"]
[control]
inputs = ["a", "b", "c"]
cost   = "(a^2 + b^2 + c^2)/2"
[boundary]
from = { q = { g = "rotz(0)" }, v = { g = [0, 0, 0] } }
to   = { q = { g = "roty(1.2)*rotx(0.7)" }, v = { g = [0, 0, 0] } }
time = 1.5
)-",
                              {.starts = 4});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, solved(replaced(body, "roty(1.2)", "roty(1.2)*rotx(0.7)"), {.starts = 4}).best().cost,
                1e-12);
}

TEST(PathsOnGroups, AnglesOfSO2AreNotWrapped) {
    const Solution s = solved(R"-(coordinates = ["X in SO(2)"]
[control]
inputs = ["a"]
cost   = "a^2/2"
[mechanics]
kinetic   = "2*body(X)^2/2"
potential = "0"
force     = { X = ["a"] }
[boundary]
from = { q = { X = -1 }, v = { X = 0 } }
to   = { q = { X = 7 }, v = { X = 0 } }
time = 2
)-");
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 6 * 4.0 * 64 / 8, 1e-11);
    EXPECT_LE(apart(s.best().q, {7, 0}), 1e-14);
}

const std::string unicycle_on_group = R"-(coordinates = ["X in SE(2)"]
[control]
inputs   = ["v", "w"]
dynamics = { X = ["w", "v", "0"] }
cost     = "(v^2 + w^2)/2"
[boundary]
from = { X = [0, 0, 0] }
to   = { X = [1, "3/4", "-1/2"] }
time = 1
)-";

// Momenta seen from the body are those of the angle, and of the position turned back.
TEST(PathsOnGroups, TheUnicycleOnSE2IsTheOneInCoordinates) {
    const Solution s = solved(unicycle_on_group, {.steps = 60, .starts = 12}),
                   in_coordinates = solved(unicycle, {.steps = 60, .starts = 12});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, in_coordinates.best().cost, 1e-12);
    EXPECT_NEAR(s.best().p0[0], in_coordinates.best().p0[2], 1e-9);
    for (std::size_t k = 0; k < s.run.t.rows(); ++k)
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(s.run.q(k, i), in_coordinates.run.q(k, i), 1e-9);
    const double x = in_coordinates.best().p[0], y = in_coordinates.best().p[1], angle = -0.5;
    EXPECT_NEAR(s.best().p[1], x * std::cos(angle) + y * std::sin(angle), 1e-9);
    EXPECT_NEAR(s.best().p[2], y * std::cos(angle) - x * std::sin(angle), 1e-9);
}

// With the metric of turns and of shifts in space, turns and straight lines do not know of each other.
TEST(PathsOnGroups, ScrewsOfSE3AreTurnsAndStraightLines) {
    const Solution s = solved(R"-(coordinates = ["X in SE(3)"]
[control]
inputs   = ["a", "b", "c", "u", "v", "w"]
dynamics = { X = ["a", "b", "c", "u", "v", "w"] }
cost     = "(a^2 + b^2 + c^2 + u^2 + v^2 + w^2)/2"
[boundary]
from = { X = [[1, 0, 0, 4], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] }
to   = { X = [[0, -1, 0, 5], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]] }
time = 1
)-",
                              {.starts = 6});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, (pi * pi / 4 + 14) / 2, 1e-12);
    const std::size_t middle = (s.run.t.rows() - 1) / 2;
    for (const auto& [i, value] : {std::pair{9, 4.5}, std::pair{10, 1.0}, std::pair{11, 1.5}})
        EXPECT_NEAR(s.run.q(middle, static_cast<std::size_t>(i)), value, 1e-11);
    EXPECT_LE(apart(s.best().q, {0, -1, 0, 1, 0, 0, 0, 0, 1, 5, 2, 3}), 1e-14);
}

// An end on a set: the axis is to point somewhere, however the body is turned about it. And a price instead of an end:
// the turn s of least s^2/2 + 2 (1 - cos(2 - s)) has s = 2 sin(2 - s).
TEST(PathsOnGroups, EndsMayBeFree) {
    const std::string at_once = replaced(turning, "time = 2", "time = 1");
    const std::string from = replaced(at_once, "rotx(0.4)\" }", "rotx(2)\" }");
    const std::size_t to = from.find("to   ="), time = from.find("time");
    const auto ending = [&](const std::string& end) { return from.substr(0, to) + end + from.substr(time); };
    const Solution pointed = solved(ending("to = [\"R[1,3]\", \"R[2,3] - 0.6\"]\n"), {.starts = 8});
    ASSERT_EQ(pointed.status, Solution::Status::solved);
    EXPECT_EQ(pointed.best().verdict, Extremal::Verdict::minimum);
    // rotx(2) e_z = (0, -sin 2, cos 2): the angle to (0, 3/5, +-4/5), the nearer of both
    const double nearer = std::acos(-0.6 * std::sin(2.0) - 0.8 * std::cos(2.0));
    EXPECT_NEAR(pointed.best().cost, nearer * nearer / 2, 1e-9);
    const Solution priced =
        solved(replaced(ending(""), "/2\"\n", "/2\"\nterminal_cost = \"2*(1 - R[3,3])\"\n"), {.starts = 8});
    ASSERT_EQ(priced.status, Solution::Status::solved);
    double s = 1;
    for (int i = 0; i < 200; ++i) s = (s + 2 * std::sin(2 - s)) / 2;
    EXPECT_NEAR(priced.best().cost, s * s / 2 + 2 * (1 - std::cos(2 - s)), 1e-12);
    EXPECT_EQ(priced.best().verdict, Extremal::Verdict::minimum);
}

// Swinging a heavy body up: about its light axis it is a pendulum.
TEST(PathsOnGroups, AHeavyBodyIsAPendulumAboutOneAxis) {
    std::string top = replaced(replaced(body, "potential = \"0\"", "potential = \"3*R[3,3]\""), "I2 = 2", "I2 = 12");
    top = replaced(replaced(top, "I3 = 1", "I3 = 12"), "\"rotz(0)\"", "\"rotx(pi)\"");
    const Solution s = solved(replaced(replaced(top, "\"roty(1.2)\"", "\"rotz(0)\""), "1.5", "2"), {.starts = 8});
    const Solution pendulum = solved(R"-(coordinates = ["theta", "omega"]
[control]
inputs   = ["u"]
dynamics = { theta = "omega", omega = "sin(theta) + u/3" }
cost     = "u^2/2"
[boundary]
from = { theta = "pi", omega = 0 }
to   = { theta = 0, omega = 0 }
time = 2
)-");
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    EXPECT_NEAR(s.best().cost, pendulum.best().cost, 1e-9);
}

// A symmetric body that is free turns with L/I1 in space and (1/I3 - 1/I1) L_3 about its axis.
TEST(PathsOnGroups, AFreeSymmetricBodyBetweenTwoAttitudes) {
    const Solution s = solved(R"-(coordinates = ["R in SO(3)"]
[mechanics]
kinetic   = "(2*body(R)[1]^2 + 2*body(R)[2]^2 + body(R)[3]^2)/2"
potential = "0"
[boundary]                                    # with L = (0.6, 0.2, 0.9)
from = { R = "rotz(0)" }
to   = { R = "rotz(atan2(0.2, 0.6))*roty(atan2(sqrt(0.4), 0.9))*)-"
                              R"-(rotz(1.1/2)*roty(-atan2(sqrt(0.4), 0.9))*rotz(-atan2(0.2, 0.6))*rotz(0.45)" }
time = 1
)-",
                              {.starts = 12});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, (0.4 / 2 + 0.81) / 2, 1e-13);
    EXPECT_LE(apart(s.best().p0, {0.6, 0.2, 0.9}), 1e-12);
}

// The reached attitude of the best path is that of a run from its costates.
TEST(PathsOnGroups, ARunFromTheCostatesMeetsTheEnd) {
    const Solution s = solved(replaced(body, "roty(1.2)", "rotz(3)*roty(1.2)*rotx(2.7)"), {.starts = 8});
    ASSERT_EQ(s.status, Solution::Status::solved);
    const auto list = [](const std::vector<double>& x, std::size_t first) {
        std::string text;
        for (std::size_t i = first; i < first + 3; ++i) text += (i > first ? ", " : "") + real::to_text(x[i]);
        return text;
    };
    const std::string start = "[initial]\nq = { R = \"rotz(0)\" }\nv = { R = [0, 0, 0] }\np = { R = [" +
                              list(s.best().p0, 0) + "], \"R'_1\" = " + real::to_text(s.best().p0[3]) +
                              ", \"R'_2\" = " + real::to_text(s.best().p0[4]) +
                              ", \"R'_3\" = " + real::to_text(s.best().p0[5]) + " }\n";
    const auto run =
        integrate(read_model(body + start, "run.toml"), {.method = "gauss:stages=4", .step = 0.015, .until = 1.5});
    std::vector<double> end;
    for (std::size_t i = 0; i < 12; ++i) end.push_back(run.q(run.q.rows() - 1, i));
    EXPECT_LE(apart(end, s.best().q), 1e-10);
}

} // namespace
} // namespace rattleback::boundary_test
