// Formulas that are shown: the same function, in fewer terms.
#include <gtest/gtest.h>

#include <random>

#include "evidence/tidy.hpp"

namespace rattleback {
namespace {

struct Letters {
    std::shared_ptr<Graph> graph = new_graph();
    Expr x = graph->symbol("x"), y = graph->symbol("y"), m = graph->symbol("m");
    Expr s = fn::sin(x), c = fn::cos(x);
    Tidy tidy{*graph};
};

TEST(Tidy, CollectsTermsAndPowers) {
    Letters l;
    EXPECT_EQ(l.tidy.text((l.x + l.y) * (l.x - l.y) + l.y * l.y), "x^2");
    EXPECT_EQ(l.tidy.text(l.m / 2 * (l.x * l.x) * 3), "1.5*x^2*m");
    EXPECT_EQ(l.tidy.text((l.x + l.y) - l.y - l.x), "0");
}

TEST(Tidy, KnowsSineAndCosine) {
    Letters l;
    EXPECT_EQ(l.tidy.text(l.m * l.s * l.s + l.m * l.c * l.c), "m");
    EXPECT_EQ(l.tidy.text(l.y * l.y * (1 + fn::tan(l.x) * fn::tan(l.x))), "y^2/cos(x)^2");
    EXPECT_EQ(l.tidy.text(1 - l.s * l.s), "cos(x)^2") << "whichever form is shorter";
    EXPECT_EQ(l.tidy.text(1 - l.c * l.c), "sin(x)^2");
}

TEST(Tidy, DividesOutWhatItCan) {
    Letters l;
    const Expr d = 1 + l.y * l.y;
    EXPECT_EQ(l.tidy.text(2 * l.x * l.y * l.y / d - 2 * l.x), "-2*x/(y^2 + 1)");
    EXPECT_EQ(l.tidy.text(2 * l.y / d - 2 * l.y * l.y * l.y / (d * d)), "2*y/(y^2 + 1)^2");
    EXPECT_EQ(l.tidy.text((l.x * l.x - l.y * l.y) / (l.x - l.y)), "x + y");
}

TEST(Tidy, LeavesWhatWouldGetTooLong) {
    Letters l;
    Expr power = l.x + l.y + l.m;
    for (int k = 0; k < 40; ++k) power = power * power; // 2^40 factors
    EXPECT_EQ(l.tidy(power), power);
    const Expr nothing = l.x / (l.y - l.y + Expr(0) * l.x);
    EXPECT_EQ(l.tidy(nothing), nothing) << "a division by 0 is left as it is written";
}

TEST(Tidy, WritesLatex) {
    Letters l;
    EXPECT_EQ(l.tidy.text(l.x * l.y / (1 + l.y * l.y) - 2 * l.s, true),
              "\\frac{{x} \\, {y}}{{y^{2} + 1}} - 2 \\, {\\sin\\left(x\\right)}");
}

// Formulas at random, beside their tidied forms at a point, in quad.
TEST(Tidy, KeepsTheValue) {
    std::mt19937 random(7);
    const auto any = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int k = 0; k < 1000; ++k) {
        Letters l;
        std::vector<Expr> parts{l.x, l.y, l.m, l.s, l.c, Expr(2), fn::sin(l.y), fn::cos(l.y)};
        for (int i = 0; i < 14; ++i) {
            const Expr a = parts[static_cast<std::size_t>(any(static_cast<int>(parts.size())))],
                       b = parts[static_cast<std::size_t>(any(static_cast<int>(parts.size())))];
            const int how = any(5);
            parts.push_back(how == 0   ? a + b
                            : how == 1 ? a - b
                            : how == 2 ? a * b
                            : how == 3 ? a / (2 + b * b)
                                       : pow(a, 2));
        }
        const Expr f = parts.back(), g = l.tidy(f);
        const auto at = [&](const Expr& e) {
            return *substitute(e, {{Vec({{"", l.x}, {"", l.y}, {"", l.m}}),
                                    Vec({{"", Expr(0.37)}, {"", Expr(-0.81)}, {"", Expr(1.43)}})}})
                        .constant();
        };
        EXPECT_LE(static_cast<double>(real::abs(at(f) - at(g)) / (1 + real::abs(at(f)))), 1e-26)
            << to_text(f) << " became " << to_text(g);
    }
}

} // namespace
} // namespace rattleback
