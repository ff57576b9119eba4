// Sparse LU whose pivots are chosen once and then replayed.
#pragma once

#include "markowitz.hpp"

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
    // An order fits a matrix while its largest update is within this factor of the largest in the probe. CALIBRATE
    static constexpr double growth_limit = 1e4;

    Sparse() = default;
    Sparse(int n, const Entries& entries);

    int size() const { return n_; }
    const std::vector<int>& slots() const { return slots_; } // of every entry as given; equal entries share a slot
    T* values() { return values_.data(); }
    void clear() { std::fill(values_.begin(), values_.end(), T(0)); }

    Outcome analyse();
    Outcome factor(); // analyses if that has not succeeded yet
    void solve(T* b) { factors_.solve(active(), scale_.data(), b); }
    void solve_transposed(T* b) { factors_.solve_transposed(active(), scale_.data(), b); }

    long fallbacks() const { return fallbacks_; }   // factorizations that needed an order of their own
    long operations() const { return operations_; } // numbers looked at or changed by the latest analysis
    std::size_t factor_entries() const { return active().entries(); } // in L and U: what fill has made of the values

  private:
    Outcome scale_rows();
    Outcome order(Program& program);
    Rows<T> rows() const { return {n_, start_.data(), column_.data(), scaled_.data()}; }
    const Program& active() const { return own_order_ ? own_ : probe_; }

    int n_ = 0;
    std::vector<std::size_t> start_; // row i has the slots start_[i] .. start_[i + 1], columns ascending
    std::vector<int> column_, slots_;
    std::vector<T> values_, scaled_, scale_;
    Program probe_, own_;
    Factors<T> factors_;
    double probe_growth_ = 1;
    bool analysed_ = false, own_order_ = false;
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
    for (int i = 0; i < n_; ++i) {
        const std::size_t s = start_[i];
        const int count = static_cast<int>(start_[i + 1] - s);
        if (!equilibrate(values_.data() + s, scaled_.data() + s, count, scale_[i])) return {false, i, 0};
    }
    return {};
}

// Chooses pivots for the scaled values and eliminates with them.
template <class T> Outcome Sparse<T>::order(Program& program) {
    Markowitz<T> search(rows());
    Outcome outcome = search.run(program);
    operations_ = search.operations();
    return outcome.ok ? factors_.run(program, rows(), Real<T>::largest) : outcome;
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
    const Outcome outcome = factors_.run(probe_, rows(), T(growth_limit * probe_growth_));
    if (outcome.ok) return outcome;
    ++fallbacks_;
    own_order_ = true;
    return order(own_);
}

} // namespace rattleback::solve
