// Minima and conjugate points, against references: shooting in long double, determinants of Jacobi fields.
#include "problems.hpp"

#include <numbers>

namespace rattleback::boundary_test {
namespace {

TEST(SecondOrder, ConjugatePointsOfTheUnicycle) {
    const Solution s = solved(unicycle_lagrange);
    ASSERT_GE(s.extremals.size(), 3u);
    EXPECT_NEAR(s.best().cost, 3.59157935992045243, 1e-10);
    EXPECT_LE(apart(s.best().p0, {0.05135040644664382, 4.41729918697404437, 2.67964957701537335}), 1e-9);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    EXPECT_TRUE(s.best().conjugate.empty());
    const Extremal &second = s.extremals[1], &third = s.extremals[2];
    EXPECT_NEAR(second.cost, 9.26446103229707247, 1e-8);
    EXPECT_EQ(second.verdict, Extremal::Verdict::conjugate);
    EXPECT_LE(apart(second.conjugate, {0.8173}), 2e-4);
    EXPECT_NEAR(third.cost, 9.43749543772265851, 1e-8);
    EXPECT_LE(apart(third.conjugate, {0.6245, 0.8822}), 2e-4);
}

// Least action of x'^2/2 - x^2/2: conjugate to t = 0 are pi, 2 pi ...
TEST(SecondOrder, ConjugatePointsOfTheOscillator) {
    const auto oscillator = [](double time, const std::string& method = {}) {
        return solved("coordinates = [\"x\"]\n[mechanics]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n"
                      "[boundary]\nfrom = { x = 0 }\nto = { x = 1 }\ntime = " +
                          std::to_string(time) + "\n",
                      {.method = method, .steps = 60});
    };
    EXPECT_EQ(oscillator(3).best().verdict, Extremal::Verdict::minimum);
    EXPECT_EQ(oscillator(3, "compose:base=midpoint:order=6").best().verdict, Extremal::Verdict::minimum);
    constexpr double pi = std::numbers::pi;
    for (const char* method : {"gauss:stages=4", "compose:base=midpoint:order=6"}) {
        const Solution s = oscillator(10, method);
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::conjugate);
        EXPECT_LE(apart(s.best().conjugate, {pi, 2 * pi, 3 * pi}), 1e-2) << method;
    }
}

// Here p may be anything of the form (p_x, 0, p_z): the straight line of Martinet's distribution is abnormal.
TEST(SecondOrder, MartinetsLineIsAbnormal) {
    const Solution s = solved(R"-(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "v"]
dynamics = { x = "u", y = "v", z = "y^2*u/2" }
cost     = "(u^2 + v^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 1, y = 0, z = 0 }
time = 1
)-");
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 0.5, 1e-12);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::abnormal);
}

// The terminal cost is stationary at both -1 and 1, and least at -1 only.
TEST(SecondOrder, AFreeEndThatIsNoMinimum) {
    const Solution s = solved(R"-(coordinates = ["x"]
[control]
inputs        = ["u"]
dynamics      = { x = "u" }
cost          = "u^2/2"
terminal_cost = "10*(x - x^3/3)"
[boundary]
from = { x = 1 }
to   = {}
time = 1
)-");
    ASSERT_EQ(s.status, Solution::Status::solved);
    // u = x_1 - 1 is constant and p = -u: 10 (1 - x_1^2) + x_1 - 1 = 0, so x_1 = -0.9 or 1.
    EXPECT_NEAR(s.best().q[0], -0.9, 1e-12);
    EXPECT_NEAR(s.best().cost, 1.9 * 1.9 / 2 + 10 * (-0.9 + 0.729 / 3), 1e-12);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    ASSERT_EQ(s.extremals.size(), 2u);
    EXPECT_NEAR(s.extremals[1].q[0], 1, 1e-12);
    EXPECT_EQ(s.extremals[1].verdict, Extremal::Verdict::stationary);
    EXPECT_TRUE(s.extremals[1].conjugate.empty());
}

} // namespace
} // namespace rattleback::boundary_test
