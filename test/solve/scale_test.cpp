// What increments of Newton's method are measured by.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "solve/system.hpp"

namespace rattleback {
namespace {

// A shift s beside a momentum: p1 = p + s is a formula, and s itself next to nothing. It is known to the digits that p
// has, and no further iteration is spent on more.
TEST(Scales, StayWhenOthersOfAKindBecomeFormulas) {
    const auto graph = std::make_shared<Graph>();
    const auto symbol = [&](const char* name) { return Component{name, graph->symbol(name)}; };
    const Component p = symbol("p"), x = symbol("x"), p1 = symbol("p1"), s = symbol("s");
    const auto equation = [](const Expr& lhs, const Expr& rhs) { return Vec({{"", lhs}}) == Vec({{"", rhs}}); };
    const auto compiled = compile(System{.graph = graph,
                                         .given = Vec({p}),
                                         .find = {{Vec({x}), Vec({p})}, {Vec({p1, s}), Vec({p, {"0", Expr(0)}})}},
                                         .equations = {Vec({p1}) == Vec({{"", p.value + s.value}}),
                                                       equation(x.value * x.value * x.value, p1.value),
                                                       equation(x.value * s.value, 1e-9 * fn::sin(x.value))},
                                         .results = Vec({x, p1, s})});
    ASSERT_EQ(compiled->blocks.size(), 1u);
    EXPECT_EQ(compiled->blocks[0].kinds, 2u);
    ASSERT_EQ(compiled->blocks[0].beside.size(), 1u);
    EXPECT_EQ(compiled->blocks[0].beside[0].second, 0u); // p
}

// The shifts of nh_gauss back to the constraints: 4.01 and 4.05 iterations a step, where 5.1 and 4.5 were taken when
// they had to be known to all their digits.
TEST(Scales, SaveIterationsOfProjections) {
    for (const char* name : {"chaplygin_sleigh", "car_with_trailer"}) {
        const Model model = load(std::string(RATTLEBACK_SOURCE_DIR "/models/") + name + ".toml");
        const auto run = integrate(model, {.method = "nh_gauss:stages=2", .steps = 200});
        const Report& report = run.report();
        ASSERT_TRUE(report.ok()) << report.text();
        EXPECT_LT(static_cast<double>(report.newton_iterations), 4.2 * static_cast<double>(report.newton_solves));
    }
}

} // namespace
} // namespace rattleback
