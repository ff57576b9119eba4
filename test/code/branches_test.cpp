// Long cases of choices as branches: found where they are, and the same bits in lanes that need different cases.
#include "code/branches.hpp"

#include <gtest/gtest.h>

#include "code/backend.hpp"
#include "code/formulas.hpp"
#include "code/on_lanes.hpp"

namespace rattleback {
namespace {

using test::OnLanes, test::same_bits;

// if(c > 0, long(x, y), x) and if(c > 0, long(x, y) y, y), with so many operations in long(x, y) or a few more.
struct Choices {
    explicit Choices(int length, bool wanted = false) {
        Expr sum = x;
        for (int i = 0; i < length; ++i) sum = x + (y + Expr(i)) / (3 + sum * sum);
        const Expr first = fn::gt(c, Expr(0));
        Vec results({{"a", fn::choose(first, sum, x)}, {"b", fn::choose(first, sum * y, y)}});
        if (wanted) results.push_back({"sum", sum});
        compiled = compile(System{graph, Vec({{"x", x}, {"y", y}, {"c", c}}), {}, {}, results});
    }
    std::vector<code::Branch> branches() const {
        return code::find_branches(compiled->program, compiled->program.sections[compiled->after],
                                   code::wanted_slots(*compiled));
    }
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    Expr x = graph->symbol("x"), y = graph->symbol("y"), c = graph->symbol("c");
    std::shared_ptr<const CompiledSystem> compiled;
};

TEST(Branches, AreFoundWhereTheyAreLongAndNobodyElseNeedsThem) {
    const auto found = Choices(40).branches();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].choices.size(), 2u);
    EXPECT_GE(found[0].inside.size(), 120u);
    EXPECT_TRUE(Choices(10).branches().empty());
    EXPECT_TRUE(Choices(40, true).branches().empty());
}

TEST(Branches, HaveTheBitsOfTheTapeInEveryLane) {
    if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    const Choices choices(40);
    OnLanes lanes(choices.compiled, {4, 1});
    for (int signs = 0; signs < 16; ++signs) {
        std::array<std::array<double, 3>, 4> given{};
        for (std::size_t lane = 0; lane < 4; ++lane) {
            given[lane] = {0.3 + static_cast<double>(lane), 1.7 - 0.2 * signs, (signs >> lane) % 2 ? 1.0 : -1.0};
            for (std::size_t i = 0; i < 3; ++i) lanes.give(lane, i, given[lane][i]);
        }
        lanes.run();
        for (std::size_t lane = 0; lane < 4; ++lane) {
            SystemSolver<double> tape(choices.compiled);
            std::copy(given[lane].begin(), given[lane].end(), tape.given());
            Report report;
            ASSERT_TRUE(tape.solve(report) && !lanes.left(lane));
            for (std::size_t i = 0; i < 2; ++i)
                EXPECT_TRUE(same_bits(lanes.result(lane, i), tape.result(i))) << signs << " " << lane;
        }
    }
}

} // namespace
} // namespace rattleback
