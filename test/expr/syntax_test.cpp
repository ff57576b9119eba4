#include "syntax_text.hpp"

#include <gtest/gtest.h>

#include <set>

#include "expr/comma_locale.hpp"
#include "expr/graph.hpp"

namespace rattleback::syntax {
namespace {

std::string canonical(std::string text) { return to_text(parse(std::move(text))); }

std::string repeated(std::string_view piece, int times) {
    std::string out;
    out.reserve(piece.size() * static_cast<std::size_t>(times));
    for (int k = 0; k < times; ++k) out += piece;
    return out;
}

TEST(Syntax, binds_as_the_contract_says) {
    const struct {
        const char *text, *expected;
    } table[] = {
        {"a+b+c", "((a + b) + c)"},
        {"a-b-c", "((a - b) - c)"},
        {"a/b/c", "((a / b) / c)"},
        {"a/b*c", "((a / b) * c)"},
        {"a+b*c", "(a + (b * c))"},
        {"a*b+c", "((a * b) + c)"},
        {"a^b^c", "(a ^ (b ^ c))"},
        {"(a^b)^c", "((a ^ b) ^ c)"},
        {"a*b^c", "(a * (b ^ c))"},
        {"a^b*c", "((a ^ b) * c)"},
        {"-x^2", "(-(x ^ 2))"},
        {"(-x)^2", "((-x) ^ 2)"},
        {"2^-3", "(2 ^ (-3))"},
        {"2^-3^2*4", "((2 ^ (-(3 ^ 2))) * 4)"},
        {"-a*b", "((-a) * b)"},
        {"a*-b*c", "((a * (-b)) * c)"},
        {"a--b", "(a - (-b))"},
        {"--a", "(-(-a))"},
        {"+a - +b^+c", "(a - (b ^ c))"},
        {"-+-a", "(-(-a))"},
        {"x'^2", "(x' ^ 2)"},
        {"-x'", "(-x')"},
        {"x''", "x''"},
        {"x[i]'", "x[i]'"},
        {"x [ i + 1 ] '", "x[(i + 1)]'"},
        {"A[i,j]*b", "(A[i, j] * b)"},
        {"(a*b)'", "(a * b)'"},
        {"a or b and c", "(a or (b and c))"},
        {"a and b or c and d", "((a and b) or (c and d))"},
        {"a or b or c", "((a or b) or c)"},
        {"a + 1 < b and c >= d", "(((a + 1) < b) and (c >= d))"},
        {"(a < b) == c", "((a < b) == c)"},
        {"a <= -b", "(a <= (-b))"},
        {"a != b", "(a != b)"},
        {"if(a > 0, a, -a)", "if((a > 0), a, (-a))"},
        {"[a, b+c, [1]]", "[a, (b + c), [1]]"},
        {"((((x))))", "x"},
        {"sum(v)", "sum(v)"},
        {"sum(i, j)", "sum(i, j)"},
        {"sum (i in 1..n: m/2*x[i]'^2)", "sum(i in 1 .. n: ((m / 2) * (x[i]' ^ 2)))"},
        {"sum(i in 1..n: sum(j in i+1..n: i < j))", "sum(i in 1 .. n: sum(j in (i + 1) .. n: (i < j)))"},
        {"sum(i in 1..n, j in i+1..n: i < j)", "sum(i in 1 .. n: sum(j in (i + 1) .. n: (i < j)))"},
        {"1 + sum(i in 1..2, j in 1..3, k in 1..4: (i + j)*k)^2",
         "(1 + (sum(i in 1 .. 2: sum(j in 1 .. 3: sum(k in 1 .. 4: ((i + j) * k)))) ^ 2))"},
        {"2*sum(i in -1..2.: i)'", "(2 * sum(i in (-1) .. 2.: i)')"},
        {"x[i] - x[i-1] for i in 1..n", "(x[i] - x[(i - 1)]) for i in 1 .. n"},
        {"i for i in sum(j in 1..2: j)..3*n", "i for i in sum(j in 1 .. 2: j) .. (3 * n)"},
        {"index + order + format + android + inf + nan", "(((((index + order) + format) + android) + inf) + nan)"},
        {" \t\r\n x \n", "x"},
    };
    for (const auto& [text, expected] : table) {
        EXPECT_EQ(canonical(text), expected) << text;
        EXPECT_EQ(canonical(expected), expected) << text;
    }
}

TEST(Syntax, numbers_are_the_nearest_binary128) {
    const struct {
        const char* text;
        quad expected;
    } table[] = {
        {"0", 0},
        {"00", 0},
        {"0e99999", 0},
        {"1", 1},
        {"1.", 1},
        {"1.5", 1.5},
        {".5", 0.5},
        {"1e3", 1000},
        {"1.e5", 1e5},
        {".25e1", 2.5},
        {"1E+2", 100},
        {"12e-2", quad(12) / 100},
        {"1e-3", quad(1) / 1000},
        {"0.1", quad(1) / 10},
        {"1e22", 1e22},
        {"340282366920938463463374607431768211457", quad(340282366920938463463374607431768211456.0L)},
    };
    for (const auto& [text, expected] : table) {
        const Tree tree = parse(text);
        ASSERT_EQ(tree.nodes.size(), 1u) << text;
        EXPECT_EQ(tree.nodes[0].kind, Kind::Number) << text;
        EXPECT_TRUE(tree.number_of(tree.nodes[0]) == expected) << text;
    }
    EXPECT_TRUE(parse("0." + repeated("3", 1000000)).numbers[0] == quad(1) / 3);
}

TEST(Syntax, numbers_do_not_depend_on_the_locale) {
    const CommaLocale there;
    EXPECT_TRUE(parse("1.5").numbers[0] == 1.5);
}

TEST(Syntax, nodes_know_their_text) {
    const Tree tree = parse(" (a + b)*foo(c', x[ i ]) ");
    const Node& product = tree.nodes[tree.root()];
    EXPECT_EQ(tree.text_of(product), "(a + b)*foo(c', x[ i ])");
    EXPECT_EQ(product.op, Op::Multiply);
    EXPECT_EQ(tree.text_of(tree.child(product, 0)), "a + b");
    const Node& call = tree.child(product, 1);
    EXPECT_EQ(call.kind, Kind::Call);
    EXPECT_EQ(tree.name_of(call), "foo");
    EXPECT_EQ(tree.name_range(call), (Range{9, 12}));
    ASSERT_EQ(tree.children_of(call).size(), 2u);
    EXPECT_EQ(tree.text_of(tree.child(call, 0)), "c'");
    EXPECT_EQ(tree.text_of(tree.child(call, 1)), "x[ i ]");
    EXPECT_EQ(tree.name_of(tree.child(call, 1)), "x");
    EXPECT_EQ(tree.names, (std::vector<std::string>{"a", "b", "foo", "c", "x", "i"}));
}

TEST(Syntax, sums_and_loops_bind_a_name) {
    Tree from = parse("sum(k in 1..n: k*a) + a for i in 2*n..m");
    const Tree tree = std::move(from); // owns what its names refer to
    ASSERT_TRUE(tree.loop.has_value());
    EXPECT_EQ(tree.names[tree.loop->name], "i");
    EXPECT_EQ(tree.loop->name_begin, 28u);
    EXPECT_EQ(tree.text_of(tree.nodes[tree.loop->lo]), "2*n");
    EXPECT_EQ(tree.text_of(tree.nodes[tree.loop->hi]), "m");
    EXPECT_EQ(tree.text.substr(tree.loop->begin, tree.loop->end - tree.loop->begin), "for i in 2*n..m");
    const Node& root = tree.nodes[tree.root()];
    EXPECT_EQ(tree.text_of(root), "sum(k in 1..n: k*a) + a");
    const Node& sum = tree.child(root, 0);
    EXPECT_EQ(sum.kind, Kind::Sum);
    EXPECT_EQ(tree.name_of(sum), "k");
    EXPECT_EQ(tree.text_of(tree.child(sum, 0)), "1");
    EXPECT_EQ(tree.text_of(tree.child(sum, 1)), "n");
    EXPECT_EQ(tree.text_of(tree.child(sum, 2)), "k*a");
}

using namespace std::string_literals;

struct Wrong {
    std::string text;
    Fault fault;
    std::uint32_t begin, end;
    std::string message;
};

const std::vector<Wrong>& wrong_formulas() {
    const std::string value_after = "expected a value after ", value_before = "expected a value before ";
    const auto product = [](const std::string& s) {
        return "an operator is missing before '" + s + "': write '*' for a product";
    };
    static const std::vector<Wrong> table = {
        {"", Fault::Empty, 0, 0, "empty formula"},
        {" \n ", Fault::Empty, 0, 3, "empty formula"},
        {std::string(longest_text + 1, ' '), Fault::TooLong, longest_text, longest_text + 1,
         "the formula is longer than 16 MiB"},
        {"a $", Fault::UnknownCharacter, 2, 3, "unknown character '$'"},
        {"a\0b"s, Fault::UnknownCharacter, 1, 2, "unknown character '\\x00'"},
        {"\x1b[0m", Fault::UnknownCharacter, 0, 1, "unknown character '\\x1B'"},
        {"a\x7f", Fault::UnknownCharacter, 1, 2, "unknown character '\\x7F'"},
        {"a\xff", Fault::UnknownCharacter, 1, 2, "unknown character '\\xFF'"},
        {"\xe2\x88", Fault::UnknownCharacter, 0, 1, "unknown character '\\xE2'"},
        {"\xc0\xaf", Fault::UnknownCharacter, 0, 1, "unknown character '\\xC0'"},
        {"\xed\xa0\x80", Fault::UnknownCharacter, 0, 1, "unknown character '\\xED'"},
        {"a\u202e", Fault::UnknownCharacter, 1, 4, "unknown character 'U+202E'"},
        {"a \U0001F600", Fault::UnknownCharacter, 2, 6, "unknown character '\U0001F600'"},
        {"a \u2212 b", Fault::ForeignCharacter, 2, 5, "unknown character '\u2212'"},
        {"x\u2032", Fault::ForeignCharacter, 1, 4, "unknown character '\u2032'"},
        {"x\u2019", Fault::ForeignCharacter, 1, 4, "unknown character '\u2019'"},
        {"a\u00a0b", Fault::ForeignCharacter, 1, 3, "unknown character 'U+00A0'"},
        {"\u03b8", Fault::ForeignCharacter, 0, 2, "unknown character '\u03b8'"},
        {"{a}", Fault::ForeignCharacter, 0, 1, "unknown character '{'"},
        {"a = b", Fault::AssignmentSign, 2, 3, "'=' is not a comparison: write '=='"},
        {"a**b", Fault::ForeignOperator, 1, 3, "'**' is not an operator: write '^'"},
        {"a <> b", Fault::ForeignOperator, 2, 4, "'<>' is not an operator: write '!='"},
        {"a === b", Fault::ForeignOperator, 2, 5, "'===' is not an operator: write '=='"},
        {"a => b", Fault::ForeignOperator, 2, 4, "'=>' is not an operator: write '>='"},
        {"a && b", Fault::ForeignLogic, 2, 4, "'&&' is not known: write 'and'"},
        {"a || b", Fault::ForeignLogic, 2, 4, "'||' is not known: write 'or'"},
        {"a | b", Fault::ForeignLogic, 2, 3, "'|' is not known: write 'or'"},
        {"!a", Fault::Negation, 0, 1, "'!' is not known: write the opposite comparison"},
        {"not a", Fault::Negation, 0, 3, "'not' is not known: write the opposite comparison"},
        {"1e", Fault::BadNumber, 0, 2, "number '1e' is malformed"},
        {"2 + 1.5e-", Fault::BadNumber, 4, 9, "number '1.5e-' is malformed"},
        {"1.2.3", Fault::BadNumber, 0, 5, "number '1.2.3' is malformed"},
        {"1e5.5", Fault::BadNumber, 0, 5, "number '1e5.5' is malformed"},
        {"0x1F", Fault::BadNumber, 0, 4, "number '0x1F' is malformed"},
        {"1_000", Fault::BadNumber, 0, 5, "number '1_000' is malformed"},
        {"1." + repeated("0", 60) + ".", Fault::BadNumber, 0, 63,
         "number '1." + repeated("0", 38) + "...' is malformed"},
        {"a + 1e999999", Fault::NumberTooLarge, 4, 12, "number is too large"},
        {"1e99999999999999999999", Fault::NumberTooLarge, 0, 22, "number is too large"},
        {"1e-999999", Fault::NumberTooSmall, 0, 9, "number is too small"},
        {"a +", Fault::ValueAfter, 2, 3, value_after + "'+'"},
        {"-", Fault::ValueAfter, 0, 1, value_after + "'-'"},
        {"a + * b", Fault::ValueAfter, 2, 3, value_after + "'+'"},
        {"(a + )", Fault::ValueAfter, 3, 4, value_after + "'+'"},
        {"a and", Fault::ValueAfter, 2, 5, value_after + "'and'"},
        {"a < < b", Fault::ValueAfter, 2, 3, value_after + "'<'"},
        {"f(a,)", Fault::ValueAfter, 3, 4, value_after + "','"},
        {"()", Fault::ValueAfter, 0, 1, value_after + "'('"},
        {"(]", Fault::ValueAfter, 0, 1, value_after + "'('"},
        {"x for i in", Fault::ValueAfter, 8, 10, value_after + "'in'"},
        {"sum(i in 1..: i)", Fault::ValueAfter, 10, 12, value_after + "'..'"},
        {"sum(i in 1..n:)", Fault::ValueAfter, 13, 14, value_after + "':'"},
        {"* a", Fault::ValueBefore, 0, 1, value_before + "'*'"},
        {"(/ a)", Fault::ValueBefore, 1, 2, value_before + "'/'"},
        {"[, a]", Fault::ValueBefore, 1, 2, value_before + "','"},
        {"for i in 1..n", Fault::ValueBefore, 0, 3, value_before + "'for'"},
        {"in", Fault::ValueBefore, 0, 2, value_before + "'in'"},
        {"'x", Fault::PrimeAlone, 0, 1, "a prime needs a name in front of it"},
        {"a + '", Fault::PrimeAlone, 4, 5, "a prime needs a name in front of it"},
        {"a*(b + c", Fault::MissingClose, 2, 3, "')' is missing for this '('"},
        {"(a + (", Fault::MissingClose, 5, 6, "')' is missing for this '('"},
        {"sin(a", Fault::MissingClose, 3, 4, "')' is missing for this '('"},
        {"[a, b", Fault::MissingClose, 0, 1, "']' is missing for this '['"},
        {"x[i", Fault::MissingClose, 1, 2, "']' is missing for this '['"},
        {"sum(i in 1..n: i", Fault::MissingClose, 3, 4, "')' is missing for this '('"},
        {"(a]", Fault::WrongClose, 2, 3, "']' does not close '('"},
        {"x[f(a)) + b", Fault::WrongClose, 6, 7, "')' does not close '['"},
        {"a)", Fault::Unexpected, 1, 2, "unexpected ')'"},
        {"]", Fault::Unexpected, 0, 1, "unexpected ']'"},
        {"a, b", Fault::Unexpected, 1, 2, "unexpected ','"},
        {"(a, b)", Fault::Unexpected, 2, 3, "unexpected ','"},
        {"a : b", Fault::Unexpected, 2, 3, "unexpected ':'"},
        {"a.b", Fault::ForeignName, 0, 3, "'a.b' is not known: names have no dots"},
        {"a for i in 1..n: b", Fault::Unexpected, 15, 16, "unexpected ':'"},
        {"cos x", Fault::CallWithoutBrackets, 0, 5, "'cos' needs brackets around its argument"},
        {"2*sin 3", Fault::CallWithoutBrackets, 2, 7, "'sin' needs brackets around its argument"},
        {"np.cos(x)", Fault::ForeignName, 0, 6, "'np.cos' is not known: names have no dots"},
        {"x.dot^2", Fault::ForeignName, 0, 5, "'x.dot' is not known: names have no dots"},
        {"2x", Fault::MissingOperator, 0, 2, product("x")},
        {"2exp(x)", Fault::MissingOperator, 0, 4, product("exp")},
        {"2(x)", Fault::MissingOperator, 0, 2, product("(")},
        {"x y", Fault::MissingOperator, 0, 3, product("y")},
        {"x' 2", Fault::MissingOperator, 1, 4, product("2")},
        {"(a)(b)", Fault::MissingOperator, 2, 4, product("(")},
        {"(a)b", Fault::MissingOperator, 2, 4, product("b")},
        {"x'[i]", Fault::IndexOfValue, 1, 3, "only a name, a call or a bracket can be indexed"},
        {"x[i][j]", Fault::IndexOfValue, 3, 5, "only a name, a call or a bracket can be indexed"},
        {"A[1, 2][3, 4]", Fault::IndexOfValue, 6, 8, "only a name, a call or a bracket can be indexed"},
        {"A[1, 2, 3]", Fault::TooManyIndices, 6, 7, "an index has at most two parts"},
        {"1 + x[]", Fault::EmptyIndex, 4, 7, "'x' needs an index"},
        {"a*[ ]", Fault::EmptyList, 2, 5, "empty list"},
        {"1 + sin()", Fault::NeedsArgument, 4, 9, "'sin' needs an argument"},
        {"a < b < c", Fault::ChainedComparison, 6, 7, "comparisons cannot be chained: use 'and'"},
        {"a == b + 1 >= c", Fault::ChainedComparison, 11, 13, "comparisons cannot be chained: use 'and'"},
        {"1..n", Fault::RangeElsewhere, 1, 3, "unexpected '..'"},
        {"x[1..n]", Fault::RangeElsewhere, 3, 5, "unexpected '..'"},
        {"x for i in 1..2..3", Fault::RangeElsewhere, 15, 17, "unexpected '..'"},
        {"x for i in (n)", Fault::RangeMissing, 11, 14, "expected '..' after this lower bound"},
        {"sum(i in n: i)", Fault::RangeMissing, 9, 10, "expected '..' after this lower bound"},
        {"sum(i in n, i)", Fault::RangeMissing, 9, 10, "expected '..' after this lower bound"},
        {"sum(i in n)", Fault::RangeMissing, 9, 10, "expected '..' after this lower bound"},
        {"sum(i in 1..n)", Fault::ColonMissing, 13, 14, "expected ':' before ')'"},
        {"sum(i in 1..n, 2: 1)", Fault::ColonMissing, 13, 14, "expected ':' before ','"},
        {"sum(i in 1..n, j: 1)", Fault::ColonMissing, 13, 14, "expected ':' before ','"},
        {"sum(i in 1..n, j in 1..n)", Fault::ColonMissing, 24, 25, "expected ':' before ')'"},
        {"sum(i in 1..n, j in n: 1)", Fault::RangeMissing, 20, 21, "expected '..' after this lower bound"},
        {"sum(i < j: 1)", Fault::SumRange, 9, 10, "a sum needs a range before ':'"},
        {"a > 1 ? b : 0", Fault::QuestionMark, 6, 7, "'?' is not known: write if(condition, a, b)"},
        {"i in 1..n", Fault::InElsewhere, 2, 4, "unexpected 'in'"},
        {"sum(-i in 1..n: 1)", Fault::InElsewhere, 7, 9, "unexpected 'in'"},
        {"sum((i) in 1..n: 1)", Fault::InElsewhere, 8, 10, "unexpected 'in'"},
        {"sum(a, i in 1..n: 1)", Fault::InElsewhere, 9, 11, "unexpected 'in'"},
        {"max(i in 1..n: 1)", Fault::InElsewhere, 6, 8, "unexpected 'in'"},
        {"sum(x for i in 1..n)", Fault::ForInside, 6, 9, "'for' must end the whole formula"},
        {"x for i in 1..n for j in 1..n", Fault::ForTwice, 16, 19, "only one 'for' is allowed"},
        {"x for i in 1..n, j in 1..m, k in 1..l", Fault::LoopThird, 26, 27, "at most two indices follow 'for'"},
        {"x for 1..n", Fault::LoopName, 2, 5, "expected a name after 'for'"},
        {"x for i = 1", Fault::AssignmentSign, 8, 9, "'=' is not a comparison: write '=='"},
        {"x for i", Fault::LoopIn, 6, 7, "expected 'in' after 'for i'"},
    };
    return table;
}

TEST(Syntax, says_what_is_wrong_and_where) {
    std::set<Fault> seen;
    for (const Wrong& w : wrong_formulas()) {
        const std::string shown = w.text.substr(0, 60);
        try {
            const Tree tree = parse(w.text);
            ADD_FAILURE() << shown << " was read as " << to_text(tree);
        } catch (const SyntaxError& e) {
            EXPECT_EQ(e.fault, w.fault) << shown;
            EXPECT_EQ(e.what(), w.message) << shown;
            EXPECT_EQ(e.begin, w.begin) << shown;
            EXPECT_EQ(e.end, w.end) << shown;
            EXPECT_FALSE(e.remedy.empty()) << shown;
            EXPECT_EQ((e.what() + e.remedy).find("{0}"), std::string::npos) << shown;
            EXPECT_EQ((e.what() + e.remedy).find("{1}"), std::string::npos) << shown;
            seen.insert(e.fault);
        }
    }
#define FAULT(name, message, remedy) EXPECT_TRUE(seen.contains(Fault::name)) << "no example of: " << (message);
#include "../../src/expr/faults.def"
#undef FAULT
}

TEST(Syntax, says_what_to_write_instead) {
    const struct {
        const char *text, *remedy;
    } table[] = {
        {"a \u2212 b", "write '-'"},
        {"x\u2032", "write the apostrophe '"},
        {"x\u2019", "write the apostrophe '"},
        {"a\u00d7b", "write '*'"},
        {"\u03c0", "write 'pi'"},
        {"\u03b8", "write the letter's name, for example theta"},
        {"x\u00b2", "write '^2'"},
        {"a \u2264 b", "write '<='"},
        {"sin()", "write sin(x)"},
        {"x = 1", "an equation a = b is written a - b"},
        {"x'[i]", "write x[i]', not x'[i]; A[i, j], not A[i][j]"},
    };
    for (const auto& [text, remedy] : table) {
        try {
            parse(text);
            ADD_FAILURE() << text;
        } catch (const SyntaxError& e) { EXPECT_EQ(e.remedy, remedy) << text; }
    }
}

} // namespace
} // namespace rattleback::syntax
