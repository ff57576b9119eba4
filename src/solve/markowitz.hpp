// Chooses the pivots of a sparse elimination from the numbers of a matrix: little fill-in, no small pivots.
#pragma once

#include "solve/buckets.hpp"
#include "solve/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rattleback::solve {

// Markowitz (1957) with threshold pivoting: of the numbers not below a tenth of the largest in their column, take one
// that makes little fill, (row count - 1) * (column count - 1). As Duff and Reid and Zlatev do, look at the few
// shortest rows and columns only, so that a step costs what it changes and a chain of n links costs O(n).
template <class T> class Markowitz {
  public:
    explicit Markowitz(const Rows<T>& a);
    Outcome run(Plan& plan);
    long operations() const { return operations_; } // numbers looked at or changed

  private:
    static constexpr double threshold = 0.1;
    static constexpr int patience = 4;   // rows and columns looked at for one pivot (Zlatev: 3 or 4 suffice)
    static constexpr int long_line = 64; // a row's candidate in a column longer than this is left to the column search

    struct Entry {
        int row, column;
        int row_next, row_previous;       // neighbours in the same row
        int column_next, column_previous; // neighbours in the same column
        T value;
    };
    struct Choice {
        int entry = -1;
        long cost = 0;
        double quality = 0; // its size relative to the largest in its column
    };

    static std::uint64_t key(int row, int column) {
        return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(column);
    }
    void add(int row, int column, T value);
    void leave_row(const Entry& e);
    void leave_column(const Entry& e);
    T largest_in_column(int column);
    void consider(int entry, T largest);
    bool look_at_column(int column);
    void look_at_row(int row);
    bool choose();
    void eliminate(Plan& plan);
    void update_row(int row, T l);
    void finish(Plan& plan) const;

    const Rows<T> a_;
    const T tiny_;
    std::vector<Entry> entries_;
    std::vector<int> row_first_, column_first_;
    Buckets rows_, columns_;
    // By row and column: the index of an entry. Searching along a row instead would cost its length for every pivot
    // that touches it, and an unknown period or final time makes dense rows and columns.
    std::unordered_map<std::uint64_t, int> places_;
    Choice best_;
    int singular_ = -1;
    bool empty_row_ = false; // singular_ is a row
    long operations_ = 0;
    std::vector<int> pivot_row_, pivot_column_; // the entries beside the pivot of this step
    std::vector<std::size_t> below_start_;      // L by columns, as the steps make it
    std::vector<int> below_;
};

template <class T>
Markowitz<T>::Markowitz(const Rows<T>& a)
    : a_(a), tiny_(smallest_pivot<T>(a.n)), row_first_(a.n, -1), column_first_(a.n, -1), rows_(a.n), columns_(a.n) {
    places_.reserve(a.start[a.n]);
    entries_.reserve(a.start[a.n] + a.start[a.n] / 2);
    std::vector<int> count(a.n, 0);
    // Backwards, so that the lines are listed first to last and equal candidates are taken in the order of the
    // unknowns.
    for (int i = a.n - 1; i >= 0; --i) {
        for (std::size_t s = a.start[i + 1]; s-- > a.start[i];) {
            add(i, a.column[s], a.value[s]);
            ++count[a.column[s]];
        }
        rows_.insert(i, static_cast<int>(a.start[i + 1] - a.start[i]));
    }
    for (int j = a.n - 1; j >= 0; --j) columns_.insert(j, count[j]);
}

template <class T> void Markowitz<T>::add(int row, int column, T value) {
    const int index = static_cast<int>(entries_.size());
    entries_.push_back({row, column, row_first_[row], -1, column_first_[column], -1, value});
    if (row_first_[row] >= 0) entries_[row_first_[row]].row_previous = index;
    if (column_first_[column] >= 0) entries_[column_first_[column]].column_previous = index;
    row_first_[row] = column_first_[column] = index;
    places_[key(row, column)] = index;
}

template <class T> void Markowitz<T>::leave_row(const Entry& e) {
    if (e.row_next >= 0) entries_[e.row_next].row_previous = e.row_previous;
    (e.row_previous >= 0 ? entries_[e.row_previous].row_next : row_first_[e.row]) = e.row_next;
}

template <class T> void Markowitz<T>::leave_column(const Entry& e) {
    if (e.column_next >= 0) entries_[e.column_next].column_previous = e.column_previous;
    (e.column_previous >= 0 ? entries_[e.column_previous].column_next : column_first_[e.column]) = e.column_next;
}

template <class T> T Markowitz<T>::largest_in_column(int column) {
    T largest = 0;
    for (int e = column_first_[column]; e >= 0; e = entries_[e].column_next)
        largest = std::max(largest, real::abs(entries_[e].value));
    operations_ += columns_.count(column);
    return largest;
}

template <class T> void Markowitz<T>::consider(int entry, T largest) {
    const Entry& e = entries_[entry];
    const T size = real::abs(e.value);
    if (!(size > tiny_ && size >= T(threshold) * largest)) return;
    const long cost = static_cast<long>(rows_.count(e.row) - 1) * (columns_.count(e.column) - 1);
    const double quality = static_cast<double>(size / largest);
    if (best_.entry < 0 || cost < best_.cost || (cost == best_.cost && quality > best_.quality))
        best_ = {entry, cost, quality};
}

