// Formulas as text that reads back, and as LaTeX.
#include <gtest/gtest.h>

#include "expr/comma_locale.hpp"
#include "expr/formulas.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

class PrintTest : public testing::Test {
  protected:
    PrintTest() { scope.add_family("q", 1, 3), scope.add_family("q_1", 1, 3), scope.add("n", Tensor(g.constant(3))); }

    Graph g;
    test::TestScope scope{g};
    Expr x = scope.add("x"), y = scope.add("y"), z = scope.add("z"), omega = scope.add("omega_0"), m = scope.add("m"),
         speed = scope.add("speed");
    std::array<Expr, 3> xyz{x, y, z};
};

TEST_F(PrintTest, text_of_formulas) {
    const struct {
        Expr f;
        const char* text;
    } table[] = {
        {-pow(x, 2), "-x^2"},
        {pow(-x, 3), "(-x)^3"},
        {pow(x, -2), "x^(-2)"},
        {pow(g.constant(-2), x), "(-2)^x"},
        {pow(x, pow(y, z)), "x^y^z"},
        {pow(pow(x, y), z), "(x^y)^z"},
        {x - (y - z), "x - (y - z)"},
        {x - (y + z), "x - (y + z)"},
        {x + (y + z), "x + (y + z)"},
        {x - y - z, "x - y - z"},
        {x / (y * z), "x/(y*z)"},
        {x / y / z, "x/y/z"},
        {x * (y / z), "x*(y/z)"},
        {-(x + y), "-(x + y)"},
        {-x * y, "-x*y"},
        {-((x - y) / z), "-((x - y)/z)"},
        {x / -3, "-x/3"},
        {x * (y + 1), "x*(y + 1)"},
        {x - 2, "x - 2"},
        {x + -2 * y, "x - 2*y"},
        {g.constant(20) * x, "20*x"},
        {g.constant(-0.5) * x, "-0.5*x"},
        {real::parse("1e100") * x, "1e+100*x"},
        {fn::choose(fn::both(fn::lt(x, y), fn::ge(y, 0)), fn::sin(x), fn::atan2(x, y)),
         "if(x < y and y >= 0, sin(x), atan2(x, y))"},
        {fn::eq(fn::lt(x, y), z), "(x < y) == z"},
        {fn::both(fn::either(x, y), z), "(x or y) and z"},
        {2 * fn::lt(x, y), "2*(x < y)"},
    };
    for (const auto& [f, text] : table) {
        EXPECT_EQ(to_text(f), text);
        EXPECT_EQ(scope(to_text(f)), f) << text;
    }
    EXPECT_EQ(to_text(Expr(0.25)), "0.25");
    EXPECT_EQ(to_text(x + y * z, 3), "x +...");
    EXPECT_EQ(to_text(x + y * z, 100), "x + y*z");
}

// Every number of the formula reads back as itself: true of 0.1 and of 7, not of 1/3, which is printed as a double.
bool numbers_read_back(const Graph& g, const Expr& f) {
    for (NodeId id : reachable(g, std::array{f.id()}))
        if (g.node(id).op == Op::constant && real::parse(real::to_text(g.value(id)).c_str()) != g.value(id))
            return false;
    return true;
}

TEST_F(PrintTest, random_formulas_read_back_as_the_same_node) {
    int same = 0, alike = 0;
    for (unsigned seed = 0; seed < 5000; ++seed) {
        test::RandomFormulas random(seed);
        const Expr f = random.formula(1 + static_cast<int>(seed % 6)).build(xyz);
        const std::string text = to_text(f);
        const Expr again = scope(text);
        if (numbers_read_back(g, f)) {
            EXPECT_EQ(again, f) << "seed " << seed << ": " << text << " became " << to_text(again);
            ++same;
        } else { // the same up to the last digits of its numbers
            const std::vector<quad> p = random.point();
            const quad value = test::evaluate<quad>(g, f, xyz, p), now = test::evaluate<quad>(g, again, xyz, p);
            if (!(test::magnitude(value) < 1e3)) continue;
            EXPECT_LT(test::error(now, value), 1e-12) << "seed " << seed << ": " << text;
            ++alike;
        }
    }
    EXPECT_GT(same, 3000);
    EXPECT_GT(alike, 100);
}

TEST_F(PrintTest, derivatives_read_back) {
    const Vec leaves({{"x", x}, {"y", y}, {"z", z}});
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Expr f = test::RandomFormulas(seed).formula(3).build(xyz);
        for (const Component& c : gradient(f, leaves)) {
            if (!c.value.graph() || !numbers_read_back(g, c.value)) continue;
            const std::string text = to_text(c.value);
            EXPECT_EQ(scope(text), c.value) << "seed " << seed << ": " << text;
        }
    }
}

