// Formulas that nobody would write by hand: very deep ones, very long ones, random ones.
#include "syntax_text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace rattleback::syntax {
namespace {

constexpr int million = 1000000;

std::string repeated(std::string_view piece, int times = million) {
    std::string out;
    out.reserve(piece.size() * static_cast<std::size_t>(times));
    for (int k = 0; k < times; ++k) out += piece;
    return out;
}

TEST(SyntaxLarge, depth_and_length_are_no_limit) {
    const struct {
        const char* what;
        std::string text;
        std::size_t nodes;
    } table[] = {
        {"brackets", repeated("(") + "x" + repeated(")"), 1},
        {"calls", repeated("sin(") + "x" + repeated(")"), million + 1},
        {"lists", repeated("[") + "x" + repeated("]"), million + 1},
        {"indices", repeated("x[") + "1" + repeated("]"), million + 1},
        {"sums", repeated("sum(i in 1..n:", million / 4) + "x" + repeated(")", million / 4), 3 * million / 4 + 1},
        {"terms", "x" + repeated(" + x"), 2 * million + 1},
        {"numbers", "1" + repeated("*1.5"), 2 * million + 1},
        {"minus signs", repeated("-") + "x", million + 1},
        {"plus signs", repeated("+") + "x", 1},
        {"powers", repeated("a^") + "b", 2 * million + 1},
        {"primes", "x" + repeated("'"), million + 1},
        {"arguments", "f(x" + repeated(",x") + ")", million + 2},
        {"one name", repeated("x"), 1},
    };
    for (const auto& [what, text, nodes] : table) {
        const Tree tree = parse(text);
        EXPECT_EQ(tree.nodes.size(), nodes) << what;
        EXPECT_GE(to_text(tree).size(), nodes) << what; // nor does writing recurse
    }
}

TEST(SyntaxLarge, unclosed_brackets_are_found) {
    for (const std::string& text : {repeated("("), repeated("sin("), repeated("[") + "x", repeated("-(")})
        EXPECT_THROW(parse(text), SyntaxError);
}

// A random formula, written twice: with all brackets, as to_text promises, and with only those that the grammar in
// syntax.hpp demands, plus blanks, needless brackets and needless plus signs at random.
struct Written {
    std::string full, sparing;
    int level = 8; // of its outermost operator: 1 or, 2 and, 3 comparison, 4 sum, 5 product, 6 sign, 7 power, 8 closed
};

class Generator {
  public:
    explicit Generator(unsigned seed) : random_(seed) {}

    Written formula(int depth) {
        if (depth == 0 || one_in(8)) return leaf();
        switch (below(13)) {
        case 0: return two_sided(depth, "or", 1, 1, 2);
        case 1: return two_sided(depth, "and", 2, 2, 3);
        case 2: return two_sided(depth, pick({"<", "<=", ">", ">=", "==", "!="}), 3, 4, 4);
        case 3:
        case 4: return two_sided(depth, pick({"+", "-"}), 4, 4, 5);
        case 5:
        case 6: return two_sided(depth, pick({"*", "/"}), 5, 5, 6);
        case 7: return two_sided(depth, "^", 7, 8, 6);
        case 8: return minus(depth);
        case 9: return prime(depth);
        case 10: return bracketed(depth, pick({"f", "if", "sum", "atan2"}) + "(", ")", 1 + below(3));
        case 11: return bracketed(depth, pick({"x[", "A["}), "]", 1 + below(2));
        default: return one_in(2) ? bracketed(depth, "[", "]", 1 + below(3)) : sum(depth);
        }
    }

    Written with_loop(int depth) {
        Written body = formula(depth), bounds = range(depth);
        return {body.full + " for i in " + bounds.full, body.sparing + " for i in " + bounds.sparing};
    }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool one_in(int n) { return below(n) == 0; }
    std::string pick(std::initializer_list<const char*> words) {
        return words.begin()[below(static_cast<int>(words.size()))];
    }
    std::string blank() { return pick({"", "", " ", "\n\t"}); }

    std::string at_level(const Written& w, int least) {
        std::string text = w.sparing;
        if (w.level < least || one_in(10)) text = "(" + blank() + text + blank() + ")";
        if (least <= 6 && one_in(10)) text = "+" + blank() + text;
        return text;
    }
    Written leaf() {
        const std::string word = pick({"x", "y_1", "theta", "i", "order", "0", "1", "2.", ".5", "1e-3", "1.5E+2"});
        return {word, word};
    }
    Written two_sided(int depth, const std::string& op, int level, int left, int right) {
        const Written a = formula(depth - 1), b = formula(depth - 1);
        const std::string gap = level <= 2 ? " " : blank();
        return {"(" + a.full + " " + op + " " + b.full + ")", at_level(a, left) + gap + op + gap + at_level(b, right),
                level};
    }
    Written minus(int depth) {
        const Written a = formula(depth - 1);
        return {"(-" + a.full + ")", "-" + blank() + at_level(a, 6), 6};
    }
    Written prime(int depth) {
        const Written a = formula(depth - 1);
        return {a.full + "'", at_level(a, 8) + blank() + "'"};
    }
    Written bracketed(int depth, const std::string& open, const std::string& close, int count) {
        Written out{open, open + blank()};
        for (int k = 0; k < count; ++k) {
            const Written a = formula(depth - 1);
            out.full += (k > 0 ? ", " : "") + a.full;
            out.sparing += (k > 0 ? "," + blank() : "") + at_level(a, 0) + blank();
        }
        return {out.full + close, out.sparing + close};
    }
    Written range(int depth) {
        const Written lo = formula(depth - 1), hi = formula(depth - 1);
        const std::string low = at_level(lo, 0);
        return {lo.full + " .. " + hi.full,
                low + (low.ends_with('.') ? " " : blank()) + ".." + blank() + at_level(hi, 0)};
    }
    Written sum(int depth) {
        const Written bounds = range(depth), body = formula(depth - 1);
        return {"sum(k in " + bounds.full + ": " + body.full + ")",
                "sum(" + blank() + "k in " + bounds.sparing + blank() + ":" + blank() + at_level(body, 0) + ")"};
    }

    std::mt19937 random_;
};

TEST(SyntaxProperty, few_brackets_and_all_brackets_are_the_same_tree) {
    for (unsigned seed = 0; seed < 20000; ++seed) {
        Generator generator(seed);
        const int depth = static_cast<int>(seed % 6);
        const Written w = seed % 10 == 0 ? generator.with_loop(depth + 1) : generator.formula(depth);
        ASSERT_EQ(to_text(parse(w.sparing)), w.full) << "seed " << seed << ": " << w.sparing;
        ASSERT_EQ(to_text(parse(w.full)), w.full) << "seed " << seed;
    }
}

// One byte changed: either a formula or an error inside the text, nothing else.
TEST(SyntaxProperty, damaged_formulas_are_read_or_refused) {
    int refused = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        std::string text = Generator(seed).formula(4).sparing;
        std::mt19937 random(seed);
        text[random() % text.size()] = " ()[],.:'+*=<!e1x\xe2\0"[random() % 19];
        try {
            const Tree tree = parse(text);
            ASSERT_EQ(to_text(parse(to_text(tree))), to_text(tree)) << text;
        } catch (const SyntaxError& e) {
            ++refused;
            ASSERT_LE(e.begin, e.end) << text;
            ASSERT_LE(e.end, text.size()) << text;
        }
    }
    EXPECT_GT(refused, 1000);
}

} // namespace
} // namespace rattleback::syntax
