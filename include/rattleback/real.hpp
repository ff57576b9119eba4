// The scalars a computation may run in.
//
// Everything numerical in Rattleback is a template over its scalar: double for work, long double and quad for oracles
// and for measuring orders that double cannot resolve. quad is the widest scalar there is:
//
//   long double         where it is IEEE binary128 already (AArch64, RISC-V);
//   __float128          where the C library computes in it (glibc on x86-64), or libquadmath does (musl);
//   long double again   elsewhere, with 64 bits (x86-64) or 53 (macOS on AArch64). What is measured in quad is then
//                       compared with that round-off: see in_round_off().
#pragma once

#include <cstddef>
#include <limits>
#include <string>

// cmake/Quad.cmake defines RATTLEBACK_LIBQUADMATH where that library is needed and found, RATTLEBACK_NO_QUAD on
// request.
#if __LDBL_MANT_DIG__ == 113 || !defined(__SIZEOF_FLOAT128__) || defined(RATTLEBACK_NO_QUAD)
#define RATTLEBACK_QUAD_IS_LONG_DOUBLE
#elif defined(RATTLEBACK_LIBQUADMATH)
#include <quadmath.h>
#elif !defined(__GLIBC__)
#define RATTLEBACK_QUAD_IS_LONG_DOUBLE
#endif

namespace rattleback {
#ifdef RATTLEBACK_QUAD_IS_LONG_DOUBLE
using quad = long double;
#else
// NOTE: not _Float128, which is a type of its own from GCC 13 on, does not convert to double by itself, and is unknown
// to clang in C++.
__extension__ typedef __float128 quad;
#endif

// What a template needs to know about its scalar.
template <class T> struct Real {
    static constexpr T epsilon = std::numeric_limits<T>::epsilon();
    static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    static constexpr T largest = std::numeric_limits<T>::max();
    static constexpr int digits = std::numeric_limits<T>::digits;         // of its binary fraction
    static constexpr int digits10 = std::numeric_limits<T>::max_digits10; // that read back as the same number
};
#ifndef RATTLEBACK_QUAD_IS_LONG_DOUBLE
template <> struct Real<quad> { // std::numeric_limits knows nothing of it
    static constexpr quad epsilon =
        static_cast<quad>(1) / (static_cast<quad>(1ULL << 56) * static_cast<quad>(1ULL << 56));
    static constexpr quad nan = static_cast<quad>(std::numeric_limits<long double>::quiet_NaN());
    static constexpr quad largest = static_cast<quad>(std::numeric_limits<long double>::max());
    static constexpr int digits = 113;
    static constexpr int digits10 = 36;
};
#endif

namespace real {

quad parse(const char* digits);                   // the quad nearest to a decimal number
std::string to_text(quad x, int significant = 0); // shortest that reads back as the same double; or so many digits

} // namespace real
} // namespace rattleback
