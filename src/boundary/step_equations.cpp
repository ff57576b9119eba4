#include "boundary/step_equations.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "run/least_inputs.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::boundary {
namespace {

// Where Newton's method begins, as formulas of the inputs.
Vec guesses_of(const System& system) {
    Vec all;
    for (const Unknown& u : system.find) all = concat({all, u.guess.empty() ? zeros_like(u.symbols) : u.guess});
    return all;
}

struct WithoutCost {
    System system; // its results: the increment of x, what the step costs, and what its stages are
    Vec state;
    Vec stages; // of each: q, p, t, u
};

// Without the coordinate that the cost is.
Vec stages_of(const Step& s, std::size_t coordinates) {
    Vec all;
    for (const Stage& stage : s.stages) {
        if (stage.p.size() < coordinates) return {};
        all = concat({all, first_components(stage.q, coordinates), first_components(stage.p, coordinates),
                      Vec({{"t", stage.t}}), stage.u});
    }
    return all;
}

Vec without(const Vec& all, std::size_t first, std::size_t second) {
    Vec rest;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i != first && i != second) rest.push_back(all[i]);
    return rest;
}

// A step ends in the chart of the next node.
void carry_to_next_chart(WithoutCost& to, const Formulas& f, const Charts& charts) {
    const std::size_t n = to.state.size() / 2;
    const std::vector<Parameter>& all = f.model.parameters;
    for (const Charts::Group& g : charts.groups()) {
        Numbers from, next, w, p;
        for (std::size_t k = 0; k < static_cast<std::size_t>(g.group->carried()); ++k) {
            from.push_back(all[all.size() - 2 * charts.width() + g.centre + k].symbol);
            next.push_back(all[all.size() - charts.width() + g.centre + k].symbol);
        }
        const auto end = [&](std::size_t i) { return to.state[i].value + to.system.results[i].value; };
        for (std::size_t k = g.first; k < g.first + g.count; ++k) w.push_back(end(k)), p.push_back(end(n + k));
        const InChart there = in_chart(*g.group, from, next, w, p);
        for (std::size_t k = 0; k < g.count; ++k)
            for (const auto& [i, value] : {std::pair{g.first + k, there.w[k]}, std::pair{n + g.first + k, there.p[k]}})
                to.system.results[i].value = value - to.state[i].value;
    }
}

// The cost so far is 0 where the step begins, its costate is 1 everywhere.
WithoutCost step_system(const Formulas& f, bool with_cost) {
    const Step& s = f.method.step;
    WithoutCost to{{.graph = s.graph,
                    .given = step_inputs(f).values(),
                    .find = s.find,
                    .equations = s.equations,
                    .results = s.increment,
                    .restarts = restarts_of(f)},
                   s.state,
                   stages_of(s, f.model.q.size() - with_cost)};
    if (!with_cost) {
        to.system.results.push_back({"cost", Expr(0)});
        return to;
    }
    const std::size_t cost = f.model.q.size() - 1, costate = f.model.q.size() + f.model.p.size() - 1;
    const Vec leaves({s.state[cost], s.state[costate]}), values({{"cost", Expr(0)}, {"costate of the cost", Expr(1)}});
    const auto there = [&](const Vec& v) { return substitute(v, {{leaves, values}}); };
    for (Unknown& u : to.system.find) u.guess = there(u.guess);
    for (Equation& e : to.system.equations) e.lhs = there(e.lhs), e.rhs = there(e.rhs);
    to.stages = there(to.stages);
    const Vec increment = there(s.increment);
    to.state = without(s.state, cost, costate), to.system.results = without(increment, cost, costate);
    to.system.results.push_back(increment[cost]);
    to.system.given = without(to.system.given, cost, costate);
    if (to.system.restarts.count > 0) to.system.restarts.first -= 2; // two inputs less before them
    return to;
}

} // namespace

