// Dense LU: for matrices that are mostly not zero, and for small ones whose fixed order of pivots did not serve.
#pragma once

#include "solve/outcome.hpp"
#include "solve/wide.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

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
    int largest_below(int k) const;

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

template <class T> int Dense<T>::largest_below(int k) const {
    const T* column = lu_.data() + k;
    int best = k;
    T size = real::abs(column[place(k, 0)]);
    for (int i = k + 1; i < n_; ++i) {
        const T candidate = real::abs(column[place(i, 0)]);
        if (candidate > size) {
            best = i;
            size = candidate;
        }
    }
    return best;
}

template <class T> Outcome Dense<T>::factor() {
    const int n = n_;
    if (n == 1) { // divided by, not scaled
        const bool usable = values_[0] != T(0) && real::is_finite(values_[0]);
        return usable ? Outcome{} : Outcome{false, 0, 0, true};
    }
    T* const a = lu_.data();
    for (int i = 0; i < n; ++i) {
        const std::size_t start = static_cast<std::size_t>(i) * n;
        if (!equilibrate(values_.data() + start, a + start, n, scale_[i])) return {false, i, 0, true};
        order_[i] = i;
    }
    const T tiny = smallest_pivot<T>(n);
    T growth = 0;
    for (int k = 0; k < n; ++k) {
        T* const pivot = a + static_cast<std::size_t>(k) * n;
        const int best = largest_below(k);
        if (best != k) {
            std::swap_ranges(pivot, pivot + n, a + static_cast<std::size_t>(best) * n);
            std::swap(order_[k], order_[best]);
        }
        if (!(real::abs(pivot[k]) > tiny)) return {false, k, static_cast<double>(growth)};
        for (int j = k; j < n; ++j) growth = std::max(growth, real::abs(pivot[j]));
        const T inverse = T(1) / pivot[k];
        inverse_[k] = inverse;
        for (int i = k + 1; i < n; ++i) {
            T* const row = a + static_cast<std::size_t>(i) * n;
            const T l = row[k] * inverse;
            row[k] = l;
            subtract_multiple(row + k + 1, l, pivot + k + 1, static_cast<std::size_t>(n - k - 1));
        }
    }
    // Infinity, which 1000 doublings would need, shows here before it can make a NaN.
    return {real::is_finite(growth), real::is_finite(growth) ? -1 : n - 1, static_cast<double>(growth)};
}

template <class T> void Dense<T>::solve(T* b) {
    const int n = n_;
    if (n == 1) {
        b[0] /= values_[0];
        return;
    }
    const T* const a = lu_.data();
    T* const y = work_.data();
    for (int i = 0; i < n; ++i) {
        const T* const row = a + static_cast<std::size_t>(i) * n;
        T sum = b[order_[i]] * scale_[order_[i]];
        for (int j = 0; j < i; ++j) sum -= row[j] * y[j];
        y[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
        const T* const row = a + static_cast<std::size_t>(i) * n;
        T sum = y[i];
        for (int j = n - 1; j > i; --j) sum -= row[j] * b[j];
        b[i] = sum * inverse_[i];
    }
}

} // namespace rattleback::solve
