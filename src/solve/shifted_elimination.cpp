#include "solve/shifted_elimination.hpp"

namespace rattleback::solve {
namespace {

using Pattern = std::vector<std::vector<bool>>;

// Of the rows that are left the one whose pivot on the diagonal fills in least.
std::size_t next_pivot(const Pattern& filled, const std::vector<bool>& done) {
    const std::size_t n = filled.size();
    std::size_t best = n, fewest = n * n;
    for (std::size_t k = 0; k < n; ++k) {
        if (done[k]) continue;
        std::size_t row = 0, column = 0;
        for (std::size_t j = 0; j < n; ++j)
            if (!done[j] && j != k) row += filled[k][j], column += filled[j][k];
        if (row * column < fewest) fewest = row * column, best = k;
    }
    return best;
}

} // namespace

ShiftedElimination::ShiftedElimination(int size, const Entries& entries) {
    constexpr std::uint32_t none = ~std::uint32_t(0);
    const auto n = static_cast<std::size_t>(size);
    std::vector<std::vector<std::uint32_t>> place(n, std::vector<std::uint32_t>(n, none));
    Pattern filled(n, std::vector<bool>(n)), complex = filled;
    std::vector<bool> done(n), changed(n);
    const auto at = [&](std::size_t i, std::size_t j) {
        if (place[i][j] == none) place[i][j] = static_cast<std::uint32_t>(places_++);
        filled[i][j] = true;
        return place[i][j];
    };
    const auto known = [&](std::size_t i, std::size_t j) {
        return Known{place[i][j], complex[i][j], static_cast<std::uint32_t>(j)};
    };
    for (const auto& [i, j] : entries) entry_.push_back(at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
    for (std::size_t step = 0; step < n; ++step) {
        const std::size_t k = next_pivot(filled, done);
        done[k] = true;
        Pivot p;
        p.row = static_cast<std::uint32_t>(k), p.changes = changed[k];
        p.place = at(k, k);
        for (std::size_t e = 0; e < entries.size(); ++e) {
            if (static_cast<std::size_t>(entries[e].first) != k) continue;
            p.entries.push_back(static_cast<std::uint32_t>(e));
            p.given |= entries[e].second == entries[e].first;
        }
        for (std::size_t j = 0; j < n; ++j)
            if (!done[j] && filled[k][j]) p.right.push_back(known(k, j));
        operations_ += 6 + 2 * p.right.size();
        to_solve_ += 4;
        for (const Known& u : p.right) to_solve_ += u.complex ? 4 : 2;
        for (std::size_t i = 0; i < n; ++i) {
            if (done[i] || !filled[i][k]) continue;
            Row row{static_cast<std::uint32_t>(i), known(i, k), {}};
            changed[i] = true;
            operations_ += row.factor.complex ? 4 : 2, to_solve_ += 4;
            for (const Known& u : p.right) {
                const bool fills = !filled[i][u.column];
                at(i, u.column);
                const bool diagonal = i == u.column; // where the shift is
                row.updates.push_back({{place[i][u.column], complex[i][u.column] || diagonal}, u, fills && !diagonal});
                complex[i][u.column] = true;
                operations_ += u.complex ? 4 : 2;
            }
            p.rows.push_back(std::move(row));
        }
        pivots_.push_back(std::move(p));
    }
}

} // namespace rattleback::solve
