// A sparse elimination in a fixed order of pivots: its symbolic part (Plan) and its numbers (Factors).
#pragma once

#include "solve/outcome.hpp"

#include <cstddef>
#include <vector>

namespace rattleback::solve {

// Step k eliminates row row_at[k] and column column_at[k] of the matrix. L and U are stored by rows, in the order of
// the steps and with steps for column numbers: row k of L has a number for every step in lower[lower_start[k] ..),
// ascending, row k of U right of its pivot one for every step in upper[upper_start[k] ..).
struct Plan {
    std::vector<int> row_at, column_at;
    std::vector<std::size_t> lower_start, upper_start;
    std::vector<int> lower, upper;
    std::vector<int> step_of; // of the column of each stored number of the matrix

    int size() const { return static_cast<int>(row_at.size()); }
    std::size_t entries() const { return lower.size() + upper.size() + row_at.size(); }
};

// The matrix as it is given to the elimination: by rows, columns ascending, rows scaled to a largest number in [1, 2).
template <class T> struct Rows {
    int n;
    const std::size_t* start;
    const int* column;
    const T* value;
};

// The numbers of a factorization that follows a plan.
template <class T> class Factors {
  public:
    // Fails where a pivot is round-off, or where an update l * u is beyond the limit: it is the size of the updates
    // that sets the error of the factors, whether a large l or a large u makes them.
    Outcome run(const Plan& plan, const Rows<T>& a, T limit);
    void solve(const Plan& plan, const T* scale, T* b);

  private:
    void open_row(const Plan& plan, const Rows<T>& a, int k);
    bool reduce(const Plan& plan, int k, T limit);
    T close_row(const Plan& plan, int k);

    std::vector<T> lower_, upper_, inverse_;
    std::vector<T> largest_; // in row k of U, its pivot left out
    std::vector<T> work_;    // the row at hand, or the right hand side, in the order of the steps
    T growth_ = 0;
};

template <class T> void Factors<T>::open_row(const Plan& plan, const Rows<T>& a, int k) {
    for (std::size_t s = plan.lower_start[k]; s < plan.lower_start[k + 1]; ++s) work_[plan.lower[s]] = T(0);
    for (std::size_t s = plan.upper_start[k]; s < plan.upper_start[k + 1]; ++s) work_[plan.upper[s]] = T(0);
    work_[k] = T(0);
    const int i = plan.row_at[k];
    for (std::size_t s = a.start[i]; s < a.start[i + 1]; ++s) work_[plan.step_of[s]] = a.value[s];
}

// Row k minus its multiples of earlier rows. False if an update is too large, or no number.
template <class T> bool Factors<T>::reduce(const Plan& plan, int k, T limit) {
    for (std::size_t s = plan.lower_start[k]; s < plan.lower_start[k + 1]; ++s) {
        const int earlier = plan.lower[s];
        const T l = work_[earlier] * inverse_[earlier];
        lower_[s] = l;
        const T update = real::abs(l) * largest_[earlier];
        if (!(update <= limit)) return false;
        if (update > growth_) growth_ = update;
        for (std::size_t t = plan.upper_start[earlier]; t < plan.upper_start[earlier + 1]; ++t)
            work_[plan.upper[t]] -= l * upper_[t];
    }
    return true;
}

// Stores row k of U and gives its pivot.
template <class T> T Factors<T>::close_row(const Plan& plan, int k) {
    T largest = 0;
    for (std::size_t s = plan.upper_start[k]; s < plan.upper_start[k + 1]; ++s) {
        upper_[s] = work_[plan.upper[s]];
        largest = std::max(largest, real::abs(upper_[s]));
    }
    largest_[k] = largest;
    inverse_[k] = T(1) / work_[k];
    growth_ = std::max(growth_, std::max(largest, real::abs(work_[k])));
    return work_[k];
}

template <class T> Outcome Factors<T>::run(const Plan& plan, const Rows<T>& a, T limit) {
    lower_.resize(plan.lower.size());
    upper_.resize(plan.upper.size());
    for (auto* v : {&inverse_, &largest_, &work_}) v->resize(a.n);
    const T tiny = smallest_pivot<T>(a.n);
    growth_ = 0;
    for (int k = 0; k < a.n; ++k) {
        open_row(plan, a, k);
        if (!reduce(plan, k, limit) || !(real::abs(close_row(plan, k)) > tiny) || !(growth_ <= limit))
            return {false, plan.column_at[k], static_cast<double>(growth_)};
    }
    return {true, -1, static_cast<double>(growth_)};
}

template <class T> void Factors<T>::solve(const Plan& plan, const T* scale, T* b) {
    T* const y = work_.data();
    const int n = plan.size();
    for (int k = 0; k < n; ++k) {
        T sum = b[plan.row_at[k]] * scale[plan.row_at[k]];
        for (std::size_t s = plan.lower_start[k]; s < plan.lower_start[k + 1]; ++s) sum -= lower_[s] * y[plan.lower[s]];
        y[k] = sum;
    }
    for (int k = n - 1; k >= 0; --k) {
        T sum = y[k];
        for (std::size_t s = plan.upper_start[k]; s < plan.upper_start[k + 1]; ++s) sum -= upper_[s] * y[plan.upper[s]];
        y[k] = sum * inverse_[k];
    }
    for (int k = 0; k < n; ++k) b[plan.column_at[k]] = y[k];
}

} // namespace rattleback::solve
