#include "run/stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "model/copy.hpp"
#include "run/initial.hpp"
#include "run/least_inputs.hpp"
#include "scheme/group_action.hpp"

namespace rattleback {
namespace {

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

// A step on J z' = grad H that looks for no multipliers at its nodes knows what is hidden.
template <class T> void require_index_one(const Model& model, const Step& step, const InitialData<T>& data) {
    if (model.any_index || (model.kind == Model::general && step.node_find.empty())) return;
    const std::string why = why_not_index_one(
        model, {rounded(data.q), rounded(data.v), rounded(data.p), rounded(data.z), rounded(data.lambda)});
    if (!why.empty()) throw BadRun(why);
}

} // namespace

template <class T>
Stepper<T>::Parts::Parts(CompiledMethod method)
    : compiled(std::move(method)), state(compiled.parts().states, T(0)), low(state),
      hint(compiled.parts().hints, T(0)) {
    set_parameters(parameter_values<T>(compiled.model()));
}

template <class T>
Stepper<T>::Parts::Parts(const Parts& o)
    : compiled(o.compiled), state(o.state), low(o.low), hint(o.hint), parameters(o.parameters), t0(o.t0), h(o.h),
      controlled_h(o.controlled_h), step(o.step), code(o.code), sections(o.sections) {}

template <class T> void Stepper<T>::Parts::set_parameters(const std::vector<T>& values) {
    if (step && values == parameters) return;
    const Model& model = compiled.model();
    if (values.size() != model.parameters.size())
        throw BadRun("there are values for " + std::to_string(values.size()) + " parameters, and the model has " +
                     std::to_string(model.parameters.size()));
    for (std::size_t i = 0; i < model.parameters.size(); ++i) {
        const Parameter& p = model.parameters[i];
        const auto& fixed = model.structure_parameters;
        if (values[i] != static_cast<T>(p.value) && std::find(fixed.begin(), fixed.end(), p.name) != fixed.end())
            throw BadRun("the parameter '" + p.name + "' is part of the structure, which is fixed once the model is " +
                         "read\n  read the model again with another value: --set " + p.name +
                         "=VALUE, or LoadOptions::set");
    }
    const NamedSystem* const needed = &compiled.parts().step_for(rounded(values));
    if (needed != step) made_solver.reset();
    parameters = values, step = needed;
}

template <class T> void Stepper<T>::Parts::use(std::shared_ptr<const SectionCode> made) {
    sections = std::move(made);
    if (made_solver && !is_division_free()) made_solver->use(sections);
}

template <class T> SystemSolver<T>& Stepper<T>::Parts::solver() {
    if (made_solver) return *made_solver;
    made_solver = std::make_unique<SystemSolver<T>>(step->compiled);
    reads_hint = !passes_hint_through();
    if (!is_division_free()) made_solver->use(sections);
    if (made_solver->remembers()) choose_pivots(*made_solver);
    return *made_solver;
}

// Whether the step reads no starting values, and hands on those that it was given: explicit steps do.
template <class T> bool Stepper<T>::Parts::passes_hint_through() const {
    const CompiledMethod::Parts& parts = compiled.parts();
    const std::size_t first = parts.places.hint, count = parts.newton_hints;
    if (reads(*step->compiled, first, count)) return false;
    for (std::size_t from : {parts.result_places.hint, parts.result_places.steady_hint})
        for (std::size_t i = 0; i < count; ++i)
            if (step->compiled->results[from + i] != first + i) return false;
    return true;
}

// One step from the model's own start, whatever this start is: from then on what a sparse system answers depends on
// its numbers alone. Where that start does not exist, at numbers that have nothing to do with any.
template <class T> void Stepper<T>::Parts::choose_pivots(SystemSolver<T>& of) const {
    const Formulas formulas = compiled.parts().copy_of_formulas();
    const Model typical = at_typical_values(formulas.model);
    Parts there(*this);
    for (std::size_t i = 0; i < there.parameters.size(); ++i)
        there.parameters[i] = static_cast<T>(typical.parameters[i].value);
    InitialData<T> data;
    Report ignored;
    const T from = static_cast<T>(typical.t0), size = static_cast<T>(typical.run.step.value_or(typical_step));
    const auto exists = [&] {
        try {
            return complete_in_graph(typical, data, ignored) &&
                   start_values(compiled.parts().start(), data, from, size, there.parameters, there.state, there.hint,
                                ignored);
        } catch (const std::runtime_error&) { return false; }
    };
    if (!exists()) there.state = anything<T>(state.size()), there.hint = anything<T>(hint.size());
    there.give(from, size, of.given());
    for (const auto& m : of.compiled().ends.moved) of.slots()[m.low] = low[m.state];
    of.solve(ignored);
}

template <class T>
bool Stepper<T>::Parts::start(const InitialData<T>& data, T start_time, Report& report, T step_size) {
    const CompiledMethod::Parts& parts = compiled.parts();
    require_sizes(parts.model(), data);
    t0 = start_time, h = step_size;
    InitialData<T> whole = data;
    if (whole.centre.empty()) whole.centre = to_scalars<T>(parts.model().centre0);
    if (parts.model().kind != Model::general && data.v.empty() != data.p.empty() &&
        !complete_velocities(parts.copy_of_formulas().model, t0, parameters, whole, report))
        return false;
    if (!start_values(parts.start(), whole, t0, h, parameters, state, hint, report)) return false;
    low.assign(state.size(), T(0)), controlled_h = 0;
    hint.resize(parts.hints, T(0));
    if (!parts.model().implicit_inputs().empty()) begin_with_least_inputs();
    if (parts.stages) stage_solver().reset(hint.data());
    return true;
}

// Of several roots of H_u = 0 the first step begins at the one with the least H.
template <class T> void Stepper<T>::Parts::begin_with_least_inputs() {
    const Formulas f = compiled.parts().copy_of_formulas();
    if (state.size() != static_cast<std::size_t>(f.model.q.count() + f.model.p.count())) return;
    LeastInputs least(f.model);
    least.set_parameters(rounded(parameters));
    least.at(rounded(state).data(), static_cast<double>(t0));
    const auto found = least.find(std::vector<double>(least.count(), 0.0));
    if (found) set_inputs(hint, inputs_in_hint(f.method.step), found->u);
}

template <class T> bool Stepper<T>::Parts::start(Report& report, T step_size, bool project) {
    const Formulas formulas = compiled.parts().copy_of_formulas();
    const Model& model = formulas.model;
    InitialData<T> data;
    if (!complete_in_graph(model, data, report, project)) {
        if (!model.variational || model.velocity.empty() || model.any_index) return false;
        const std::string why = report.status == Report::singular ? index_problem(model) : "";
        if (!why.empty()) throw BadRun(why);
        return false;
    }
    require_index_one(model, formulas.method.step, data);
    return start(data, static_cast<T>(model.t0), report, step_size);
}

template <class T> void Stepper<T>::Parts::give(T t, T size, T* given, bool with_hint) const {
    const InputPlaces& at = compiled.parts().places;
    std::copy(state.begin(), state.end(), given + at.state);
    if (with_hint) std::copy_n(hint.begin(), compiled.parts().newton_hints, given + at.hint);
    given[at.t] = t, given[at.h] = size;
    std::copy(parameters.begin(), parameters.end(), given + at.parameters);
}

template <class T> StageIteration<T>& Stepper<T>::Parts::stage_solver() {
    if (!made_stages) made_stages = make_stage_solver<T>(compiled.parts().stages);
    return *made_stages;
}

template <class T> void Stepper<T>::Parts::end_iterations_at(double tolerance) {
    if (!has_stages()) return;
    stage_solver().end_iterations_at(tolerance);
    if (!code) return;
    auto other = std::make_shared<StepCode>(*code);
    other->tables.end_iterations_at(tolerance);
    code = other;
}

template <class T> void Stepper<T>::Parts::help_newton(T t, T size, T* given) {
    if (!has_stages()) return;
    stage_solver().help_newton(state.data(), t, size, parameters.data(), given + compiled.parts().places.hint);
}

// The step by fixed-point iteration of its stages; false: Newton's method is to take it.
template <class T> bool Stepper<T>::Parts::take_stages(T t, T size, bool steady, Report& report) {
    if (stage_solver().solve(state.data(), t, size, parameters.data(), steady, hint.data(), report)) {
        solve::add_compensated(state.data(), low.data(), stage_solver().increment().data(), state.size());
        return true;
    }
    stage_solver().help_newton(state.data(), t, size, parameters.data(), hint.data());
    return false;
}

template <class T> bool Stepper<T>::Parts::sub_step(T t, T size, bool steady, Report& report) {
    if (has_stages() && take_stages(t, size, steady, report)) return true;
    SystemSolver<T>& equations = solver();
    give(t, size, equations.given(), reads_hint);
    for (const auto& m : equations.compiled().ends.moved) equations.slots()[m.low] = low[m.state];
    if (!equations.solve(report)) {
        if (const std::string remedy = group_remedy(compiled.method()); !remedy.empty()) report.remedy = remedy;
        return false;
    }
    const CompiledMethod::Parts& parts = compiled.parts();
    const std::size_t sums = parts.sums, outright = parts.states - sums;
    equations.for_results(parts.result_places.increment, sums, [&](const T* increments, std::size_t at, std::size_t n) {
        solve::add_compensated(state.data() + at, low.data() + at, increments, n); // `low` has what additions lost
    });
    equations.results(parts.result_places.next, outright, state.data() + sums);
    std::fill_n(low.begin() + static_cast<std::ptrdiff_t>(sums), outright, T(0));
    if (reads_hint)
        equations.results(steady ? parts.result_places.steady_hint : parts.result_places.hint, parts.newton_hints,
                          hint.data());
    if (has_stages()) stage_solver().reset(hint.data());
    return true;
}

template <class T> bool Stepper<T>::Parts::advance(long long k, T step_size, Report& report) {
    h = step_size;
    return advance_from(t0 + static_cast<T>(k) * h, h, report); // never accumulated
}

template <class T> bool Stepper<T>::Parts::advance_from(T t, T size, Report& report) {
    const Method& method = compiled.method();
    if (method.controls_step) return controlled_advance(t, size, report);
    if (code && !is_division_free()) return coded_advance(t, size, report);
    const std::vector<quad>& substeps = method.substeps;
    if (substeps.size() == 1) return sub_step(t, size, false, report);
    quad at = 0;
    for (quad fraction : substeps) {
        if (!sub_step(t + static_cast<T>(at) * size, static_cast<T>(fraction) * size, true, report)) return false;
        at += fraction;
    }
    return true;
}

template <class T> bool Stepper<T>::Parts::coded_advance(T t, T size, Report& report) {
    if constexpr (std::is_same_v<T, double>) {
        const std::vector<quad>& substeps = compiled.method().substeps;
        const bool composed = substeps.size() > 1;
        quad at = 0;
        for (quad fraction : substeps) {
            double time = composed ? t + static_cast<double>(at) * size : t;
            double part = composed ? static_cast<double>(fraction) * size : size, active = 1, left = 0, iterations = 0;
            double start = 0, offset = 0; // the time is known already
            const std::array<double*, code::array_count> arrays = {
                state.data(), low.data(), hint.data(), parameters.data(), &time, &part, &active, &left,
                &iterations,  &start,     &offset};
            if (code->run(arrays, 1) == 1) {
                report.newton_iterations += static_cast<long long>(iterations);
                report.newton_solves += code->newton_blocks;
            } else if (!sub_step(time, part, composed, report)) {
                return false;
            }
            at += fraction;
        }
    }
    return std::is_same_v<T, double>;
}

constexpr int most_tries = 1000000; // sub-steps of one step: seconds on the tape, even of a small model
// After so many, a step that still needs `hopeless` times as many as there may be is given up: a linkage whose
// potential was multiplied by exp(40) took 41 s to reach the limit, 0.4 s until here.
constexpr int early_tries = 10000, hopeless = 100;

template <class T> Report stopped_step(T length, T left, T last, bool too_small, bool at_once) {
    Report report;
    report.status = Report::stopped;
    if (too_small) {
        report.what = "the step became too small to reach the tolerance";
        report.remedy = "the motion may approach a singularity; try a larger --tol";
        return report;
    }
    char text[200];
    if (at_once)
        std::snprintf(
            text, sizeof text,
            "a step of %g would take %.1e more sub-steps of the size of the last, %.3g, and at most %d are taken",
            static_cast<double>(length), static_cast<double>(real::abs(left / last)), static_cast<double>(last),
            most_tries);
    else
        std::snprintf(text, sizeof text,
                      "the limit of %d sub-steps in a step of %g was reached; the last had a size of %.3g", most_tries,
                      static_cast<double>(length), static_cast<double>(last));
    report.what = text;
    report.remedy = "take a smaller --step or a larger --tol; for stiff motions an implicit method such as gauss";
    return report;
}

// Steps of the method's own choice from t to t + length. The error estimate has two parts, of orders 5 and 3, combined
// as in Hairer, Norsett and Wanner, II.10.
template <class T> bool Stepper<T>::Parts::controlled_advance(T t, T length, Report& report) {
    const T tolerance = std::max(static_cast<T>(compiled.method().tolerance), 4 * Real<T>::epsilon);
    const std::size_t n = state.size(), first = compiled.parts().result_places.error;
    T at = 0; // from t
    if (controlled_h == T(0) || (controlled_h > T(0)) != (length > T(0))) controlled_h = length / 8;
    bool too_small = false, too_many = false;
    for (int tries = 0; tries < most_tries && !too_small && !too_many; ++tries) {
        const T left = length - at;
        const bool checks = tries > 0 && tries % early_tries == 0;
        too_many = checks && real::abs(left / controlled_h) > static_cast<T>(hopeless) * static_cast<T>(most_tries);
        const bool last = real::abs(controlled_h) >= real::abs(left) * (1 - 8 * Real<T>::epsilon);
        const T now = last ? left : controlled_h;
        const std::vector<T> before = state, low_before = low;
        const bool solved = sub_step(t + at, now, true, report);
        T fifth = 0, third = 0;
        for (std::size_t i = 0; solved && i < n; ++i) {
            const T scale = tolerance * (1 + std::max(real::abs(before[i]), real::abs(state[i])));
            const T e5 = made_solver->result(first + i) / scale, e3 = made_solver->result(first + n + i) / scale;
            fifth += e5 * e5, third += e3 * e3;
        }
        const T denominator = fifth + third / 100;
        const T error = denominator > T(0) ? fifth / real::sqrt(denominator * static_cast<T>(n)) : T(0);
        T factor = solved ? (error > T(0) ? static_cast<T>(0.9) * real::pow(error, T(-1) / T(8)) : T(6)) : T(1) / T(10);
        factor = std::clamp(factor, T(1) / T(3), T(6));
        if (solved && error <= T(1)) {
            at += now;
            if (!last)
                controlled_h = now * factor;
            else if (factor * real::abs(now) > real::abs(controlled_h))
                controlled_h = now * factor;
            if (last) return true;
            continue;
        }
        state = before, low = low_before;
        controlled_h = now * std::min(factor, T(1));
        too_small = real::abs(controlled_h) < 16 * Real<T>::epsilon * (real::abs(t + at) + real::abs(length));
        if (!solved) report.fail({}); // forgiven: a shorter step is tried
    }
    report.time = static_cast<double>(t + at);
    report.fail(stopped_step(length, length - at, controlled_h, too_small, too_many));
    return false;
}

template <class T>
Stepper<T>::Stepper(CompiledMethod compiled) : parts_(std::make_unique<Parts>(std::move(compiled))) {}
template <class T> Stepper<T>::Stepper(const Stepper& other) : parts_(std::make_unique<Parts>(other.parts())) {}
template <class T> Stepper<T>& Stepper<T>::operator=(const Stepper& other) { return *this = Stepper(other); }
template <class T> Stepper<T>::Stepper(Stepper&&) noexcept = default;
template <class T> Stepper<T>& Stepper<T>::operator=(Stepper&&) noexcept = default;
template <class T> Stepper<T>::~Stepper() = default;

template <class T> bool Stepper<T>::start(const InitialData<T>& data, T t0, Report& report, T h) {
    return parts_->start(data, t0, report, h);
}
template <class T> bool Stepper<T>::start(Report& report, T h, bool project) {
    return parts_->start(report, h, project);
}
template <class T> bool Stepper<T>::advance(long long step, T h, Report& report) {
    return parts_->advance(step, h, report);
}

template <class T> const CompiledMethod& Stepper<T>::compiled() const { return parts_->compiled; }
template <class T> const std::vector<T>& Stepper<T>::state() const { return parts_->state; }
template <class T> const std::vector<T>& Stepper<T>::low() const { return parts_->low; }
template <class T> const std::vector<T>& Stepper<T>::hint() const { return parts_->hint; }
template <class T> const std::vector<T>& Stepper<T>::parameters() const { return parts_->parameters; }
template <class T> T Stepper<T>::t0() const { return parts_->t0; }
template <class T> T Stepper<T>::h() const { return parts_->h; }
template <class T> void Stepper<T>::set_hint(const std::vector<T>& hint) { parts_->hint = hint; }
template <class T> void Stepper<T>::set_parameters(const std::vector<T>& values) { parts_->set_parameters(values); }
template <class T> void Stepper<T>::set_state(const std::vector<T>& state, std::vector<T> low) {
    low.resize(state.size(), T(0));
    parts_->state = state, parts_->low = std::move(low), parts_->controlled_h = 0;
}

#define RATTLEBACK_INSTANTIATE(T) template class Stepper<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
