// Families: what is derived rolled up and then expanded equals what is expanded and then derived.
#include <gtest/gtest.h>

#include "expr/formulas.hpp"
#include "expr/graph.hpp"
#include "expr/sums.hpp"

namespace rattleback {
namespace {

using test::error, test::evaluate;

constexpr std::array sizes = {1, 2, 3, 7};

// Two families of n members, one with borders that depend on the scalars t and a, one without.
struct Chain {
    explicit Chain(int size) : n(size) {
        scope.add("n", Tensor(g.constant(n)));
        t = scope.add("t"), a = scope.add("a"), h = scope.add("h");
        x = scope.add_family("x", 1, n,
                             {{-1, a}, {0, a * fn::sin(t)}, {n + 1, t * t}, {n + 2, fn::exp(-t)}, {n + 3, 2 * a}});
        y = scope.add_family("y", 1, n);
        leaves = Vec({x, y, {"t", t}, {"a", a}});
    }
    std::vector<quad> point() const {
        std::vector<quad> p;
        for (int i = 0; i < leaves.count(); ++i) p.push_back(quad((i * 7919 + 13) % 97) / 41 - 1);
        return p;
    }
    std::vector<quad> values(std::span<const Expr> formulas, std::span<const quad> at) {
        return evaluate<quad>(g, formulas, expand(leaves), at);
    }
    std::vector<quad> values(std::span<const Expr> formulas) { return values(formulas, point()); }
    Vec substituted(const Vec& f, const Expr& body) { // x[k] becomes body(k)
        Component to = x;
        to.name = "stage", to.value = body;
        return substitute(f, {{Vec({x}), Vec({to})}});
    }
    Expr substituted(const Expr& f, const Expr& body) { return substituted(Vec({{"", f}}), body)[0].value; }