TEST_F(PrintTest, sums_and_members_read_back) {
    for (const char* text : {"q[1] + q[n]", "sum(i in 1..n: q[i]^2)", "sum(i in 1..n: sum(j in 1..i: q[i]*q[j]))",
                             "sum(i in 1..n - 1: (q[i + 1] - q[i])^4)*x", "sum(i in 1..n: i*x)^2"}) {
        const Expr f = scope(text), again = scope(to_text(f)); // with indices of its own
        EXPECT_EQ(expand(again), expand(f)) << text << " as " << to_text(f);
    }
    EXPECT_EQ(to_text(expand(scope("sum(i in 1..2: q[i])"))), "q[1] + q[2]");
}

TEST_F(PrintTest, numbers_beyond_double_are_numbers) {
    const quad large = real::parse("1e400"), small = real::parse("2.5e-400");
    EXPECT_EQ(to_text(g.constant(large)), "1e+400");
    EXPECT_EQ(to_text(g.constant(small)), "2.5e-400");
    EXPECT_EQ(scope(to_text(large * x)), large * x);
    EXPECT_EQ(real::to_text(quad(1) / 3, 20), "0.33333333333333333333");
    for (double d : {0.1, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 123456789.0, 0.30000000000000004, 100000.0, 1e15})
        EXPECT_EQ(static_cast<double>(real::parse(real::to_text(d).c_str())), d);
}

TEST_F(PrintTest, numbers_do_not_depend_on_the_locale) {
    const CommaLocale there;
    EXPECT_EQ(to_text(x * 0.5), "0.5*x");
    EXPECT_EQ(real::to_text(0.5, 10), "0.5");
}

TEST_F(PrintTest, latex) {
    const struct {
        const char *formula, *latex;
    } table[] = {
        {"x + y*z", "x + y \\, z"},
        {"-(x + y)", "-\\left(x + y\\right)"},
        {"(x + 1)/(y - z)", "\\frac{x + 1}{y - z}"},
        {"(x/y)^2", "\\left(\\frac{x}{y}\\right)^{2}"},
        {"x^(y + 1)", "x^{y + 1}"},
        {"(x + y)^2", "\\left(x + y\\right)^{2}"},
        {"x^y^z", "x^{y^{z}}"},
        {"(x^y)^z", "\\left(x^{y}\\right)^{z}"},
        {"0.5*m*speed^2", "0.5 \\, m \\, \\mathit{speed}^{2}"},
        {"sin(omega_0*x)", "\\sin\\left(x \\, \\omega_{0}\\right)"},
        {"sqrt(x^2 + 1)", "\\sqrt{x^{2} + 1}"},
        {"hypot(x + y, z)", "\\sqrt{{\\left(x + y\\right)}^2 + {z}^2}"},
        {"abs(x - y)", "\\left|x - y\\right|"},
        {"stumpff(2, x)", "c_{2}\\left(x\\right)"},
        {"if(x < 0, -x, y)", "\\begin{cases} -x & \\text{if } x < 0 \\\\ y & \\text{otherwise} \\end{cases}"},
        {"x >= 0 and y != 1", "x \\ge 0 \\wedge y \\ne 1"},
        {"1e-20*x", "1 \\cdot 10^{-20} \\, x"},
        {"1e20^x", "\\left(1 \\cdot 10^{20}\\right)^{x}"},
        {"q[2]", "{q}_{2}"},
        {"q_1[2]", "{q_{1}}_{2}"},
    };
    for (const auto& [formula, latex] : table) EXPECT_EQ(to_latex(scope(formula)), latex) << formula;
    EXPECT_EQ(to_latex(g.symbol("theta_1'")), "\\dot \\theta_{1}");
    EXPECT_EQ(to_latex(g.symbol("x_a_b[3]")), "x_{a\\_b,3}");
    EXPECT_EQ(to_latex(g.symbol("p_theta")), "p_{\\theta}");
    const std::pair<const char*, const char*> symbols[] = {
        // of schemes
        {"step size h", "h"},
        {"stage 2 of x'", "{{\\dot x}^{(2)}}"},
        {"slope 1 of p_phi", "{k_{p_{\\phi}}^{(1)}}"},
        {"stage 12 of acceleration of theta", "{{{\\ddot{\\theta}}}^{(12)}}"},
        {"next p_x", "{{p_{x}}^{+}}"},
        {"stage 1 of multiplier of z' - y_1*x'", "{{{\\lambda_{\\text{z' - y\\_1*x'}}}}^{(1)}}"},
        {"something else", "\\text{something else}"},
        {"stage of x", "\\text{stage of x}"},
    };
    for (const auto& [name, latex] : symbols) EXPECT_EQ(to_latex(g.symbol(name)), latex);
    EXPECT_EQ(to_latex(pow(g.symbol("next x"), 2)), "{{x}^{+}}^{2}");
    Graph fresh; // so that the index is the first
    test::TestScope names(fresh);
    names.add_family("q", 1, 3);
    EXPECT_EQ(to_latex(names("sum(i in 1..3: q[i+1])^2")),
              "\\left(\\sum_{i_{1}=1}^{3} \\left({q}_{i_{1} + 1}\\right)\\right)^{2}");
}

} // namespace
} // namespace rattleback
