// What a factorization says about itself, and the exact scaling of rows that every solver here shares.
#pragma once

#include <rattleback/real.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace rattleback::solve {

// growth: the largest number met in the elimination, every row of the matrix having been scaled to a largest in [1, 2).
struct Outcome {
    bool ok = true;
    int index = -1; // where it failed: the column that has no pivot
    double growth = 1;
    bool is_row = false; // index is not a column but a row, which is zero or has a NaN or an infinity
};

// A pivot at or below this, in rows of size one, is round-off.
template <class T> T smallest_pivot(int n) { return T(8) * Real<T>::epsilon * T(n); }

// Exponents are read from the bits: cheaper than comparing numbers, quads above all, and NaN and infinity have the
// largest of all exponents, so that one maximum over a row finds both its size and whether it is finite.
template <class T> struct Binary;

template <> struct Binary<double> {
    static constexpr int bias = 1023;
    static int exponent(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff); }
    static double power(int biased) { return std::bit_cast<double>(static_cast<std::uint64_t>(biased) << 52); }
};

template <> struct Binary<long double> {
    static constexpr int bias = 16383;
    static int exponent(long double x) {
        std::uint16_t top;
        std::memcpy(&top, reinterpret_cast<const char*>(&x) + 8, sizeof top);
        return top & 0x7fff;
    }
    static long double power(int biased) { return std::ldexp(1.0L, biased - bias); }
};

template <> struct Binary<quad> {
    static constexpr int bias = 16383;
    using Words = std::array<std::uint64_t, 2>;
    static int exponent(quad x) { return static_cast<int>(std::bit_cast<Words>(x)[1] >> 48 & 0x7fff); }
    static quad power(int biased) { return std::bit_cast<quad>(Words{0, static_cast<std::uint64_t>(biased) << 48}); }
};

// to = from * scale, where scale is the power of two that brings the largest number of the row into [1, 2). Being
// exact, it leaves no trace: a row given in other units of a power of two is the same row from here on. False if the
// row is zero or has a NaN or an infinity.
template <class T> inline bool equilibrate(const T* from, T* to, int count, T& scale) {
    using B = Binary<T>;
    int largest = 0;
    for (int j = 0; j < count; ++j) {
        const int e = B::exponent(from[j]);
        largest = e > largest ? e : largest;
    }
    if (largest > 2 * B::bias) return false;
    scale =
        B::power(largest < 2 * B::bias ? 2 * B::bias - largest : 1); // the inverse of the largest power is subnormal
    for (int j = 0; j < count; ++j) to[j] = from[j] * scale;
    if (largest > 0) return true;
    for (int j = 0; j < count; ++j)
        if (from[j] != T(0)) return true; // a subnormal row still has digits
    return false;
}

} // namespace rattleback::solve