StepEquations::StepEquations(const Formulas& formulas, bool with_cost, bool by_step_size,
                             std::shared_ptr<const Charts> charts)
    : charts_(std::move(charts)), centres_(charts_ ? 2 * charts_->width() : 0) {
    const Formulas copy = deep_copy(formulas);
    WithoutCost step = step_system(copy, with_cost);
    if (charts_) carry_to_next_chart(step, copy, *charts_);
    const std::size_t cost = step.system.results.size() - 1;
    step.system.results = concat({step.system.results, step.stages});
    const System system = solve::eliminate(step.system);
    const Vec y = solve::unknowns_of(system), F = solve::residuals_of(system), &x = step.state;
    const Vec C({system.results[cost]}), D = first_components(system.results, cost);
    const Vec stages = last_components(system.results, step.stages.size());
    states_ = static_cast<std::size_t>(x.count()), unknowns_ = static_cast<std::size_t>(y.count());
    hints_ = static_cast<std::size_t>(copy.method.step.hint.count());
    inputs_in_hint_ = inputs_in_hint(copy.method.step);
    for (const Parameter& p : copy.model.parameters) parameters_.push_back(static_cast<double>(p.value));
    const std::size_t n = states_, m = unknowns_, own = m + n + 1;
    const std::size_t F_x = own + m * m, D_y = F_x + m * n, D_x = D_y + m * n, all = own + (m + n) * (m + n);
    places_ = {0, m, m + n, own, F_x, D_y, D_x, all, all + m, by_step_size ? all + m + n : all};

    solve::Jacobians jacobians;
    for (const Vec* f : {&F, &D})
        for (const Vec* by : {&y, &x}) jacobians.add(*f, *by);
    const Vec h({{"h", copy.method.step.h}});
    if (by_step_size) jacobians.add(F, h), jacobians.add(D, h);
    for (std::size_t i = 0; i < own; ++i) residuals_.where.push_back(i), derivatives_.where.push_back(i);
    std::size_t begin = own;
    for (std::size_t k = 0; k < jacobians.patterns.size(); ++k) {
        const auto [rows, columns] = jacobians.shapes[k];
        for (const solve::RowColumn& e : jacobians.patterns[k])
            derivatives_.where.push_back(begin + e.row * columns + e.column);
        begin += rows * columns;
    }
    System explicitly{system.graph, concat({system.given, y}), {}, {}, {}};
    prepare(residuals_, explicitly, concat({F, D, C}), own);
    prepare(derivatives_, explicitly, concat({F, D, C, jacobians.formulas}), places_.end);
    if (!stages.empty()) {
        explicitly.results = stages, stage_count_ = copy.method.step.stages.size();
        stages_.emplace(compile(explicitly));
    }
    System find = system;
    find.results = y;
    find_.emplace(compile(find));
    guess_.emplace(compile(System{system.graph, system.given, {}, {}, guesses_of(system)}));
}

void StepEquations::prepare(Functions& f, const System& system, const Vec& results, std::size_t width) {
    System with = system;
    with.results = results;
    f.system = compile(with);
    f.tape.emplace(f.system);
    f.width = width;
    f.values.assign(lanes * width, 0.0); // where no result goes stays 0
    f.results.resize(lanes * f.where.size());
}

void StepEquations::use_machine_code() {
    for (Functions* f : {&residuals_, &derivatives_})
        if (!f->code) make_code(*f);
}

void StepEquations::make_code(Functions& f) const {
    const StepCodeResult made = make_solve_code(*f.system, false, {.width = static_cast<int>(lanes), .groups = 1});
    f.code = made.code;
    if (made.sections) f.tape->use(made.sections);
    if (!f.code) return;
    const std::size_t before = states_ + hints_ + 2;
    f.given.assign((before + parameters_.size() + unknowns_) * lanes, 0.0);
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        std::fill_n(&f.given[(before + i) * lanes], lanes, parameters_[i]);
}

void StepEquations::give(SystemSolver<double>& to, const double* x, double t, double h, const double* centre,
                         const std::vector<double>& hint) const {
    double* at = std::copy_n(x, states_, to.given());
    for (std::size_t i = 0; i < hints_; ++i)
        *at++ = hint.empty() || !inputs_in_hint_[i] ? 0 : hint[*inputs_in_hint_[i]];
    *at++ = t, *at++ = h;
    at = std::copy(parameters_.begin(), parameters_.end(), at);
    std::copy_n(centre, centres_, at - centres_);
}

