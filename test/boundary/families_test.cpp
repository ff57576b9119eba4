// Paths that are one of many with the same cost, inputs that enter nonlinearly, costs without a minimum.
#include "problems.hpp"

#include <numbers>

namespace rattleback::boundary_test {
namespace {

// Every radius is a minimum; at the centre, where paths begin, the gradient of the set vanishes.
TEST(Families, FromTheCentreOfACircle) {
    const Solution s = solved(R"-(coordinates = ["x", "y"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = [0, 0]
to   = ["x^2 + y^2 - 1"]
time = 1
)-",
                              {.starts = 12});
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().cost, 0.5, 1e-13);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
}

// A full circle through the origin, in any direction: length 2 sqrt(pi z), cost 2 pi z.
TEST(Families, AlongTheAxisOfHeisenbergsGroup) {
    const Solution s = solved(R"-(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w", z = "(x*w - y*u)/2" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = [0, 0, 0]
to   = [0, 0, 1]
time = 1
)-",
                              {.starts = 12});
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().cost, 2 * std::numbers::pi, 1e-12);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
}

std::string double_integrator(const std::string& cost) {
    return R"-(coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "u" }
cost     = ")-" +
           cost + R"-("
[boundary]
from = [0, 0]
to   = [1, 0]
time = 1
)-";
}

// p0 and the cost by shooting with SciPy; H_u = u + u^3 + p_v.
TEST(Inputs, ThatEnterNonlinearly) {
    const std::string text = double_integrator("u^2/2 + u^4/4");
    for (const char* method : {"gauss:stages=3", "type2_sym", "type2"}) {
        const bool accurate = std::string(method) == "gauss:stages=3";
        const Solution s = solved(text, {.method = method, .steps = 400, .starts = 4});
        ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
        EXPECT_NEAR(s.best().cost, 57.32294154794736, accurate ? 6e-8 : 1e-3) << method;
        EXPECT_NEAR(s.best().p0[0], -216.32317658, accurate ? 1e-5 : 1) << method;
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum) << method;
        ASSERT_EQ(s.u_first.size(), 1u);
        const double u = s.run["u"](0, 0), p = s.run.p(0, 1);
        EXPECT_NEAR(u + u * u * u + p, 0, 1e-10) << method;
    }
}

// H_uu < 0: the path is stationary, and every wiggle makes it cheaper.
TEST(Inputs, ThatMakeHLargest) {
    const Solution s = solved(double_integrator("-u^2/2"), {.starts = 4});
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().cost, -6, 1e-12);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::stationary);
    ASSERT_TRUE(s.best().inputs.has_value());
    EXPECT_EQ(s.best().inputs->smallest, -1);
    EXPECT_EQ(s.best().inputs->lost, 0.0);
}

} // namespace
} // namespace rattleback::boundary_test
