// The graph: equal formulas are one node, folding, numbers in quad, depth without recursion.
#include <gtest/gtest.h>
#include <pthread.h>

#include "expr/constant.hpp"
#include "expr/formulas.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

using test::evaluate;

class GraphTest : public testing::Test {
  protected:
    Graph g;
    Expr two_ = g.constant(2); // older than the symbols: the order of ids must not matter
    Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
    Expr zero = g.constant(0), one = g.constant(1);
};

TEST_F(GraphTest, equal_formulas_are_the_same_node) {
    EXPECT_EQ(g.symbol("x"), x);
    EXPECT_EQ(x + y, y + x);
    EXPECT_EQ(x * y, y * x);
    EXPECT_EQ(fn::sin(x * y + 1), fn::sin(1 + y * x));
    EXPECT_EQ(g.constant(0.5), g.constant(quad(1) / 2));
    EXPECT_EQ(g.constant(-quad(0)), g.constant(0)); // one zero only
    EXPECT_NE(fn::sin(x), fn::sin(y));
    EXPECT_NE(x - y, y - x);
    const std::size_t size = g.size();
    fn::sin(x * y + 1), pow(x, 2) / y, x - y, g.constant(0.5);
    const std::size_t once = g.size();
    fn::sin(x * y + 1), pow(x, 2) / y, x - y, g.constant(0.5);
    EXPECT_EQ(g.size(), once);
    EXPECT_GT(once, size);
}

TEST_F(GraphTest, a_number_is_the_same_inside_and_outside_the_graph) {
    EXPECT_EQ(x + 2, x + two_);
    EXPECT_EQ(x + 2, two_ + x);
    EXPECT_EQ(2 + x, two_ + x);
    EXPECT_EQ(x * 2, two_ * x);
    EXPECT_EQ(x - 2, x - two_);
    EXPECT_EQ(2 - x, two_ - x);
    EXPECT_EQ(x / 3, x / g.constant(3));
    EXPECT_EQ(pow(x, 2), pow(x, two_));
    EXPECT_EQ(fn::min(x, 2), fn::min(x, two_));
    EXPECT_TRUE(((x + 2) - (two_ + x)).is(0));
}

TEST_F(GraphTest, sums_of_numbers_are_folded_however_they_are_written) {
    EXPECT_EQ((x + 1) + 1, x + 2);
    EXPECT_EQ((x - 1) + 1, x);
    EXPECT_EQ((x - 2) + 1, x - 1);
    EXPECT_EQ((x + 1) - 3, x - 2);
    EXPECT_EQ(x - 1, x + -1);
    EXPECT_EQ(x - 2 * y, x + -2 * y);
}

// Each rule of fold.cpp: what the left side becomes (shape), as a node.
TEST_F(GraphTest, folding) {
    const Expr s = fn::sin(x), m = -y;
    const struct {
        const char* rule;
        Expr left, right;
    } table[] = {
        {"x + 0", x + 0, x},
        {"0 + x", 0 + x, x},
        {"x + -y", x + m, x - y},
        {"-y + x", m + x, x - y},
        {"(x - y) + y", (x - y) + y, x},
        {"y + (x - y)", y + (x - y), x},
        {"2x + 3x", 2 * x + 3 * x, 5 * x},
        {"x + x", x + x, 2 * x},
        {"2x + -2x", 2 * x + -2 * x, 0},
        {"x - 0", x - 0, x},
        {"0 - x", 0 - x, -x},
        {"x - -y", x - m, x + y},
        {"(x + y) - x", (x + y) - x, y},
        {"(x + y) - y", (x + y) - y, x},
        {"x - (x + y)", x - (x + y), -y},
        {"y - (x + y)", y - (x + y), -x},
        {"(x - y) - x", (x - y) - x, -y},
        {"x - (x - y)", x - (x - y), y},
        {"5x - 3x", 5 * x - 3 * x, 2 * x},
        {"x - x", x - x, 0},
        {"-(-x)", -(-x), x},
        {"-(x - y)", -(x - y), y - x},
        {"-(2x)", -(2 * x), -2 * x},
        {"0 x", 0 * s, 0},
        {"1 x", 1 * s, s},
        {"x 1", s * 1, s},
        {"-1 x", -1 * s, -s},
        {"2 (-x)", 2 * -x, -2 * x},
        {"2 (3 x)", 2 * (3 * x), 6 * x},
        {"(2 x) (3 y)", (2 * x) * (3 * y), 6 * (x * y)},
        {"(-x) y", -x * y, -(x * y)},
        {"(-x) (-y)", -x * m, x * y},
        {"x (y / x)", x * (y / x), y},
        {"(y / x) x", (y / x) * x, y},
        {"x (2 / y)", x * (2 / y), 2 * (x / y)},
        {"x x", x * x, pow(x, 2)},
        {"x^2 x", pow(x, 2) * x, pow(x, 3)},
        {"x^3 x^-3", pow(x, 3) * pow(x, -3), 1},
        {"0 / x", 0 / x, 0},
        {"x / 1", x / 1, x},
        {"x / -1", x / -1, -x},
        {"x / 4", x / 4, 0.25 * x},
        {"x / x", x / x, 1},
        {"x^3 / x", pow(x, 3) / x, pow(x, 2)},
        {"x y z / y", x * y * z / y, x * z},
        {"x / -y", x / m, -(x / y)},
        {"(3 x) / y", (3 * x) / y, 3 * (x / y)},
        {"x^0", pow(x, 0), 1},
        {"1^x", pow(1, x), 1},
        {"x^1", pow(x, 1), x},
        {"(x^2)^3", pow(pow(x, 2), 3), pow(x, 6)},
        {"(-x)^2", pow(-x, 2), pow(x, 2)},
        {"x^0.5", pow(x, 0.5), fn::sqrt(x)},
        {"if(1, x, y)", fn::choose(one, x, y), x},
        {"if(0, x, y)", fn::choose(zero, x, y), y},
        {"if(z, x, x)", fn::choose(z, x, x), x},
        {"0 and x", fn::both(0, x), 0},
        {"x and 3", fn::both(x, 3), fn::ne(x, 0)},
        {"sin 0", fn::sin(zero), 0},
        {"2 + 3", two_ + 3, 5},
        {"2^10", pow(two_, 10), 1024},
    };
    for (const auto& [rule, left, right] : table) EXPECT_TRUE(left == right) << rule << " became " << to_text(left);
}

