// Coordinates a on g = 0 that the model gives, q = phi(a) (Leimkuhler and Reich 1994, Prop. 2.1).
#include <cmath>

#include "formulation/chain.hpp"
#include "scheme/charts.hpp"
#include "solve/surface.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

// Chart coordinates at the start: phi(a) = q0.
std::vector<double> chart_start(const Model& model) {
    Vec f = model.chart_map;
    for (std::size_t i = 0; i < f.size(); ++i) f[i].value = f[i].value - Expr(model.q0[i]);
    solve::Surface surface(model.graph, f, model.chart, concat({model.others()}));
    std::vector<int> all;
    for (int i = 0; i < surface.count(); ++i) all.push_back(i);
    const std::size_t k = model.chart.size();
    std::vector<std::vector<double>> guesses{{model.chart_guess.begin(), model.chart_guess.end()}};
    if (guesses[0].empty()) guesses = {std::vector<double>(k, 0.1)};
    for (int point = 1; point < 40 && model.chart_guess.empty(); ++point) {
        guesses.emplace_back();
        for (std::size_t i = 0; i < k; ++i)
            guesses.back().push_back(0.1 * point * std::sin(1.0 + 2.0 * static_cast<double>(i) + 5.0 * point));
    }
    for (std::vector<double>& a : guesses)
        if (surface.reach(a, time_and_parameters(model), all)) return a;
    throw Unsuitable("the start is not on the given parametrization: no values of its coordinates were found that "
                     "belong to q in [initial]\n  give some near them: start = { " +
                     model.chart[0].name + " = ... } in [parametrization]");
}

// g(phi(a)) = 0, also beside the start.
void require_on_constraints(const Model& model, const std::vector<double>& start) {
    const Vec along = substitute(model.holonomic, {{model.q, model.chart_map}});
    solve::Surface surface(model.graph, along, model.chart, model.others());
    for (int point = 0; point < 4; ++point) {
        std::vector<double> a = start;
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] += 0.01 * point * std::sin(1.0 + 2.0 * static_cast<double>(i) + point);
        if (!surface.evaluate(a, time_and_parameters(model))) continue;
        for (int i = 0; i < surface.count(); ++i)
            if (!surface.holds({i}))
                throw Unsuitable("the given parametrization leaves the constraint " + surface.name(i) +
                                 " = 0: the residual is " +
                                 real::to_text(static_cast<quad>(surface.f[static_cast<std::size_t>(i)]), 3) + ", " +
                                 real::to_text(static_cast<quad>(surface.of_terms(i)), 3) + " of its largest term");
    }
}

} // namespace

Step parametrized_step(const Nonholonomic& sys, const Tableau& gauss) {
    const Model& model = sys.model;
    const std::vector<double> start = chart_start(model);
    require_on_constraints(model, start);
    Model reduced = model; // L(t, phi(a), phi_a a' + phi_t) of (a, a'); of a Hamiltonian it is stationary in p, too
    const Vec a = model.chart, rate = symbols_like(sys.graph, "rate of ", a), one({{"t", Expr(1)}});
    const Vec velocity = derivative_along(model.chart_map, concat({a, model.time_vec()}), concat({rate, one}));
    const auto there = [&](const Vec& f) { return substitute(f, {{sys.q, model.chart_map}, {sys.v, velocity}}); };
    reduced.q = a, reduced.v = rate, reduced.p = symbols_like(sys.graph, "momentum of ", a);
    reduced.holonomic = {}, reduced.function = there(Vec({{"", sys.lagrangian()}}))[0].value;
    reduced.kind = Model::lagrangian;
    const Mechanics chart(reduced);
    FirstOrder system = chart.canonical();
    const Vec inner = sys.has_lagrangian() ? Vec() : sys.p;
    if (!inner.empty()) {
        system.y = concat({inner, system.y}), system.y_start = concat({inner, system.y_start});
        system.algebraic.push_back(gradient(reduced.function, inner) == zeros_like(inner));
    }
    Step step = runge_kutta(reduced, system, gauss).step;
    carry_positions_and_momenta(step, chart, last_components(step.hint, a.size()));
    if (!inner.empty()) {
        const Vec last = last_components(step.hint, a.size() + inner.size());
        step.node_find.push_back({inner, first_components(last, inner.size())});
        step.node_equations.push_back(system.algebraic.back());
    }
    for (Stage& stage : step.stages) { // of (a, a')
        const auto placed = [&](const Vec& f) {
            return substitute(f, {{a, stage.q}, {rate, stage.v}, {model.time_vec(), Vec({{"t", stage.t}})}});
        };
        stage = {placed(model.chart_map), placed(velocity), {}, stage.t};
    }
    // What was given in (q, v): the nearest a, and the nearest rate.
    Vec guess = a;
    for (std::size_t i = 0; i < a.size(); ++i) guess[i].value = Expr(start[i]);
    const Vec off = model.chart_map - sys.q, slip = velocity - sys.v;
    step.start_find = {{a, guess}, {rate, {}}};
    step.start_equations = {gradient(dot(off, off), a) == zeros_like(a),
                            gradient(dot(slip, slip), rate) == zeros_like(a)};
    step.start = concat({a, chart.momentum()});
    const Nonholonomic::Multiplier m = sys.multiplier();
    step.node_find.push_back({m.a, {}}), step.node_find.push_back({m.lambda, {}});
    for (const Equation& e : m.equations) step.node_equations.push_back(there(e.lhs) == there(e.rhs));
    step.q = model.chart_map, step.v = velocity, step.p = there(sys.momentum()), step.lambda = m.lambda;
    return step;
}

} // namespace rattleback
