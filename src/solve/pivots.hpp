// In which order a small matrix is eliminated when nobody will look for pivots: chosen from samples of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace rattleback::solve {

// Pivots (row, column) one after the other, for several samples of one matrix: of the entries that are at least this
// share of the largest of their row in all samples, the one with the least fill-in, (entries of its row - 1) * (entries
// of its column - 1). Empty where there is no such order.
inline std::vector<std::pair<int, int>> pivot_order(std::vector<std::vector<std::vector<double>>> samples,
                                                    double least) {
    const std::size_t n = samples.empty() ? 0 : samples[0].size();
    std::vector<std::pair<int, int>> order;
    std::vector<bool> row_done(n, false), column_done(n, false);
    for (auto& a : samples) // rows are scaled to a largest entry of 1 first
        for (auto& row : a) {
            double largest = 0;
            for (double x : row) largest = std::max(largest, std::abs(x));
            if (largest > 0)
                for (double& x : row) x /= largest;
        }
    const auto filled = [&](std::size_t i, std::size_t j) {
        return std::any_of(samples.begin(), samples.end(), [&](const auto& a) { return a[i][j] != 0; });
    };
    for (std::size_t step = 0; step < n; ++step) {
        std::erase_if(samples, [&](const auto& a) { // singular samples are left out
            for (std::size_t i = 0; i < n; ++i) {
                bool empty = !row_done[i];
                for (std::size_t j = 0; j < n && empty; ++j) empty = column_done[j] || a[i][j] == 0;
                if (empty) return true;
            }
            return false;
        });
        if (samples.size() < 3) return {};
        std::vector<std::size_t> in_row(n, 0), in_column(n, 0);
        std::vector<std::vector<double>> share(n, std::vector<double>(n, 0));
        for (std::size_t i = 0; i < n; ++i) {
            if (row_done[i]) continue;
            for (std::size_t j = 0; j < n; ++j)
                if (!column_done[j] && filled(i, j)) ++in_row[i], ++in_column[j], share[i][j] = 1;
            for (const auto& a : samples) {
                double largest = 0;
                for (std::size_t j = 0; j < n; ++j)
                    if (!column_done[j]) largest = std::max(largest, std::abs(a[i][j]));
                for (std::size_t j = 0; j < n; ++j)
                    if (share[i][j] > 0)
                        share[i][j] = std::min(share[i][j], largest > 0 ? std::abs(a[i][j]) / largest : 0);
            }
        }
        std::size_t fewest = n * n, r = n, c = n;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                if (!(share[i][j] > least)) continue;
                const std::size_t others = (in_row[i] - 1) * (in_column[j] - 1);
                if (others < fewest || (others == fewest && share[i][j] > share[r][c])) fewest = others, r = i, c = j;
            }
        if (r == n) return {};
        row_done[r] = column_done[c] = true;
        order.emplace_back(r, c);
        for (auto& a : samples)
            for (std::size_t i = 0; i < n; ++i) {
                if (row_done[i] || a[i][c] == 0) continue;
                const double l = a[i][c] / a[r][c];
                for (std::size_t j = 0; j < n; ++j)
                    if (!column_done[j]) a[i][j] -= l * a[r][j];
            }
    }
    return order;
}

} // namespace rattleback::solve
