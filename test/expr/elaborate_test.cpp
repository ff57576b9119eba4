// From syntax to meaning: shapes, names, sums, and the exact words of everything that can be wrong.
#include <gtest/gtest.h>

#include "expr/formulas.hpp"
#include "expr/graph.hpp"
#include "expr/nearest.hpp"

namespace rattleback {
namespace {

class ElaborateTest : public testing::Test {
  protected:
    ElaborateTest() {
        scope.add("n", Tensor(g.constant(3)));
        scope.add("x'", g.symbol("x'"));
        scope.add("r", {{x, y, z}, 3, 0});
        scope.add("s", {{g.symbol("s1"), g.symbol("s2"), g.symbol("s3")}, 3, 0});
        scope.add("d", {{x, y}, 2, 0});
        scope.add("A", scope.tensor("[[x, 2], [3, y]]"));
        scope.add("B", scope.tensor("[[1, x, y], [0, z, 4]]"));
        scope.add_family("q", 1, 3);
        scope.add_family("q'", 1, 3);
    }

    std::vector<std::string> texts(const std::string& formula) {
        std::vector<std::string> out;
        for (const Expr& e : scope.tensor(formula).e) out.push_back(to_text(e));
        return out;
    }
    // "begin..end message" and, if there is one, " | remedy"
    std::string failure(const std::string& formula) {
        try {
            return "no error: " + to_text(scope.tensor(formula).e.at(0), 100);
        } catch (const FormulaError& e) {
            EXPECT_LE(e.begin, e.end) << formula;
            EXPECT_LE(e.end, formula.size()) << formula;
            return std::to_string(e.begin) + ".." + std::to_string(e.end) + " " + e.what() +
                   (e.remedy.empty() ? "" : " | " + e.remedy);
        }
    }

