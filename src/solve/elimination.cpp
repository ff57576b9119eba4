#include "solve/elimination.hpp"

#include "solve/fused.hpp"

#include <algorithm>

namespace rattleback::solve {

Elimination::Elimination(int n, const Entries& entries, const std::vector<double>& units)
    : at_(entries), pivots_(static_cast<std::size_t>(n)) {
    constexpr std::uint32_t none = ~std::uint32_t(0);
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::uint32_t> place(size * size, none);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return place[i * size + j]; };
    const auto fill = [&](std::size_t i, std::size_t j) {
        if (at(i, j) == none) at(i, j) = static_cast<std::uint32_t>(places_++);
        return at(i, j);
    };
    const auto unit = [&](std::size_t j, std::size_t pivot) { return units.empty() ? 1 : units[j] / units[pivot]; };
    for (const auto& [row, column] : entries) {
        const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
        entry_.push_back(fill(i, j));
        pivots_[i].given.push_back({entry_.back(), unit(j, i)});
    }
    for (std::size_t k = 0; k < size; ++k) {
        Pivot& p = pivots_[k];
        p.place = fill(k, k);
        if (p.given.empty()) p.given.push_back({p.place, 1});
        for (std::size_t i = k + 1; i < size; ++i) {
            if (at(i, k) == none) continue;
            Row& row = p.rows.emplace_back(Row{at(i, k), {}});
            for (std::size_t j = k + 1; j < size; ++j)
                if (at(k, j) != none) row.updates.push_back({fill(i, j), at(k, j)});
            operations_ += 1 + row.updates.size();
        }
        for (std::uint32_t j = 0; j < size; ++j)
            if (at(k, j) != none && j != k) (j < k ? p.lower : p.upper).push_back({at(k, j), j});
        for (const Factor& u : p.upper) p.right.push_back({u.place, unit(u.other, k)});
        operations_ += 1 + 2 * p.upper.size();
    }
}

bool Eliminated::factor(const double* entries) {
    std::copy_n(entries, entries_.size(), entries_.begin());
    std::fill(factors_.begin(), factors_.end(), 0.0);
    for (std::size_t k = 0; k < entries_.size(); ++k) factors_[list_.place(k)] = entries[k];
    return !fast<double>([&]()
                             __attribute__((always_inline)) { return list_.factor(factors_.data(), inverse_.data()); });
}

bool Eliminated::solve(bool linear, double* x) {
    const auto once = [&](double* y) {
        fast<double>([&]() __attribute__((always_inline)) { list_.solve(factors_.data(), inverse_.data(), y); });
    };
    if (linear) right_.assign(x, x + right_.size());
    once(x);
    if (!linear) return true;
    const bool bad = list_.rest_of(entries_.data(), right_.data(), x, rest_.data());
    once(rest_.data());
    for (std::size_t i = 0; i < rest_.size(); ++i) x[i] += rest_[i];
    return !bad;
}

} // namespace rattleback::solve
