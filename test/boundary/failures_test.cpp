// What has no solution ends as failed, and what is asked for twice comes out twice.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

const std::string plane = R"-(coordinates = ["x", "y"]
[control]
inputs = ["u"]
cost   = "u^2/2"
)-";

void expect_failure(const std::string& text, Solution::Status status) {
    const Solution s = solved(text, {.starts = 12});
    EXPECT_EQ(s.status, status) << text;
    EXPECT_TRUE(s.extremals.empty()) << text;
    EXPECT_FALSE(s.what.empty());
    EXPECT_FALSE(s.remedy.empty());
}

TEST(Failures, EndsOutOfReach) {
    const std::string ends = "[boundary]\nfrom = { x = 0, y = 0 }\ntime = 1\n";
    expect_failure(plane + "dynamics = { x = \"u\", y = \"x^2\" }\n" + ends + "to = { x = 0, y = -1 }\n",
                   Solution::Status::infeasible);
    expect_failure(plane + "dynamics = { x = \"u\", y = \"0\" }\n" + ends + "to = { x = 0, y = 1 }\n",
                   Solution::Status::infeasible);
    expect_failure(plane + "dynamics = { x = \"u\", y = \"1\" }\n" + ends + "to = [\"x^2 + y^2 + 1\"]\n",
                   Solution::Status::infeasible);
    expect_failure(plane + "dynamics = { x = \"u\", y = \"1\" }\n" + ends + "to = [\"x - 1\", \"x - 2\"]\n",
                   Solution::Status::infeasible);
}

// What is missed and by how much: y' = x^2 does not go down, a car without a reverse gear does not go back, and a
// circle of radius 1 is not nearer than 1 to a point at 2.
TEST(Failures, TheNearestEndIsNamed) {
    const auto what = [](const std::string& text, double miss) {
        const Solution s = solved(text, {.starts = 6});
        EXPECT_EQ(s.status, Solution::Status::infeasible);
        EXPECT_NEAR(s.residual, miss, 1e-4) << s.what; // as exact as 1/W
        return s.what;
    };
    const std::string ends = "[boundary]\nfrom = { x = 0, y = 0 }\ntime = 1\n";
    EXPECT_EQ(what(plane + "dynamics = { x = \"u\", y = \"x^2\" }\n" + ends + "to = { x = 0, y = -1 }\n", 1),
              "the end is out of reach, locally at least: the nearest path ends with y = 0 in place of -1, off by 1");
    EXPECT_EQ(what(plane + "dynamics = { x = \"u\", y = \"1\" }\n" + ends + "to = { y = 2 }\n", 1),
              "the end is out of reach, locally at least: the nearest path ends with y = 1 in place of 2, off by 1");
    EXPECT_EQ(
        what(plane + "dynamics = { x = \"u\", y = \"0\" }\n" + ends + "to = [\"x^2 + (y - 2)^2 - 1\"]\n", 3),
        "the end is out of reach, locally at least: the nearest path ends with x^2 + (y - 2)^2 - 1 = 3 in place of 0, "
        "off by 3");
}

TEST(Failures, MotionsThatAreNotThere) {
    // After half a period every motion from 0 is at 0.
    expect_failure("coordinates = [\"x\"]\n[mechanics]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n"
                   "[boundary]\nfrom = { x = 0 }\nto = { x = 1 }\ntime = \"pi\"\n",
                   Solution::Status::failed);
    // An end off the sphere.
    expect_failure("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
                   "potential = \"0\"\n[constraints]\nholonomic = [\"x^2 + y^2 + z^2 - 1\"]\n"
                   "[boundary]\nfrom = { x = 1, y = 0, z = 0 }\nto = { x = 0, y = 2, z = 0 }\ntime = 1\n",
                   Solution::Status::failed);
}

// Every extremal that is shown meets its ends and its equations.
TEST(Failures, NoSuccessWithAResidual) {
    for (const std::string& text : {double_integrator, swing_up, unicycle, heisenberg}) {
        const Solution s = solved(text);
        ASSERT_EQ(s.status, Solution::Status::solved);
        for (const Extremal& e : s.extremals) EXPECT_LE(e.residual, 1e-12);
    }
}

// A length that goes to minus infinity costs less and less, and its costate does not fit: 0.1 is not small beside the
// costates, however large the length. The minimum beside it is found by SciPy, too (test/oracle/optimal.py).
TEST(Failures, NoSuccessWithAResidualThatIsSmallBesideAParameter) {
    const std::string text = R"-(coordinates = ["a", "w"]
[parameters]
l = 1
[control]
inputs = ["u"]
dynamics = { a = "w", w = "u - sin(a)/l" }
cost = "u^2/2"
terminal_cost = "l/10"
parameters = ["l"]
[boundary]
from = { a = 0, w = 0 }
to = { a = "pi", w = 0 }
time = 4
)-";
    const Solution s = solved(text);
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    EXPECT_NEAR(s.best().cost, 1.2723762420730, 1e-12);
    for (const Extremal& e : s.extremals) EXPECT_LE(e.residual, 1e-10);
}

// The plane in polar coordinates, from its centre: the angle turns for nothing there, and the inputs have no values.
TEST(Failures, APathThatBeginsAtAPole) {
    const Solution s = solved(R"-(coordinates = ["r", "a"]
[control]
inputs = ["u", "w"]
dynamics = { r = "u", a = "w/r" }
cost = "(u^2 + w^2)/2"
[boundary]
from = { r = 0, a = 0 }
to = { r = 1, a = 1 }
time = 1
)-",
                              {.starts = 12});
    EXPECT_EQ(s.status, Solution::Status::failed);
    EXPECT_TRUE(s.extremals.empty());
    EXPECT_EQ(s.what, "paths were found, but they lead through a pole of the equations: a value is not finite in p_a/r "
                      "(the denominator must not be 0)");
}

TEST(Failures, TheSameSeedGivesTheSameBits) {
    const Solution a = solved(unicycle, {.seed = 5}), b = solved(unicycle, {.seed = 5}),
                   c = solved(unicycle, {.seed = 6});
    EXPECT_EQ(a.run.q, b.run.q);
    EXPECT_EQ(a.run.p, b.run.p);
    EXPECT_EQ(a.iterations, b.iterations);
    ASSERT_EQ(a.extremals.size(), b.extremals.size());
    for (std::size_t i = 0; i < a.extremals.size(); ++i) {
        EXPECT_EQ(a.extremals[i].cost, b.extremals[i].cost);
        EXPECT_EQ(a.extremals[i].p0, b.extremals[i].p0);
        EXPECT_EQ(a.extremals[i].hits, b.extremals[i].hits);
    }
    EXPECT_NE(a.iterations, c.iterations); // other bends
    EXPECT_NEAR(a.best().cost, c.best().cost, 1e-12);
}

TEST(Failures, AnInterruptedSearchSaysSo) {
    volatile int stop = 1;
    const Solution s = solved(unicycle, {.interrupt = &stop});
    EXPECT_EQ(s.status, Solution::Status::interrupted);
    EXPECT_EQ(s.what, "interrupted before a path was found");
}

} // namespace
} // namespace rattleback::boundary_test
