// One measurement for each property a method may claim, and what the conditions of claims mean for a test model.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "evidence/defects.hpp"
#include "laws/models.hpp"

namespace rattleback::laws {

// A method as the laws see it: what controls its own step is measured with the step it is given.
inline Method fixed_step(Method method) {
    method.controls_step = false;
    return method;
}

// Whether there is something on the model and of the method that the property speaks of.
inline bool applies(Property property, const TestModel& test, const Model& model, const Method& method) {
    const bool velocity = !model.velocity.empty(), holonomic = !model.holonomic.empty();
    const bool stages = !method.step.stages.empty();
    switch (property) {
    case Property::symplectic: return !method.step.form.empty();
    case Property::reversible: return !method.step.reverse.empty();
    case Property::momentum_exact: return !model.symmetries.empty();
    case Property::energy_bounded: return test.long_step > 0;
    case Property::constraint_exact: return velocity;
    case Property::constraint_at_stages: return velocity && stages;
    case Property::holonomic_exact: return holonomic;
    case Property::holonomic_at_stages: return holonomic && stages;
    case Property::energy_exact:
    case Property::symmetric: return true;
    }
    return true;
}

// How far a property is from holding on a model; empty: a run of a few steps fails. Bounded energy counts as 0 or 1.
inline std::optional<double> measure(Property property, const TestModel& test, const Model& model, const Method& m,
                                     double stretch = 1) {
    const Method method = fixed_step(m);
    const double h = test.step * stretch;
    Report report;
    const auto run = [&] { return departures<double>(compile(model, method), h, 100, report); };
    switch (property) {
    case Property::symplectic: return symplectic_defect<double>(compile(model, method), h, 20, report);
    case Property::symmetric: return symmetry_defect<double>(compile(model, method), h, 20, report);
    case Property::reversible: return reversibility_defect<double>(compile(model, method), h, 20, report);
    case Property::energy_exact: {
        const auto seen = run();
        return seen ? std::optional(seen->energy) : std::nullopt;
    }
    case Property::momentum_exact: {
        const auto seen = run();
        return seen ? std::optional(*std::max_element(seen->momenta.begin(), seen->momenta.end())) : std::nullopt;
    }
    case Property::energy_bounded: {
        // The better the method, the larger the step, so that its error stays above round-off.
        const double factor = method.order <= 1 ? 0.2 : method.order <= 2 ? 1 : method.order <= 4 ? 3 : 5;
        const auto drift = energy_drift(compile(model, method), factor * test.long_step, 10000);
        return drift ? std::optional<double>(drift->bounded() ? 0 : 1) : std::nullopt;
    }
    case Property::constraint_exact:
    case Property::holonomic_exact: {
        const auto seen = run();
        if (!seen) return {};
        return property == Property::constraint_exact ? seen->velocity : seen->holonomic;
    }
    case Property::constraint_at_stages:
    case Property::holonomic_at_stages: {
        const auto seen = stage_residuals<double>(compile(model, method), h, 100, report);
        if (!seen) return {};
        return property == Property::constraint_at_stages ? seen->velocity : seen->holonomic;
    }
    }
    return {};
}

// Whether any method could keep the property on the model: only there does a violation say something about the method.
inline bool keepable(Property property, const TestModel& m) {
    switch (property) {
    case Property::symplectic: return !m.forces;
    case Property::energy_exact:
    case Property::energy_bounded: return !m.forces && !m.time && m.homogeneous;
    case Property::momentum_exact: return m.affine && m.horizontal;
    case Property::reversible: return m.even && !m.time && m.homogeneous;
    default: return true;
    }
}

// Whether a condition holds on a test model, by the traits that are stated beside its text.
inline bool holds(Condition condition, const TestModel& test) {
    switch (condition) {
#define CONDITION(id, words, of_model, of_momentum, of_test)                                                           \
    case Condition::id:                                                                                                \
        return of_test;
#include <rattleback/conditions.def>
#undef CONDITION
    }
    return false;
}

// The energy's and the constraints' largest errors in the first half of a long run and in all of it.
struct LongRun {
    double energy[2] = {}, constraint[2] = {};
    long long steps = 0; // that were taken
};
inline LongRun long_run(const Model& model, const Method& method, double h, long long steps) {
    LongRun seen;
    for (const int half : {0, 1}) {
        const long long count = half == 0 ? steps / 2 : steps;
        const Run run = integrate(model, method, {.step = h, .steps = count, .every = count});
        seen.energy[half] = run.energy_error_max();
        seen.constraint[half] = *run.summary().constraint_max;
        seen.steps = run.summary().steps;
    }
    return seen;
}

// Where the motion of a test model ends, for studies of order: the same for all methods, and most of their work.
inline const std::vector<quad>& exact_end_of(const TestModel& test, const Model& model) {
    static std::map<std::string, std::vector<quad>> known;
    std::vector<quad>& end = known[test.text];
    if (end.empty()) end = exact_end(model, test.until);
    return end;
}

} // namespace rattleback::laws
