#include "solve/small_inverse.hpp"

#include "expr/fused.hpp"

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

template <int n> RATTLEBACK_FUSED bool invert_fused(SmallInverse<double>& m) { return !m.invert<n>(); }
template <int n> bool invert_plain(SmallInverse<double>& m) { return !m.invert<n>(); }
template <int n> RATTLEBACK_FUSED bool apply_fused(const SmallInverse<double>& m, bool linear, double* x) {
    return apply<n>(m, linear, x);
}
template <int n> bool apply_plain(const SmallInverse<double>& m, bool linear, double* x) {
    return apply<n>(m, linear, x);
}

} // namespace

bool invert_small(SmallInverse<double>& m, int n) {
    return with_size(n, [&]<int size>() { return has_fused ? invert_fused<size>(m) : invert_plain<size>(m); });
}

bool apply_small(const SmallInverse<double>& m, int n, bool linear, double* x) {
    return with_size(
        n, [&]<int size>() { return has_fused ? apply_fused<size>(m, linear, x) : apply_plain<size>(m, linear, x); });
}

} // namespace rattleback::solve
