// Numbers of CSV files against std::to_chars, which shares no code with what writes them.
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "output/number_text.hpp"

namespace rattleback {
namespace {

std::string expected(double x) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, 17).ptr};
}
std::string written(double x) {
    char text[longest_number + 1];
    text[longest_number] = '#';
    const std::string s(text, write_number(text, x));
    EXPECT_EQ(text[longest_number], '#') << "it wrote too far";
    return s;
}

// Of 17 digits and of few, at both ends of every decade, and halves of the last digit.
TEST(NumberText, IsThatOfToChars) {
    std::mt19937_64 random(7);
    const auto check = [&](double x) {
        ASSERT_EQ(written(x), expected(x));
        ASSERT_EQ(written(-x), expected(-x));
    };
    for (int i = 0; i < 400'000; ++i) check(std::bit_cast<double>(random()));
    std::normal_distribution<double> normal;
    for (int i = 0; i < 400'000; ++i) check(normal(random));
    for (int i = 0; i < 100'000; ++i) check(static_cast<double>(random() % 1'000'000) / 1000);
    for (int i = 0; i < 100'000; ++i) check(static_cast<double>(random() >> random() % 64)); // halves beyond 2^53
    for (int i = 0; i < 100'000; ++i) // digits that end in 5 behind the 17th
        check(std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 60)));
    using Limits = std::numeric_limits<double>;
    for (int k = -324; k <= 308; ++k) {
        double x = std::strtod(("1e" + std::to_string(k)).c_str(), nullptr);
        for (int i = 0; i < 20; ++i) x = std::nextafter(x, 0);
        for (int i = 0; i < 40; ++i, x = std::nextafter(x, Limits::infinity())) check(x);
    }
    for (double x : {0.0, Limits::max(), Limits::min(), Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()})
        check(x);
}

TEST(NumberText, HasNoZerosAtItsEnd) {
    EXPECT_EQ(written(0.5), "0.5");
    EXPECT_EQ(written(1200), "1200");
    EXPECT_EQ(written(0.1), "0.10000000000000001");
    EXPECT_EQ(written(1e17), "1e+17");
    EXPECT_EQ(written(-1e-5), "-1.0000000000000001e-05");
    EXPECT_EQ(written(9007199254740993.0), "9007199254740992");
}

} // namespace
} // namespace rattleback
