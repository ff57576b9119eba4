// One name for each elementary function over all scalars.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include <rattleback/real.hpp>

// RATTLEBACK_SCALARS(DO): DO(T) for every scalar T, once each. For explicit instantiations, which may not be repeated.
// RATTLEBACK_IN_QUAD(name): the function of the C library over quad, where quad is not long double.
#if defined(RATTLEBACK_QUAD_IS_LONG_DOUBLE)
#define RATTLEBACK_SCALARS(DO) DO(double) DO(rattleback::quad)
#else
#define RATTLEBACK_SCALARS(DO) DO(double) DO(long double) DO(rattleback::quad)
#if defined(RATTLEBACK_LIBQUADMATH)
#define RATTLEBACK_IN_QUAD(name) ::name##q
#else
// glibc's functions are declared here under names of our own: whether its headers declare them, and with which type
// (_Float128 or __float128), depends on the versions of glibc and of the compiler. What is called is the same.
#define RATTLEBACK_IN_QUAD(name) ::rattleback_##name##f128
#define RATTLEBACK_F128_1(name)                                                                                        \
    extern "C" rattleback::quad rattleback_##name##f128(rattleback::quad) noexcept __asm__(#name "f128");
#define RATTLEBACK_F128_2(name)                                                                                        \
    extern "C" rattleback::quad rattleback_##name##f128(rattleback::quad,                                              \
                                                        rattleback::quad) noexcept __asm__(#name "f128");
RATTLEBACK_F128_1(sin)
RATTLEBACK_F128_1(cos)
RATTLEBACK_F128_1(tan)
RATTLEBACK_F128_1(asin)
RATTLEBACK_F128_1(acos)
RATTLEBACK_F128_1(atan)
RATTLEBACK_F128_1(sinh)
RATTLEBACK_F128_1(cosh)
RATTLEBACK_F128_1(tanh)
RATTLEBACK_F128_1(exp)
RATTLEBACK_F128_1(log)
RATTLEBACK_F128_1(sqrt)
RATTLEBACK_F128_1(fabs)
RATTLEBACK_F128_1(erf)
RATTLEBACK_F128_1(floor)
RATTLEBACK_F128_2(atan2)
RATTLEBACK_F128_2(pow)
RATTLEBACK_F128_2(hypot)
#undef RATTLEBACK_F128_1
#undef RATTLEBACK_F128_2
#endif
#endif

namespace rattleback {
namespace real {

// Of double: our own, the same bits in machine code of any width; error bounds in src/expr/elementary.hpp.
double sin(double x);
double cos(double x);
double exp(double x);
double log(double x);

#ifdef RATTLEBACK_QUAD_IS_LONG_DOUBLE
#define RATTLEBACK_REAL_QUAD_1(name, std_name)
#define RATTLEBACK_REAL_QUAD_2(name)
#else
#define RATTLEBACK_REAL_QUAD_1(name, std_name)                                                                         \
    inline quad name(quad x) { return RATTLEBACK_IN_QUAD(std_name)(x); }
#define RATTLEBACK_REAL_QUAD_2(name)                                                                                   \
    inline quad name(quad x, quad y) { return RATTLEBACK_IN_QUAD(name)(x, y); }
#endif
#define RATTLEBACK_REAL_WIDE(name, std_name)                                                                           \
    inline long double name(long double x) { return std::std_name(x); }                                                \
    RATTLEBACK_REAL_QUAD_1(name, std_name)
#define RATTLEBACK_REAL_1(name, std_name)                                                                              \
    inline double name(double x) { return std::std_name(x); }                                                          \
    RATTLEBACK_REAL_WIDE(name, std_name)
#define RATTLEBACK_REAL_2(name)                                                                                        \
    inline double name(double x, double y) { return std::name(x, y); }                                                 \
    inline long double name(long double x, long double y) { return std::name(x, y); }                                  \
    RATTLEBACK_REAL_QUAD_2(name)
RATTLEBACK_REAL_WIDE(sin, sin)
RATTLEBACK_REAL_WIDE(cos, cos)
RATTLEBACK_REAL_1(tan, tan)
RATTLEBACK_REAL_1(asin, asin)
RATTLEBACK_REAL_1(acos, acos)
RATTLEBACK_REAL_1(atan, atan)
RATTLEBACK_REAL_1(sinh, sinh)
RATTLEBACK_REAL_1(cosh, cosh)
RATTLEBACK_REAL_1(tanh, tanh)
RATTLEBACK_REAL_WIDE(exp, exp)
RATTLEBACK_REAL_WIDE(log, log)
RATTLEBACK_REAL_1(sqrt, sqrt)
RATTLEBACK_REAL_1(abs, fabs)
RATTLEBACK_REAL_1(erf, erf)
RATTLEBACK_REAL_1(floor, floor)
RATTLEBACK_REAL_2(atan2)
RATTLEBACK_REAL_2(pow)
RATTLEBACK_REAL_2(hypot)
#undef RATTLEBACK_REAL_1
#undef RATTLEBACK_REAL_WIDE
#undef RATTLEBACK_REAL_2
#undef RATTLEBACK_REAL_QUAD_1
#undef RATTLEBACK_REAL_QUAD_2

// A tolerance that was chosen for binary128, as much larger as the round-off of quad is.
constexpr double in_round_off(double of_binary128) {
    return of_binary128 * (static_cast<double>(Real<quad>::epsilon) * 0x1p112);
}

// Finite means neither infinite nor NaN: x - x is 0 for exactly those numbers, in every scalar.
template <class T> bool is_finite(T x) { return x - x == T(0); }

inline quad pi() { return acos(static_cast<quad>(-1)); }
inline quad two_over_sqrt_pi() { return 2 / sqrt(pi()); }

// In double near 0, a fixed number of terms: what machine code computes too.
bool has_stumpff_series(double order, double u);
double stumpff_series(double order, double u);

// c_k(u) = sum_j (-u)^j / (k + 2j)!. While u is small against (k+1)(k+2) the terms fall from the start and the series
// loses nothing; beyond, the recursion c_{k+2} = (1/k! - c_k)/u from cos and sin does not cancel.
template <class T> T stumpff(T order, T u) {
    if constexpr (std::is_same_v<T, double>)
        if (has_stumpff_series(order, u)) return stumpff_series(order, u);
    if (!(order >= T(0) && order <= T(64)) || order != floor(order)) return std::numeric_limits<double>::quiet_NaN();
    const int k = static_cast<int>(order);
    T factorial = 1;
    for (int j = 2; j <= k; ++j) factorial *= T(j);
    if (abs(u) <= T((k + 1) * (k + 2))) {
        T term = 1 / factorial, sum = term;
        for (int j = k + 1; j < k + 2000; j += 2) {
            term *= -u / (T(j) * T(j + 1));
            const T next = sum + term;
            if (next == sum) break;
            sum = next;
        }
        return sum;
    }
    const T root = sqrt(abs(u));
    T value = k % 2 == 0 ? (u > T(0) ? cos(root) : cosh(root)) : (u > T(0) ? sin(root) : sinh(root)) / root;
    factorial = 1;
    for (int j = k % 2; j < k; j += 2) {
        value = (1 / factorial - value) / u;
        factorial *= T(j + 1) * T(j + 2);
    }
    return value;
}

} // namespace real
} // namespace rattleback
