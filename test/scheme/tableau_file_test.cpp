// Tableaus from files: what is read, what is claimed from it, and the exact text of every refusal.
#include "expr/real_functions.hpp"
#include "scheme/tableau_file.hpp"

#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cstdio>
#include <fstream>

namespace rattleback {
namespace {

const char* write(const std::string& text) { // messages name the file: it lies where the test runs, until it ends
    static const struct Gone {
        ~Gone() { std::remove("t.toml"); }
    } gone;
    std::ofstream("t.toml") << text;
    return "t.toml";
}
std::string refusal(const std::string& text) {
    try {
        read_tableau(write(text));
        return "";
    } catch (const BadMethod& e) { return e.what(); }
}
Answer claimed(const std::string& text, Property property) {
    const MethodName name = parse_methods(std::string("rk:tableau=") + write(text))[0];
    for (const Claim& c : find_scheme("rk").claims(name.options))
        if (c.property == property) return c.answer;
    return Answer::unknown;
}
int claimed_order(const std::string& text) {
    return find_scheme("rk").order(parse_methods(std::string("rk:tableau=") + write(text))[0].options);
}

TEST(TableauFiles, AreReadWithAllDigitsOfQuad) {
    const Tableau t = read_tableau(write("name = \"Gauss 2\"\nreference = \"Kuntzmann 1961\"\n"
                                         "A = [[0.25, \"1/4 - sqrt(3)/6\"],\n     [\"1/4 + sqrt(3)/6\", 0.25]]\n"
                                         "b = [\"1/2\", 0.5]\n"));
    const Tableau expected = gauss(2);
    ASSERT_EQ(t.stages(), 2);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LE(static_cast<double>(real::abs(t.c[i] - expected.c[i])), 1e-33); // c: the row sums of A
        for (std::size_t j = 0; j < 2; ++j)
            EXPECT_LE(static_cast<double>(real::abs(t.a[i][j] - expected.a[i][j])), 1e-33);
    }
    EXPECT_EQ(read_tableau(write("A = [[0.1]]\nb = [1]\nc = [\"1/10\"]\n")).a[0][0], static_cast<quad>(1) / 10);
}

TEST(TableauFiles, TellWhatTheMethodPreserves) {
    const std::string dirk = "A = [[\"1/8\", 0], [\"1/4\", \"3/8\"]]\nb = [\"1/4\", \"3/4\"]\n",
                      trapezoidal = "A = [[0, 0], [0.5, 0.5]]\nb = [0.5, 0.5]\n",
                      heun = "A = [[0, 0], [1, 0]]\nb = [0.5, 0.5]\n";
    EXPECT_EQ(claimed(dirk, Property::symplectic), Answer::yes);
    EXPECT_EQ(claimed(dirk, Property::symmetric), Answer::no);
    EXPECT_EQ(claimed(trapezoidal, Property::symplectic), Answer::no);
    EXPECT_EQ(claimed(trapezoidal, Property::symmetric), Answer::yes);
    EXPECT_EQ(claimed(heun, Property::symplectic), Answer::no);
    EXPECT_EQ(claimed(heun, Property::symmetric), Answer::no);
    for (const auto& text : {dirk, trapezoidal, heun}) EXPECT_EQ(claimed_order(text), 2);
}

struct Refused {
    const char *text, *message;
};
class TableauRefusals : public testing::TestWithParam<Refused> {};
TEST_P(TableauRefusals, HaveTheirText) { EXPECT_EQ(refusal(GetParam().text), GetParam().message); }

const Refused refusals[] = {
    {"A = [[0.5]]\n", "t.toml: a tableau needs A and b\n     = write A = [[0.5]] and b = [1]"},
    {"b = [1]\n", "t.toml: a tableau needs A and b\n     = write A = [[0.5]] and b = [1]"},
    {"A = [[0.5]]\nb = [1]\nd = [1]\n", "t.toml:3:1: unknown key 'd' in a tableau\n"
                                        "   3 | d = [1]\n     | ^\n     = known keys: A, b, c, name, reference"},
    {"A = 1\nb = [1]\n", "t.toml:1:5: A must have 1 rows, as many as b has coefficients\n   1 | A = 1\n     |     ^"},
    {"A = [[0.5], [0.5]]\nb = [1]\n", "t.toml:1:5: A must have 1 rows, as many as b has coefficients\n"
                                      "   1 | A = [[0.5], [0.5]]\n     |     ^~~~~~~~~~~~~~"},
    {"A = [0.5]\nb = [1]\n", "t.toml:1:6: a list of coefficients is needed here\n   1 | A = [0.5]\n     |      ^~~"},
    {"A = [[0.5]]\nb = 1\n", "t.toml:2:5: a list of coefficients is needed here\n   2 | b = 1\n     |     ^"},
    {"A = [[0.5]]\nb = []\n", "t.toml:2:5: a tableau has 1 to 64 stages\n   2 | b = []\n     |     ^~"},
    {"A = [[0, 0], [1]]\nb = [0.5, 0.5]\n", "t.toml:1:14: this list has 1 coefficients; b has 2\n"
                                            "   1 | A = [[0, 0], [1]]\n     |              ^~~"},
    {"A = [[0.5]]\nb = [1]\nc = [0, 1]\n", "t.toml:3:5: this list has 2 coefficients; b has 1\n"
                                           "   3 | c = [0, 1]\n     |     ^~~~~~"},
    {"A = [[0.5]]\nb = [\"x\"]\n", "t.toml:2:6: unknown name 'x'\n   2 | b = [\"x\"]\n     |      ^~~"},
    {"A = [[0.5]]\nb = [true]\n", "t.toml:2:6: a coefficient is a number or a formula in quotes\n"
                                  "   2 | b = [true]\n     |      ^~~~"},
    {"A = [[\"1/0\"]]\nb = [1]\n", "t.toml:1:7: 1/0 is not a finite number\n"
                                   "   1 | A = [[\"1/0\"]]\n     |       ^~~~~"},
    {"A = [[\"1/2 +\"]]\nb = [1]\n", "t.toml:1:7: expected a value after '+'\n"
                                     "   1 | A = [[\"1/2 +\"]]\n     |       ^~~~~~~"},
    {"A = [[inf]]\nb = [1]\n", "t.toml:1:7: unknown name 'inf'\n   1 | A = [[inf]]\n     |       ^~~"},
    {"", "t.toml: the file is empty; a tableau needs A and b\n     = write A = [[0.5]] and b = [1]"},
    {"A = [[0.5]]\nb = [1]\nname = 3\n", "t.toml:3:8: name must be a text in quotes\n   3 | name = 3\n"
                                         "     |        ^\n     = write name = \"...\""},
    // order and symmetry would be claimed that it has not: with this c midpoint has order 1
    {"A = [[0.5]]\nb = [1]\nc = [0.7]\n", "t.toml:3:6: c must be the row sums of A; row 1 adds up to 0.5\n"
                                          "   3 | c = [0.7]\n     |      ^~~\n     = leave c out, and it is computed"},
    {"A = [[0.5]]\nb = [0.9]\n", "t.toml:2:5: the weights b must add up to 1\n   2 | b = [0.9]\n     |     ^~~~~"},
};
INSTANTIATE_TEST_SUITE_P(All, TableauRefusals, testing::ValuesIn(refusals));

TEST(TableauFiles, MustExist) {
    try {
        read_tableau("nowhere.toml");
        FAIL();
    } catch (const BadMethod& e) {
        EXPECT_STREQ(e.what(), "nowhere.toml: cannot open the file\n     = check the name and the permissions");
    }
}

TEST(TableauFiles, HaveAtMost64Stages) {
    std::string rows, weights;
    for (int i = 0; i < 65; ++i) rows += "[], ", weights += "0, ";
    EXPECT_EQ(refusal("A = [" + rows + "]\nb = [" + weights + "]\n").substr(0, 44),
              "t.toml:2:5: a tableau has 1 to 64 stages\n   ");
}

// Gauss with its stages in another order is the same method.
TEST(TableauFiles, MayHaveTheirStagesInAnyOrder) {
    const Tableau g = gauss(5);
    std::string A, b;
    const std::size_t order[] = {1, 0, 4, 2, 3};
    for (std::size_t i : order) {
        A += "[";
        for (std::size_t j : order) A += real::to_text(g.a[i][j], 36) + ", ";
        A += "], ";
        b += real::to_text(g.b[i], 36) + ", ";
    }
    const std::string text = "A = [" + A + "]\nb = [" + b + "]\n";
    EXPECT_EQ(claimed(text, Property::symplectic), Answer::yes);
    EXPECT_EQ(claimed(text, Property::symmetric), Answer::yes);
    EXPECT_EQ(claimed_order(text), 8);
}

// Lobatto IIIA of order 4 is symmetric, and stays so in another order; with one coefficient changed it is not.
TEST(TableauFiles, ArePairedOnlyWhereAllConditionsHold) {
    const std::string b = "b = [\"2/3\", \"1/6\", \"1/6\"]\n"; // stages at 1/2, 0, 1
    EXPECT_EQ(claimed("A = [[\"1/3\", \"5/24\", \"-1/24\"], [0, 0, 0], [\"2/3\", \"1/6\", \"1/6\"]]\n" + b,
                      Property::symmetric),
              Answer::yes);
    EXPECT_EQ(claimed("A = [[\"1/4\", \"7/24\", \"-1/24\"], [0, 0, 0], [\"2/3\", \"1/6\", \"1/6\"]]\n" + b,
                      Property::symmetric),
              Answer::no);
}

} // namespace
} // namespace rattleback