// Its largest number always qualifies. If that is round-off the matrix is singular: elimination would only mix it with
// other numbers of the same column.
template <class T> bool Markowitz<T>::look_at_column(int column) {
    const T largest = largest_in_column(column);
    if (!(largest > tiny_)) {
        singular_ = column;
        return false;
    }
    for (int e = column_first_[column]; e >= 0; e = entries_[e].column_next) consider(e, largest);
    operations_ += columns_.count(column);
    return true;
}

template <class T> void Markowitz<T>::look_at_row(int row) {
    for (int e = row_first_[row]; e >= 0; e = entries_[e].row_next) {
        const int column = entries_[e].column, length = columns_.count(column);
        const long cost = static_cast<long>(rows_.count(row) - 1) * (length - 1);
        if (length > long_line || (best_.entry >= 0 && cost >= best_.cost)) continue;
        consider(e, largest_in_column(column));
    }
    operations_ += rows_.count(row);
}

// False if there is no pivot; singular_ then says where.
template <class T> bool Markowitz<T>::choose() {
    best_ = {};
    empty_row_ = columns_.first(0) < 0 && rows_.first(0) >= 0;
    singular_ = empty_row_ ? rows_.first(0) : columns_.first(0);
    if (singular_ >= 0) return false;
    int looked = 0;
    const auto enough = [&](long bound) { return best_.entry >= 0 && (best_.cost <= bound || looked >= patience); };
    for (int count = 1; count <= a_.n; ++count) {
        const long shorter = count - 1;
        for (int j = columns_.first(count); j >= 0; j = columns_.next(j), ++looked) {
            if (enough(shorter * shorter)) return true;
            if (!look_at_column(j)) return false;
        }
        for (int i = rows_.first(count); i >= 0 && looked < patience; i = rows_.next(i), ++looked) {
            if (enough(shorter * shorter)) return true;
            look_at_row(i);
        }
        if (enough(shorter * count)) return true;
    }
    return best_.entry >= 0;
}

template <class T> void Markowitz<T>::update_row(int row, T l) {
    int filled = 0;
    for (const int u : pivot_row_) {
        const int column = entries_[u].column;
        const T change = l * entries_[u].value;
        if (const auto at = places_.find(key(row, column)); at != places_.end()) {
            entries_[at->second].value -= change;
        } else {
            add(row, column, T(0) - change);
            columns_.change(column, 1);
            ++filled;
        }
    }
    rows_.change(row, filled - 1);
    operations_ += static_cast<long>(pivot_row_.size()) + 1;
}

template <class T> void Markowitz<T>::eliminate(Plan& plan) {
    const Entry pivot = entries_[best_.entry];
    plan.row_at.push_back(pivot.row);
    plan.column_at.push_back(pivot.column);
    rows_.remove(pivot.row);
    columns_.remove(pivot.column);
    pivot_row_.clear();
    pivot_column_.clear();
    for (int e = row_first_[pivot.row]; e >= 0; e = entries_[e].row_next) {
        if (e == best_.entry) continue;
        pivot_row_.push_back(e);
        leave_column(entries_[e]);
        columns_.change(entries_[e].column, -1);
        plan.upper.push_back(entries_[e].column);
    }
    for (int e = column_first_[pivot.column]; e >= 0; e = entries_[e].column_next)
        if (e != best_.entry) pivot_column_.push_back(e);
    const T inverse = T(1) / pivot.value; // as Factors does, so that replaying this matrix gives these very numbers
    for (const int e : pivot_column_) {
        leave_row(entries_[e]);
        below_.push_back(entries_[e].row);
        update_row(entries_[e].row, entries_[e].value * inverse);
    }
    plan.upper_start.push_back(plan.upper.size());
    below_start_.push_back(below_.size());
}

// From rows and columns of the matrix to steps, and L from columns to rows.
template <class T> void Markowitz<T>::finish(Plan& plan) const {
    const int n = a_.n;
    std::vector<int> row_step(n), column_step(n);
    for (int k = 0; k < n; ++k) {
        row_step[plan.row_at[k]] = k;
        column_step[plan.column_at[k]] = k;
    }
    for (int& column : plan.upper) column = column_step[column];
    for (int k = 0; k < n; ++k)
        std::sort(plan.upper.begin() + plan.upper_start[k], plan.upper.begin() + plan.upper_start[k + 1]);
    plan.step_of.assign(a_.column, a_.column + a_.start[n]);
    for (int& column : plan.step_of) column = column_step[column];
    plan.lower_start.assign(n + 1, 0);
    for (const int row : below_) ++plan.lower_start[row_step[row] + 1];
    for (int k = 0; k < n; ++k) plan.lower_start[k + 1] += plan.lower_start[k];
    plan.lower.resize(below_.size());
    std::vector<std::size_t> next(plan.lower_start.begin(), plan.lower_start.end() - 1);
    for (int k = 0; k < n; ++k) // steps in order, so that every row of L comes out ascending
        for (std::size_t s = below_start_[k]; s < below_start_[k + 1]; ++s) plan.lower[next[row_step[below_[s]]]++] = k;
}

template <class T> Outcome Markowitz<T>::run(Plan& plan) {
    plan = {};
    plan.upper_start.push_back(0);
    below_start_.push_back(0);
    for (int k = 0; k < a_.n; ++k) {
        if (!choose()) return {false, singular_, 0, empty_row_};
        eliminate(plan);
    }
    finish(plan);
    return {};
}

} // namespace rattleback::solve
