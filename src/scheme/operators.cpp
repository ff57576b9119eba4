#include "scheme/common.hpp"

#include "expr/graph.hpp"

namespace rattleback {

Expr step_size(const Model& model) { return model.graph->symbol("step size h"); }

Vec evaluate(const Vec& f, const Model& model, const FirstOrder& system, const At& at) {
    return substitute(f, {{system.x, at.x}, {system.y, at.y}, {model.time_vec(), Vec({{"t", at.t}})}});
}

Vec first_components(const Vec& v, std::size_t n) {
    Vec part;
    for (std::size_t i = 0; i < n; ++i) part.push_back(v[i]);
    return part;
}

Vec last_components(const Vec& v, std::size_t n) {
    Vec part;
    for (std::size_t i = v.size() - n; i < v.size(); ++i) part.push_back(v[i]);
    return part;
}

void find_from_last(Step& step, const Vec& unknowns, const Vec& first) {
    const Vec last = symbols_like(*step.graph, "last ", zero_border(unknowns));
    step.find.push_back({unknowns, last});
    step.hint = concat({step.hint, last});
    step.next_hint = concat({step.next_hint, unknowns});
    step.start_hint = concat({step.start_hint, first});
}

void begin_at(Step& step, const Vec& x, const Vec& from) {
    const auto moved = [&](const Vec& f) { return substitute(f, {{x, from}}); };
    for (Equation& e : step.equations) e = moved(e.lhs) == moved(e.rhs);
    for (Vec* f : {&step.increment, &step.next_hint, &step.steady_hint}) *f = moved(*f);
    for (Stage& s : step.stages) s.q = moved(s.q), s.v = moved(s.v);
}

void carry_positions_and_momenta(Step& step, const Mechanics& mechanics, const Vec& velocity_guess) {
    step.start = concat({mechanics.q, mechanics.p});
    step.reverse = concat({mechanics.q, -mechanics.p});
    step.node_find = {{mechanics.v, mechanics.u.empty() ? velocity_guess : Vec()}};
    if (!mechanics.u.empty()) step.node_find.push_back({mechanics.u, velocity_guess});
    step.node_equations = mechanics.legendre();
    step.q = mechanics.q, step.v = mechanics.v, step.p = mechanics.p;
    step.form = {{mechanics.q, mechanics.p}};
}

void carry_positions_and_velocities(Step& step, const Mechanics& mechanics) {
    step.start = concat({mechanics.q, mechanics.v});
    step.reverse = concat({mechanics.q, -mechanics.v});
    step.q = mechanics.q, step.v = mechanics.v, step.p = mechanics.momentum();
    if (mechanics.has_lagrangian()) step.form = {{mechanics.q, mechanics.momentum()}}; // else p is no formula of v
}

void carry_positions_and_momenta(Step& step, const Nonholonomic& sys, const Vec& velocity_guess) {
    carry_positions_and_momenta(step, static_cast<const Mechanics&>(sys), velocity_guess);
    step.lambda = sys.lambda;
    if (sys.phi.empty()) return;
    if (sys.has_lagrangian()) {
        const Nonholonomic::Multiplier m = sys.multiplier();
        step.node_find.push_back({m.a, {}});
        step.node_equations.insert(step.node_equations.end(), m.equations.begin(), m.equations.end());
    } else {
        const FirstOrder f = sys.canonical();
        step.node_equations.insert(step.node_equations.end(), f.algebraic.begin(), f.algebraic.end());
    }
    step.node_find.push_back({sys.lambda, {}});
}

void carry_positions_and_velocities(Step& step, const Nonholonomic& sys, const Vec& momentum_guess) {
    carry_positions_and_velocities(step, static_cast<const Mechanics&>(sys));
    step.lambda = sys.lambda;
    if (sys.phi.empty()) return;
    const Nonholonomic::Multiplier m = sys.multiplier();
    step.node_find = {{m.a, {}}, {m.lambda, {}}};
    step.node_equations = m.equations;
    if (sys.has_lagrangian()) return;
    step.node_find.push_back({sys.p, momentum_guess});
    for (const Equation& e : sys.legendre()) step.node_equations.push_back(e);
}

void carry_positions_and_momenta(Step& step, const Variational& sys, const Vec& velocity_guess,
                                 const Vec& lambda_guess) {
    carry_positions_and_momenta(step, static_cast<const Mechanics&>(sys), velocity_guess);
    step.node_find.push_back({sys.lambda, lambda_guess});
    step.node_equations = sys.legendre();
    step.lambda = sys.lambda;
}

void require_momentum(std::vector<Unknown>& find, std::vector<Equation>& equations, const Mechanics& sys,
                      const Vec& momentum) {
    equations.push_back(sys.momentum() == momentum);
    if (sys.has_lagrangian()) return;
    find.push_back({sys.p, {}});
    for (const Equation& e : sys.legendre()) equations.push_back(e);
}

Vec last_stage_momentum(const Step& step, const Nonholonomic& sys) {
    if (sys.has_lagrangian()) return {};
    const std::size_t n = sys.q.size(); // y of Nonholonomic::stabilized is (p, a, lambda)
    return first_components(last_components(step.hint, 2 * n + sys.lambda.size()), n);
}

Vec find_momentum(Step& step, const Mechanics& sys, const std::string& label, Point at, const Vec& guess) {
    at.p = symbols_like(sys.graph, label, sys.p);
    step.find.push_back({at.p, guess});
    step.equations.push_back(sys.legendre(at));
    return at.p;
}

Point placed(const DiscreteLagrangian& Ld, const Point& x, const Vec& q, const Vec& q1) {
    const auto here = [&](const Vec& f) { return substitute(f, {{Ld.q0, q}, {Ld.q1, q1}}); };
    return {here(x.q), here(x.v), x.t, x.p};
}

} // namespace rattleback