    Graph g;
    test::TestScope scope{g};
    int n;
    Expr t, a, h;
    Component x, y;
    Vec leaves;
};

double worst_of(std::span<const quad> got, std::span<const quad> expected) {
    double worst = got.size() == expected.size() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i)
        worst = std::max(worst, error(got[i], expected[i]));
    return worst;
}

// Gradient, Hessian and derivative along a direction of a scalar formula. Measured: 2.2e-32 at most.
constexpr double tolerance = 5e-32;
void check(Chain& c, const Expr& f, const std::string& what) {
    const std::vector<Expr> scalars = expand(c.leaves);
    const Expr flat = expand(f);
    std::vector<Expr> expected, expected_second;
    for (const Expr& s : scalars) expected.push_back(derivative(flat, s));
    const Vec gradient_rolled = gradient(f, c.leaves);
    EXPECT_LT(worst_of(c.values(expand(gradient_rolled)), c.values(expected)), tolerance)
        << what << ", n = " << c.n << ": gradient " << to_text(gradient_rolled[0].value, 300);

    const std::size_t m = scalars.size();
    for (const Expr& row : expected)
        for (const Expr& s : scalars) expected_second.push_back(derivative(row, s));
    std::vector<Expr> second(m * m, Expr(0));
    for (const ScalarEntry& e : expand(jacobian(gradient_rolled, c.leaves), gradient_rolled, c.leaves))
        second[e.row * m + e.column] = e.value;
    EXPECT_LT(worst_of(c.values(second), c.values(expected_second)), tolerance)
        << what << ", n = " << c.n << ": Hessian";

    // d x[k] = k + t, d y[k] = x[k], dt = 2, da = t; the borders of dx are the derivatives of those of x.
    const Expr k = c.g.free_index();
    const Vec time({{"t", c.t}, {"a", c.a}}), time_rate({{"", 2}, {"", c.t}});
    Component dx = c.x, dy = c.y;
    dx.name = "dx", dx.value = k + c.t, dy.name = "dy", dy.value = c.x.value;
    for (auto& [at, value] : dx.border) value = derivative_along(value, time, time_rate);
    const Vec direction({dx, dy, {"", 2}, {"", c.t}});
    std::vector<Expr> along{expand(derivative_along(f, c.leaves, direction))}, product{0};
    const std::vector<Expr> w = expand(direction);
    for (std::size_t i = 0; i < m; ++i) product[0] = product[0] + expected[i] * w[i];
    EXPECT_LT(worst_of(c.values(along), c.values(product)), tolerance) << what << ", n = " << c.n << ": along";
}

constexpr const char* formulas[] = {
    "sum(i in 1..n: x[i]^3)",
    "sum(i in 1..n: x[i])^2",
    "sum(i in 1..n: sum(j in 1..n: sin(x[i]*x[j])))",
    "sum(i in 1..n: sum(j in 1..n: if(i < j, 1/(1 + (x[i] - x[j])^2), 0)))",
    "sum(i in 1..n: sum(j in 1..i: x[i]*x[j]^2))",
    "sum(i in 1..n: sum(j in i+1..n: exp(-(x[i] - x[j])^2)))",
    "sum(i in 1..n: sum(j in i-1..i+1: x[j]^2*y[i]))",
    "sum(i in 1..n: sum(j in 1..i: sum(l in j..i: x[i]*x[j]*x[l])))",
    "sum(i in 0..n: (x[i+1] - x[i])^2/2 + a*(x[i+1] - x[i])^4/4)", // a chain with both ends driven
    "sum(i in 3..n: x[i]*x[i-2]^2)",
    "sum(i in 1..n: x[i+2]*x[i-1]*x[i+1])",
    "sum(i in 1..n: x[i-2+1+2]*sum(j in 1..n: x[j-1]*y[i]))",
    "x[1]*x[n] + sum(i in 1..n: x[1]*x[i]^2*x[n])",
    "x[0]*x[n+1]*x[1]*t + x[n]^3",
    "sum(i in 1..n: cos(x[i] + sum(j in 1..n: y[j]*x[j])))",
    "sum(i in 2..n-1: x[i]*x[i+1]/y[i])",
    "sum(i in 1..n: x[i]^i*y[n])",
    "sum(i in 1..n: if(x[i] > 0, x[i]^3, y[i]))",
    "sum(i in 1..n: sum(j in 1..n: x[j])*y[i] + sum(j in i..n: x[j]*x[i]))",
    "sqrt(1 + sum(i in 1..n: (x[i] - y[i])^2))*t",
    "sum(i in 1..n: max(x[i], y[i]*x[i+1]))",
    "sum(i in 1..n: sum(i in 1..n: x[i]*y[i])*x[i])", // the inner i hides the outer one
    "sum(i in 1..n: t*a)",                            // no member at all
    "a*t",
};

TEST(Family, derivatives_of_sums) {
    for (const char* text : formulas)
        for (int n : sizes) {
            Chain c(n);
            check(c, c.scope(text), text);
        }
}

TEST(Family, sums_have_the_values_of_loops) {
    for (int n : sizes) {
        Chain c(n);
        const std::vector<quad> p = c.point();
        const auto x = [&](int i) { return p[static_cast<std::size_t>(i - 1)]; };
        quad pairs = 0, triangle = 0, shifted = 0;
        for (int i = 1; i <= n; ++i) {
            for (int j = 1; j <= n; ++j) pairs += x(i) * x(j) * j;
            for (int j = 1; j <= i; ++j) triangle += x(j) * i;
            if (i > 2) shifted += x(i - 2) * x(i);
        }
        const Expr f[] = {expand(c.scope("sum(i in 1..n: sum(j in 1..n: x[i]*x[j]*j))")),
                          expand(c.scope("sum(i in 1..n: sum(j in 1..i: x[j]*i))")),
                          expand(c.scope("sum(i in 3..n: x[i-2]*x[i])")), expand(c.scope("sum(i in 1..n: 1)")),
                          expand(c.scope("sum(i in n+1..n: x[i])"))};
        const quad expected[] = {pairs, triangle, shifted, quad(n), 0};
        EXPECT_LT(worst_of(c.values(f), expected), tolerance) << n;
    }
}

constexpr const char* rows[] = {
    "x[k+1] - 2*x[k] + x[k-1]",           "x[k+2]*x[k-1] + y[k]^2",
    "sum(j in 1..n: (x[k] - x[j])^3)",    "sum(j in 1..k: x[j]*y[k])*x[1]",
    "x[n]*x[k] + t*x[1] - x[k+1]*x[k+3]", "k*x[k]*sum(j in k-1..k+1: x[j])",
};

TEST(Family, jacobians_of_rows) {
    for (const char* text : rows)
        for (int n : sizes) {
            Chain c(n);
            const Vec f({{"f", c.scope.each(text), true, 1, n}, {"s", c.scope("sum(i in 1..n: x[i]*y[i])")}});
            const std::vector<Expr> flat = expand(f), scalars = expand(c.leaves);
            std::vector<Expr> expected, got(flat.size() * scalars.size(), Expr(0));
            for (const Expr& r : flat)
                for (const Expr& s : scalars) expected.push_back(derivative(r, s));
            for (const ScalarEntry& e : expand(jacobian(f, c.leaves), f, c.leaves))
                got[e.row * scalars.size() + e.column] = e.value;
            EXPECT_LT(worst_of(c.values(got), c.values(expected)), tolerance) << text << ", n = " << n;
        }
}

// The stages of a scheme: x[k] replaced by a formula of x, then again.
TEST(Family, stages_in_stages) {
    for (const char* stage : rows)
        for (const char* text : {formulas[2], formulas[4], formulas[8], formulas[10], formulas[12], formulas[13]})
            for (int n : {1, 3, 5}) {
                Chain c(n);
                const Expr body = c.x.value + c.scope("t/10") * c.scope.each(stage), f = c.scope(text);
                const Expr once = c.substituted(f, body), twice = c.substituted(once, body);
                // Numbers: x replaced by the stage's values. The borders of x stay what they are.
                Component members = c.x;
                members.value = body;
                const std::vector<Expr> stages = expand(Vec({members})), flat{expand(f)};
                const auto moved = [&](std::vector<quad> p) {
                    const std::vector<quad> now = c.values(stages, p);
                    std::copy(now.begin(), now.end(), p.begin());
                    return p;
                };
                const std::vector<quad> p = c.point(),
                                        expected{c.values(flat, moved(p))[0], c.values(flat, moved(moved(p)))[0]};
                EXPECT_LT(worst_of(c.values(std::array{expand(once), expand(twice)}), expected), 1e-31)
                    << text << " of " << stage << ", n = " << n;
                check(c, once, std::string(text) + " of " + stage);
                if (n < 5) check(c, twice, std::string(text) + " of twice " + stage);
            }
}

// One bound index in two places: a formula that contains a sum replaces something inside a sum over the same index.
TEST(Family, bound_indices_are_not_captured) {
    for (int n : {1, 2, 3}) {
        Chain c(n);
        const Expr f = c.scope("sum(i in 1..n: a*x[i-1]^2 + sum(j in 1..n: x[i+1]*x[j]*y[i]))");
        const Vec from({{"a", c.a}});
        const Expr scalar_in_sum = substitute(f, {{from, Vec({{"a", f}})}});
        const std::vector<Expr> flat{expand(f)};
        std::vector<quad> p = c.point();
        p.back() = c.values(flat)[0]; // a is the last leaf; the borders depend on it too
        EXPECT_LT(worst_of(c.values(std::array{expand(scalar_in_sum)}), c.values(flat, p)), 1e-31) << n;
        check(c, scalar_in_sum, "a sum in a sum over the same index");

        const Expr own = gradient(f, c.leaves)[0].value; // contains sums over the indices of f
        const Expr family_in_sum = c.substituted(f, c.x.value + own / 10);
        check(c, family_in_sum, "the gradient of f in f");
        check(c, substitute(family_in_sum, {{from, Vec({{"a", f}})}}), "both");
    }
}

TEST(Family, members_that_do_not_exist) {
    Chain c(3);
    const auto message = [&](const Expr& f) {
        try {
            return to_text(expand(f));
        } catch (const ExprError& e) { return std::string(e.what()); }
    };
    EXPECT_EQ(message(c.scope("y[4]")), "y[4] does not exist: y has members 1..3");
    EXPECT_EQ(message(c.scope("sum(i in 1..n: y[i+1])")), "y[4] does not exist: y has members 1..3");
    EXPECT_EQ(message(c.scope("sum(i in 1..n: if(i < n, y[i+1], 0))")), "y[2] + y[3]"); // a guard is enough
    EXPECT_EQ(message(c.scope("x[-2]")), "x[-2] does not exist: x has members 1..3");
    EXPECT_EQ(message(c.scope("sum(i in 1..t: y[i])")), "an index or a bound of a sum is not a whole number");
    EXPECT_EQ(message(c.scope("sum(i in 0.5..2: y[1])")), "an index or a bound of a sum is not a whole number");
}

// A sum that nobody can wait for is refused before it is begun.
TEST(Family, hopeless_sums_are_refused) {
    Chain c(3);
    for (const char* text : {"sum(i in 1..1000000000: t)", "sum(i in -1000000000..1000000000: t/i)",
                             "sum(i in 1..3: sum(j in 1..i*100000000: t))"})
        EXPECT_THROW(expand(c.scope(text)), ExprError) << text;
}

// By hand: members times terms times the operations of a term and its addition. Branches count half.
TEST(Family, nested_sums_are_counted_before_they_are_expanded) {
    constexpr int n = 1000;
    Chain c(n);
    const struct {
        const char* text;
        double operations;
    } cases[] = {
        {"sum(j in 1..n: sin(x[k] - x[j]))", 3.0 * n * n},
        {"y[k]*sum(j in 1..n: x[j]*x[k]) + sum(j in 1..n: x[j]*x[k])", 4.0 * n * n},
        {"sum(j in 1..n: x[j])*x[k]", 0},                                // once for all
        {"sum(j in 1..n: x[j]*sum(i in 1..n: x[i]*x[j]))", 2.0 * n * n}, // so is this one, not for each k
        {"sum(j in k-1..k+1: x[k]*x[j+1])", 0},                          // few terms
        {"sum(j in k+1..n: x[k]*x[j])", n * (n - 1.0)},                  // half of them, on average
        {"sum(j in 1..n: if(j > k, x[k]*x[j], 0))", 1.5 * n * n},        // half the product, all additions
        {"sum(j in 1..n: sum(i in 1..2: x[i]*x[j]*x[k]))", 7.0 * n * n}, // 2 (2 + 1) + 1
    };
    for (const auto& [text, operations] : cases) {
        Component each = c.x;
        each.value = c.scope.each(text);
        EXPECT_DOUBLE_EQ(NestedSums(c.g).operations(Vec({each})), operations) << text;
    }
}

std::size_t nodes_to_derive_a_chain(int n) {
    Graph g;
    test::TestScope scope(g);
    scope.add("n", Tensor(g.constant(n)));
    const Component x = scope.add_family("x", 1, n, {{0, g.constant(0)}, {n + 1, g.constant(0)}});
    const Vec leaves({x});
    const Expr f = scope("sum(i in 0..n: (x[i+1] - x[i])^2/2 + 0.25*(x[i+1] - x[i])^4)");
    const Vec force = gradient(f, leaves);
    EXPECT_EQ(jacobian(force, leaves).size(), 3u); // x[k-1], x[k], x[k+1]
    derivative_along(force, leaves, zero_border(leaves));
    return g.size();
}

TEST(Family, deriving_a_chain_costs_the_same_for_any_length) {
    EXPECT_EQ(nodes_to_derive_a_chain(10), nodes_to_derive_a_chain(100000));
}

} // namespace
} // namespace rattleback
