#include <rattleback/formulation.hpp>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

Vec hidden_constraints(const Model& m) { // dg/dt = g_q v + g_t
    Vec hidden = derivative_along(m.holonomic, concat({m.q, m.time_vec()}), concat({m.v, Vec({{"t", Expr(1)}})}));
    return named(hidden, "the rate of ");
}

} // namespace

Nonholonomic::Nonholonomic(const Model& m)
    : Mechanics(m), g(m.holonomic), phi(concat({m.velocity, hidden_constraints(m)})),
      lambda(symbols_like(*m.graph, "multiplier of ", phi)) {
    if (m.variational && !m.velocity.empty())
        throw Unsuitable("this method takes nonholonomic models; this model says principle = \"variational\"");
    if (!m.phase.empty()) throw Unsuitable("this method takes no phase constraints");
}

Vec Nonholonomic::reaction(const Vec& multipliers) const {
    return phi.empty() ? zeros_like(q) : gradient(dot(multipliers, phi), v);
}

Vec Nonholonomic::rate(const Vec& velocity_rate) const {
    return derivative_along(phi, concat({q, v, model.time_vec()}), concat({v, velocity_rate, Vec({{"t", Expr(1)}})}));
}

Nonholonomic::Multiplier Nonholonomic::multiplier() const {
    const Vec a = acceleration(), force = reaction(lambda);
    return {a, lambda, force, {motion(a, applied() - force), rate(a) == zeros_like(phi)}};
}

Nonholonomic::Multiplier Nonholonomic::multiplier(const Point& point, const std::string& label) const {
    const Multiplier here = multiplier();
    Multiplier there{symbols_like(graph, label, here.a), symbols_like(graph, label, lambda), {}, {}};
    std::vector<Substitution> rules{{q, point.q},
                                    {v, point.v},
                                    {model.time_vec(), Vec({{"t", point.t}})},
                                    {here.a, there.a},
                                    {lambda, there.lambda}};
    if (!has_lagrangian()) rules.push_back({p, point.p});
    const auto moved = [&](const Vec& f) { return substitute(f, rules); };
    there.reaction = moved(here.reaction);
    for (const Equation& e : here.equations) there.equations.push_back(moved(e.lhs) == moved(e.rhs));
    return there;
}

FirstOrder Nonholonomic::stabilized(const Vec& pull) const {
    const Vec a = acceleration();
    FirstOrder system{model.graph,
                      concat({q, v}),
                      concat({a, lambda}),
                      concat({v, a}),
                      {motion(a, applied() - reaction(lambda)), rate(a) == -pull},
                      concat({zeros_like(a), zeros_like(lambda)})};
    if (has_lagrangian()) return system;
    system.y = concat({p, system.y}), system.y_start = concat({p, system.y_start});
    for (const Equation& e : legendre()) system.algebraic.push_back(e);
    return system;
}

FirstOrder Nonholonomic::second_order() const { return has_lagrangian() ? stabilized(zeros_like(phi)) : canonical(); }

FirstOrder Nonholonomic::canonical() const {
    if (has_lagrangian()) {
        const Vec a = acceleration();
        std::vector<Equation> equations = multiplier().equations;
        for (const Equation& e : legendre()) equations.push_back(e);
        return {model.graph,
                concat({q, p}),
                concat({v, a, lambda}),
                concat({v, applied() - reaction(lambda)}),
                equations,
                concat({v, zeros_like(a), zeros_like(lambda)})};
    }
    // v = H_p is a formula; d/dt phi(t, q, H_p) = 0 along (H_p, p', 1).
    const Vec velocity = gradient(model.function, p);
    const auto here = [&](const Vec& f) { return substitute(f, {{v, velocity}}); };
    const Vec force_rate = applied() - here(reaction(lambda));
    const Vec constraint_rate = derivative_along(here(phi), concat({q, p, model.time_vec()}),
                                                 concat({velocity, force_rate, Vec({{"t", Expr(1)}})}));
    return {model.graph,
            concat({q, p}),
            lambda,
            concat({velocity, force_rate}),
            {constraint_rate == zeros_like(lambda)},
            zeros_like(lambda)};
}

} // namespace rattleback
