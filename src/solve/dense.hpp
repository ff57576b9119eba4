// Dense LU for small systems: the inner loop of every implicit step.
#pragma once

#include "solve/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

// With n known (the template argument N) the loops below unroll completely: n = 4 .. 8 in 75 % of the time.
#ifdef __clang__ // decides for itself, and warns where it would rather not
#define RATTLEBACK_UNROLL
#else
#define RATTLEBACK_UNROLL _Pragma("GCC unroll 16")
#endif

namespace rattleback::solve {

// LU with partial pivoting on the row-equilibrated matrix. factor() works on a scaled copy and leaves the values alone.
template <class T> class Dense {
  public:
    Dense() = default;
    explicit Dense(int n) { resize(n); }

    void resize(int n);
    int size() const { return n_; }
    T& at(int i, int j) { return values_[place(i, j)]; }
    const T& at(int i, int j) const { return values_[place(i, j)]; }
    T* values() { return values_.data(); } // row-major
    void clear() { std::fill(values_.begin(), values_.end(), T(0)); }

    Outcome factor();
    void solve(T* b);

  private:
    std::size_t place(int i, int j) const { return static_cast<std::size_t>(i) * n_ + j; }
    Outcome factor_one();
    Outcome factor_two();
    void solve_two(T* b) const;
    template <int N> Outcome eliminate();
    template <int N> int largest_below(int k) const;
    template <int N> void substitute(T* b);

    int n_ = 0;
    std::vector<T> values_, lu_;
    std::vector<T> scale_;   // of row i of the matrix
    std::vector<T> inverse_; // of the pivots: one division a column instead of one a number
    std::vector<T> work_;
    std::vector<int> order_; // row k of the factors is row order_[k] of the matrix
};

template <class T> void Dense<T>::resize(int n) {
    n_ = n;
    const std::size_t square = static_cast<std::size_t>(n) * n;
    values_.assign(square, T(0));
    lu_.assign(square, T(0));
    for (auto* v : {&scale_, &inverse_, &work_}) v->assign(n, T(0));
    order_.assign(n, 0);
}

// A size known to the compiler lets it unroll: n = 3 .. 10 are the steps of most mechanical systems.
template <class T> Outcome Dense<T>::factor() {
    switch (n_) {
    case 1: return factor_one();
    case 2: return factor_two();
    case 3: return eliminate<3>();
    case 4: return eliminate<4>();
    case 5: return eliminate<5>();
    case 6: return eliminate<6>();
    case 7: return eliminate<7>();
    case 8: return eliminate<8>();
    case 9: return eliminate<9>();
    case 10: return eliminate<10>();
    default: return eliminate<0>();
    }
}

template <class T> void Dense<T>::solve(T* b) {
    switch (n_) {
    case 1: b[0] /= values_[0]; return;
    case 2: return solve_two(b);
    case 3: return substitute<3>(b);
    case 4: return substitute<4>(b);
    case 5: return substitute<5>(b);
    case 6: return substitute<6>(b);
    case 7: return substitute<7>(b);
    case 8: return substitute<8>(b);
    case 9: return substitute<9>(b);
    case 10: return substitute<10>(b);
    default: return substitute<0>(b);
    }
}

template <class T> template <int N> int Dense<T>::largest_below(int k) const {
    const int n = N > 0 ? N : n_;
    const T* column = lu_.data() + k;
    int best = k;
    T size = real::abs(column[place(k, 0)]);
    RATTLEBACK_UNROLL for (int i = k + 1; i < n; ++i) {
        const T candidate = real::abs(column[static_cast<std::size_t>(i) * n]);
        if (candidate > size) {
            best = i;
            size = candidate;
        }
    }
    return best;
}

template <class T> template <int N> Outcome Dense<T>::eliminate() {
    const int n = N > 0 ? N : n_;
    T* const a = lu_.data();
    for (int i = 0; i < n; ++i) {
        const std::size_t start = static_cast<std::size_t>(i) * n;
        if (!equilibrate(values_.data() + start, a + start, n, scale_[i])) return {false, i, 0, true};
        order_[i] = i;
    }
    const T tiny = smallest_pivot<T>(n);
    T growth = 0;
    RATTLEBACK_UNROLL for (int k = 0; k < n; ++k) {
        T* const pivot = a + static_cast<std::size_t>(k) * n;
        const int best = largest_below<N>(k);
        if (best != k) {
            std::swap_ranges(pivot, pivot + n, a + static_cast<std::size_t>(best) * n);
            std::swap(order_[k], order_[best]);
        }
        if (!(real::abs(pivot[k]) > tiny)) return {false, k, static_cast<double>(growth)};
        for (int j = k; j < n; ++j) growth = std::max(growth, real::abs(pivot[j]));
        const T inverse = T(1) / pivot[k];
        inverse_[k] = inverse;
        RATTLEBACK_UNROLL for (int i = k + 1; i < n; ++i) {
            T* const row = a + static_cast<std::size_t>(i) * n;
            const T l = row[k] * inverse;
            row[k] = l;
            RATTLEBACK_UNROLL for (int j = k + 1; j < n; ++j) row[j] -= l * pivot[j];
        }
    }
    // Infinity, which 1000 doublings would need, shows here before it can make a NaN.
    return {real::is_finite(growth), real::is_finite(growth) ? -1 : n - 1, static_cast<double>(growth)};
}

template <class T> template <int N> void Dense<T>::substitute(T* b) {
    const int n = N > 0 ? N : n_;
    const T* const a = lu_.data();
    T* const y = work_.data();
    for (int i = 0; i < n; ++i) {
        const T* const row = a + static_cast<std::size_t>(i) * n;
        T sum = b[order_[i]] * scale_[order_[i]];
        RATTLEBACK_UNROLL for (int j = 0; j < i; ++j) sum -= row[j] * y[j];
        y[i] = sum;
    }
    RATTLEBACK_UNROLL for (int i = n - 1; i >= 0; --i) {
        const T* const row = a + static_cast<std::size_t>(i) * n;
        T sum = y[i];
        RATTLEBACK_UNROLL for (int j = n - 1; j > i; --j) sum -= row[j] * b[j];
        b[i] = sum * inverse_[i];
    }
}

template <class T> Outcome Dense<T>::factor_one() {
    const T a = values_[0];
    return a != T(0) && real::is_finite(a) ? Outcome{} : Outcome{false, 0, 0, true};
}

template <class T> Outcome Dense<T>::factor_two() {
    T* const a = lu_.data();
    for (int i = 0; i < 2; ++i)
        if (!equilibrate(values_.data() + 2 * i, a + 2 * i, 2, scale_[i])) return {false, i, 0, true};
    const bool swapped = real::abs(a[2]) > real::abs(a[0]);
    order_[0] = swapped;
    order_[1] = !swapped;
    if (swapped) std::swap_ranges(a, a + 2, a + 2);
    const T tiny = smallest_pivot<T>(2);
    if (!(real::abs(a[0]) > tiny)) return {false, 0, 0};
    inverse_[0] = T(1) / a[0];
    a[2] *= inverse_[0];
    a[3] -= a[2] * a[1];
    const T growth = std::max(std::max(real::abs(a[0]), real::abs(a[1])), real::abs(a[3]));
    if (!(real::abs(a[3]) > tiny)) return {false, 1, static_cast<double>(growth)};
    inverse_[1] = T(1) / a[3];
    return {true, -1, static_cast<double>(growth)};
}

template <class T> void Dense<T>::solve_two(T* b) const {
    const T* const a = lu_.data();
    const T first = b[order_[0]] * scale_[order_[0]];
    const T second = b[order_[1]] * scale_[order_[1]] - a[2] * first;
    b[1] = second * inverse_[1];
    b[0] = (first - a[1] * b[1]) * inverse_[0];
}

} // namespace rattleback::solve

#undef RATTLEBACK_UNROLL
