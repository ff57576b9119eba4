#include "solve/small_inverse.hpp"

namespace rattleback::solve {
namespace {

#if defined(__x86_64__) && !defined(__FMA__)
#define RATTLEBACK_FUSED [[gnu::target("fma")]]
const bool has_fused = __builtin_cpu_supports("fma"); // without, the C library rounds the same, only slowly
#else
#define RATTLEBACK_FUSED
constexpr bool has_fused = true;
#endif

template <int n> [[gnu::always_inline]] inline void apply(const SmallInverse<double>& matrix, double* x) {
    double y[n];
    for (int i = 0; i < n; ++i) y[i] = matrix.row_times<n>(i, x);
    for (int i = 0; i < n; ++i) x[i] = y[i];
}

template <int n> [[gnu::always_inline]] inline bool invert(SmallInverse<double>& m) {
    if constexpr (n < 4)
        if (!m.invert_directly<n>()) return true;
    return !m.invert<n>(0.0, false);
}

template <int n> RATTLEBACK_FUSED bool invert_fused(SmallInverse<double>& m) { return invert<n>(m); }
template <int n> bool invert_plain(SmallInverse<double>& m) { return invert<n>(m); }
template <int n> RATTLEBACK_FUSED void apply_fused(const SmallInverse<double>& m, double* x) { apply<n>(m, x); }
template <int n> void apply_plain(const SmallInverse<double>& m, double* x) { apply<n>(m, x); }

} // namespace

bool invert_small(SmallInverse<double>& m, int n) {
    return with_size(n, [&]<int size>() { return has_fused ? invert_fused<size>(m) : invert_plain<size>(m); });
}

void apply_small(const SmallInverse<double>& m, int n, double* x) {
    with_size(n, [&]<int size>() { has_fused ? apply_fused<size>(m, x) : apply_plain<size>(m, x); });
}

} // namespace rattleback::solve
