// Loops over long arrays of doubles, four or eight numbers at a time: compilers leave loops as they are at -O2. They
// are compiled again for AVX2, and some for AVX-512; the processor decides which one runs; the bits are the same.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__) && !defined(__AVX2__)
#define RATTLEBACK_WIDE [[gnu::target("avx2")]]
#define RATTLEBACK_WIDEST [[gnu::target("avx512f")]]
namespace rattleback::solve {
inline const bool has_wide = __builtin_cpu_supports("avx2"), has_widest = __builtin_cpu_supports("avx512f");
}
#else
#define RATTLEBACK_WIDE
#define RATTLEBACK_WIDEST
namespace rattleback::solve {
constexpr bool has_wide = true, has_widest = false;
}
#endif

namespace rattleback::solve {

using Four [[gnu::vector_size(4 * sizeof(double))]] = double;
constexpr std::size_t shortest_wide = 16; // below, a loop is over before it would pay

// The four numbers at x. Unaligned, and read and written through memcpy, which is one instruction.
[[gnu::always_inline]] inline void load_four(const double* x, Four& to) { std::memcpy(&to, x, sizeof to); }
[[gnu::always_inline]] inline void store_four(const Four& from, double* x) { std::memcpy(x, &from, sizeof from); }

// Runs `body` compiled for AVX2 where the processor has it; body must be inlined: [&]() __attribute__((always_inline)).
template <class F> RATTLEBACK_WIDE void in_wide_code(F body) { body(); }
template <class F> void wide(F body) { has_wide ? in_wide_code(body) : body(); }

// The same for body(Vector<n>()), n being the numbers of a vector of the processor: 2, 4 or 8.
template <int n> struct Vector { using Type [[gnu::vector_size(n * sizeof(double))]] = double; };
template <class F> RATTLEBACK_WIDEST void in_widest_code(F body) { body(Vector<8>()); }
template <class F> RATTLEBACK_WIDE void in_wider_code(F body) { body(Vector<4>()); }
template <class F> void in_vectors(F body) {
#ifdef __x86_64__
    if (has_widest) return in_widest_code(body);
    if (has_wide) return in_wider_code(body);
#endif
    body(Vector<2>());
}

// Knuth's two-sum of x + (by + lost): x becomes the sum, lost what its rounding has lost.
template <class V> [[gnu::always_inline]] inline void add_compensated(V& x, V& lost, const V& by) {
    const V increment = by + lost, sum = x + increment, part = sum - x;
    lost = (x - (sum - part)) + (increment - part);
    x = sum;
}
template <class T> void add_compensated(T* x, T* lost, const T* by, std::size_t n) {
    std::size_t i = 0;
    if constexpr (std::is_same_v<T, double>) {
        if (n >= shortest_wide)
            wide([&]() __attribute__((always_inline)) {
                for (Four sum, low, increment; i + 4 <= n; i += 4) {
                    load_four(x + i, sum), load_four(lost + i, low), load_four(by + i, increment);
                    add_compensated(sum, low, increment);
                    store_four(sum, x + i), store_four(low, lost + i);
                }
            });
    }
    for (; i < n; ++i) add_compensated(x[i], lost[i], by[i]);
}

// row -= factor * other.
template <class T> void subtract_multiple(T* row, T factor, const T* other, std::size_t n) {
    std::size_t i = 0;
    if constexpr (std::is_same_v<T, double>) {
        if (n >= shortest_wide)
            wide([&]() __attribute__((always_inline)) {
                for (Four x, y; i + 4 <= n; i += 4) {
                    load_four(row + i, x), load_four(other + i, y);
                    x -= factor * y;
                    store_four(x, row + i);
                }
            });
    }
    for (; i < n; ++i) row[i] -= factor * other[i];
}

// Four accumulators: a single one would be bound by the latency of the addition.
template <class T> bool all_finite(const T* x, std::size_t n) { // 0 * x is 0 for finite x only
    std::size_t i = 0;
    T sum[4] = {};
    if constexpr (std::is_same_v<T, double>) {
        if (n >= shortest_wide)
            wide([&]() __attribute__((always_inline)) {
                Four a{}, b{}, u, v;
                for (; i + 8 <= n; i += 8) {
                    load_four(x + i, u), load_four(x + i + 4, v);
                    a += 0 * u, b += 0 * v;
                }
                a += b;
                store_four(a, sum);
            });
    }
    for (; i + 4 <= n; i += 4)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += 0 * x[i + k];
    for (; i < n; ++i) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]) == T(0);
}

} // namespace rattleback::solve
