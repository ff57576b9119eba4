#include "run/rate_slopes.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

using Entries = std::vector<ScalarEntry>;

Entries entries_of(const Vec& f, const Vec& x) {
    return f.empty() || x.empty() ? Entries() : expand(jacobian(f, x), f, x);
}

// Which unknowns belong to one system: those that share an equation, and these equations.
struct Parts {
    Parts(std::size_t equations, std::size_t unknowns, const Entries& entries) : part(equations + unknowns) {
        std::iota(part.begin(), part.end(), 0);
        for (const ScalarEntry& e : entries) {
            const std::size_t from = part[e.row], to = part[equations + e.column];
            std::replace(part.begin(), part.end(), from, to);
        }
        of_equation.assign(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(equations));
        of_unknown.assign(part.begin() + static_cast<std::ptrdiff_t>(equations), part.end());
    }
    std::vector<std::size_t> part, of_equation, of_unknown;
};

} // namespace

RateSlopes slopes_of(const RateFormulas& f, Graph& graph) {
    RateSlopes result{f.find, f.equations, {}, {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> total;
    for (const ScalarEntry& e : entries_of(f.rate, f.x)) total[{e.row, e.column}] = e.value;
    Vec y, residuals;
    for (const Unknown& u : f.find) y = concat({y, u.symbols});
    for (const Equation& e : f.equations) residuals = concat({residuals, e.lhs - e.rhs});
    const Entries by_y = entries_of(residuals, y), by_x = entries_of(residuals, f.x), rate_by_y = entries_of(f.rate, y);
    const Parts parts(residuals.size(), y.size(), by_y);
    for (std::uint32_t column = 0; column < f.x.size(); ++column) {
        std::vector<bool> moves(y.size() + residuals.size()); // parts whose equations have this component
        for (const ScalarEntry& e : by_x)
            if (e.column == column) moves[parts.of_equation[e.row]] = true;
        Vec found;
        std::map<std::uint32_t, Expr> slope; // of an unknown, by this component
        const Vec all = symbols_like(graph, "slope along " + f.x[column].name + " of ", y);
        for (std::uint32_t j = 0; j < y.size(); ++j)
            if (moves[parts.of_unknown[j]]) found.push_back(all[j]), slope.emplace(j, all[j].value);
        if (found.empty()) continue;
        result.find.push_back({found, zeros_like(found)});
        Vec sums, others;
        for (std::uint32_t row = 0; row < residuals.size(); ++row) {
            if (!moves[parts.of_equation[row]]) continue;
            Expr sum = 0, other = 0;
            for (const ScalarEntry& e : by_y)
                if (e.row == row) sum = sum + e.value * slope.at(e.column);
            for (const ScalarEntry& e : by_x)
                if (e.row == row && e.column == column) other = other - e.value;
            sums.push_back({residuals[row].name, sum}), others.push_back({residuals[row].name, other});
        }
        result.equations.push_back({sums, others});
        for (const ScalarEntry& e : rate_by_y)
            if (slope.contains(e.column)) {
                Expr& entry = total[{e.row, column}];
                entry = entry + e.value * slope.at(e.column);
            }
    }
    for (const auto& [at, value] : total) {
        result.entries.emplace_back(static_cast<int>(at.first), static_cast<int>(at.second));
        result.results.push_back({"", value});
    }
    return result;
}

} // namespace rattleback
