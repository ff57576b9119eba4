// LU of a band: chains, paths in time, anything whose unknowns touch only their neighbours.
#pragma once

#include "solve/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rattleback::solve {

// LU with partial pivoting on the row-equilibrated matrix, inside a band of kl subdiagonals and ku superdiagonals.
// factor() leaves the values alone.
template <class T> class Banded {
  public:
    Banded() = default;
    Banded(int n, int kl, int ku) { resize(n, kl, ku); }

    void resize(int n, int kl, int ku);
    int size() const { return n_; }
    std::size_t place(int i, int j) const { return static_cast<std::size_t>(i) * width_ + (j - i + kl_); }
    T& at(int i, int j) { return values_[place(i, j)]; } // for -kl <= j - i <= ku only
    const T& at(int i, int j) const { return values_[place(i, j)]; }
    T* values() { return values_.data(); } // row after row of kl + 1 + ku numbers; those outside the matrix are unused
    void clear() { std::fill(values_.begin(), values_.end(), T(0)); }

    Outcome factor();
    void solve(T* b);

  private:
    int load();
    int choose(int k, int end);
    void reduce(int k, int end);
    int below(int k) const { return std::min(n_, k + kl_ + 1); } // rows that column k of L can reach
    int right(int k) const { return std::min(n_ - k, width_); }  // numbers in row k of U
    T* row(int i) { return u_.data() + static_cast<std::size_t>(i) * width_; }
    T* lower(int k) { return l_.data() + static_cast<std::size_t>(k) * kl_; }

    int n_ = 0, kl_ = 0, ku_ = 0, width_ = 1;
    std::vector<T> values_;
    std::vector<T> u_; // row k from its diagonal on: pivoting widens ku to ku + kl, so the width of the band suffices
    std::vector<T> l_; // the kl multipliers of column k
    std::vector<T> scale_, inverse_;
    std::vector<int> swap_; // the row that came to place k
};

template <class T> void Banded<T>::resize(int n, int kl, int ku) {
    n_ = n;
    kl_ = kl;
    ku_ = ku;
    width_ = kl + ku + 1;
    values_.assign(static_cast<std::size_t>(n) * width_, T(0));
    u_ = values_;
    l_.assign(static_cast<std::size_t>(n) * kl, T(0));
    scale_.assign(n, T(0));
    inverse_.assign(n, T(0));
    swap_.assign(n, 0);
}

// Every row starts at the first column in which it can meet a pivot, and loses its first number in every elimination.
// So the rows that take part in step k all start at column k. Gives the first row that cannot be used, or -1.
template <class T> int Banded<T>::load() {
    for (int i = 0; i < n_; ++i) {
        const int from = std::max(0, i - kl_), to = std::min(n_, i + ku_ + 1);
        std::fill(row(i) + (to - from), row(i) + width_, T(0));
        if (!equilibrate(values_.data() + place(i, from), row(i), to - from, scale_[i])) return i;
    }
    return -1;
}

template <class T> int Banded<T>::choose(int k, int end) {
    int best = k;
    for (int i = k + 1; i < end; ++i)
        if (real::abs(row(i)[0]) > real::abs(row(best)[0])) best = i;
    return best;
}

template <class T> void Banded<T>::reduce(int k, int end) {
    const T* const pivot = row(k);
    for (int i = k + 1; i < end; ++i) {
        T* const a = row(i);
        const T l = a[0] * inverse_[k];
        lower(k)[i - k - 1] = l;
        for (int j = 1; j < width_; ++j) a[j - 1] = a[j] - l * pivot[j];
        a[width_ - 1] = T(0);
    }
}

template <class T> Outcome Banded<T>::factor() {
    if (const int bad = load(); bad >= 0) return {false, bad, 0, true};
    const T tiny = smallest_pivot<T>(n_);
    T growth = 0;
    for (int k = 0; k < n_; ++k) {
        const int end = below(k);
        swap_[k] = choose(k, end);
        if (swap_[k] != k) std::swap_ranges(row(k), row(k) + width_, row(swap_[k]));
        const T* const pivot = row(k);
        if (!(real::abs(pivot[0]) > tiny)) return {false, k, static_cast<double>(growth)};
        for (int j = 0; j < width_; ++j) growth = std::max(growth, real::abs(pivot[j]));
        if (!real::is_finite(growth)) return {false, k, static_cast<double>(growth)};
        inverse_[k] = T(1) / pivot[0];
        reduce(k, end);
    }
    return {true, -1, static_cast<double>(growth)};
}

template <class T> void Banded<T>::solve(T* b) {
    for (int i = 0; i < n_; ++i) b[i] *= scale_[i];
    for (int k = 0; k < n_; ++k) {
        std::swap(b[k], b[swap_[k]]);
        for (int i = k + 1; i < below(k); ++i) b[i] -= lower(k)[i - k - 1] * b[k];
    }
    for (int k = n_ - 1; k >= 0; --k) {
        T sum = b[k];
        for (int j = right(k) - 1; j > 0; --j) sum -= row(k)[j] * b[k + j];
        b[k] = sum * inverse_[k];
    }
}

} // namespace rattleback::solve
