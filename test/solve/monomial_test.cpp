// What equations may be divided by, whatever values the parameters have.
#include "solve/monomial.hpp"

#include <gtest/gtest.h>

#include "solve/system.hpp"
#include <array>

namespace rattleback::solve {
namespace {

struct Symbols {
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    Expr m = graph->symbol("m"), c = graph->symbol("c"), q = graph->symbol("q");
    std::array<NodeId, 2> parameters = {m.id(), c.id()};

    bool may_divide(const Expr& coefficient, std::vector<Expr> beside) const {
        beside.push_back(coefficient);
        return solve::may_divide(coefficient, beside, parameters);
    }
};

TEST(Monomials, AreProductsOfPowers) {
    const Symbols s;
    EXPECT_EQ(monomial(Expr(-3), s.parameters), Monomial());
    EXPECT_EQ(monomial(2 * s.m * pow(s.c, 2) / s.m, s.parameters), (Monomial{{s.c.id(), 2}}));
    EXPECT_EQ(monomial(-s.c / s.m, s.parameters), (Monomial{{s.c.id(), 1}, {s.m.id(), -1}}));
    for (const Expr& none : {Expr(0), s.m + s.c, s.m * s.q, fn::sin(s.m)})
        EXPECT_FALSE(monomial(none, s.parameters)) << to_text(none);
}

TEST(Monomials, AreDividedByBesideTheirMultiples) {
    const Symbols s;
    EXPECT_TRUE(s.may_divide(s.m, {2 * s.m, -s.m, Expr(0)}));
    EXPECT_TRUE(s.may_divide(s.m, {fn::sin(s.q), s.c * s.q})); // not made of parameters alone
    EXPECT_TRUE(s.may_divide(Expr(3), {Expr(-1)}));
    EXPECT_FALSE(s.may_divide(s.m, {s.c}));
    EXPECT_FALSE(s.may_divide(Expr(1), {s.c}));
    EXPECT_FALSE(s.may_divide(s.m, {s.m + s.c}));
    EXPECT_FALSE(s.may_divide(s.m + s.c, {}));
    EXPECT_FALSE(s.may_divide(s.q, {}));
}

// m u + 2 m w = a and m u + sin(u w) + w^3 = 0: u goes, and the solver knows what it divides by.
TEST(Monomials, AreNamedByTheSystemThatDividesByThem) {
    const Symbols s;
    const Expr u = s.graph->symbol("u"), w = s.graph->symbol("w"), a = s.graph->symbol("a");
    const System system{.graph = s.graph,
                        .given = Vec({{"a", a}, {"m", s.m}}),
                        .find = {{Vec({{"u", u}, {"w", w}}), Vec({{"", Expr(1)}, {"", Expr(1)}})}},
                        .equations = {{Vec({{"", s.m * u + 2 * s.m * w}, {"", s.m * u + fn::sin(u * w) + w * w * w}}),
                                       Vec({{"", a}, {"", Expr(0)}})}},
                        .results = Vec({{"u", u}, {"w", w}}),
                        .steady = 1,
                        .typical = {1}};
    const auto compiled = compile(system);
    EXPECT_EQ(compiled->divides_by, std::set<NodeId>{s.m.id()});
    ASSERT_EQ(compiled->blocks.size(), 1u);
    EXPECT_EQ(compiled->blocks[0].unknowns.size(), 1u);
    const auto undivided = compile(system, false);
    EXPECT_TRUE(undivided->divides_by.empty());
    EXPECT_EQ(undivided->blocks[0].unknowns.size(), 2u);
}

} // namespace
} // namespace rattleback::solve
