#include "boundary/cost.hpp"

#include <cmath>

#include "expr/graph.hpp"

namespace rattleback::boundary {

Problem with_cost(const Problem& problem) {
    Problem p = problem;
    Graph& graph = *p.model.graph;
    p.model.q.push_back({"cost", graph.symbol("cost so far")});
    p.model.v.push_back({"cost'", graph.symbol("rate of the cost so far")});
    p.model.p.push_back({"p_cost", graph.symbol("costate of the cost")});
    p.model.function = p.model.function + (p.model.p[p.model.p.size() - 1].value - 1) * p.running_cost;
    p.model.q0.push_back(0), p.model.p0.push_back(1);
    if (p.model.control) // H = cost + p . dynamics here, too, for methods that take them one by one
        p.model.control->cost = p.model.p[p.model.p.size() - 1].value * p.model.control->cost,
        p.model.control->dynamics.push_back({"cost", Expr(0)});
    return p;
}

namespace {

// Integral of equidistant values by the trapezoidal rule with Gregory's corrections at both ends.
double gregory(const std::vector<double>& f, double h) {
    static constexpr double weights[] = {-1.0 / 12, -1.0 / 24, -19.0 / 720, -3.0 / 160, -863.0 / 60480, -275.0 / 24192};
    const std::size_t n = f.size() - 1;
    double sum = (f[0] + f[n]) / 2;
    for (std::size_t i = 1; i < n; ++i) sum += f[i];
    std::vector<double> left(f), right(f.rbegin(), f.rend());
    for (std::size_t k = 0; k < 6 && 2 * (k + 1) < n; ++k)
        for (std::vector<double>* side : {&left, &right}) { // differences of order k + 1, outwards
            for (std::size_t i = 0; i + k + 1 < std::min<std::size_t>(f.size(), 8); ++i)
                (*side)[i] = (*side)[i] - (*side)[i + 1];
            sum += weights[k] * (*side)[0];
        }
    return h * sum;
}

} // namespace

PathCost::PathCost(const Problem& problem, const PathSolver& solver)
    : solver_(solver), is_control_(problem.is_control), coordinates_(static_cast<std::size_t>(problem.model.q.count())),
      end_(problem.t0 + problem.time) {
    for (const Parameter& p : problem.model.parameters) parameters_.push_back(static_cast<double>(p.value));
    const Method& method = solver.formulas().method;
    hints_ = static_cast<std::size_t>(method.step.hint.count()), parts_ = method.substeps.size();
    if (!is_control_) {
        node_ = node_system(deep_copy(solver.formulas()));
        at_node_.emplace(node_.compiled);
    }
    const Expr terminal = substitute(problem.to.potential, {{problem.to.nu, zeros_like(problem.to.nu)}});
    const Vec given = concat({problem.model.q, problem.model.parameter_vec()});
    terminal_.emplace(compile(System{problem.model.graph, given, {}, {}, Vec({{"terminal", terminal}})}));
}

double PathCost::operator()(const Path& path) {
    const double cost = is_control_ ? solver_.running_cost() : of_motion(path);
    if (path.charts) path.charts->put(path.centre(path.steps()), parameters_);
    double* at = std::copy_n(path.node(path.steps()), coordinates_, terminal_->given());
    std::copy(parameters_.begin(), parameters_.end(), at);
    Report report;
    if (!terminal_->solve(report)) return Real<double>::nan;
    return cost + terminal_->result(0);
}

double PathCost::of_motion(const Path& path) {
    const std::size_t n = coordinates_;
    std::vector<double> values;
    const auto &v = node_.results["v"], &p = node_.results["p"], &energy = node_.results["energy"];
    const double H = (end_ - path.t[0]) / static_cast<double>(path.steps() / parts_);
    for (std::size_t k = 0; k <= path.steps(); k += parts_) { // nodes of the user's steps
        double* at = std::copy_n(path.node(k), 2 * n, at_node_->given());
        at = std::fill_n(at, hints_, 0.0);
        *at++ = k < path.steps() ? path.t[k] : end_, *at++ = H;
        if (path.charts) path.charts->put(path.centre(k), parameters_);
        std::copy(parameters_.begin(), parameters_.end(), at);
        Report report;
        if (!at_node_->solve(report)) return Real<double>::nan;
        double lagrangian = -at_node_->result(energy.offset);
        for (std::size_t i = 0; i < n; ++i)
            lagrangian += at_node_->result(v.offset + i) * at_node_->result(p.offset + i);
        values.push_back(lagrangian);
    }
    return gregory(values, H);
}

} // namespace rattleback::boundary
