// An unknown that cancels in an equation: its derivative there is zero, yet the formula needs a value.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "solve/system.hpp"

namespace rattleback {
namespace {

TEST(Order, PutsAnEquationBehindWhatItOnlyMentions) {
    const auto shared = std::make_shared<Graph>();
    const Expr a = shared->symbol("a"), x = shared->symbol("x"), y = shared->symbol("y");
    const Expr cancels = x * fn::sin(a) * fn::cos(a) - fn::cos(a) * fn::sin(a) * x;
    // y = 1 + 0 x, written so that x stays in the formula; x = 2 y
    const System system{
        shared,
        Vec({{"a", a}}),
        {{Vec({{"x", x}, {"y", y}}), {}}},
        {Vec({{"", y - fn::sin(x * 0.0 + cancels) - 1.0}, {"", x - 2.0 * y}}) == Vec({{"", 0.0}, {"", 0.0}})},
        Vec({{"x", x}, {"y", y}})};
    SystemSolver<double> solver(compile(system));
    solver.given()[0] = 0.7;
    Report report;
    ASSERT_TRUE(solver.solve(report)) << report.text();
    EXPECT_NEAR(solver.result(0), 2, 1e-15);
    EXPECT_NEAR(solver.result(1), 1, 1e-15);
}

// The momentum of an Euler angle mentions the rates of the others, which cancel: psi' sin(phi) cos(phi) - psi' cos(phi)
// sin(phi).
TEST(Order, IsRightForEulerAngles) {
    for (const GalleryItem& item : gallery()) {
        if (item.name != "rolling_sphere_geodesic") continue;
        Model model = read_model(item.text, "sphere.toml");
        model.variational = false;
        for (const char* method : {"nh_gauss:stages=2", "gni", "gf"}) {
            const auto run = integrate(model, {.method = method, .step = 0.02, .until = 1});
            ASSERT_TRUE(run.report().ok()) << run.report().text();
            EXPECT_NEAR(run.summary().end["q"][0], 0.5, 1e-14) << method; // it rolls straight
        }
    }
}

} // namespace
} // namespace rattleback
