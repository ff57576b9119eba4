#include "evidence/sample.hpp"

#include <algorithm>
#include <cmath>

#include "run/initial.hpp"
#include "solve/system.hpp"

namespace rattleback {

bool contains(const Graph& graph, const std::vector<Expr>& formulas, const Vec& leaves) {
    std::vector<NodeId> roots;
    for (const Expr& e : formulas)
        if (e.graph()) roots.push_back(e.id());
    for (NodeId id : reachable(graph, roots, true))
        for (const Component& c : leaves) {
            const Node &n = graph.node(id), &leaf = graph.node(c.value.id());
            if (c.family ? n.op == Op::element && n.a == leaf.a : id == c.value.id()) return true;
        }
    return false;
}

std::vector<Expr> values_of(const Vec& v) {
    std::vector<Expr> e;
    for (const Component& c : v) e.push_back(c.value);
    return e;
}

namespace {

double unit_of(const std::vector<double>& values) { // of numbers of ordinary size it is 1
    double largest = 0;
    for (double x : values) largest = std::max(largest, std::abs(x));
    return largest == 0 || (largest > 0.01 && largest < 1000) ? 1 : largest;
}

} // namespace

Sample::Sample(const Model& model) : model_(model) {
    Report report;
    if (!complete_in_graph(model, start_, report)) throw BadRun("the model cannot start: " + report.text());
    if (model.variational && !model.velocity.empty()) lambda_ = Variational(model).lambda;
}

std::vector<std::vector<double>> Sample::evaluate(const Vec& formulas, int first, int last) const {
    const Vec leaves = model_.kind == Model::general ? model_.z : concat({model_.q, model_.v, model_.p, lambda_});
    const Vec inputs = model_.implicit_inputs(); // at any values: what holds for all of them holds for those of H_u = 0
    SystemSolver<double> solver(
        compile(System{model_.graph, concat({leaves, inputs, time_and_parameter_leaves(model_)}), {}, {}, formulas}));
    std::vector<std::vector<double>> all;
    for (int point = first; point <= last; ++point) {
        double* to = solver.given();
        int k = 0; // any directions will do; the points lie up to 0.4 away, in the units of the numbers
        const double size = 0.05 * point;
        for (const auto* part : {&start_.z, &start_.q, &start_.v, &start_.p, &start_.lambda}) {
            const double unit = unit_of(*part);
            for (double x : *part) *to++ = x + unit * size * std::sin(1.0 + 2.0 * ++k + 5.0 * point);
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) *to++ = std::sin(1.0 + 2.0 * ++k + 5.0 * point);
        *to++ = static_cast<double>(model_.t0) + (point > 0 ? size * std::cos(point) : 0);
        const std::vector<double> others = other_values(model_, 0.0);
        std::copy(others.begin() + 1, others.end(), to);
        Report report;
        all.emplace_back();
        if (!solver.solve(report)) continue;
        for (std::size_t i = 0; i < solver.result_count(); ++i) all.back().push_back(solver.result(i));
    }
    return all;
}

std::vector<double> Sample::at(const Vec& formulas, int point) const { return evaluate(formulas, point, point)[0]; }

std::vector<std::vector<double>> Sample::at_all(const Vec& formulas) const { return evaluate(formulas, 0, around); }

std::vector<Dense> Sample::evaluate(const Vec& f, const Vec& x, int first, int last) const {
    const auto rows = static_cast<std::size_t>(f.count()), columns = static_cast<std::size_t>(x.count());
    std::vector<Dense> all(static_cast<std::size_t>(last - first + 1));
    if (rows * columns > 250000) return all;
    const std::vector<ScalarEntry> entries = expand(jacobian(f, x), f, x);
    Vec formulas;
    for (const ScalarEntry& e : entries) formulas.push_back({"", e.value});
    const auto values = evaluate(formulas, first, last);
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (values[k].size() != entries.size()) continue;
        all[k] = Dense(rows, columns);
        for (std::size_t i = 0; i < entries.size(); ++i) all[k](entries[i].row, entries[i].column) = values[k][i];
    }
    return all;
}

Dense Sample::matrix(const Vec& f, const Vec& x, int point) const { return evaluate(f, x, point, point)[0]; }

std::vector<Dense> Sample::matrices(const Vec& f, const Vec& x) const { return evaluate(f, x, 0, around); }

} // namespace rattleback
