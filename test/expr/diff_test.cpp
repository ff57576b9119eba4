// Derivatives of random formulas: against differences of trees that are not the graph's, and of one mode with another.
#include <gtest/gtest.h>

#include <set>

#include "expr/formulas.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

using test::error, test::evaluate, test::magnitude, test::safe_slope, test::Tree;

// A new one for every formula: whatever looks at a graph takes longer the more it has.
struct Space {
    Graph g;
    Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z"), v = g.symbol("v");
    std::array<Expr, 3> xyz{x, y, z};
    Vec leaves{{{"x", x}, {"y", y}, {"z", z}}};

    quad at(const Expr& f, std::span<const quad> point) {
        return f.graph() ? evaluate<quad>(g, f, xyz, point) : *f.constant();
    }
};

void collect_ops(const Graph& g, const Expr& f, std::set<Op>& seen) {
    if (!f.graph()) return;
    for (NodeId id : reachable(g, std::array{f.id()})) seen.insert(g.node(id).op);
}

TEST(DiffTest, random_formulas_have_the_slopes_of_differences) {
    int compared = 0;
    double worst = 0, between = 0;
    std::set<Op> seen;
    for (unsigned seed = 0; seed < 2500; ++seed) {
        Space space;
        auto& [g, x, y, z, v, xyz, leaves] = space;
        test::RandomFormulas random(seed);
        const Tree tree = random.formula(6);
        std::vector<quad> point = random.point();
        const quad value = tree.value(point);
        if (value != value) continue;
        const Expr f = tree.build(xyz);
        const Vec reverse = gradient(f, leaves);
        const Expr along = derivative_along(f, leaves, Vec({{"", v}, {"", 2.0}, {"", x}}));
        const Vec row({{"f", f}});
        std::array<quad, 3> forward{};
        for (const JacobianTerm& t : jacobian(row, leaves)) forward[t.column] = space.at(t.value, point);
        quad total = 0, size = 1 + magnitude(value);
        bool all = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto expected = safe_slope([&](quad d) {
                std::vector<quad> p = point;
                p[i] += d;
                return tree.value(p);
            });
            if (!expected || magnitude(*expected) > 1e8) {
                all = false;
                continue;
            }
            const quad got = space.at(reverse[i].value, point);
            const double e =
                std::max(error(got, *expected, size), error(space.at(derivative(f, xyz[i]), point), *expected, size));
            EXPECT_LT(e, 2.2e-20) << "seed " << seed << ", argument " << i << ": " << to_text(f, 400);
            EXPECT_LT(error(forward[i], got, size), 2e-31) << "seed " << seed << ": forward and reverse";
            worst = std::max(worst, e), between = std::max(between, error(forward[i], got, size));
            const quad direction[] = {quad(3) / 2, 2, point[0]};
            total += direction[i] * got;
            size += magnitude(direction[i] * got);
            ++compared;
            collect_ops(g, f, seen);
        }
        if (!all) continue;
        std::vector<quad> with_v = point;
        with_v.push_back(quad(3) / 2);
        const std::array<Expr, 4> symbols{x, y, z, v};
        const quad got = along.graph() ? evaluate<quad>(g, along, symbols, with_v) : *along.constant();
        EXPECT_LT(error(got, total, size), 2e-31) << "seed " << seed << ": derivative_along";
        between = std::max(between, error(got, total, size));
    }
    EXPECT_GT(compared, 3000);
    EXPECT_LT(worst, 2.2e-20); // measured 1.1e-20, the difference's own error
    EXPECT_LT(between, 7e-34); // measured 3.6e-34
    for (const Function& f : functions())
        EXPECT_TRUE(seen.contains(f.op)) << "no random formula used row " << f.name << " " << int(f.op);
}

TEST(DiffTest, second_and_third_derivatives) {
    int compared = 0;
    double worst = 0, worst_third = 0, worst_symmetry = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Space space;
        const std::array<Expr, 3>& xyz = space.xyz;
        const Vec& leaves = space.leaves;
        test::RandomFormulas random(seed + 10000);
        const Tree tree = random.formula(4);
        const std::vector<quad> point = random.point();
        if (tree.value(point) != tree.value(point)) continue;
        const Expr f = tree.build(xyz);
        const Vec first = gradient(f, leaves);
        std::array<Vec, 3> second;
        for (std::size_t i = 0; i < 3; ++i) second[i] = gradient(first[i].value, leaves);
        const auto moved = [&](const Expr& e, std::size_t k) { // the difference of a derivative
            return safe_slope([&](quad d) {
                std::vector<quad> p = point;
                p[k] += d;
                return tree.value(p) == tree.value(p) ? space.at(e, p) : std::numeric_limits<double>::quiet_NaN();
            });
        };
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                const quad hessian = space.at(second[i][j].value, point),
                           mirrored = space.at(second[j][i].value, point);
                const auto expected = moved(first[i].value, j);
                if (!expected || magnitude(*expected) > 1e8) continue;
                worst = std::max(worst, error(hessian, *expected));
                EXPECT_LT(error(hessian, *expected), 6e-20) << "seed " << seed << ": " << to_text(f, 400);
                worst_symmetry = std::max(worst_symmetry, error(hessian, mirrored));
                EXPECT_LT(error(hessian, mirrored), 1.6e-33) << "seed " << seed << ": " << to_text(f, 400);
                ++compared;
                const std::size_t k = (i + j) % 3;
                const auto third = moved(second[i][j].value, k);
                if (!third || magnitude(*third) > 1e8) continue;
                const double e = error(space.at(gradient(second[i][j].value, leaves)[k].value, point), *third);
                EXPECT_LT(e, 3.2e-20) << "seed " << seed << ": " << to_text(f, 400);
                worst_third = std::max(worst_third, e);
            }
    }
    EXPECT_GT(compared, 1000);
    EXPECT_LT(worst, 6e-20);            // measured 3.0e-20
    EXPECT_LT(worst_third, 3.2e-20);    // measured 1.6e-20
    EXPECT_LT(worst_symmetry, 1.6e-33); // measured 7.9e-34
}

TEST(DiffTest, only_symbols_and_families_are_leaves) {
    Space space;
    auto& [g, x, y, z, v, xyz, leaves] = space;
    EXPECT_THROW(derivative(x * y, x * y), ExprError);
    EXPECT_THROW(derivative(x * y, 2.0), ExprError);
    EXPECT_TRUE(derivative(x * y, z).is(0));
    EXPECT_TRUE(derivative(Expr(3), x).is(0));
    EXPECT_EQ(derivative(x * y, x), y);
    EXPECT_EQ(derivative(pow(x, 3), x), 3 * pow(x, 2));
    const FamilyId q = g.family({"q", 1, 3, {}, {}});
    const Expr i = g.fresh_index(), f = g.sum(i, 1, 3, pow(g.element(q, i), 2));
    EXPECT_THROW(derivative(f, g.element(q, 1)), ExprError); // not 0: q[1] is one of the q[i]
}

} // namespace
} // namespace rattleback
