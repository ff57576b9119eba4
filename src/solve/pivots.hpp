// In which order a small matrix is eliminated when nobody will look for pivots: from a sample of it.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace rattleback::solve {

// Pivots (row, column) one after the other: of the numbers that are at least a tenth of the largest of their row, the
// one with the fewest others in its row and column. Empty where the sample is singular.
inline std::vector<std::pair<int, int>> pivot_order(std::vector<std::vector<double>> a) {
    const int n = static_cast<int>(a.size());
    std::vector<std::pair<int, int>> order;
    std::vector<bool> row_done(a.size(), false), column_done(a.size(), false);
    const auto count = [&](int i, int j) {
        int row = 0, column = 0;
        for (int k = 0; k < n; ++k) row += !column_done[k] && a[i][k] != 0, column += !row_done[k] && a[k][j] != 0;
        return (row - 1) * (column - 1);
    };
    for (int step = 0; step < n; ++step) {
        std::pair<int, int> best{-1, -1};
        int fewest = n * n;
        double largest_share = 0;
        for (int i = 0; i < n; ++i) {
            if (row_done[i]) continue;
            double largest = 0;
            for (int j = 0; j < n; ++j)
                if (!column_done[j]) largest = std::max(largest, std::abs(a[i][j]));
            for (int j = 0; j < n; ++j) {
                if (column_done[j] || !(std::abs(a[i][j]) > 0.1 * largest)) continue;
                const int others = count(i, j);
                const double share = std::abs(a[i][j]) / largest;
                if (others < fewest || (others == fewest && share > largest_share))
                    best = {i, j}, fewest = others, largest_share = share;
            }
        }
        if (best.first < 0) return {};
        const auto [r, c] = best;
        row_done[r] = column_done[c] = true;
        order.push_back(best);
        for (int i = 0; i < n; ++i) {
            if (row_done[i] || a[i][c] == 0) continue;
            const double l = a[i][c] / a[r][c];
            for (int j = 0; j < n; ++j)
                if (!column_done[j]) a[i][j] -= l * a[r][j];
        }
    }
    return order;
}

} // namespace rattleback::solve
