// Coefficients: computed, never typed, so checked against numbers computed elsewhere (mpmath, 45 digits) and against
// the equations that define them.

#include <gtest/gtest.h>

#include <algorithm>

#include "expr/real_functions.hpp"
#include "scheme/composition.hpp"
#include "scheme/tableau.hpp"

namespace rattleback {
Tableau dop853_tableau(); // src/scheme/methods/dop853.cpp

namespace {

double as_double(quad x) { return static_cast<double>(x); }

struct Known {
    int stages;
    std::vector<const char*> c, b; // the first half; the rest is symmetric
};

TEST(Gauss, HasTheNodesAndWeightsOfMpmath) {
    const Known known[] = {
        {2, {"0.21132486540518711774542560974902127218"}, {"0.5"}},
        {3,
         {"0.11270166537925831148207346002176003892", "0.5"},
         {"0.27777777777777777777777777777777777778", "0.44444444444444444444444444444444444444"}},
        {5,
         {"0.046910077030668003601186560850303517437", "0.23076534494715845448184278964989559752", "0.5"},
         {"0.11846344252809454375713202035995868132", "0.23931433524968323402064575741781909646",
          "0.28444444444444444444444444444444444444"}},
    };
    for (const Known& k : known) {
        const Tableau t = gauss(k.stages);
        ASSERT_EQ(t.stages(), k.stages);
        for (std::size_t i = 0; i < k.c.size(); ++i) {
            const std::size_t mirror = t.c.size() - 1 - i;
            EXPECT_LE(as_double(real::abs(t.c[i] - real::parse(k.c[i]))), 1e-33) << k.stages << " " << i;
            EXPECT_LE(as_double(real::abs(t.b[i] - real::parse(k.b[i]))), 1e-33) << k.stages << " " << i;
            EXPECT_LE(as_double(real::abs(t.c[mirror] + t.c[i] - 1)), 2e-34);
            EXPECT_LE(as_double(real::abs(t.b[mirror] - t.b[i])), 2e-34);
        }
    }
    // Two stages have a closed form: a = 1/4, 1/4 -+ sqrt(3)/6.
    const Tableau two = gauss(2);
    const quad r = real::sqrt(static_cast<quad>(3)) / 6, quarter = static_cast<quad>(1) / 4;
    EXPECT_LE(as_double(real::abs(two.a[0][1] - (quarter - r))), 1e-33);
    EXPECT_LE(as_double(real::abs(two.a[1][0] - (quarter + r))), 1e-33);
}

// Simplifying assumptions B(2s) and C(s), and what follows: symplectic and symmetric to the last bits.
TEST(Gauss, MeetsItsDefinitionForOneToTenStages) {
    for (int s = 1; s <= 10; ++s) {
        const Tableau t = gauss(s);
        quad worst = 0;
        for (int k = 1; k <= 2 * s; ++k) {
            quad sum = 0;
            for (std::size_t i = 0; i < t.b.size(); ++i) sum += t.b[i] * real::pow(t.c[i], static_cast<quad>(k - 1));
            worst = std::max(worst, real::abs(sum - 1 / static_cast<quad>(k)));
        }
        for (int k = 1; k <= s; ++k)
            for (std::size_t i = 0; i < t.b.size(); ++i) {
                quad sum = 0;
                for (std::size_t j = 0; j < t.b.size(); ++j)
                    sum += t.a[i][j] * real::pow(t.c[j], static_cast<quad>(k - 1));
                worst = std::max(worst, real::abs(sum - real::pow(t.c[i], static_cast<quad>(k)) / k));
            }
        EXPECT_LE(as_double(worst), 1e-33) << s;
        EXPECT_LE(as_double(symplectic_defect(t)), 1e-33) << s;
        EXPECT_LE(as_double(symmetry_defect(t)), 1e-33) << s;
    }
}

TEST(Defects, SeeWhatAMethodIsNot) {
    const Tableau rk4 = classical_rk4();
    EXPECT_DOUBLE_EQ(as_double(symplectic_defect(rk4)), 1.0 / 9); // b_2^2 = 1/9, a_22 = 0
    EXPECT_GT(as_double(symmetry_defect(rk4)), 0.1);
    const Tableau trapezoidal{{{0, 0}, {0.5, 0.5}}, {0.5, 0.5}, {0, 1}};
    EXPECT_EQ(as_double(symplectic_defect(trapezoidal)), 0.25);
    EXPECT_EQ(as_double(symmetry_defect(trapezoidal)), 0);
    const Tableau dirk{{{0.125, 0}, {0.25, 0.375}}, {0.25, 0.75}, {0.125, 0.625}};
    EXPECT_EQ(as_double(symplectic_defect(dirk)), 0);
    EXPECT_EQ(as_double(symmetry_defect(dirk)), 0.5);
}

TEST(Orders, ByRootedTrees) {
    const Tableau euler{{{0}}, {1}, {0}}, trapezoidal{{{0, 0}, {0.5, 0.5}}, {0.5, 0.5}, {0, 1}};
    EXPECT_EQ(order_of(euler), 1);
    EXPECT_EQ(order_of(trapezoidal), 2);
    EXPECT_EQ(order_of(classical_rk4()), 4);
    EXPECT_EQ(order_of(dop853_tableau()), 8);
    EXPECT_EQ(order_of(dop853_tableau(), 9), 8);
    for (int s = 1; s <= 4; ++s) EXPECT_EQ(order_of(gauss(s)), 2 * s) << s;
    EXPECT_EQ(order_of(gauss(4), 9), 8);
    EXPECT_EQ(order_of(gauss(5), 10), 10); // 719 trees of order 10
    EXPECT_EQ(order_of(gauss(6)), 8);      // at most 8 is asked for
    EXPECT_EQ(order_of(Tableau{{{0}}, {0.5}, {0}}), 0);
}

// A digit lost anywhere in dop853 is found: each coefficient in turn is off by 1e-9.
TEST(Orders, FindATypoInDop853) {
    const Tableau right = dop853_tableau();
    for (std::size_t i = 0; i < 12; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            if (right.a[i][j] != 0) {
                Tableau t = right;
                t.a[i][j] += static_cast<quad>(1e-9);
                EXPECT_LT(order_of(t), 8) << i << " " << j;
            }
        if (right.b[i] == 0) continue;
        Tableau t = right;
        t.b[i] += static_cast<quad>(1e-9);
        EXPECT_LT(order_of(t), 8) << i;
    }
}

TEST(LagrangeBasis, IsOneAtItsNodeAndAddsUpToOne) {
    const std::vector<quad> nodes = gauss(4).c;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::vector<quad> l = lagrange_basis(nodes, nodes[i]);
        for (std::size_t j = 0; j < l.size(); ++j) EXPECT_EQ(as_double(l[j]), i == j ? 1 : 0);
    }
    quad sum = 0;
    for (quad x : lagrange_basis(nodes, static_cast<quad>(1.7))) sum += x;
    EXPECT_LE(as_double(real::abs(sum - 1)), 1e-32);
    EXPECT_EQ(as_double(lagrange_basis({static_cast<quad>(0.3)}, 5)[0]), 1);
}

TEST(Compositions, AreSymmetricAndMeetTheirConditions) {
    for (int order : {4, 6, 8}) {
        const std::vector<quad> g = composition_fractions(order);
        EXPECT_EQ(g.size(), order == 4 ? 5u : order == 6 ? 9u : 17u);
        quad sum = 0;
        for (std::size_t i = 0; i < g.size(); ++i) {
            sum += g[i];
            EXPECT_EQ(g[i], g[g.size() - 1 - i]) << order << " " << i;
        }
        EXPECT_LE(as_double(real::abs(sum - 1)), 1e-32) << order;
        EXPECT_LE(as_double(composition_defect(g, order)), 1e-31) << order;
    }
    // Suzuki: 1/(4 - 4^(1/3)), from mpmath.
    const std::vector<quad> four = composition_fractions(4);
    EXPECT_LE(as_double(real::abs(four[0] - real::parse("0.41449077179437573714235406286076149571"))), 1e-33);
    EXPECT_LE(as_double(real::abs(four[2] - real::parse("-0.65796308717750294856941625144304598285"))), 4e-33);
}

// The leading digits of Kahan and Li (1997), as in Hairer, Lubich and Wanner, V.3.2, (3.11) and (3.13).
TEST(Compositions, AreTheSolutionsOfKahanAndLi) {
    const std::vector<double> six = {0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981,
                                     0.08221359629355080023, 0.79854399093482996340};
    const std::vector<double> eight = {0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
                                       0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
                                       0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};
    // The equations leave one fraction free; from six digits Newton lands within 1e-6 of the published solution.
    for (const auto& [order, digits] : {std::pair(6, six), std::pair(8, eight)}) {
        const std::vector<quad> g = composition_fractions(order);
        for (std::size_t i = 0; i < digits.size(); ++i)
            EXPECT_NEAR(as_double(g[i]), digits[i], 1e-6) << order << " " << i;
    }
}

TEST(Compositions, OfOneOrderDoNotMeetTheNext) {
    EXPECT_GT(as_double(composition_defect(composition_fractions(4), 6)), 1e-3);
    EXPECT_GT(as_double(composition_defect(composition_fractions(6), 8)), 1e-4);
    EXPECT_GT(as_double(composition_defect({1}, 4)), 0.1); // one midpoint step
    EXPECT_EQ(as_double(composition_defect({1}, 2)), 0);
}

} // namespace
} // namespace rattleback
