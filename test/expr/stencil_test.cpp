// Instances copied from a stencil are the very nodes that folding makes of them, one by one.
#include <gtest/gtest.h>

#include "expr/expander.hpp"
#include "expr/formulas.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

constexpr int n = 60; // members, far more than are folded before stencils are looked for

struct Chain {
    Chain() {
        scope.add("n", Tensor(g.constant(n)));
        t = scope.add("t"), a = scope.add("a");
        x = scope.add_family("x", 1, n, {{0, a * t}, {n + 1, Expr(0)}});
        y = scope.add_family("y", 1, n, {{0, Expr(0)}, {n + 1, g.element(g.family({"y", 1, n, {}, {}}), 1)}});
    }
    // x[k] replaced by another formula of "each member", as by a scheme's stages.
    Expr staged(const Expr& f, const Expr& body) {
        Component to = x;
        to.name = "stage", to.value = body;
        return substitute(f, {{Vec({x}), Vec({to})}});
    }
    Graph g;
    test::TestScope scope{g};
    Expr t, a;
    Component x, y;
};

void check(Chain& c, const Expr& f, const std::string& what) {
    const std::vector<Expr> all = Expander(c.g).members(Vec({{"f", f, true, 1, n}}));
    for (int k = 1; k <= n; ++k) {
        const Expr alone = Expander(c.g).at(f, k, 0);
        EXPECT_EQ(all[static_cast<std::size_t>(k - 1)], alone) << what << ", member " << k << ": " << to_text(alone);
    }
}

constexpr const char* rows[] = {
    "x[k+1] - 2*x[k] + x[k-1]",
    "(x[k] - x[k-1])^2/2 + a/3*(x[k] - x[k-1])^3",
    "x[k]*y[k]*(-2)*t - (-y[k])*x[k]", // numbers and signs move to the front
    "2*(x[k] + 1) - 2*x[k] + y[k-1]/y[k-1]",
    "if(k > 30, x[k-1], y[k])*t", // two stencils
    "if(x[k] > y[k+1], x[k]^3, sin(y[k]))",
    "k*x[k]",       // a number of its own in every member
    "x[k] - x[40]", // a fixed member, which one of them is
    "x[k]*x[40] + t/y[k+1]",
    "max(x[k], y[k])*sum(j in k-1..k+1: x[j])",
    "a*t",
    "k",
};

TEST(Stencil, copies_are_what_folding_makes) {
    for (const char* text : rows) {
        Chain c;
        check(c, c.scope.each(text), text);
    }
}

TEST(Stencil, families_in_families) {
    for (const char* stage : rows)
        for (const char* text : rows) {
            Chain c;
            const Expr body = c.x.value + c.t / 10 * c.scope.each(stage);
            const Expr once = c.staged(c.scope.each(text), body);
            check(c, once, std::string(text) + " of " + stage);
            check(c, c.staged(once, c.scope.each("-2*x[k]")), std::string(text) + " of " + stage + " of -2 x");
        }
}

// Folding looks into members: the symbols of one may cancel those of another.
TEST(Stencil, members_that_cancel) {
    for (const char* body : {"x[k] + y[k]", "2*x[k]", "x[k] - x[k-1]", "y[k]", "0*x[k] + 3", "a"})
        for (const char* text : {"x[k] - y[k]", "x[k] - 2*x[k-1]", "x[k]/x[k-1]", "x[k] + x[k+1]", "x[k]*x[k]"}) {
            Chain c;
            check(c, c.staged(c.scope.each(text), c.scope.each(body)), std::string(text) + " of " + body);
        }
}

// A symbol that stands somewhere as it is looks like the member that moves past it.
TEST(Stencil, symbols_that_do_not_move) {
    for (int k : {17, 18, 40, 60}) {
        Chain c;
        const Expr still = Expander(c.g).at(c.x.value, k, 0);
        check(c, still * c.scope.each("x[k+1] + y[k]") - c.x.value, "x[" + std::to_string(k) + "]");
        const Expr other = Expander(c.g).at(c.y.value, k, 0); // all of a family
        check(c, c.staged(c.scope.each("x[k] - y[k] + y[k]*y[k+1]"), 2 * other), "y[" + std::to_string(k) + "]");
    }
}

TEST(Stencil, gradients_and_jacobians) {
    for (const char* text :
         {"sum(i in 1..n+1: (x[i] - x[i-1])^2/2 + a/3*(x[i] - x[i-1])^3)", "sum(i in 2..n: cos(x[i]*y[i-1]))",
          "sum(i in 1..n: x[i]^2*y[i]) + x[30]^4", "sum(i in 5..n-5: i*x[i]*x[i+1])"}) {
        Chain c;
        const Vec leaves({c.x, c.y});
        const Vec gradient = rattleback::gradient(c.scope(text), leaves);
        for (const Component& f : gradient) check(c, f.value, std::string("gradient of ") + text);
        for (const JacobianTerm& t : jacobian(gradient, leaves))
            if (t.kind == JacobianTerm::stencil) check(c, t.value, std::string("Hessian of ") + text);
    }
}

} // namespace
} // namespace rattleback
