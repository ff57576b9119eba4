// Fused multiply-add for solvers that are one long dependency chain, where its shorter latency counts.
#pragma once

#include <cmath>
#include <type_traits>

#include "expr/fused.hpp"

namespace rattleback::solve {

// a*b + c: in double rounded once on every machine, in other scalars twice, as in programs.
template <class T> [[gnu::always_inline]] inline T fused(T a, T b, T c) {
    if constexpr (std::is_same_v<T, double>)
        return std::fma(a, b, c);
    else
        return a * b + c;
}

// f(), compiled for fused multiply-add instructions where the CPU has them; f must be inlined.
template <class F> RATTLEBACK_FUSED auto with_fused_products(F f) { return f(); }
template <class T, class F> auto fast(F f) {
    return std::is_same_v<T, double> && has_fused ? with_fused_products(f) : f();
}

} // namespace rattleback::solve