TEST_F(GraphTest, what_must_not_be_folded) {
    EXPECT_EQ((1 / zero).op(), Op::div); // kept, so that a message can show it
    EXPECT_EQ(to_text(1 / zero), "1/0");
    EXPECT_EQ((zero / zero).op(), Op::div);
    EXPECT_EQ(to_text(fn::log(zero)), "log(0)");
    EXPECT_EQ(to_text(fn::sqrt(g.constant(-1))), "sqrt(-1)");
    EXPECT_THROW(Expr(1) / Expr(0), ExprError);           // there is no graph to keep it in
    EXPECT_EQ((x / 3).op(), Op::div);                     // 1/3 is not exact
    EXPECT_EQ(to_text(pow(pow(x, 2), 0.5)), "sqrt(x^2)"); // |x|, not x
    EXPECT_NE(pow(-x, 3), pow(x, 3));
    EXPECT_NE(pow(pow(x, 1.5), 2), pow(x, 3)); // not for negative x
    EXPECT_EQ((fn::min(x, y)).op(), Op::min);
    Graph other;
    EXPECT_THROW(x + other.symbol("x"), ExprError);
}

// A coefficient beyond the range of quad must not become a number that is none, nor hang the search for powers of two.
TEST_F(GraphTest, coefficients_do_not_overflow) {
    const Expr big = g.constant(real::parse("1e4000"));
    const Expr tiny = g.constant(real::parse("6.5e-4966")); // 2^-16494
    for (const Expr& f : {(big * x) * (big * y), x / tiny, big * (big * x), big * big, x + big * big})
        for (NodeId id : reachable(g, std::array{f.id()})) {
            if (g.node(id).op != Op::constant) continue;
            EXPECT_TRUE(real::is_finite(g.value(id))) << to_text(f);
        }
}

TEST_F(GraphTest, sums_and_products_commute) {
    EXPECT_EQ(-x + -y, -y + -x);
    EXPECT_EQ(-2 * x - y, -y - 2 * x);
    EXPECT_EQ((1 / x) * (1 / y), (1 / y) * (1 / x));
    EXPECT_EQ((3 / x) * (2 / y), (2 / y) * (3 / x));
    const std::array<Expr, 3> symbols{x, y, z};
    for (unsigned seed = 0; seed < 3000; ++seed) {
        test::RandomFormulas random(seed);
        const Expr a = random.formula(3).build(symbols), b = random.formula(3).build(symbols);
        EXPECT_EQ(a + b, b + a) << "seed " << seed << ": " << to_text(a) << "  and  " << to_text(b);
        EXPECT_EQ(a * b, b * a) << "seed " << seed << ": " << to_text(a) << "  and  " << to_text(b);
        EXPECT_EQ(-(a - b), b - a) << "seed " << seed << ": " << to_text(a) << "  and  " << to_text(b);
    }
}

