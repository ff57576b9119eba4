// One name for the linear algebra of a step: dense, tridiagonal, banded or sparse, chosen by the pattern.
#pragma once

#include "solve/banded.hpp"
#include "solve/dense.hpp"
#include "solve/sparse.hpp"
#include "solve/tridiagonal.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace rattleback::solve {

// Fill values()[slot(k)] for every entry k, factor, solve. factor() leaves the values alone. Entries are unique.
template <class T> class Linear {
  public:
    Linear() = default;
    Linear(int n, const Entries& entries);
    template <class I>
    Linear(int n, const std::vector<std::pair<I, I>>& entries) : Linear(n, Entries(entries.begin(), entries.end())) {}

    int size() const { return n_; }
    T* values() {
        return visit([](auto& s) { return s.values(); });
    }
    int slot(std::size_t k) const { return slots_[k]; }
    void clear() {
        visit([](auto& s) { s.clear(); });
    }

    // Takes the present values as the probe from which a sparse solver has its pivots; the others need none.
    Outcome analyse() {
        const auto s = std::get_if<Sparse<T>>(&solver_);
        return s ? s->analyse() : Outcome{};
    }
    Outcome factor() {
        return visit([](auto& s) { return s.factor(); });
    }
    Tridiagonal<T>* tridiagonal() { return std::get_if<Tridiagonal<T>>(&solver_); } // if it is
    void solve(T* b) {
        visit([b](auto& s) { s.solve(b); });
    }

    const char* name() const {
        constexpr const char* names[] = {"dense", "tridiagonal", "banded", "sparse"};
        return names[solver_.index()];
    }
    bool remembers() const { return std::holds_alternative<Sparse<T>>(solver_); } // the probe
    long fallbacks() const {
        const auto s = std::get_if<Sparse<T>>(&solver_);
        return s ? s->fallbacks() : 0;
    }

  private:
    // In the order of likelihood, and inlined: a step of a small system cannot afford an indirect call.
    template <class F> auto visit(F f) {
        if (auto dense = std::get_if<Dense<T>>(&solver_)) return f(*dense);
        if (auto three = std::get_if<Tridiagonal<T>>(&solver_)) return f(*three);
        if (auto banded = std::get_if<Banded<T>>(&solver_)) return f(*banded);
        return f(*std::get_if<Sparse<T>>(&solver_));
    }

    int n_ = 0;
    std::vector<int> slots_;
    std::variant<Dense<T>, Tridiagonal<T>, Banded<T>, Sparse<T>> solver_;
};

template <class T> Linear<T>::Linear(int n, const Entries& entries) : n_(n) {
    int kl = 0, ku = 0;
    for (const auto& [i, j] : entries) {
        kl = std::max(kl, i - j);
        ku = std::max(ku, j - i);
    }
    const double count = static_cast<double>(entries.size());
    const double square = static_cast<double>(n) * n;
    const double band = static_cast<double>(n) * (kl + ku + 1) - 0.5 * kl * (kl + 1.0) - 0.5 * ku * (ku + 1.0);
    if (n > 8 && kl <= 1 && ku <= 1) {
        const auto& solver = solver_.template emplace<Tridiagonal<T>>(n);
        for (const auto& [i, j] : entries) slots_.push_back(static_cast<int>(solver.place(i, j)));
    } else if (n <= 16 || count > 0.4 * square) {
        solver_.template emplace<Dense<T>>(n);
        for (const auto& [i, j] : entries) slots_.push_back(i * n + j);
    } else if (kl + ku + 1 <= std::max(8, n / 8) && count > 0.4 * band) {
        const auto& solver = solver_.template emplace<Banded<T>>(n, kl, ku);
        for (const auto& [i, j] : entries) slots_.push_back(static_cast<int>(solver.place(i, j)));
    } else {
        slots_ = solver_.template emplace<Sparse<T>>(n, entries).slots();
    }
}

} // namespace rattleback::solve
