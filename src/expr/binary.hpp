// The exponent of a binary number, read from its bits: cheaper than comparing numbers, quads above all.
#pragma once

#include "expr/real_functions.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace rattleback {

// exponent(x) is biased: 0 of zero and of subnormal numbers, 2 bias + 1 of infinity and NaN. By the format, which is
// known by the digits of its fraction: one type may have several formats.
template <class T, int digits = Real<T>::digits> struct Binary;

template <class T> struct Binary<T, 53> { // binary64
    static constexpr int bias = 1023;
    static int exponent(T x) {
        return static_cast<int>(std::bit_cast<std::uint64_t>(static_cast<double>(x)) >> 52 & 0x7ff);
    }
    static T power(int biased) { return std::bit_cast<double>(static_cast<std::uint64_t>(biased) << 52); }
};

template <class T> struct Binary<T, 64> { // x87
    static constexpr int bias = 16383;
    static int exponent(T x) {
        std::uint16_t top;
        std::memcpy(&top, reinterpret_cast<const char*>(&x) + 8, sizeof top);
        return top & 0x7fff;
    }
    static T power(int biased) { return std::ldexp(T(1), biased - bias); }
};

template <class T> struct Binary<T, 113> { // binary128
    static constexpr int bias = 16383;
    static constexpr std::size_t upper = std::endian::native == std::endian::little ? 1 : 0;
    using Words = std::array<std::uint64_t, 2>;
    static int exponent(T x) { return static_cast<int>(std::bit_cast<Words>(x)[upper] >> 48 & 0x7fff); }
    static T power(int biased) {
        Words words{};
        words[upper] = static_cast<std::uint64_t>(biased) << 48;
        return std::bit_cast<T>(words);
    }
};

} // namespace rattleback
