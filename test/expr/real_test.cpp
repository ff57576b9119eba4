// The scalars, whatever the platform makes of quad: its round-off, its exponents, its digits as text.
#include "expr/real_functions.hpp"
#include <gtest/gtest.h>

#include "expr/binary.hpp"

namespace rattleback {
namespace {

template <class T> class Scalar : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(Scalar, Scalars);

TYPED_TEST(Scalar, EpsilonIsTheLastDigitOfOne) {
    const TypeParam one = 1, epsilon = Real<TypeParam>::epsilon;
    EXPECT_TRUE(one + epsilon > one);
    EXPECT_TRUE(one + epsilon / 2 == one);
    TypeParam power = 1;
    for (int i = 1; i < Real<TypeParam>::digits; ++i) power /= 2;
    EXPECT_TRUE(power == epsilon);
}

TYPED_TEST(Scalar, ExponentsAreReadFromTheBits) {
    using B = Binary<TypeParam>;
    EXPECT_EQ(B::exponent(0), 0);
    EXPECT_EQ(B::exponent(1), B::bias);
    EXPECT_EQ(B::exponent(-7), B::bias + 2);
    EXPECT_EQ(B::exponent(Real<TypeParam>::epsilon), B::bias - (Real<TypeParam>::digits - 1));
    EXPECT_EQ(B::exponent(Real<TypeParam>::largest), 2 * B::bias);
    EXPECT_EQ(B::exponent(Real<TypeParam>::nan), 2 * B::bias + 1);
    EXPECT_EQ(B::exponent(2 * Real<TypeParam>::largest), 2 * B::bias + 1);
    for (int e : {-40, -1, 0, 1, 40}) {
        EXPECT_TRUE(B::power(B::bias + e) == static_cast<TypeParam>(std::ldexp(1.0, e)));
        EXPECT_EQ(B::exponent(B::power(B::bias + e)), B::bias + e);
    }
}

TEST(Quad, IsTheWidestScalar) {
    EXPECT_GE(Real<quad>::digits, Real<long double>::digits);
    if (Real<quad>::digits == 113) {
        EXPECT_EQ(real::in_round_off(1e-24), 1e-24);
    } else {
        EXPECT_GT(real::in_round_off(1e-24), 1e-24);
    }
}

// Functions of the C library in quad: right to a few of its last digits, so that they are not those of a narrower type.
TEST(Quad, ItsFunctionsHaveAllItsDigits) {
    const quad x = static_cast<quad>(2) / 3, slack = 8 * Real<quad>::epsilon;
    const auto is_one = [&](quad y) { return real::abs(y - 1) <= slack; };
    EXPECT_TRUE(is_one(real::sin(x) * real::sin(x) + real::cos(x) * real::cos(x)));
    EXPECT_TRUE(is_one(real::exp(x) * real::exp(-x)));
    EXPECT_TRUE(is_one(real::log(real::exp(x)) / x));
    EXPECT_TRUE(is_one(real::sqrt(x) * real::sqrt(x) / x));
    EXPECT_TRUE(is_one(real::pow(x, static_cast<quad>(3)) / (x * x * x)));
    EXPECT_TRUE(is_one(real::tan(real::atan(x)) / x));
    EXPECT_TRUE(is_one(real::hypot(3 * x, 4 * x) / (5 * x)));
    EXPECT_TRUE(is_one(real::cosh(x) * real::cosh(x) - real::sinh(x) * real::sinh(x)));
}

TEST(Quad, IsWrittenAndReadWithAllItsDigits) {
    for (const quad x : {static_cast<quad>(1) / 3, real::pi(), -real::exp(static_cast<quad>(30))}) {
        EXPECT_TRUE(real::parse(real::to_text(x, Real<quad>::digits10).c_str()) == x);
        EXPECT_EQ(static_cast<double>(real::parse(real::to_text(x).c_str())), static_cast<double>(x));
    }
}

} // namespace
} // namespace rattleback
