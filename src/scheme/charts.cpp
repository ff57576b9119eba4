#include "scheme/charts.hpp"
#include "formulation/chain.hpp"
#include "solve/system.hpp"

#include <algorithm>

namespace rattleback {
namespace {

// Rows that pick the dependent coordinates: a QR decomposition of G, column pivoting by the largest remainder, as
// formulas of q; row r is 1 where the r-th pivot is, else 0.
std::vector<Vec> pivots(const Nonholonomic& sys) {
    std::vector<Vec> columns; // of G, one a coordinate
    const std::size_t n = sys.q.size(), m = sys.g.size();
    for (std::size_t j = 0; j < n; ++j) {
        Vec unit = zeros_like(sys.q);
        unit[j].value = Expr(1);
        columns.push_back(derivative_along(sys.g, sys.q, unit));
    }
    std::vector<Vec> rows;
    for (std::size_t r = 0; r < m; ++r) {
        Vec pick = zeros_like(sys.q);
        Expr largest = dot(columns[0], columns[0]);
        pick[0].value = Expr(1);
        Vec column = columns[0];
        for (std::size_t j = 1; j < n; ++j) {
            const Expr size = dot(columns[j], columns[j]), better = fn::gt(size, largest);
            for (std::size_t k = 0; k < j; ++k) pick[k].value = fn::choose(better, Expr(0), pick[k].value);
            pick[j].value = fn::choose(better, Expr(1), Expr(0));
            for (std::size_t i = 0; i < m; ++i)
                column[i].value = fn::choose(better, columns[j][i].value, column[i].value);
            largest = fn::choose(better, size, largest);
        }
        for (Vec& c : columns) c = c - (dot(c, column) / largest) * column;
        rows.push_back(pick);
    }
    return rows;
}

} // namespace

std::vector<Vec> automatic_chart(const Nonholonomic& sys) { return pivots(sys); }

std::vector<Vec> chart_of_the_start(const Nonholonomic& sys) {
    std::vector<Vec> rows = pivots(sys);
    Vec all;
    for (const Vec& r : rows) all = concat({all, r});
    SystemSolver<double> solver(compile(System{sys.model.graph, concat({sys.q, sys.model.others()}), {}, {}, all}));
    const std::vector<double> q0(sys.model.q0.begin(), sys.model.q0.end()), rest = time_and_parameters(sys.model);
    std::copy(rest.begin(), rest.end(), std::copy(q0.begin(), q0.end(), solver.given()));
    Report report;
    if (!solver.solve(report)) throw Unsuitable("no chart at the start: " + report.text());
    std::size_t at = 0;
    for (Vec& r : rows)
        for (std::size_t j = 0; j < r.size(); ++j) r[j].value = Expr(solver.result(at++));
    return rows;
}

std::vector<Vec> chart_by_names(const Nonholonomic& sys, const std::string& names) {
    std::vector<std::string> wanted;
    for (std::size_t from = 0; from <= names.size();) {
        const std::size_t end = std::min(names.find('+', from), names.size());
        wanted.push_back(names.substr(from, end - from));
        from = end + 1;
    }
    std::vector<Vec> rows;
    for (std::size_t j = 0; j < sys.q.size(); ++j) {
        const auto found = std::find(wanted.begin(), wanted.end(), sys.q[j].name);
        if (found != wanted.end()) {
            wanted.erase(found);
            continue;
        }
        rows.push_back(zeros_like(sys.q));
        rows.back()[j].value = Expr(1);
    }
    if (!wanted.empty())
        throw BadMethod("option A=" + names + ": '" + wanted[0] +
                        "' is no coordinate; A is auto, pivots, fixed, given, or coordinates like x+y");
    if (rows.size() != sys.g.size())
        throw BadMethod("option A=" + names + ": " + std::to_string(sys.q.size() - sys.g.size()) +
                        " coordinates are needed, as many as the constraints leave free");
    return rows;
}

} // namespace rattleback
