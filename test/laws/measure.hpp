// One measurement for each property a method may claim, and what the conditions of claims mean for a test model.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "laws/models.hpp"

namespace rattleback::laws {

// A method as the laws see it: what controls its own step is measured with the step it is given.
inline Method fixed_step(Method method) {
    method.controls_step = false;
    return method;
}

struct Drift {
    double first = 0, second = 0; // largest error of the energy in the two halves of the run
    double slope = 0;             // of the energy's error, fitted by a line, times the length of the run
    // Bounded: what was reached once is not left behind, and no line is seen in it. Where the error is round-off it
    // wanders instead.
    bool bounded() const {
        if (second < 1e-12) return true;
        return second <= 2 * first && std::abs(slope) <= 0.15 * std::max(first, second);
    }
};

inline std::optional<Drift> energy_drift(const Model& model, const Method& method, double h, int steps) {
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    if (!stepper.start(report, h) || !reader.read(stepper, stepper.t0(), report)) return {};
    const double initial = reader.node().energy, size = std::max(1.0, std::abs(initial));
    Drift drift;
    double te = 0, tt = 0;
    for (int k = 1; k <= steps; ++k) {
        if (!stepper.advance(k - 1, h, report) || !reader.read(stepper, stepper.t0() + k * h, report)) return {};
        const double error = (reader.node().energy - initial) / size, t = static_cast<double>(k) / steps - 0.5;
        double& half = 2 * k <= steps ? drift.first : drift.second;
        half = std::max(half, std::abs(error));
        te += t * error, tt += t * t;
    }
    drift.slope = te / tt;
    return drift;
}

// Unstable formulations end early: what was seen until then counts.
// Largest departure of the energy, or of the declared momenta, from their first values along a run.
enum class Invariant { energy, momenta };
inline std::optional<double> departure(const Model& model, const Method& method, double h, int steps, Invariant what) {
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    std::vector<double> first;
    double worst = 0;
    if (!stepper.start(report, h)) return {};
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return k > 10 ? std::optional(worst) : std::nullopt;
        if (!reader.read(stepper, stepper.t0() + k * h, report)) return {};
        const NodeValues<double>& n = reader.node();
        const std::vector<double> now = what == Invariant::energy ? std::vector<double>{n.energy} : n.momenta;
        if (k == 0) first = now;
        for (std::size_t i = 0; i < now.size(); ++i)
            worst = std::max(worst, std::abs(now[i] - first[i]) / std::max(1.0, std::abs(first[i])));
    }
    return first.empty() ? std::nullopt : std::optional(worst);
}

// Largest residual along a run: of velocity constraints, or of holonomic ones and their rates.
inline std::optional<double> residual(const Model& model, const Method& method, double h, int steps, bool holonomic) {
    const Vec rates = derivative_along(model.holonomic, concat({model.q, model.time_vec()}),
                                       concat({model.v, Vec({{"t", Expr(1)}})}));
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method, expand(rates));
    Report report;
    double worst = 0;
    if (!stepper.start(report, h)) return {};
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return k > 10 ? std::optional(worst) : std::nullopt;
        if (!reader.read(stepper, stepper.t0() + k * h, report)) return {};
        worst = std::max(worst, holonomic ? reader.node().holonomic_residual : reader.node().velocity_residual);
        for (double rate : reader.node().extra)
            if (holonomic) worst = std::max(worst, std::abs(rate));
    }
    return worst;
}

// How far a property is from holding on a model; empty: it does not apply. Bounded energy counts as 0 or 1.
inline std::optional<double> measure(Property property, const TestModel& test, const Model& model, const Method& m,
                                     double stretch = 1) {
    const Method method = fixed_step(m);
    const double h = test.step * stretch;
    Report report;
    switch (property) {
    case Property::symplectic: return symplectic_defect<double>(model, method, h, 20, report);
    case Property::symmetric: return symmetry_defect<double>(model, method, h, 20, report);
    case Property::reversible: return reversibility_defect<double>(model, method, h, 20, report);
    case Property::energy_exact: return departure(model, method, h, 100, Invariant::energy);
    case Property::momentum_exact: return departure(model, method, h, 100, Invariant::momenta);
    case Property::energy_bounded: {
        if (test.long_step == 0) return {};
        // The better the method, the larger the step, so that its error stays above round-off.
        const double factor = method.order <= 1 ? 0.2 : method.order <= 2 ? 1 : method.order <= 4 ? 3 : 5;
        const auto drift = energy_drift(model, method, factor * test.long_step, 10000);
        if (!drift) return {};
        return drift->bounded() ? 0 : 1;
    }
    case Property::constraint_exact:
        return model.velocity.empty() ? std::nullopt : residual(model, method, h, 100, false);
    case Property::holonomic_exact:
        return model.holonomic.empty() ? std::nullopt : residual(model, method, h, 100, true);
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

// What the words of a condition mean. A condition that is not in this table fails the sweep.
inline const std::map<std::string, bool (*)(const TestModel&)>& conditions() {
    static const std::map<std::string, bool (*)(const TestModel&)> all = {
        {"", [](const TestModel&) { return true; }},
        {"no forces", [](const TestModel& m) { return !m.forces; }},
        {"no forces, no time, small steps", [](const TestModel& m) { return !m.forces && !m.time; }},
        {"H quadratic, no forces, no time", [](const TestModel& m) { return m.quadratic && !m.forces && !m.time; }},
        {"generator affine in q, no forces along it", [](const TestModel& m) { return m.affine; }},
        {"horizontal symmetry, generator affine in q, no forces along it",
         [](const TestModel& m) { return m.affine && m.horizontal; }},
        {"L even, constraints homogeneous, forces even in v, no time",
         [](const TestModel& m) { return m.even && m.homogeneous && !m.time; }},
        {"on the constraint manifold, no forces", [](const TestModel& m) { return !m.forces; }},
        {"g quadratic, constant metric", [](const TestModel& m) { return m.quadratic_g; }},
        {"H quadratic, no time", [](const TestModel& m) { return m.quadratic && !m.time; }},
        {"momentum linear in the state, no forces along it", [](const TestModel& m) { return m.linear; }},
        {"H even in p, forces even in v, no time", [](const TestModel& m) { return m.even && !m.time; }},
        {"L even in v, forces even in v, no time", [](const TestModel& m) { return m.even && !m.time; }},
    };
    return all;
}

} // namespace rattleback::laws
