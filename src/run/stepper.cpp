#include <rattleback/stepper.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "run/compiled.hpp"
#include "run/initial.hpp"
#include "run/step_code.hpp"
#include "solve/system.hpp"

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

template <class T> void require_index_one(const Model& own, const InitialData<T>& data) {
    if (own.any_index) return;
    const std::string why = why_not_index_one(
        own, {rounded(data.q), rounded(data.v), rounded(data.p), rounded(data.z), rounded(data.lambda)});
    if (!why.empty()) throw BadRun(why);
}

} // namespace

template <class T>
Stepper<T>::Stepper(CompiledMethod compiled)
    : compiled_(std::move(compiled)), state_(compiled_.parts().states, T(0)), low_(state_),
      hint_(compiled_.parts().hints, T(0)) {
    std::vector<T> values;
    for (const Parameter& p : compiled_.model().parameters) values.push_back(static_cast<T>(p.value));
    set_parameters(values);
}

template <class T>
Stepper<T>::Stepper(const Stepper& o)
    : compiled_(o.compiled_), state_(o.state_), low_(o.low_), hint_(o.hint_), parameters_(o.parameters_), t0_(o.t0_),
      h_(o.h_), own_h_(o.own_h_), step_(o.step_), code_(o.code_), sections_(o.sections_) {}

template <class T> Stepper<T>& Stepper<T>::operator=(const Stepper& other) { return *this = Stepper(other); }
template <class T> Stepper<T>::Stepper(Stepper&&) noexcept = default;
template <class T> Stepper<T>& Stepper<T>::operator=(Stepper&&) noexcept = default;
template <class T> Stepper<T>::~Stepper() = default;

template <class T> void Stepper<T>::set_state(const std::vector<T>& state) {
    set_state(state, std::vector<T>(state.size(), T(0)));
}

template <class T> void Stepper<T>::set_state(const std::vector<T>& state, const std::vector<T>& low) {
    state_ = state, low_ = low;
    own_h_ = 0;
}

template <class T> void Stepper<T>::set_parameters(const std::vector<T>& values) {
    if (step_ && values == parameters_) return;
    const Model& model = compiled_.model();
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
    const NamedSystem* const step = &compiled_.parts().step_for(rounded(values));
    if (step != step_) solver_.reset();
    parameters_ = values, step_ = step;
}

template <class T> bool Stepper<T>::is_usual() const { return step_ == &compiled_.parts().step; }

template <class T> void Stepper<T>::use(std::shared_ptr<const SectionCode> code) {
    sections_ = std::move(code);
    if (solver_ && is_usual()) solver_->use(sections_);
}

template <class T> SystemSolver<T>& Stepper<T>::solver() {
    if (solver_) return *solver_;
    solver_ = std::make_unique<SystemSolver<T>>(step_->compiled);
    if (is_usual()) solver_->use(sections_);
    if (solver_->remembers()) choose_pivots(*solver_);
    return *solver_;
}

// One step from the model's own start, whatever this start is: from then on what a sparse system answers depends on
// its numbers alone. Where that start does not exist, at numbers that have nothing to do with any.
template <class T> void Stepper<T>::choose_pivots(SystemSolver<T>& solver) const {
    const Formulas own = compiled_.parts().own_formulas();
    const Model typical = at_typical_values(own.model);
    Stepper<T> there(*this);
    for (std::size_t i = 0; i < there.parameters_.size(); ++i)
        there.parameters_[i] = static_cast<T>(typical.parameters[i].value);
    InitialData<T> data;
    Report ignored;
    const T t0 = static_cast<T>(typical.t0), h = static_cast<T>(typical.run.step.value_or(0.01));
    const auto exists = [&] {
        try {
            return complete_in_place(typical, data, ignored) &&
                   start_values(compiled_.parts().start(), data, t0, h, there.parameters_, there.state_, there.hint_,
                                ignored);
        } catch (const std::runtime_error&) { return false; }
    };
    if (!exists()) there.state_ = anything<T>(state_.size()), there.hint_ = anything<T>(hint_.size());
    there.give(t0, h, solver.given());
    for (const auto& m : solver.compiled().ends.moved) solver.slots()[m.low] = low_[m.state];
    solver.solve(ignored);
}

template <class T> bool Stepper<T>::start(const InitialData<T>& data, T t0, Report& report, T h) {
    const CompiledMethod::Parts& parts = compiled_.parts();
    require_sizes(parts.model(), data);
    t0_ = t0, h_ = h;
    std::vector<T> state;
    InitialData<T> whole = data;
    if (parts.model().kind != Model::general && data.v.empty() != data.p.empty() &&
        !complete_velocities(parts.own_formulas().model, t0, parameters_, whole, report))
        return false;
    if (!start_values(parts.start(), whole, t0, h, parameters_, state, hint_, report)) return false;
    set_state(state);
    return true;
}

template <class T> bool Stepper<T>::start(Report& report, T h, bool project) {
    const Formulas own = compiled_.parts().own_formulas();
    const Model& model = own.model;
    InitialData<T> data;
    if (!complete_in_place(model, data, report, project)) {
        if (!model.variational || model.velocity.empty() || model.any_index) return false;
        const std::string why = report.status == Report::singular ? index_problem(model) : "";
        if (!why.empty()) throw BadRun(why);
        return false;
    }
    require_index_one(model, data);
    return start(data, static_cast<T>(model.t0), report, h);
}

