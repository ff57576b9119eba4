// sin, cos, exp and log of double: error bounds against long double, special values, and what is left to the C library.
#include "expr/real_functions.hpp"
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rattleback {
namespace {

// Units in the last place between our value and a wider one.
double units(double got, long double expected) {
    int exponent = 0;
    std::frexp(static_cast<double>(expected), &exponent);
    return std::abs(static_cast<double>((static_cast<long double>(got) - expected) / std::ldexp(1.0L, exponent - 53)));
}

template <class F, class Wide> double worst(F f, Wide wide, double from, double to, bool as_exponent = false) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> within(from, to);
    double largest = 0;
    for (int i = 0; i < 400000; ++i) {
        const double x = as_exponent ? std::exp2(within(random)) : within(random);
        const double u = units(f(x), wide(static_cast<long double>(x)));
        if (!(u <= largest)) largest = u;
    }
    return largest;
}

TEST(Elementary, ErrorsAreWithinTheirBounds) {
    const auto sin = [](double x) { return real::sin(x); };
    const auto cos = [](double x) { return real::cos(x); };
    const auto exp = [](double x) { return real::exp(x); };
    const auto log = [](double x) { return real::log(x); };
    for (double range : {0.01, 1.0, 10.0, 1e4, 1e9}) {
        EXPECT_LT(worst(sin, sinl, -range, range), 0.8) << range;
        EXPECT_LT(worst(cos, cosl, -range, range), 0.8) << range;
    }
    for (double range : {0.01, 1.0, 700.0}) EXPECT_LT(worst(exp, expl, -range, range), 0.9) << range;
    EXPECT_LT(worst(log, logl, 0.5, 2), 0.9);
    EXPECT_LT(worst(log, logl, -1022, 1023, true), 0.9);
}

TEST(Elementary, OutsideTheirRangeTheyAreTheCLibrarys) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (double x : {1.1e9, -3e15, 1e300}) {
        EXPECT_EQ(real::sin(x), std::sin(x));
        EXPECT_EQ(real::cos(x), std::cos(x));
    }
    for (double x : {708.5, 709.9, -720.0, -800.0, infinity, -infinity}) EXPECT_EQ(real::exp(x), std::exp(x));
    for (double x : {5e-324, 1e-310, 0.0, infinity}) EXPECT_EQ(real::log(x), std::log(x));
    for (double x : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_TRUE(std::isnan(real::sin(x)));
        EXPECT_TRUE(std::isnan(real::cos(x)));
        EXPECT_TRUE(std::isnan(real::log(-x)));
    }
}

TEST(Elementary, AreExactWhereTheyCanBe) {
    EXPECT_EQ(real::sin(0.0), 0);
    EXPECT_EQ(real::cos(0.0), 1);
    EXPECT_EQ(real::exp(0.0), 1);
    EXPECT_EQ(real::log(1.0), 0);
    for (double x : {1e-300, -1e-300, 1e-9, 5e-324}) EXPECT_EQ(real::sin(x), x);
    EXPECT_EQ(real::sin(0x1.921fb54442d18p+1), 0x1.1a62633145c07p-53); // the double next to pi
}

} // namespace
} // namespace rattleback
