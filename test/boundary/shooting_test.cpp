// Shooting and multiple shooting, which take their steps one after the other, find what Newton's method on the whole
// path finds; where they do not, they say so.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

Solution by(const std::string& solver, const std::string& text, const std::string& method = "gauss:stages=3") {
    return solved(text, {.method = method, .steps = 40, .solver = solver, .starts = 6});
}

TEST(Shooting, FindsTheSamePaths) {
    for (const std::string& text : {double_integrator, swing_up, unicycle, heisenberg})
        for (const char* method : {"gauss:stages=3", "type2", "compose:base=type2_sym"}) {
            const Solution newton = by("newton", text, method);
            ASSERT_EQ(newton.status, Solution::Status::solved);
            for (const char* solver : {"shooting", "multiple_shooting"}) {
                const Solution s = by(solver, text, method);
                ASSERT_EQ(s.status, Solution::Status::solved) << solver << "\n" << text;
                EXPECT_EQ(s.solver, solver);
                EXPECT_NEAR(s.best().cost, newton.best().cost, 1e-12);  // measured 4e-14
                EXPECT_LE(apart(s.run.q, newton.run.q), 2e-12);         // 6e-13
                EXPECT_LE(apart(s.best().p0, newton.best().p0), 4e-15); // 1.8e-15
                EXPECT_EQ(s.best().verdict, newton.best().verdict);
            }
        }
}

// From rest, a body falls into the sun: one piece is too long for Newton's method, ten are not.
const std::string lambert = R"-(coordinates = ["x", "y"]
[mechanics]
kinetic   = "(x'^2 + y'^2)/2"
potential = "-1/sqrt(x^2 + y^2)"
[boundary]
from = { x = 1, y = 0 }
to   = { x = -0.5, y = 1.2 }
time = 2
)-";

TEST(Shooting, InPiecesGoesFurther) {
    EXPECT_EQ(by("shooting", lambert).status, Solution::Status::failed);
    const Solution s = by("multiple_shooting", lambert);
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_NEAR(s.best().cost, 3.00489912784722788, 8e-11); // 40 steps: 3.6e-11
}

TEST(Shooting, NamesAndBounds) {
    EXPECT_THROW(by("simplex", swing_up), BadRun);
    const std::string bounded =
        std::string(double_integrator)
            .replace(double_integrator.find("[boundary]"), 10, "bounds = { u = [-7, 7] }\n[boundary]");
    EXPECT_THROW(by("shooting", bounded), Unsuitable);
}

} // namespace
} // namespace rattleback::boundary_test
