#include "solve/small_blocks.hpp"

#include <algorithm>

#include "solve/pivots.hpp"
#include "solve/small_inverse.hpp"

namespace rattleback::solve {
namespace {

bool has_empty_row(const Part& part) {
    std::vector<bool> filled(part.residuals.size(), false);
    for (const BlockEntry& e : part.block.entries) filled[e.row] = true;
    return std::find(filled.begin(), filled.end(), false) != filled.end();
}

} // namespace

SmallBlocks::SmallBlocks(const Equations& all, const std::vector<double>& typical)
    : all_(all), typical_(typical), sample_(all.graph) {
    const std::size_t changing = all.given.size() - typical.size();
    for (std::size_t i = 0; i < all.given.size(); ++i)
        i < changing ? sample_.set(all.given[i]) : sample_.set(all.given[i], typical[i - changing]);
    for (const Expr& symbol : all.symbol) sample_.set(symbol);
    for (std::size_t i = changing; i < all.given.size(); ++i) steady_.push_back(all.given[i].id());
}

void SmallBlocks::prepare(Part part, bool divide, std::deque<Part>& parts) {
    if (part.unknowns.size() > most_inverted) {
        const std::size_t n = part.unknowns.size();
        const bool sparse = 5 * part.entries.size() <= 2 * n * n || n <= 18; // else dense elimination takes less time
        part.block.ordered = sparse && order_lastingly(part);
        parts.push_back(std::move(part));
        return;
    }
    std::vector<Part> given_by_others;
    const Part whole = part;
    const std::size_t before = divisions_.size();
    while (divide && part.block.linear && divide_out(part, given_by_others)) {}
    if (has_empty_row(part))
        part = whole, given_by_others.clear(), divisions_.resize(before); // singular: the block as it was says where
    if (part.unknowns.size() > 3 && !order_lastingly(part)) order_pivots(part);
    if (!part.unknowns.empty()) parts.push_back(std::move(part));
    std::move(given_by_others.rbegin(), given_by_others.rend(), std::back_inserter(parts));
}

// One unknown of a linear block as a formula of the others, from an equation in which its coefficient is steady and
// not small: so velocities go that enter with a mass alone.
bool SmallBlocks::divide_out(Part& part, std::vector<Part>& formulas) {
    const std::optional<std::size_t> pivot = steady_pivot(part);
    if (!pivot) return false;
    const auto [row, column, slot] = part.block.entries[*pivot];
    const Expr symbol = all_.symbol[part.unknowns[column]], coefficient = part.entries[*pivot];
    Rewriter at_zero(all_.graph, false), substitute(all_.graph, false);
    at_zero.replace(symbol.id(), 0.0);
    const Expr formula = -at_zero(part.residuals[row]) / coefficient;
    substitute.replace(symbol.id(), formula);
    Part rest{{}, false, 0, {}, {}, {}};
    rest.block.linear = true;
    const std::size_t n = part.unknowns.size();
    std::vector<Expr> matrix(n * n, 0);
    for (std::size_t k = 0; k < part.entries.size(); ++k)
        matrix[part.block.entries[k].row * n + part.block.entries[k].column] = part.entries[k];
    for (std::uint32_t i = 0; i < n; ++i) {
        if (i != column) { rest.unknowns.push_back(part.unknowns[i]), rest.guess.push_back(part.guess[i]); }
        if (i == row) continue;
        rest.residuals.push_back(substitute(part.residuals[i]));
        for (std::uint32_t j = 0; j < n; ++j) {
            if (j == column) continue;
            const Expr entry = matrix[i * n + j] - matrix[i * n + column] * (matrix[row * n + j] / coefficient);
            if (entry.is(0)) continue;
            rest.block.entries.push_back({i - (i > row), j - (j > column), 0});
            rest.entries.push_back(entry);
        }
    }
    divisions_.push_back({coefficient});
    for (std::size_t k = 0; k < part.entries.size(); ++k)
        if (part.block.entries[k].row == row) divisions_.back().beside.push_back(part.entries[k]);
    formulas.push_back({{part.unknowns[column]}, true, formula, {}, {}, {}});
    part = std::move(rest);
    return true;
}

std::optional<std::size_t> SmallBlocks::steady_pivot(const Part& part) {
    std::vector<double> values, largest(part.unknowns.size(), 0);
    for (std::size_t k = 0; k < part.entries.size(); ++k) {
        const std::optional<double> value = sample_.at(part.entries[k]);
        if (!value) return {};
        values.push_back(std::abs(*value));
        double& row = largest[part.block.entries[k].row];
        row = std::max(row, values.back());
    }
    for (std::size_t k = 0; k < part.entries.size(); ++k)
        if (values[k] > 0.1 * largest[part.block.entries[k].row] && is_of(part.entries[k], steady_)) return k;
    return {};
}

// Unknowns and equations in an order in which they can be eliminated without looking for pivots, from a sample.
void SmallBlocks::order_pivots(Part& part) {
    const std::size_t n = part.unknowns.size();
    std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0));
    for (std::size_t k = 0; k < part.entries.size(); ++k) {
        const std::optional<double> value = sample_.at(part.entries[k]);
        if (!value) return;
        matrix[part.block.entries[k].row][part.block.entries[k].column] = *value;
    }
    reorder(part, pivot_order(std::move(matrix)));
}

// From several samples, with pivots that vanish in none of them: a constraint turns its coefficients to and fro. False
// if there is no such order.
bool SmallBlocks::order_lastingly(Part& part) {
    if (!samples_) {
        samples_.emplace(all_.graph);
        const std::size_t changing = all_.given.size() - typical_.size();
        for (std::size_t i = 0; i < all_.given.size(); ++i)
            i < changing ? samples_->set(all_.given[i]) : samples_->set(all_.given[i], typical_[i - changing]);
        for (const Expr& symbol : all_.symbol) samples_->set(symbol);
    }
    const std::size_t n = part.unknowns.size();
    const std::vector<Samples::Values> entries = samples_->at(part.entries);
    std::vector<std::vector<std::vector<double>>> matrices;
    for (std::size_t s = 0; s < Samples::count; ++s) {
        if (!std::all_of(entries.begin(), entries.end(), [&](const auto& e) { return std::isfinite(e[s]); })) continue;
        auto& matrix = matrices.emplace_back(n, std::vector<double>(n, 0));
        for (std::size_t k = 0; k < entries.size(); ++k)
            matrix[part.block.entries[k].row][part.block.entries[k].column] = entries[k][s];
    }
    if (reorder(part, lasting_order(matrices, 0.05)) || reorder(part, lasting_order(matrices, 0.005))) return true;
    if (matrices.size() > Samples::ordinary) matrices.erase(matrices.begin(), matrices.end() - Samples::ordinary);
    return reorder(part, lasting_order(matrices, 0.05));
}

bool SmallBlocks::reorder(Part& part, const std::vector<std::pair<int, int>>& order) {
    if (order.empty()) return false;
    const std::size_t n = part.unknowns.size();
    const Part before = part;
    std::vector<std::uint32_t> row(n), column(n); // where they are now
    for (std::uint32_t i = 0; i < n; ++i) {
        const auto [from_row, from_column] = order[i];
        row[from_row] = i, column[from_column] = i;
        part.residuals[i] = before.residuals[from_row];
        part.unknowns[i] = before.unknowns[from_column], part.guess[i] = before.guess[from_column];
    }
    for (BlockEntry& e : part.block.entries) e.row = row[e.row], e.column = column[e.column];
    return true;
}

} // namespace rattleback::solve
