// Products fused with sums, in solvers whose every step waits for the one before.
#pragma once

#include <cmath>
#include <type_traits>

#include "expr/fused.hpp"

namespace rattleback::solve {

// a*b + c, rounded once in double on every machine; as in programs, other scalars round twice.
template <class T> [[gnu::always_inline]] inline T fused(T a, T b, T c) {
    if constexpr (std::is_same_v<T, double>)
        return std::fma(a, b, c);
    else
        return a * b + c;
}

// f() compiled for a processor that fuses, where this is one; f must be inlined for that.
template <class F> RATTLEBACK_FUSED auto with_fused_products(F f) { return f(); }
template <class T, class F> auto fast(F f) {
    return std::is_same_v<T, double> && has_fused ? with_fused_products(f) : f();
}

} // namespace rattleback::solve
