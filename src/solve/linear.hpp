// LU with a search for pivots: dense, tridiagonal or sparse, chosen by the pattern of the matrix.
//
// Ablation, instructions of a step: sparse instead of tridiagonal 1.30 (lattice_phi4, midpoint) and 1.25 (sine_gordon);
// sparse instead of dense 1.23 to 1.27 (outer_solar_system, Gauss of two and three stages). A solver for bands of more
// than three diagonals was dropped: sparse takes 0.95 of its instructions on a chain of 1,000 with second neighbours.
#pragma once

#include "solve/dense.hpp"
#include "solve/sparse.hpp"
#include "solve/tridiagonal.hpp"

#include <algorithm>
#include <cstdlib>
#include <variant>
#include <vector>

namespace rattleback::solve {

// Fill values()[slot(k)] for every entry k, factor, solve. factor() leaves the values alone. Entries are unique.
template <class T> class Linear {
  public:
    Linear() = default;
    Linear(int n, const Entries& entries);
    T* values() {
        return visit([](auto& s) { return s.values(); });
    }
    int slot(std::size_t k) const { return slots_[k]; }
    void clear() {
        visit([](auto& s) { s.clear(); });
    }

    // A sparse solver takes its pivots from the first matrix that it can factor, and uses their order from then on.
    Outcome factor() {
        return visit([](auto& s) { return s.factor(); });
    }
    Tridiagonal<T>* tridiagonal() { return std::get_if<Tridiagonal<T>>(&solver_); } // if it is
    void solve(T* b) {
        visit([b](auto& s) { s.solve(b); });
    }

    const char* name() const {
        constexpr const char* names[] = {"dense", "tridiagonal", "sparse"};
        return names[solver_.index()];
    }
    bool remembers() const { return std::holds_alternative<Sparse<T>>(solver_); } // that order
    void forget() {
        if (const auto s = std::get_if<Sparse<T>>(&solver_)) s->forget();
    }
    long fallbacks() const {
        const auto s = std::get_if<Sparse<T>>(&solver_);
        return s ? s->fallbacks() : 0;
    }

  private:
    // By branches in the order of likelihood, not std::visit: steps of small systems cannot afford an indirect call.
    template <class F> auto visit(F f) {
        if (auto dense = std::get_if<Dense<T>>(&solver_)) return f(*dense);
        if (auto three = std::get_if<Tridiagonal<T>>(&solver_)) return f(*three);
        return f(*std::get_if<Sparse<T>>(&solver_));
    }

    std::vector<int> slots_;
    std::variant<Dense<T>, Tridiagonal<T>, Sparse<T>> solver_;
};

template <class T> Linear<T>::Linear(int n, const Entries& entries) {
    const bool three_diagonals =
        std::all_of(entries.begin(), entries.end(), [](const auto& e) { return std::abs(e.first - e.second) <= 1; });
    if (n > 8 && three_diagonals) {
        const auto& solver = solver_.template emplace<Tridiagonal<T>>(n);
        for (const auto& [i, j] : entries) slots_.push_back(static_cast<int>(solver.place(i, j)));
    } else if (n <= 16 || static_cast<double>(entries.size()) > 0.4 * n * n) {
        solver_.template emplace<Dense<T>>(n);
        for (const auto& [i, j] : entries) slots_.push_back(i * n + j);
    } else {
        slots_ = solver_.template emplace<Sparse<T>>(n, entries).slots();
    }
}

} // namespace rattleback::solve
