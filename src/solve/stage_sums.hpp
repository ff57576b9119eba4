// Sums over the stages of a step.
#pragma once

#include <cmath>
#include <vector>

#include "expr/fused.hpp"
#include "kernel/program.hpp"

namespace rattleback::solve {

// sum_j weights[j] * L[j], from the first to the last, or what is given, then these; in double each product and its
// addition are rounded once, as in machine code.
[[gnu::always_inline]] inline double fused_sum(std::size_t s, const double* weights, const double* L,
                                               const double* first) {
    double sum = first ? std::fma(weights[0], L[0], *first) : weights[0] * L[0];
    for (std::size_t j = 1; j < s; ++j) sum = std::fma(weights[j], L[j], sum);
    return sum;
}
RATTLEBACK_FUSED inline double fast_sum(std::size_t s, const double* weights, const double* L, const double* first) {
    return fused_sum(s, weights, L, first);
}
inline double weighted_sum(std::size_t s, const double* weights, const double* L, const double* first = nullptr) {
    return has_fused ? fast_sum(s, weights, L, first) : fused_sum(s, weights, L, first);
}
template <class T> T weighted_sum(std::size_t s, const T* weights, const T* L, const T* first = nullptr) {
    T sum = first ? *first + weights[0] * L[0] : weights[0] * L[0];
    for (std::size_t j = 1; j < s; ++j) sum = sum + weights[j] * L[j];
    return sum;
}

template <class T> std::vector<T> rounded(const std::vector<quad>& x, quad divisor = 1) {
    std::vector<T> y;
    for (const quad& v : x) y.push_back(static_cast<T>(v / divisor));
    return y;
}

} // namespace rattleback::solve
