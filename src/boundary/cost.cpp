#include "boundary/cost.hpp"

#include <cmath>

#include "expr/graph.hpp"

namespace rattleback::boundary {
namespace {

// The cost as one more coordinate c, c' = L: H + (p_c - 1) L with p_c = 1 leaves q and p as they are.
Problem with_cost(const Problem& problem) {
    Problem p = problem;
    Graph& graph = *p.model.graph;
    p.model.q.push_back({"cost", graph.symbol("cost so far")});
    p.model.v.push_back({"cost'", graph.symbol("rate of the cost so far")});
    p.model.p.push_back({"p_cost", graph.symbol("costate of the cost")});
    p.model.function = p.model.function + (p.model.p[p.model.p.size() - 1].value - 1) * p.running_cost;
    p.model.q0.push_back(0), p.model.p0.push_back(1);
    return p;
}

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

PathCost::PathCost(const Problem& problem, const std::string& method)
    : is_control_(problem.is_control), coordinates_(static_cast<std::size_t>(problem.model.q.count())),
      end_(problem.t0 + problem.time) {
    for (const Parameter& p : problem.model.parameters) parameters_.push_back(static_cast<double>(p.value));
    const Problem with = is_control_ ? with_cost(problem) : problem;
    const Formulas f = formulas_of(with.model, parse_methods(method)[0]);
    const Step& s = f.method.step;
    hints_ = static_cast<std::size_t>(s.hint.count()), parts_ = f.method.substeps.size();
    system_ = is_control_ ? NamedSystem{step_inputs(f), {{"increment", s.increment}}, nullptr} : node_system(f);
    if (is_control_)
        system_.compiled =
            compile(System{s.graph, system_.given.values(), s.find, s.equations, system_.results.values()});
    solver_.emplace(system_.compiled);
    const Expr terminal = substitute(problem.to.potential, {{problem.to.nu, zeros_like(problem.to.nu)}});
    const Vec given = concat({problem.model.q, problem.model.parameter_vec()});
    terminal_.emplace(compile(System{problem.model.graph, given, {}, {}, Vec({{"terminal", terminal}})}));
}

double PathCost::operator()(const Path& path, const std::function<std::vector<double>(double)>& inputs) {
    const double cost = is_control_ ? of_control(path, inputs) : of_motion(path);
    double* at = std::copy_n(path.node(path.steps()), coordinates_, terminal_->given());
    std::copy(parameters_.begin(), parameters_.end(), at);
    Report report;
    if (!terminal_->solve(report)) return Real<double>::nan;
    return cost + terminal_->result(0);
}

double PathCost::of_control(const Path& path, const std::function<std::vector<double>(double)>& inputs) {
    const std::size_t n = coordinates_;
    double cost = 0, low = 0;
    for (std::size_t k = 0; k < path.steps(); ++k) {
        double* at = std::copy_n(path.node(k), n, solver_->given());
        *at++ = 0;
        at = std::copy_n(path.node(k) + n, n, at);
        *at++ = 1;
        const double place = (static_cast<double>(k) + 0.5) / static_cast<double>(path.steps());
        const std::vector<double> guess = inputs ? inputs(place) : std::vector<double>{0.0};
        for (std::size_t i = 0; i < hints_; ++i) *at++ = guess[i % guess.size()];
        *at++ = path.t[k], *at++ = path.h[k];
        std::copy(parameters_.begin(), parameters_.end(), at);
        Report report;
        if (!solver_->solve(report)) return Real<double>::nan;
        const double part = solver_->result(n) + low, sum = cost + part;
        low = part - (sum - cost), cost = sum;
    }
    return cost;
}

double PathCost::of_motion(const Path& path) {
    const std::size_t n = coordinates_;
    std::vector<double> values;
    const auto &v = system_.results["v"], &p = system_.results["p"], &energy = system_.results["energy"];
    const double H = (end_ - path.t[0]) / static_cast<double>(path.steps() / parts_);
    for (std::size_t k = 0; k <= path.steps(); k += parts_) { // nodes of the user's steps
        double* at = std::copy_n(path.node(k), 2 * n, solver_->given());
        at = std::fill_n(at, hints_, 0.0);
        *at++ = k < path.steps() ? path.t[k] : end_, *at++ = H;
        std::copy(parameters_.begin(), parameters_.end(), at);
        Report report;
        if (!solver_->solve(report)) return Real<double>::nan;
        double lagrangian = -solver_->result(energy.offset);
        for (std::size_t i = 0; i < n; ++i) lagrangian += solver_->result(v.offset + i) * solver_->result(p.offset + i);
        values.push_back(lagrangian);
    }
    return gregory(values, H);
}

} // namespace rattleback::boundary
