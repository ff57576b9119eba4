// Sparse LU: pivots are chosen for one matrix and their order is reused for later ones.
#pragma once

#include "solve/markowitz.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rattleback::solve {

using Entries = std::vector<std::pair<int, int>>; // (row, column)

// analyse() chooses the pivots from the values of the moment, the probe; factor() eliminates in that order whatever the
// values are then. Where the order does not fit a matrix, that matrix alone is given an order of its own, and the next
// starts from the probe's again: a result depends on its matrix and on the probe, never on what was solved in between.
template <class T> class Sparse {
  public:
    // The probe's order is used for a matrix while the largest update of its elimination stays within growth_limit
    // times the probe's. Above growth_refined, solve() refines its answer once. Measured on 16,000 random matrices
    // (chains and scattered, other numbers than the probe's): growth 1e5 without refinement costs a backward error of
    // 2e-9, with it 7e-16. A bound of 100 instead would refuse the order to a third of the chains of 1e4 unknowns that
    // differ by a tenth from the probe, at the price of 50 replays each.
    static constexpr double growth_limit = 1e5;
    static constexpr double growth_refined = 256;
    static constexpr double growth_refined_twice = 1e7; // the probe itself may grow, by long sums in a dense row

    Sparse() = default;
    Sparse(int n, const Entries& entries);

    int size() const { return n_; }
    const std::vector<int>& slots() const { return slots_; } // of every entry as given; equal entries share a slot
    T* values() { return values_.data(); }
    void clear() { std::fill(values_.begin(), values_.end(), T(0)); }

    Outcome analyse();
    Outcome factor(); // analyses if that has not succeeded yet
    void forget() { analysed_ = false; }
    void solve(T* b); // leaves b alone unless the latest factorization succeeded

    long fallbacks() const { return fallbacks_; }   // factorizations that needed an order of their own
    long operations() const { return operations_; } // numbers looked at or changed by the latest analysis
    std::size_t factor_entries() const { return active().entries(); } // in L and U, with the fill-in

  private:
    Outcome scale_rows();
    void residual(const T* x);
    Outcome eliminate(const Plan& plan, T limit);
    Outcome order(Plan& plan);
    Rows<T> rows() const { return {n_, start_.data(), column_.data(), scaled_.data()}; }
    const Plan& active() const { return own_order_ ? own_ : probe_; }

    int n_ = 0;
    std::vector<std::size_t> start_{0}; // row i has the slots start_[i] .. start_[i + 1], columns ascending
    std::vector<int> column_, slots_;
    std::vector<T> values_, scaled_, scale_;
    std::vector<T> right_, rest_; // of a solve that is refined
    Plan probe_, own_;
    Factors<T> factors_;
    double probe_growth_ = 1;
    bool analysed_ = false, factored_ = false, own_order_ = false;
    int refinements_ = 0;
    long fallbacks_ = 0, operations_ = 0;
};

template <class T> Sparse<T>::Sparse(int n, const Entries& entries) : n_(n), start_(n + 1, 0) {
    Entries sorted = entries;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const auto& [row, column] : sorted) {
        ++start_[row + 1];
        column_.push_back(column);
    }
    for (int i = 0; i < n; ++i) start_[i + 1] += start_[i];
    for (const auto& entry : entries)
        slots_.push_back(static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), entry) - sorted.begin()));
    values_.assign(sorted.size(), T(0));
    scaled_ = values_;
    scale_.assign(n, T(0));
}

template <class T> Outcome Sparse<T>::scale_rows() {
    factored_ = false;
    for (int i = 0; i < n_; ++i) {
        const std::size_t s = start_[i];
        const int count = static_cast<int>(start_[i + 1] - s);
        if (!equilibrate(values_.data() + s, scaled_.data() + s, count, scale_[i])) return {false, i, 0, true};
    }
    return {};
}

template <class T> Outcome Sparse<T>::eliminate(const Plan& plan, T limit) {
    const Outcome outcome = factors_.run(plan, rows(), limit);
    factored_ = outcome.ok;
    refinements_ = (outcome.growth > growth_refined) + (outcome.growth > growth_refined_twice);
    return outcome;
}

// Chooses pivots for the scaled values and eliminates with them.
template <class T> Outcome Sparse<T>::order(Plan& plan) {
    Markowitz<T> search(rows());
    Outcome outcome = search.run(plan);
    operations_ = search.operations();
    return outcome.ok ? eliminate(plan, Real<T>::largest) : outcome;
}

template <class T> Outcome Sparse<T>::analyse() {
    own_order_ = false;
    Outcome outcome = scale_rows();
    if (outcome.ok) outcome = order(probe_);
    analysed_ = outcome.ok;
    probe_growth_ = outcome.growth;
    return outcome;
}

template <class T> Outcome Sparse<T>::factor() {
    if (!analysed_) return analyse();
    if (const Outcome bad = scale_rows(); !bad.ok) return bad;
    own_order_ = false;
    const Outcome outcome = eliminate(probe_, T(growth_limit * probe_growth_));
    if (outcome.ok) return outcome;
    ++fallbacks_;
    own_order_ = true;
    return order(own_);
}

// The residual of the right hand side.
template <class T> void Sparse<T>::residual(const T* x) {
    for (int i = 0; i < n_; ++i) {
        T sum = right_[i] * scale_[i];
        for (std::size_t s = start_[i]; s < start_[i + 1]; ++s) sum -= scaled_[s] * x[column_[s]];
        rest_[i] = sum / scale_[i];
    }
}

template <class T> void Sparse<T>::solve(T* b) {
    if (!factored_) return;
    if (refinements_ > 0) right_.assign(b, b + n_);
    factors_.solve(active(), scale_.data(), b);
    for (int r = 0; r < refinements_; ++r) {
        rest_.resize(n_);
        residual(b);
        factors_.solve(active(), scale_.data(), rest_.data());
        for (int i = 0; i < n_; ++i) b[i] += rest_[i];
    }
}

} // namespace rattleback::solve
