#include <rattleback/formulation.hpp>

#include "expr/graph.hpp"

namespace rattleback {

Mechanics::Mechanics(const Model& m) : model(m), graph(*m.graph), q(m.q), v(m.v), p(m.p), t(m.t) {
    if (m.kind == Model::general) throw Unsuitable("this method needs a Lagrangian or a Hamiltonian of (q, p)");
}

Vec Mechanics::at(const Vec& f, const Point& point) const {
    return substitute(f, {{q, point.q}, {v, point.v}, {model.time_vec(), Vec({{"t", point.t}})}});
}

Vec Mechanics::metric(const Point& point, const Vec& w) const {
    const Vec any = symbols_like(graph, "any ", zero_border(v)); // w may hold q: it must not be moved to the point, too
    return substitute(at(derivative_along(momentum(), v, any), point), {{any, w}});
}

Vec Mechanics::force(const Vec& at_q, const Vec& at_v, const Expr& at_t) const {
    return model.force.empty() ? zeros_like(q) : at(model.force, {at_q, at_v, at_t});
}

Vec Mechanics::momentum() const { return gradient(model.function, v); }

Expr Mechanics::energy() const { return has_lagrangian() ? dot(v, momentum()) - model.function : model.function; }

std::vector<Equation> Mechanics::legendre() const {
    if (has_lagrangian()) return {p == momentum()};
    return {v == gradient(model.function, p)};
}

Vec Mechanics::applied() const {
    if (has_lagrangian()) return gradient(model.function, q) + (model.force.empty() ? zeros_like(q) : model.force);
    return force(q, gradient(model.function, p), t) - gradient(model.function, q);
}

Vec Mechanics::acceleration() const { return symbols_like(graph, "acceleration of ", zero_border(q)); }

Vec Mechanics::momentum_rate(const Vec& a) const {
    const Vec one({{"t", Expr(1)}});
    return derivative_along(momentum(), concat({q, v, model.time_vec()}), concat({v, a, one}));
}

FirstOrder Mechanics::canonical() const {
    if (has_lagrangian()) return {model.graph, concat({q, p}), v, concat({v, applied()}), legendre(), v};
    return {model.graph, concat({q, p}), {}, concat({gradient(model.function, p), applied()}), {}, {}};
}

FirstOrder Mechanics::second_order() const {
    if (!has_lagrangian()) return canonical();
    const Vec a = acceleration();
    return {model.graph, concat({q, v}), a, concat({v, a}), {momentum_rate(a) == applied()}, zeros_like(a)};
}

} // namespace rattleback
