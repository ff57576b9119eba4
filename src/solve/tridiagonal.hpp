// LU of three diagonals: chains, strings, paths in time. One row waits for the one before, so what counts is how long:
// a division and two fused operations to factor, one fused operation there and one back to solve.
#pragma once

#include "solve/fused.hpp"
#include "solve/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rattleback::solve {

// Partial pivoting on the row-equilibrated matrix. factor() leaves the values alone.
template <class T> class Tridiagonal {
  public:
    Tridiagonal() = default;
    explicit Tridiagonal(int n) { resize(n); }

    void resize(int n);
    int size() const { return n_; }
    std::size_t place(int i, int j) const { // for |i - j| <= 1 only
        return static_cast<std::size_t>(j - i + 1) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(i);
    }
    T& at(int i, int j) { return values_[place(i, j)]; }
    const T& at(int i, int j) const { return values_[place(i, j)]; }
    T* values() { return values_.data(); } // diagonal after diagonal, by rows; the two outside the matrix are 0
    void clear() { std::fill(values_.begin(), values_.end(), T(0)); }

    Outcome factor() {
        return fast<T>([this]() __attribute__((always_inline)) { return eliminate(); });
    }
    void solve(T* b) {
        fast<T>([ this, b ]() __attribute__((always_inline)) { substitute(b); });
    }
    void solve_transposed(T* b);

  private:
    struct Row { // from its pivot on
        T a, b, c;
    };
    [[gnu::always_inline]] inline Outcome eliminate();
    [[gnu::always_inline]] inline bool scaled(int i, Row& row);
    [[gnu::always_inline]] inline void substitute(T* b) const;
    void begin_to_swap() { // most matrices have no use for these lists, which take time to fill
        any_swapped_ = true;
        std::fill(second_.begin(), second_.end(), T(0));
        std::fill(swapped_.begin(), swapped_.end(), 0);
    }

    int n_ = 0;
    std::vector<T> values_, scale_;
    std::vector<T> lower_;          // of row k + 1, what is taken off row k
    std::vector<T> inverse_;        // of the pivots
    std::vector<T> first_, second_; // beside the pivot, divided by it
    std::vector<char> swapped_;     // rows k and k + 1
    bool any_swapped_ = false;
};

template <class T> void Tridiagonal<T>::resize(int n) {
    n_ = n;
    const auto size = static_cast<std::size_t>(n);
    values_.assign(3 * size, T(0));
    for (auto* v : {&scale_, &lower_, &inverse_, &first_, &second_}) v->assign(size, T(0));
    swapped_.assign(size, 0);
}

// Row i from its first number on; false if it cannot be used.
template <class T> inline bool Tridiagonal<T>::scaled(int i, Row& row) {
    const T *const values = values_.data() + i, *const diagonal = values + n_, *const above = diagonal + n_;
    using B = Binary<T>;
    const int largest = std::max(std::max(B::exponent(*values), B::exponent(*diagonal)), B::exponent(*above));
    T scale;
    if (largest > 0 && largest < 2 * B::bias) {
        scale = B::power(2 * B::bias - largest);
    } else { // rare: zero, subnormal, huge or no numbers
        const T from[3] = {*values, *diagonal, *above};
        T to[3];
        if (!equilibrate(from, to, 3, scale)) return false;
    }
    scale_[static_cast<std::size_t>(i)] = scale;
    row = {*values * scale, *diagonal * scale, *above * scale};
    return true;
}

template <class T> inline Outcome Tridiagonal<T>::eliminate() {
    const T tiny = smallest_pivot<T>(n_);
    T growth = 0;
    any_swapped_ = false;
    Row now, next;
    if (!scaled(0, now)) return {false, 0, 0, true};
    now = {now.b, now.c, T(0)}; // nothing stands left of the first diagonal number
    for (int k = 0; k < n_; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const bool last = k + 1 == n_;
        if (last)
            next = {T(0), T(0), T(0)};
        else if (!scaled(k + 1, next))
            return {false, k + 1, static_cast<double>(growth), true};
        if (real::abs(next.a) > real::abs(now.a)) {
            std::swap(now, next);
            if (!any_swapped_) begin_to_swap();
            swapped_[at] = 1;
        }
        if (!(real::abs(now.a) > tiny)) return {false, k, static_cast<double>(growth)};
        growth = std::max(std::max(growth, real::abs(now.a)), std::max(real::abs(now.b), real::abs(now.c)));
        const T inverse = T(1) / now.a, l = next.a * inverse;
        inverse_[at] = inverse, lower_[at] = l;
        first_[at] = now.b * inverse;
        if (any_swapped_) second_[at] = now.c * inverse;
        now = {fused(-l, now.b, next.b), fused(-l, now.c, next.c), T(0)};
    }
    return {real::is_finite(growth), real::is_finite(growth) ? -1 : n_ - 1, static_cast<double>(growth)};
}

template <class T> inline void Tridiagonal<T>::substitute(T* b) const {
    const T *const scale = scale_.data(), *const lower = lower_.data(), *const inverse = inverse_.data(),
                   *const first = first_.data(), *const second = second_.data();
    T y = b[0] * scale[0];
    if (any_swapped_) {
        for (int k = 0; k + 1 < n_; ++k) {
            T other = b[k + 1] * scale[k + 1];
            if (swapped_[static_cast<std::size_t>(k)]) std::swap(y, other);
            b[k] = y;
            y = fused(-lower[k], y, other);
        }
    } else {
        for (int k = 0; k + 1 < n_; ++k) {
            b[k] = y;
            y = fused(-lower[k], y, b[k + 1] * scale[k + 1]);
        }
    }
    b[n_ - 1] = y;
    T x = 0, x_after = 0; // of rows k + 1 and k + 2
    for (int k = n_ - 1; k >= 0 && !any_swapped_; --k) b[k] = x = fused(-first[k], x, b[k] * inverse[k]);
    for (int k = n_ - 1; k >= 0 && any_swapped_; --k) {
        const T here = fused(-first[k], x, fused(-second[k], x_after, b[k] * inverse[k]));
        x_after = x;
        b[k] = x = here;
    }
}

template <class T> void Tridiagonal<T>::solve_transposed(T* b) {
    for (int k = 0; k < n_; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (k > 0) b[k] = fused(-first_[at - 1], b[k - 1], b[k]);
        if (k > 1 && any_swapped_) b[k] = fused(-second_[at - 2], b[k - 2], b[k]);
    }
    for (int k = n_ - 1; k >= 0; --k) {
        const auto at = static_cast<std::size_t>(k);
        b[k] *= inverse_[at];
        if (k + 1 == n_) continue;
        b[k] = fused(-lower_[at], b[k + 1], b[k]);
        if (any_swapped_ && swapped_[at]) std::swap(b[k], b[k + 1]);
    }
    for (int i = 0; i < n_; ++i) b[i] *= scale_[static_cast<std::size_t>(i)];
}

} // namespace rattleback::solve
