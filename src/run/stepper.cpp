#include <rattleback/run.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "run/divisions.hpp"
#include "run/initial.hpp"
#include "run/step_code.hpp"
#include "scheme/operators.hpp"

namespace rattleback {
namespace {

// state + increment of the components that are no sums: x1 where the increment is x1 - x0.
Vec next_values(const Step& step) {
    const Vec state = last_components(step.state, step.outright);
    Vec next = last_components(step.increment, step.outright);
    for (std::size_t i = 0; i < next.size(); ++i) {
        const Expr& d = next[i].value;
        const bool difference = d.graph() && d.op() == Op::sub && d.graph()->node(d.id()).b == state[i].value.id();
        next[i].value = difference ? Expr(*d.graph(), d.graph()->node(d.id()).a) : state[i].value + d;
    }
    return next;
}

// What a step's formulas are over: state, hint, t, h, parameters, in this order.
System step_system(const Model& model, const Step& step) {
    const Vec scalars({{"t", step.t}, {"h", step.h}});
    Vec results = concat(
        {first_components(step.increment, step.increment.size() - step.outright), next_values(step), step.next_hint});
    if (!step.steady_hint.empty()) results = concat({results, step.steady_hint});
    results = concat({results, step.error});
    const auto n = static_cast<std::size_t>(step.state.count()), m = static_cast<std::size_t>(step.hint.count());
    return {step.graph,
            concat({step.state, step.hint, scalars, model.parameter_vec()}),
            step.find,
            step.equations,
            results,
            {n, n, m, step.steady_hint.empty() ? 1u : 2u},
            1 + model.parameter_vec().size(),
            typical_values(model),
            n - static_cast<std::size_t>(last_components(step.state, step.outright).count())};
}

// Numbers between 0.5 and 1.5, always the same.
template <class T> std::vector<T> anything(std::size_t n) {
    std::vector<T> numbers(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double turns = 0.6180339887498949 * static_cast<double>(i + 1);
        numbers[i] = static_cast<T>(0.5 + (turns - std::floor(turns)));
    }
    return numbers;
}

template <class T> std::vector<double> rounded(const std::vector<T>& x) { return {x.begin(), x.end()}; }

// Dividing by what is not small for the model's parameters.
std::shared_ptr<const CompiledSystem> compile_step(const Model& model, const Step& step,
                                                   std::shared_ptr<Divisions>& divisions) {
    const System system = step_system(model, step);
    auto compiled = compile_for(model, system);
    if (compiled->divisions.empty()) return compiled;
    divisions = std::make_shared<Divisions>(model, step.h, compiled->divisions);
    std::vector<double> parameters;
    for (const Parameter& p : model.parameters) parameters.push_back(static_cast<double>(p.value));
    return divisions->usable(parameters) ? compiled : compile(system, false);
}

template <class T> void require_index_one(const Model& model, const InitialData<T>& data) {
    if (model.any_index) return;
    const std::string why = why_not_index_one(
        model, {rounded(data.q), rounded(data.v), rounded(data.p), rounded(data.z), rounded(data.lambda)});
    if (!why.empty()) throw BadRun(why);
}

} // namespace

template <class T>
Stepper<T>::Stepper(const Model& model, const Method& method)
    : model_(model), method_(method), step_(compile_step(model, method.step, divisions_)),
      state_(static_cast<std::size_t>(method.step.state.count()), T(0)), low_(state_),
      hint_(static_cast<std::size_t>(method.step.hint.count()), T(0)),
      outright_(static_cast<std::size_t>(last_components(method.step.state, method.step.outright).count())) {
    for (const Parameter& p : model.parameters) parameters_.push_back(static_cast<T>(p.value));
}

template <class T> void Stepper<T>::set_state(const std::vector<T>& state) {
    set_state(state, std::vector<T>(state.size(), T(0)));
}

template <class T> void Stepper<T>::set_state(const std::vector<T>& state, const std::vector<T>& low) {
    state_ = state, low_ = low;
    own_h_ = 0;
}

template <class T> bool Stepper<T>::start(const InitialData<T>& data, T t0, Report& report, T h) {
    require_sizes(model_, data);
    t0_ = t0, h_ = h;
    std::vector<T> state;
    InitialData<T> whole = data;
    if (!complete_velocities(model_, t0, parameters_, whole, report) ||
        !start_values(model_, method_.step, whole, t0, h, parameters_, state, hint_, report))
        return false;
    set_state(state);
    choose_pivots();
    return true;
}

// One step from the model's own start, whatever this start is: from then on what a sparse system answers depends on
// its numbers alone. Where that start does not exist, at numbers that have nothing to do with any.
template <class T> void Stepper<T>::choose_pivots() {
    if (!now().remembers() || std::exchange(pivots_chosen_[other_in_use_], true)) return;
    InitialData<T> data;
    std::vector<T> state, hint, parameters;
    const Model typical = at_typical_values(model_);
    for (const Parameter& p : typical.parameters) parameters.push_back(static_cast<T>(p.value));
    Report ignored;
    const T t0 = static_cast<T>(typical.t0), h = static_cast<T>(typical.run.step.value_or(0.01));
    const auto exists = [&] {
        try {
            return complete_initial_data(typical, data, ignored) &&
                   start_values(typical, method_.step, data, t0, h, parameters, state, hint, ignored);
        } catch (const std::runtime_error&) { return false; }
    };
    if (!exists()) state = anything<T>(state_.size()), hint = anything<T>(hint_.size());
    state.swap(state_), hint.swap(hint_), parameters.swap(parameters_);
    fill_given(t0, h);
    state.swap(state_), hint.swap(hint_), parameters.swap(parameters_);
    now().solve(ignored);
}

template <class T> void Stepper<T>::set_parameters(const std::vector<T>& values) {
    if (values.size() != model_.parameters.size())
        throw BadRun("there are values for " + std::to_string(values.size()) + " parameters, and the model has " +
                     std::to_string(model_.parameters.size()));
    for (std::size_t i = 0; i < model_.parameters.size(); ++i) {
        const Parameter& p = model_.parameters[i];
        const auto& fixed = model_.structure_parameters;
        if (values[i] != static_cast<T>(p.value) && std::find(fixed.begin(), fixed.end(), p.name) != fixed.end())
            throw BadRun("the parameter '" + p.name + "' is part of the structure, which is fixed once the model is " +
                         "read\n  read the model again with another value: --set " + p.name +
                         "=VALUE, or LoadOptions::set");
    }
    parameters_ = values;
    if (!divisions_) return;
    const bool divide = divisions_->usable(rounded(values)), usual = !step_.compiled().divisions.empty();
    other_in_use_ = divide != usual;
    if (!other_in_use_ || other_) return;
    other_.emplace(compile(step_system(model_, method_.step), divide));
    choose_pivots();
}

template <class T> bool Stepper<T>::start(Report& report, T h, bool project) {
    InitialData<T> data;
    if (!complete_initial_data(model_, data, report, project)) {
        if (!model_.variational || model_.velocity.empty() || model_.any_index) return false;
        const std::string why = report.status == Report::singular ? index_problem(model_) : "";
        if (!why.empty()) throw BadRun(why);
        return false;
    }
    require_index_one(model_, data);
    return start(data, static_cast<T>(model_.t0), report, h);
}

template <class T> void Stepper<T>::fill_given(T t, T h) {
    T* given = now().given();
    given = std::copy(state_.begin(), state_.end(), given);
    given = std::copy(hint_.begin(), hint_.end(), given);
    *given++ = t, *given++ = h;
    std::copy(parameters_.begin(), parameters_.end(), given);
    for (const auto& m : now().compiled().ends.moved) now().slots()[m.low] = low_[m.state];
}

template <class T> bool Stepper<T>::sub_step(T t, T h, bool steady, Report& report) {
    fill_given(t, h);
    SystemSolver<T>& solver = now();
    if (!solver.solve(report)) return false;
    const std::size_t n = state_.size(), m = hint_.size(), sums = n - outright_;
    constexpr std::size_t piece = 512;
    std::array<T, piece> result; // a part of them, since a copy of all of a long chain's costs more than the sums
    for (std::size_t first = 0; first < sums; first += piece) {
        const std::size_t count = std::min(piece, sums - first);
        solver.results(first, count, result.data());
        T *const state = state_.data() + first, *const low = low_.data() + first;
        for (std::size_t i = 0; i < count; ++i) { // compensated: low_ is what the last additions lost (Knuth's two-sum)
            const T increment = result[i] + low[i], sum = state[i] + increment, part = sum - state[i];
            low[i] = (state[i] - (sum - part)) + (increment - part);
            state[i] = sum;
        }
    }
    solver.results(sums, outright_, state_.data() + sums);
    std::fill_n(low_.begin() + static_cast<std::ptrdiff_t>(sums), outright_, T(0));
    solver.results(steady && !method_.step.steady_hint.empty() ? n + m : n, m, hint_.data());
    return true;
}

template <class T> bool Stepper<T>::advance(long long step, T h, Report& report) {
    const T t = t0_ + static_cast<T>(step) * h; // never accumulated
    h_ = h;
    if (method_.controls_step) return controlled_advance(t, h, report);
    if (code_ && is_usual()) return coded_advance(t, h, report);
    if (method_.substeps.size() == 1) return sub_step(t, h, false, report);
    quad at = 0;
    for (quad fraction : method_.substeps) {
        if (!sub_step(t + static_cast<T>(at) * h, static_cast<T>(fraction) * h, true, report)) return false;
        at += fraction;
    }
    return true;
}

template <class T> bool Stepper<T>::coded_advance(T t, T h, Report& report) {
    if constexpr (std::is_same_v<T, double>) {
        const bool composed = method_.substeps.size() > 1;
        quad at = 0;
        for (quad fraction : method_.substeps) {
            double time = composed ? t + static_cast<double>(at) * h : t;
            double size = composed ? static_cast<double>(fraction) * h : h, active = 1, left = 0, iterations = 0;
            const std::array<double*, code::array_count> arrays = {
                state_.data(), low_.data(), hint_.data(), parameters_.data(), &time,
                &size,         &active,     &left,        &iterations};
            if (code_->run(arrays, 1) == 1) {
                report.newton_iterations += static_cast<long long>(iterations);
                report.newton_solves += code_->newton_blocks;
            } else if (!sub_step(time, size, composed, report)) {
                return false;
            }
            at += fraction;
        }
    }
    return std::is_same_v<T, double>;
}

// Steps of the method's own choice from t to t + h. The error estimate has two parts, of orders 5 and 3, combined as
// in Hairer, Norsett and Wanner, II.10.
template <class T> bool Stepper<T>::controlled_advance(T t, T h, Report& report) {
    const T tolerance = std::max(static_cast<T>(method_.tolerance), 4 * Real<T>::epsilon);
    const std::size_t n = state_.size();
    const std::size_t first = n + hint_.size() * (method_.step.steady_hint.empty() ? 1 : 2); // of the error estimates
    T at = 0;                                                                                // from t
    if (own_h_ == T(0) || (own_h_ > T(0)) != (h > T(0))) own_h_ = h / 8;
    for (int tries = 0; tries < 1000000; ++tries) {
        const T left = h - at;
        const bool last = real::abs(own_h_) >= real::abs(left) * (1 - 8 * Real<T>::epsilon);
        const T now = last ? left : own_h_;
        const std::vector<T> state = state_, low = low_;
        const bool solved = sub_step(t + at, now, true, report);
        T fifth = 0, third = 0;
        for (std::size_t i = 0; solved && i < n; ++i) {
            const T scale = tolerance * (1 + std::max(real::abs(state[i]), real::abs(state_[i])));
            const T e5 = this->now().result(first + i) / scale, e3 = this->now().result(first + n + i) / scale;
            fifth += e5 * e5, third += e3 * e3;
        }
        const T denominator = fifth + third / 100;
        const T error = denominator > T(0) ? fifth / real::sqrt(denominator * static_cast<T>(n)) : T(0);
        T factor = solved ? (error > T(0) ? static_cast<T>(0.9) * real::pow(error, T(-1) / T(8)) : T(6)) : T(1) / T(10);
        factor = std::clamp(factor, T(1) / T(3), T(6));
        if (solved && error <= T(1)) {
            at += now;
            if (!last)
                own_h_ = now * factor;
            else if (factor * real::abs(now) > real::abs(own_h_))
                own_h_ = now * factor;
            if (last) return true;
            continue;
        }
        state_ = state, low_ = low;
        own_h_ = now * std::min(factor, T(1));
        if (real::abs(own_h_) < 16 * Real<T>::epsilon * (real::abs(t + at) + real::abs(h))) break;
        if (!solved) report.fail({}); // forgiven: a shorter step is tried
    }
    report.time = static_cast<double>(t + at);
    report.status = Report::stopped;
    report.what = "the step became too small to reach the tolerance";
    report.remedy = "the motion may approach a singularity; try a larger --tol";
    return false;
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

} // namespace rattleback
