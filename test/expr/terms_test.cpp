// The size of what a formula adds up.
#include <gtest/gtest.h>

#include "expr/formulas.hpp"
#include "expr/graph.hpp"
#include "expr/terms.hpp"

namespace rattleback {
namespace {

using test::evaluate;

struct Terms : testing::Test {
    Graph g;
    Expr x = g.symbol("x"), y = g.symbol("y"), c = g.symbol("c");

    double size(const Expr& f, double at_x, double at_y, double at_c = 1) {
        const std::array symbols{x, y, c};
        const std::array<double, 3> values{at_x, at_y, at_c};
        return evaluate<double>(g, largest_term(f), symbols, values);
    }
};

TEST_F(Terms, OfASumAreItsSummands) {
    EXPECT_EQ(size(x * x + y * y - 25, 3, 4), 25);
    EXPECT_EQ(size(x - (y - 7), 3, -4), 7);
    EXPECT_EQ(size(2 * (x - 3 * y) - x / 4, 1, 2), 12);
    EXPECT_EQ(size(pow(x - 1e6, 2) + y * y - 1, 1e6 + 1, 0), 1) << "not 1e12";
    EXPECT_EQ(size((x - 1e6) * (x - 1e6) + y * y - 1, 1e6 + 1, 0), 1) << "likewise";
    EXPECT_EQ(largest_term(Expr(-3)).constant(), 3);
}

TEST_F(Terms, ScaleWithTheFormulaAndItsUnits) {
    for (const double factor : {0x1p-100, 1.0, 0x1p100}) {
        EXPECT_EQ(size(c * (x * x + y * y - 25), 3, 4, factor), 25 * factor);
        EXPECT_EQ(size((x * x + y * y - 25) / c, 3, 4, 1 / factor), 25 * factor);
        EXPECT_EQ(size(-c * (x - y) * (x * x + y * y - 25), 3, 4, factor), 25 * factor);
    }
    for (const double length : {0x1p-40, 1.0, 0x1p40})
        EXPECT_EQ(size(x * x + y * y - c * c, 3 * length, 4 * length, 5 * length), 25 * length * length);
}

TEST_F(Terms, SinesAreAsLargeAsTheyGet) {
    EXPECT_EQ(size(x * fn::sin(c) - y * fn::cos(c), 3, 0, 0), 3);
    EXPECT_EQ(size(x * fn::sin(c), 3, 0, 0), 3);
}

TEST_F(Terms, AreNothingOnlyWhereAllAre) {
    EXPECT_EQ(size(x * x + y, 0, 0), 0);
    EXPECT_EQ(size(x + y, 1e-300, -1e-300), 1e-300);
}

TEST_F(Terms, OfASumOverAnIndexCountAsOne) {
    const Component member = symbols_like(g, "", Vec({{"u", 0, true, 1, 3}}))[0];
    const Expr i = g.fresh_index();
    const FamilyId u = g.family({"u", 1, 3, {}, {}});
    const Expr f = g.sum(i, 1, 3, c * g.element(u, i)) - x;
    const std::array symbols{g.member(u, 1), g.member(u, 2), g.member(u, 3), x, c};
    const std::array<double, 5> values{1, -5, 3, 2, 10};
    EXPECT_EQ(evaluate<double>(g, expand(largest_term(f)), symbols, values), 90);
    EXPECT_EQ(largest_terms(Vec({member}))[0].family, true);
}

} // namespace
} // namespace rattleback
