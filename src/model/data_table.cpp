#include "model/data_table.hpp"

#include "expr/graph.hpp"

namespace rattleback::model {
namespace {

struct Pieces { // y + s (b + s (c + s d)), s = x - begin
    std::vector<quad> begin, y, b, c, d;
};

// Second derivatives at the points, from the tridiagonal system of the inner ones.
std::vector<quad> second_derivatives(const std::vector<quad>& h, const std::vector<quad>& slope) {
    const std::size_t n = h.size(); // pieces
    std::vector<quad> m(n + 1, 0);
    if (n < 2) return m;
    if (n == 2) {
        m.assign(3, 2 * (slope[1] - slope[0]) / (h[0] + h[1])); // a parabola through all
        return m;
    }
    std::vector<quad> lower(n - 1), diagonal(n - 1), upper(n - 1), right(n - 1);
    for (std::size_t i = 1; i < n; ++i) {
        lower[i - 1] = h[i - 1], diagonal[i - 1] = 2 * (h[i - 1] + h[i]), upper[i - 1] = h[i];
        right[i - 1] = 6 * (slope[i] - slope[i - 1]);
    }
    diagonal.front() += h[0] * (1 + h[0] / h[1]), upper.front() -= h[0] * h[0] / h[1];
    diagonal.back() += h[n - 1] * (1 + h[n - 1] / h[n - 2]), lower.back() -= h[n - 1] * h[n - 1] / h[n - 2];
    for (std::size_t i = 1; i < n - 1; ++i) {
        const quad factor = lower[i] / diagonal[i - 1];
        diagonal[i] -= factor * upper[i - 1], right[i] -= factor * right[i - 1];
    }
    for (std::size_t i = n - 1; i-- > 0;) m[i + 1] = (right[i] - (i + 2 < n ? upper[i] * m[i + 2] : 0)) / diagonal[i];
    m[0] = m[1] - h[0] / h[1] * (m[2] - m[1]);
    m[n] = m[n - 1] + h[n - 1] / h[n - 2] * (m[n - 1] - m[n - 2]);
    return m;
}

Pieces pieces_of(const DataTable& table) {
    const std::size_t n = table.x.size() - 1;
    std::vector<quad> h(n), slope(n);
    for (std::size_t i = 0; i < n; ++i) {
        h[i] = table.x[i + 1] - table.x[i];
        slope[i] = (table.y[i + 1] - table.y[i]) / h[i];
    }
    const std::vector<quad> m = table.cubic ? second_derivatives(h, slope) : std::vector<quad>(n + 1, 0);
    Pieces all;
    for (std::size_t i = 0; i < n; ++i) {
        all.begin.push_back(table.x[i]), all.y.push_back(table.y[i]);
        all.b.push_back(slope[i] - h[i] * (2 * m[i] + m[i + 1]) / 6);
        all.c.push_back(m[i] / 2), all.d.push_back((m[i + 1] - m[i]) / (6 * h[i]));
    }
    return all;
}

// The number of the piece that x lies in, by halves.
Expr picked(const std::vector<quad>& numbers, const std::vector<Expr>& below, std::size_t from, std::size_t to) {
    if (to - from == 1) return numbers[from];
    const std::size_t middle = (from + to) / 2;
    return fn::choose(below[middle], picked(numbers, below, from, middle), picked(numbers, below, middle, to));
}

} // namespace

Expr DataTable::at(const Expr& argument) const {
    const quad lo = x.front(), hi = x.back();
    const Expr inside = outside == hold ? fn::max(fn::min(argument, hi), lo) : argument;
    const Pieces all = pieces_of(*this);
    std::vector<Expr> below; // [i]: left of where piece i begins
    for (quad begin : all.begin) below.push_back(fn::lt(inside, begin));
    const auto pick = [&](const std::vector<quad>& numbers) { return picked(numbers, below, 0, numbers.size()); };
    const Expr s = inside - pick(all.begin);
    const Expr value = pick(all.y) + s * (cubic ? pick(all.b) + s * (pick(all.c) + s * pick(all.d)) : pick(all.b));
    if (outside != refuse) return value;
    // NOTE: the end of a run is computed, and may miss the last point by some digits.
    const quad slack = (hi - lo) * static_cast<quad>(1e-9);
    const Expr room = fn::min(argument - (lo - slack), (hi + slack) - argument);
    return fn::choose(fn::ge(room, 0), value, fn::sqrt(room));
}

} // namespace rattleback::model
