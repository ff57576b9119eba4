#include "boundary/sparse_functions.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"

namespace rattleback::boundary {
namespace {

Expr written_out(const Expr& f) { return f.graph() ? expand(f) : f; }

bool take(SystemSolver<double>& from, double* to, std::size_t count) {
    Report report;
    if (!from.solve(report)) return false;
    from.results(0, count, to);
    return std::all_of(to, to + count, [](double v) { return std::isfinite(v); });
}

} // namespace

Vec as_scalars(const Vec& of) {
    Vec all;
    const std::vector<Expr> values = expand(of);
    const std::vector<std::string> names = expanded_names(of);
    for (std::size_t i = 0; i < values.size(); ++i) all.push_back({names[i], values[i]});
    return all;
}

SparseFunctions::SparseFunctions(const Problem& problem, const Expr& f_given, const Vec& g_given, const Vec& x)
    : variables_(x.size()) {
    const Model& model = problem.model;
    Graph& graph = *model.graph;
    const Expr f = written_out(f_given);
    Vec g, y;
    for (const Component& c : as_scalars(g_given)) {
        g.push_back({c.name, written_out(c.value)});
        const std::string name = "weight of row " + std::to_string(y.size());
        y.push_back({name, graph.symbol(name)});
    }
    rows_ = g.size();
    for (const Parameter& p : model.parameters) parameters_.push_back(static_cast<double>(p.value));
    const Vec given = concat({x, model.time_vec(), model.parameter_vec()});
    first_.add(Vec({{"f", f}}), x), first_.add(g, x);
    first_solver_.emplace(compile(System{model.graph, given, {}, {}, concat({first_.formulas, Vec({{"f", f}}), g})}));
    const Vec weight({{"weight of f", graph.symbol("weight of f")}});
    const Vec slope = gradient(weight[0].value * f + dot(y, g), x);
    solve::Jacobians all;
    all.add(slope, x);
    Vec lower;
    for (std::size_t i = 0; i < all.patterns[0].size(); ++i)
        if (all.patterns[0][i].row >= all.patterns[0][i].column)
            hessian_.push_back(all.patterns[0][i]), lower.push_back(all.formulas[i]);
    second_solver_.emplace(compile(System{model.graph, concat({given, weight, y}), {}, {}, lower}));
}

bool SparseFunctions::first(const double* x, double t, double* values_at) {
    double* at = std::copy_n(x, variables_, first_solver_->given());
    *at++ = t;
    std::copy(parameters_.begin(), parameters_.end(), at);
    return take(*first_solver_, values_at, values());
}

bool SparseFunctions::second(const double* x, double t, double weight, const double* y, double* values_at) {
    double* at = std::copy_n(x, variables_, second_solver_->given());
    *at++ = t;
    at = std::copy(parameters_.begin(), parameters_.end(), at);
    *at++ = weight;
    std::copy_n(y, rows_, at);
    return take(*second_solver_, values_at, hessian_.size());
}

} // namespace rattleback::boundary