    Graph g;
    test::TestScope scope{g};
    Expr x = scope.add("x"), y = scope.add("y"), z = scope.add("z"), theta = scope.add("theta");
};

using Texts = std::vector<std::string>;

TEST_F(ElaborateTest, formulas_are_the_same_as_in_code) {
    EXPECT_EQ(scope("x + 2*y"), x + 2 * y);
    EXPECT_EQ(scope("x - 2*y"), x - 2 * y);
    EXPECT_EQ(scope("x - 2"), x - 2);
    EXPECT_EQ(scope("-x^2"), -pow(x, 2));
    EXPECT_EQ(scope("x/y/z"), x / y / z);
    EXPECT_EQ(scope("2^-3"), g.constant(0.125));
    EXPECT_EQ(scope("if(x > 0 and y != 0 or z <= 1, x, y)"),
              fn::choose(fn::either(fn::both(fn::gt(x, 0), fn::ne(y, 0)), fn::le(z, 1)), x, y));
    EXPECT_EQ(scope("atan2(x, y)"), fn::atan2(x, y));
    EXPECT_EQ(scope("x'"), g.symbol("x'"));
    EXPECT_TRUE(scope("pi").constant() == real::pi());
    EXPECT_EQ(scope("min(x, y)"), fn::min(x, y));
    EXPECT_EQ(to_text(scope("min(x, y, z, 1)")), "min(x, min(y, min(z, 1)))");
    EXPECT_EQ(to_text(scope("max(x, 2, 7, 3)")), "max(x, 7)");
    EXPECT_EQ(to_text(scope("q[1]'")), "q'[1]");
}

TEST_F(ElaborateTest, vectors_and_matrices) {
    EXPECT_EQ(texts("r + 2*s"), (Texts{"x + 2*s1", "y + 2*s2", "z + 2*s3"}));
    EXPECT_EQ(texts("r - s"), (Texts{"x - s1", "y - s2", "z - s3"}));
    EXPECT_EQ(texts("-r/2"), (Texts{"-0.5*x", "-0.5*y", "-0.5*z"}));
    EXPECT_EQ(scope("dot(r, r)"), scope("x^2 + y^2 + z^2"));
    EXPECT_EQ(scope("norm(d)"), scope("sqrt(x^2 + y^2)"));
    EXPECT_EQ(texts("cross(r, s)"), (Texts{"y*s3 - z*s2", "z*s1 - x*s3", "x*s2 - y*s1"}));
    EXPECT_EQ(scope("cross(d, [1, 2])"), scope("2*x - y"));
    EXPECT_EQ(texts("transpose(B)"), (Texts{"1", "0", "x", "z", "y", "4"}));
    EXPECT_EQ(texts("B*r"), (Texts{to_text(scope("x + x*y + y*z")), to_text(scope("0 + z*y + 4*z"))}));
    EXPECT_EQ(texts("A*[[1, 0], [0, 1]]"), (Texts{"x", "2", "3", "y"}));
    EXPECT_EQ(scope("A[1, 1]"), x);
    EXPECT_EQ(scope("B[2, n]"), g.constant(4));
    EXPECT_EQ(scope("r[2]"), y);
    const Tensor row = scope.tensor("[[x, y]]");
    EXPECT_EQ(row.shape(), "a 1 x 2 matrix");
    EXPECT_EQ(scope.tensor("[x]").shape(), "a vector of 1");
    EXPECT_EQ(scope.tensor("A*A").shape(), "a 2 x 2 matrix");
}

TEST_F(ElaborateTest, rotations_are_right_handed) {
    EXPECT_EQ(texts("rotz(theta)*[1, 0, 0]"), (Texts{"cos(theta)", "sin(theta)", "0"})); // x towards y
    EXPECT_EQ(texts("rotx(theta)*[0, 1, 0]"), (Texts{"0", "cos(theta)", "sin(theta)"})); // y towards z
    EXPECT_EQ(texts("roty(theta)*[0, 0, 1]"), (Texts{"sin(theta)", "0", "cos(theta)"})); // z towards x
    for (const std::string r : {"rotx(theta)", "roty(theta)", "rotz(theta)"}) {
        const Tensor product = scope.tensor(r + "*transpose(" + r + ")");
        for (int i = 0; i < 9; ++i)
            EXPECT_NEAR(test::evaluate<double>(g, Expr(g, product.e[static_cast<std::size_t>(i)].in(g)),
                                               std::array{theta}, std::array{0.7}),
                        i % 4 == 0, 2.3e-16) // measured 1.2e-16
                << r;
    }
}

TEST_F(ElaborateTest, linear_systems) {
    const Tensor w = scope.tensor("solve(A, d)");
    EXPECT_EQ(w.shape(), "a vector of 2");
    EXPECT_EQ(w.e[0].op(), Op::solve);
    EXPECT_EQ(scope.tensor("solve(A, d)").e[1], w.e[1]); // the same system is the same
    EXPECT_EQ(scope.tensor("solve([[x]], [y])").e[0], y / x);
    EXPECT_TRUE(scope.tensor("solve(A, 0*d)").e[0].is(0));
}

TEST_F(ElaborateTest, what_is_wrong_and_where) {
    const struct {
        const char *formula, *message;
    } table[] = {
        {"x + r", "0..5 cannot add a number and a vector of 3"},
        {"x + y - A", "0..9 cannot subtract a number and a 2 x 2 matrix"},
        {"2*(r + d)", "3..8 cannot add a vector of 3 and a vector of 2"},
        {"r*s", "0..3 cannot multiply two vectors: write dot(a, b) or cross(a, b)"},
        {"r*A", "0..3 cannot multiply a vector by a matrix from the right: write transpose(A)*a"},
        {"A*r", "0..3 cannot multiply a 2 x 2 matrix and a vector of 3"},
        {"B*A", "0..3 cannot multiply a 2 x 3 matrix and a 2 x 2 matrix"},
        {"1/r", "0..3 cannot divide by a vector of 3"},
        {"A^2", "0..3 a power needs numbers, not a 2 x 2 matrix"},
        {"2^r", "0..3 a power needs numbers, not a vector of 3"},
        {"dot(r, d)", "0..9 dot needs two vectors of the same length, not a vector of 3 and a vector of 2"},
        {"norm(A)", "0..7 norm needs a vector, not a 2 x 2 matrix"},
        {"cross(r, d)", "0..11 cross needs two vectors of 3 (or of 2, for the number x1*y2 - x2*y1), not a vector of 3 "
                        "and a vector of 2"},
        {"transpose(r)", "0..12 transpose needs a matrix, not a vector of 3"},
        {"rotx(r)", "0..7 a rotation needs an angle, not a vector of 3"},
        {"solve(B, d)", "0..11 solve(A, b) needs a square matrix and a vector of its size, not a 2 x 3 matrix and a "
                        "vector of 2"},
        {"sin(r)", "0..6 sin needs a number, not a vector of 3"},
        {"if(x > 0, r, s)", "0..15 if needs a number, not a vector of 3"},
        {"r < s", "0..1 a number is needed here, not a vector of 3"},
        {"x and d", "6..7 a number is needed here, not a vector of 2"},
        {"sum(i in 1..n: r)", "15..16 a number is needed here, not a vector of 3"},
        {"[x, [y, z]]", "0..11 the rows of a matrix are vectors of one length"},
        {"[[x, y], [z]]", "0..13 the rows of a matrix are vectors of one length"},
        {"[A, A]", "0..6 the rows of a matrix are vectors of one length"},
        {"sin(x, y)", "0..9 sin takes 1 argument, 2 are given"},
        {"atan2(x)", "0..8 atan2 takes 2 arguments, 1 is given"},
        {"min(x)", "0..6 min takes 2 arguments, 1 is given"},
        {"if(x, y)", "0..8 if takes 3 arguments, 2 are given"},
        {"dot(r)", "0..6 dot takes 2 arguments, 1 is given"},
        {"x + thete", "4..9 unknown name 'thete' | did you mean 'theta'?"},
        {"x + foo", "4..7 unknown name 'foo'"},
        {"p[1]", "0..1 unknown name 'p' | did you mean 'pi'?"},
        {"sine(x)", "0..4 unknown function 'sine' | did you mean 'sin'?"},
        {"arctan(x)", "0..6 unknown function 'arctan' | did you mean 'atan'?"},
        {"foobar(x)", "0..6 unknown function 'foobar'"},
        {"sum(x)", "0..3 unknown function 'sum' | write sum(i in 1..n: ...)"},
        {"x''", "0..3 second time derivatives do not occur in a model | a Lagrangian depends on q and q' only"},
        {"(x*y)'", "0..6 a prime belongs to a coordinate or a definition | name this formula in [definitions] and "
                   "write name'"},
        {"sum(i in 1..n: i')", "15..17 an index has no time derivative"},
        {"y'", "0..1 'y' has no time derivative"},
        {"pi'", "0..2 'pi' has no time derivative"},
        {"r[4]", "2..3 the index must be a whole number from 1 to 3"},
        {"r[0]", "2..3 the index must be a whole number from 1 to 3"},
        {"r[1.5]", "2..5 the index must be a whole number from 1 to 3"},
        {"sum(i in 1..n: r[i])", "17..18 the index must be a whole number from 1 to 3"},
        {"A[1]", "0..4 'A' is a 2 x 2 matrix and cannot be indexed like this"},
        {"A[3, 1]", "2..3 the index must be a whole number from 1 to 2"},
        {"r[1, 1]", "0..7 'r' is a vector of 3 and cannot be indexed like this"},
        {"x[1]", "0..4 'x' is a number and cannot be indexed like this"},
        {"q[r]", "0..4 an index is a whole number or an index name"},
        {"q[1.5]", "0..6 an index is a whole number, or an index plus or minus one: x[3], x[i], x[i-1]"},
        {"sum(i in 1..n: q[2*i])",
         "15..21 an index is a whole number, or an index plus or minus one: x[3], x[i], x[i-1]"},
        {"q[x]", "0..4 an index is a whole number, or an index plus or minus one: x[3], x[i], x[i-1]"},
        {"2*q", "2..3 'q' is a family"},
    };
    for (const auto& [formula, message] : table) EXPECT_EQ(failure(formula), message) << formula;
}

TEST_F(ElaborateTest, indices_may_be_written_in_several_steps) {
    EXPECT_EQ(scope("sum(i in 1..n: q[i+1-1])").op(), Op::sum);
    EXPECT_EQ(scope("sum(i in 1..n: q[i+1+1])").op(), Op::sum);
    EXPECT_EQ(scope("q[n-1]"), scope("q[2]"));
    EXPECT_EQ(scope("q[(n+1)/2]"), scope("q[2]"));
}

TEST_F(ElaborateTest, sums_bind_their_index) {
    const auto expanded = [&](const std::string& text) { return to_text(expand(scope(text))); };
    EXPECT_EQ(expanded("sum(x in 1..n: x)"), "6"); // hides the symbol
    EXPECT_EQ(expanded("sum(i in 1..2: sum(i in 3..4: i)*i)"), "21");
    EXPECT_EQ(expanded("sum(i in 1..3: sum(j in i..3: j))"), "14");
    EXPECT_EQ(expanded("sum(i in 2..1: q[i])"), "0");
    EXPECT_EQ(failure("sum(i in 1..n: q[i]) + i"), "23..24 unknown name 'i' | did you mean 'pi'?");
    EXPECT_EQ(failure("sum(i in 1..i: 1)"), "12..13 unknown name 'i' | did you mean 'pi'?");
}

TEST_F(ElaborateTest, sums_are_nested_16_deep_at_most) {
    const auto nested = [](int depth) {
        std::string text = "x";
        for (int k = 0; k < depth; ++k) text = "sum(i" + std::to_string(k) + " in 1..1: " + text + ")";
        return text;
    };
    EXPECT_EQ(expand(scope(nested(16))), x);
    EXPECT_NE(failure(nested(17)).find("sums are nested more than 16 deep"), std::string::npos);
}

TEST_F(ElaborateTest, a_million_terms_make_a_wide_graph) {
    std::string text = "x";
    for (int k = 2; k < 1000000; ++k) text += (k % 2 ? "-y^" : "+x^") + std::to_string(k);
    const Expr f = scope(text);
    std::unordered_map<NodeId, int> depth;
    for (NodeId id : reachable(g, std::array{f.id()})) {
        int deepest = 0;
        g.for_children(id, [&](NodeId child) { deepest = std::max(deepest, depth[child]); });
        depth[id] = deepest + 1;
    }
    EXPECT_LE(depth[f.id()], 20 + 4); // log2 of a million, and the terms
}

TEST_F(ElaborateTest, nearest_names) {
    const Texts names{"theta", "phi", "x", "velocity"};
    EXPECT_EQ(nearest("thetta", names), "theta");
    EXPECT_EQ(nearest("tehta", names), "theta");
    EXPECT_EQ(nearest("Theta", names), "theta");
    EXPECT_EQ(nearest("velocty", names), "velocity");
    EXPECT_EQ(nearest("zzzzzz", names), "");
    EXPECT_EQ(nearest("", {}), "");
}

} // namespace
} // namespace rattleback
