// LU of tridiagonal matrices: chains, strings, paths in time. It is one dependency chain, so latency counts: a division
// and two fused operations a row to factor, one fused operation a row for each substitution.
#pragma once

#include "solve/fused.hpp"
#include "solve/outcome.hpp"

#include <algorithm>
#include <array>
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
        return factor([this](std::size_t place, int, T*) { return values_.data() + place; });
    }
    // The same with values that lie elsewhere: where(place, count, buffer) returns a pointer to `count` consecutive
    // values from a place on, which it may have copied to the buffer. It is asked for a few hundred at a time.
    template <class Where> Outcome factor(Where where) {
        return fast<T>([&]() __attribute__((always_inline)) { return eliminate(where); });
    }
    void solve(T* b) {
        fast<T>([ this, b ]() __attribute__((always_inline)) { substitute(b); });
    }

  private:
    struct Row { // from its pivot on
        T a, b, c;
    };
    struct Diagonals { // from a row on
        const T *below, *diagonal, *above;
    };
    static constexpr int piece = 512; // rows
    template <class Where> [[gnu::always_inline]] inline Outcome eliminate(Where& where);
    [[gnu::always_inline]] inline bool scaled(const Diagonals& from, int i, T& scale, Row& row) const;
    [[gnu::always_inline]] inline bool use(std::size_t k, Row& now, Row& next, T& growth);
    [[gnu::always_inline]] inline void substitute(T* b) const;
    void begin_to_swap() { // on the first row exchange: most matrices need none, and filling these lists takes time
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
    T tiny_ = 0;
};

template <class T> void Tridiagonal<T>::resize(int n) {
    n_ = n, tiny_ = smallest_pivot<T>(n);
    const auto size = static_cast<std::size_t>(n);
    values_.assign(3 * size, T(0));
    for (auto* v : {&scale_, &lower_, &inverse_, &first_, &second_}) v->assign(size, T(0));
    swapped_.assign(size, 0);
}

// Row i, scaled; false if it is zero or not finite.
template <class T> inline bool Tridiagonal<T>::scaled(const Diagonals& from, int i, T& scale, Row& row) const {
    const T below = from.below[i], diagonal = from.diagonal[i], above = from.above[i];
    using B = Binary<T>;
    const int largest = std::max(std::max(B::exponent(below), B::exponent(diagonal)), B::exponent(above));
    if (largest > 0 && largest < 2 * B::bias) {
        scale = B::power(2 * B::bias - largest);
    } else { // rare: zero, subnormal, huge or no numbers
        const T numbers[3] = {below, diagonal, above};
        T to[3];
        if (!equilibrate(numbers, to, 3, scale)) return false;
    }
    row = {below * scale, diagonal * scale, above * scale};
    return true;
}

// Step k of partial pivoting between the current row and the next; what is left of the other becomes the current row.
// False if the pivot is round-off.
template <class T> inline bool Tridiagonal<T>::use(std::size_t k, Row& now, Row& next, T& growth) {
    if (real::abs(next.a) > real::abs(now.a)) {
        std::swap(now, next);
        if (!any_swapped_) begin_to_swap();
        swapped_[k] = 1;
    }
    if (!(real::abs(now.a) > tiny_)) return false;
    growth = std::max(std::max(growth, real::abs(now.a)), std::max(real::abs(now.b), real::abs(now.c)));
    const T inverse = T(1) / now.a, l = next.a * inverse;
    inverse_[k] = inverse, lower_[k] = l;
    first_[k] = now.b * inverse;
    if (any_swapped_) second_[k] = now.c * inverse;
    now = {fused(-l, now.b, next.b), fused(-l, now.c, next.c), T(0)};
    return true;
}

template <class T> template <class Where> inline Outcome Tridiagonal<T>::eliminate(Where& where) {
    std::array<T, 3 * piece> buffer;
    const auto n = static_cast<std::size_t>(n_);
    T growth = 0;
    any_swapped_ = false;
    Row now{}, next;
    for (int first = 0; first < n_; first += piece) {
        const int count = std::min(piece, n_ - first);
        const auto at = static_cast<std::size_t>(first);
        const Diagonals here = {where(at, count, buffer.data()), where(n + at, count, buffer.data() + piece),
                                where(2 * n + at, count, buffer.data() + 2 * piece)};
        int i = 0;
        if (first == 0) { // nothing stands left of the first diagonal number
            if (!scaled(here, i++, scale_[0], next)) return {false, 0, 0, true};
            now = {next.b, next.c, T(0)};
        }
        for (; i < count; ++i) {
            const int row = first + i;
            if (!scaled(here, i, scale_[at + static_cast<std::size_t>(i)], next))
                return {false, row, static_cast<double>(growth), true};
            if (!use(static_cast<std::size_t>(row - 1), now, next, growth))
                return {false, row - 1, static_cast<double>(growth)};
        }
    }
    next = {T(0), T(0), T(0)};
    if (!use(n - 1, now, next, growth)) return {false, n_ - 1, static_cast<double>(growth)};
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

} // namespace rattleback::solve