TEST_F(GraphTest, folding_keeps_values) {
    const std::array<Expr, 3> symbols{x, y, z};
    double worst = 0;
    int compared = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        test::RandomFormulas random(seed);
        const test::Tree tree = random.formula(5);
        const std::vector<quad> at = random.point();
        const quad expected = tree.value(at);
        if (expected != expected || test::magnitude(expected) > 1e6) continue;
        const Expr f = tree.build(symbols);
        const quad got = f.graph() ? evaluate<quad>(g, f, symbols, at) : *f.constant();
        const double e = test::error(got, expected);
        EXPECT_LT(e, 1e-26) << "seed " << seed << ": " << to_text(f, 300);
        worst = std::max(worst, e);
        ++compared;
    }
    RecordProperty("worst", std::to_string(worst));
    EXPECT_GT(compared, 2000);
}

TEST_F(GraphTest, numbers_are_quad) {
    const quad tenth = constant_value("0.1"), third = constant_value("1/3");
    EXPECT_EQ(static_cast<double>(tenth), 0.1);
    EXPECT_NE(tenth, static_cast<quad>(0.1)); // better than the double
    EXPECT_TRUE(tenth == quad(1) / 10);
    EXPECT_TRUE(third == quad(1) / 3);
    EXPECT_TRUE(constant_value("pi") == real::pi());
    EXPECT_TRUE(constant_value("0.1 + 0.2") == constant_value("0.3") ||
                test::error(constant_value("0.1 + 0.2"), constant_value("0.3")) < 1e-33);
    EXPECT_TRUE(constant_value("2^0.5") == real::sqrt(static_cast<quad>(2)));
    EXPECT_TRUE(g.value((x * 0 + third).in(g)) == third);
    EXPECT_THROW(constant_value("1/0"), ExprError);
    EXPECT_THROW(constant_value("log(0)"), ExprError);
    EXPECT_THROW(constant_value("0/0"), ExprError);
}

// --- depth
// ------------------------------------------------------------------------------------------------------------

// Runs body on a thread with a stack of 256 kB, where a recursion of depth 1e6 dies.
void on_a_small_stack(const std::function<void()>& body) {
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    pthread_t thread;
    const auto run = [](void* f) -> void* { return (*static_cast<const std::function<void()>*>(f))(), nullptr; };
    ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&body)), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

TEST(GraphDepth, a_million_nested_functions_need_no_stack) {
    on_a_small_stack([] {
        constexpr int million = 1000000;
        Graph g;
        const Expr x = g.symbol("x"), y = g.symbol("y");
        Expr f = x;
        for (int i = 0; i < million; ++i) f = fn::sin(f);
        EXPECT_EQ(reachable(g, std::array{f.id()}).size(), million + 1u);
        EXPECT_EQ(to_text(f, 12), "sin(sin(sin(...");
        const Expr moved = substitute(f, {{Vec({{"x", x}}), Vec({{"y", y}})}});
        EXPECT_EQ(reachable(g, std::array{moved.id()}).size(), million + 1u);
        double value = 0.5, slope = 1;
        for (int i = 0; i < million; ++i) slope *= real::cos(value), value = real::sin(value);
        const Expr d = gradient(f, Vec({{"x", x}}))[0].value;
        const auto got = evaluate<double>(g, std::array{f, d}, std::array{x}, std::array{0.5});
        EXPECT_EQ(got[0], value);
        EXPECT_NEAR(got[1] / slope, 1, 2e-10); // measured 4e-11: a million factors, in another order
        EXPECT_EQ(expand(f), f);
    });
}

TEST(GraphDepth, forward_derivatives_printing_and_reading_need_no_stack) {
    on_a_small_stack([] {
        constexpr int depth = 200000;
        Graph g;
        const Expr x = g.symbol("x"), v = g.symbol("v");
        Expr f = x;
        for (int i = 0; i < depth; ++i) f = fn::sin(f);
        const Vec q({{"x", x}});
        EXPECT_EQ(jacobian(Vec({{"f", f}}), q).size(), 1u);
        EXPECT_NE(derivative_along(f, q, Vec({{"v", v}})).op(), Op::constant);
        const std::string text = to_text(f);
        EXPECT_EQ(text.size(), 5u * depth + 1);
        EXPECT_GT(to_latex(f).size(), text.size());
        test::TestScope scope(g);
        scope.add("x");
        EXPECT_EQ(scope(text), f);
    });
}

} // namespace
} // namespace rattleback
