#include "boundary/step_equations.hpp"

#include <algorithm>
#include <cmath>

namespace rattleback::boundary {
namespace {

System step_system(const Formulas& f) {
    const Step& s = f.method.step;
    return {.graph = s.graph,
            .given = step_inputs(f).values(),
            .find = s.find,
            .equations = s.equations,
            .results = s.increment,
            .restarts = restarts_of(f)};
}

// Where Newton's method begins, as formulas of the inputs.
Vec guesses_of(const System& system) {
    Vec all;
    for (const Unknown& u : system.find) all = concat({all, u.guess.empty() ? zeros_like(u.symbols) : u.guess});
    return all;
}

} // namespace

StepEquations::StepEquations(const Formulas& formulas) {
    const Formulas copy = deep_copy(formulas);
    const System system = solve::eliminate(step_system(copy));
    const Vec y = solve::unknowns_of(system), F = solve::residuals_of(system);
    const Vec &x = copy.method.step.state, &D = system.results;
    states_ = static_cast<std::size_t>(x.count()), unknowns_ = static_cast<std::size_t>(y.count());
    hints_ = static_cast<std::size_t>(copy.method.step.hint.count());
    for (const Parameter& p : copy.model.parameters) parameters_.push_back(static_cast<double>(p.value));
    const std::size_t n = states_, m = unknowns_;
    places_ = {0, m, m + n, m + n + m * m, m + n + m * m + m * n, m + n + m * m + 2 * m * n, (m + n) * (m + n + 1)};

    solve::Jacobians jacobians;
    for (const Vec* f : {&F, &D})
        for (const Vec* by : {&y, &x}) jacobians.add(*f, *by);
    for (std::size_t i = 0; i < m + n; ++i) where_.push_back(i);
    std::size_t begin = m + n;
    for (std::size_t k = 0; k < jacobians.patterns.size(); ++k) {
        const auto [rows, columns] = jacobians.shapes[k];
        for (const solve::RowColumn& e : jacobians.patterns[k]) where_.push_back(begin + e.row * columns + e.column);
        begin += rows * columns;
    }
    derivatives_ = compile(System{system.graph, concat({system.given, y}), {}, {}, concat({F, D, jacobians.formulas})});
    derive_.emplace(derivatives_);
    System find = system;
    find.results = y;
    find_.emplace(compile(find));
    guess_.emplace(compile(System{system.graph, system.given, {}, {}, guesses_of(system)}));
    results_.resize(where_.size());
}

void StepEquations::use_machine_code() {
    if (!code_) code_ = make_solve_code(*derivatives_).code;
}

void StepEquations::give(SystemSolver<double>& to, const double* x, double t, double h,
                         const std::vector<double>& hint) const {
    double* at = std::copy_n(x, states_, to.given());
    for (std::size_t i = 0; i < hints_; ++i) *at++ = hint.empty() ? 0 : hint[i % hint.size()];
    *at++ = t, *at++ = h;
    std::copy(parameters_.begin(), parameters_.end(), at);
}

bool StepEquations::evaluate(const double* x, const double* y, double t, double h, double* out) {
    give(*derive_, x, t, h);
    std::copy_n(y, unknowns_, derive_->given() + states_ + hints_ + 2 + parameters_.size());
    if (!run_code()) {
        Report report;
        if (!derive_->solve(report)) return false;
        derive_->results(0, results_.size(), results_.data());
    }
    std::fill(out, out + places_.end, 0.0);
    bool finite = true;
    for (std::size_t i = 0; i < where_.size(); ++i) finite &= std::isfinite(out[where_[i]] = results_[i]);
    return finite;
}

// False: nothing was computed.
bool StepEquations::run_code() {
    if (!code_) return false;
    double none = 0, active = 1, left = 0, iterations = 0;
    const std::array<double*, code::array_count> arrays = {
        derive_->given(), results_.data(), &none, &none, &none, &none, &active, &left, &iterations, &none, &none};
    return code_->run(arrays, 1) == 1;
}

void StepEquations::find_unknowns(const double* x, double t, double h, const std::vector<double>& hint, double* y) {
    if (unknowns_ == 0) return;
    Report report;
    for (auto* solver : {&*find_, &*guess_}) {
        give(*solver, x, t, h, hint);
        if (!solver->solve(report)) continue;
        solver->results(0, unknowns_, y);
        if (std::all_of(y, y + unknowns_, [](double v) { return std::isfinite(v); })) return;
    }
    std::fill_n(y, unknowns_, 0.0);
}

} // namespace rattleback::boundary
