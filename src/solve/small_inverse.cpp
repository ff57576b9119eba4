#include "solve/small_inverse.hpp"

#include "solve/fused.hpp"

namespace rattleback::solve {
namespace {

template <int n> [[gnu::always_inline]] inline void apply(const SmallInverse<double>& matrix, double* x) {
    double y[n];
    for (int i = 0; i < n; ++i) y[i] = matrix.row_times<n>(i, x);
    for (int i = 0; i < n; ++i) x[i] = y[i];
}

// x = A^-1 b, and once more for what is left of b.
template <int n> [[gnu::always_inline]] inline bool apply(const SmallInverse<double>& m, bool linear, double* x) {
    double b[n], rest[n];
    for (int i = 0; i < n; ++i) b[i] = x[i];
    apply<n>(m, x);
    if (!linear) return true;
    const bool bad = m.rest_of<n>(b, x, rest);
    apply<n>(m, rest);
    for (int i = 0; i < n; ++i) x[i] += rest[i];
    return !bad;
}

} // namespace

bool invert_small(SmallInverse<double>& m, int n) {
    return with_size(n, [&]<int size>() {
        return fast<double>([&]() __attribute__((always_inline)) { return !m.invert<size>(); });
    });
}

bool apply_small(const SmallInverse<double>& m, int n, bool linear, double* x) {
    return with_size(n, [&]<int size>() {
        return fast<double>([&]() __attribute__((always_inline)) { return apply<size>(m, linear, x); });
    });
}

} // namespace rattleback::solve