const double* StepEquations::evaluate(Functions& f, const Steps& steps) const {
    if (f.code ? !run_code(f, steps) && !run_tape(f, steps) : !run_tape(f, steps)) return nullptr;
    double check = 0; // times 0 it is 0, unless something is not finite
    const double* from = f.results.data();
    for (std::size_t place : f.where) {
        double* to = f.values.data() + place;
        for (std::size_t i = 0; i < steps.count; ++i, to += f.width) check += 0 * (*to = from[i]);
        from += lanes;
    }
    return check == 0 ? f.values.data() : nullptr;
}

bool StepEquations::run_tape(Functions& f, const Steps& steps) const {
    Report report;
    for (std::size_t i = 0; i < steps.count; ++i) {
        give(*f.tape, steps.x + i * states_, steps.t[i], steps.h[i], steps.centre + i * centres_ / 2);
        std::copy_n(steps.y + i * unknowns_, unknowns_, f.tape->given() + states_ + hints_ + 2 + parameters_.size());
        if (!f.tape->solve(report)) return false;
        for (std::size_t k = 0; k < f.where.size(); ++k) f.results[k * lanes + i] = f.tape->result(k);
    }
    return true;
}

// Lanes beyond the last step repeat it. False: a lane did not finish.
bool StepEquations::run_code(Functions& f, const Steps& steps) const {
    const std::size_t time = states_ + hints_, y = time + 2 + parameters_.size();
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t i = std::min(lane, steps.count - 1);
        double* const to = f.given.data() + lane;
        for (std::size_t k = 0; k < states_; ++k) to[k * lanes] = steps.x[i * states_ + k];
        to[time * lanes] = steps.t[i], to[(time + 1) * lanes] = steps.h[i];
        for (std::size_t k = 0; k < unknowns_; ++k) to[(y + k) * lanes] = steps.y[i * unknowns_ + k];
        for (std::size_t k = 0; k < centres_; ++k) to[(y - centres_ + k) * lanes] = steps.centre[i * centres_ / 2 + k];
    }
    std::array<double, lanes> active{}, left{}, iterations{}, none{};
    active.fill(1);
    const std::array<double*, code::array_count> arrays = {
        f.given.data(), f.results.data(), none.data(),       none.data(), none.data(), none.data(),
        active.data(),  left.data(),      iterations.data(), none.data(), none.data()};
    return f.code->run(arrays, 1) == 1;
}

const std::vector<double>& StepEquations::stages(const Steps& one) {
    stage_values_.clear();
    if (!stages_) return stage_values_;
    give(*stages_, one.x, one.t[0], one.h[0], one.centre);
    std::copy_n(one.y, unknowns_, stages_->given() + states_ + hints_ + 2 + parameters_.size());
    Report report;
    if (!stages_->solve(report)) return stage_values_;
    for (std::size_t i = 0; i < stages_->result_count(); ++i) stage_values_.push_back(stages_->result(i));
    return stage_values_;
}

bool StepEquations::guess_unknowns(const double* x, double t, double h, double* y, const double* centre) {
    Report report;
    give(*guess_, x, t, h, centre);
    if (!guess_->solve(report)) return false;
    guess_->results(0, unknowns_, y);
    return std::all_of(y, y + unknowns_, [](double v) { return std::isfinite(v); });
}

void StepEquations::find_unknowns(const double* x, double t, double h, const std::vector<double>& hint, double* y,
                                  const double* centre) {
    if (unknowns_ == 0) return;
    Report report;
    for (auto* solver : {&*find_, &*guess_}) {
        give(*solver, x, t, h, centre, hint);
        if (!solver->solve(report)) continue;
        solver->results(0, unknowns_, y);
        if (std::all_of(y, y + unknowns_, [](double v) { return std::isfinite(v); })) return;
    }
    std::fill_n(y, unknowns_, 0.0);
}

} // namespace rattleback::boundary