template <class T> void Stepper<T>::give(T t, T h, T* given) const {
    const InputPlaces& at = compiled_.parts().places;
    std::copy(state_.begin(), state_.end(), given + at.state);
    std::copy(hint_.begin(), hint_.end(), given + at.hint);
    given[at.t] = t, given[at.h] = h;
    std::copy(parameters_.begin(), parameters_.end(), given + at.parameters);
}

template <class T> bool Stepper<T>::sub_step(T t, T h, bool steady, Report& report) {
    SystemSolver<T>& solver = this->solver();
    give(t, h, solver.given());
    for (const auto& m : solver.compiled().ends.moved) solver.slots()[m.low] = low_[m.state];
    if (!solver.solve(report)) return false;
    const CompiledMethod::Parts& parts = compiled_.parts();
    const std::size_t sums = parts.sums, outright = parts.states - sums;
    constexpr std::size_t piece = 512;
    std::array<T, piece> result; // a part of them, since a copy of all of a long chain's costs more than the sums
    for (std::size_t first = 0; first < sums; first += piece) {
        const std::size_t count = std::min(piece, sums - first);
        solver.results(parts.result_places.increment + first, count, result.data());
        T *const state = state_.data() + first, *const low = low_.data() + first;
        for (std::size_t i = 0; i < count; ++i) { // compensated: low_ is what the last additions lost (Knuth's two-sum)
            const T increment = result[i] + low[i], sum = state[i] + increment, part = sum - state[i];
            low[i] = (state[i] - (sum - part)) + (increment - part);
            state[i] = sum;
        }
    }
    solver.results(parts.result_places.next, outright, state_.data() + sums);
    std::fill_n(low_.begin() + static_cast<std::ptrdiff_t>(sums), outright, T(0));
    solver.results(steady ? parts.result_places.steady_hint : parts.result_places.hint, parts.hints, hint_.data());
    return true;
}

template <class T> bool Stepper<T>::advance(long long step, T h, Report& report) {
    const T t = t0_ + static_cast<T>(step) * h; // never accumulated
    h_ = h;
    if (method().controls_step) return controlled_advance(t, h, report);
    if (code_ && is_usual()) return coded_advance(t, h, report);
    const std::vector<quad>& substeps = method().substeps;
    if (substeps.size() == 1) return sub_step(t, h, false, report);
    quad at = 0;
    for (quad fraction : substeps) {
        if (!sub_step(t + static_cast<T>(at) * h, static_cast<T>(fraction) * h, true, report)) return false;
        at += fraction;
    }
    return true;
}

template <class T> bool Stepper<T>::coded_advance(T t, T h, Report& report) {
    if constexpr (std::is_same_v<T, double>) {
        const std::vector<quad>& substeps = method().substeps;
        const bool composed = substeps.size() > 1;
        quad at = 0;
        for (quad fraction : substeps) {
            double time = composed ? t + static_cast<double>(at) * h : t;
            double size = composed ? static_cast<double>(fraction) * h : h, active = 1, left = 0, iterations = 0;
            double t0 = 0, offset = 0; // the time is known already
            const std::array<double*, code::array_count> arrays = {
                state_.data(), low_.data(), hint_.data(), parameters_.data(), &time, &size, &active, &left,
                &iterations,   &t0,         &offset};
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

constexpr int most_tries = 1000000; // sub-steps of one step: seconds on the tape, even of a small model

// Steps of the method's own choice from t to t + h. The error estimate has two parts, of orders 5 and 3, combined as
// in Hairer, Norsett and Wanner, II.10.
template <class T> bool Stepper<T>::controlled_advance(T t, T h, Report& report) {
    const T tolerance = std::max(static_cast<T>(method().tolerance), 4 * Real<T>::epsilon);
    const std::size_t n = state_.size(), first = compiled_.parts().result_places.error;
    T at = 0; // from t
    if (own_h_ == T(0) || (own_h_ > T(0)) != (h > T(0))) own_h_ = h / 8;
    bool too_small = false;
    for (int tries = 0; tries < most_tries && !too_small; ++tries) {
        const T left = h - at;
        const bool last = real::abs(own_h_) >= real::abs(left) * (1 - 8 * Real<T>::epsilon);
        const T now = last ? left : own_h_;
        const std::vector<T> state = state_, low = low_;
        const bool solved = sub_step(t + at, now, true, report);
        T fifth = 0, third = 0;
        for (std::size_t i = 0; solved && i < n; ++i) {
            const T scale = tolerance * (1 + std::max(real::abs(state[i]), real::abs(state_[i])));
            const T e5 = solver_->result(first + i) / scale, e3 = solver_->result(first + n + i) / scale;
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
        too_small = real::abs(own_h_) < 16 * Real<T>::epsilon * (real::abs(t + at) + real::abs(h));
        if (!solved) report.fail({}); // forgiven: a shorter step is tried
    }
    report.time = static_cast<double>(t + at);
    report.status = Report::stopped;
    if (too_small) {
        report.what = "the step became too small to reach the tolerance";
        report.remedy = "the motion may approach a singularity; try a larger --tol";
    } else {
        report.what = "the limit of " + std::to_string(most_tries) + " sub-steps in a step of " +
                      real::to_text(static_cast<double>(h)) + " was reached; the last had a size of " +
                      real::to_text(static_cast<double>(own_h_));
        report.remedy = "take a smaller --step or a larger --tol; for stiff motions an implicit method such as gauss";
    }
    return false;
}

#define RATTLEBACK_INSTANTIATE(T) template class Stepper<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
