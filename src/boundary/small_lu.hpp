// LU with row pivoting of a small row-major matrix in place: for the unknowns inside one step.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace rattleback::boundary {

// Calls f with the number of states as a constant, for loops that the compiler unrolls, where it is one of a few; else
// with 0.
template <class F> auto with_fixed_size(std::size_t n, F&& f) {
    switch (n) {
    case 2: return f(std::integral_constant<std::size_t, 2>{});
    case 4: return f(std::integral_constant<std::size_t, 4>{});
    case 6: return f(std::integral_constant<std::size_t, 6>{});
    case 8: return f(std::integral_constant<std::size_t, 8>{});
    default: return f(std::integral_constant<std::size_t, 0>{});
    }
}

inline bool lu_factor(double* a, int* order, std::size_t n) {
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t best = c;
        for (std::size_t i = c + 1; i < n; ++i)
            if (std::abs(a[i * n + c]) > std::abs(a[best * n + c])) best = i;
        order[c] = static_cast<int>(best);
        if (best != c)
            for (std::size_t j = 0; j < n; ++j) std::swap(a[c * n + j], a[best * n + j]);
        const double pivot = a[c * n + c];
        if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
        const double inverse = 1 / pivot;
        for (std::size_t i = c + 1; i < n; ++i) {
            const double factor = a[i * n + c] *= inverse;
            if (factor == 0) continue;
            for (std::size_t j = c + 1; j < n; ++j) a[i * n + j] -= factor * a[c * n + j];
        }
    }
    return true;
}

// `columns` right sides at once, row-major; `fixed`: the same number, where it is known.
template <std::size_t fixed = 0>
void lu_solve(const double* a, const int* order, std::size_t n, double* b, std::size_t all) {
    const std::size_t columns = fixed ? fixed : all;
    for (std::size_t c = 0; c < n; ++c) {
        const auto other = static_cast<std::size_t>(order[c]);
        if (other != c)
            for (std::size_t j = 0; j < columns; ++j) std::swap(b[c * columns + j], b[other * columns + j]);
    }
    for (std::size_t i = 1; i < n; ++i)
        for (std::size_t c = 0; c < i; ++c)
            if (const double factor = a[i * n + c]; factor != 0)
                for (std::size_t j = 0; j < columns; ++j) b[i * columns + j] -= factor * b[c * columns + j];
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t c = i + 1; c < n; ++c)
            if (const double factor = a[i * n + c]; factor != 0)
                for (std::size_t j = 0; j < columns; ++j) b[i * columns + j] -= factor * b[c * columns + j];
        const double inverse = 1 / a[i * n + i];
        for (std::size_t j = 0; j < columns; ++j) b[i * columns + j] *= inverse;
    }
}

} // namespace rattleback::boundary
