#include <rattleback/formulation.hpp>

#include <stdexcept>

#include "expr/graph.hpp"

namespace rattleback {

Mechanics::Mechanics(const Model& m)
    : model(m), graph(*m.graph), q(m.q), v(m.v), p(m.p), u(m.implicit_inputs()), t(m.t) {
    if (m.kind == Model::general) throw Unsuitable("this method needs a Lagrangian or a Hamiltonian of (q, p)");
}

Expr Mechanics::lagrangian() const { return has_lagrangian() ? model.function : dot(p, v) - model.function; }

Vec Mechanics::at(const Vec& f, const Point& point) const {
    const Vec time({{"t", point.t}}), &centre = point.centre.empty() ? model.centre : point.centre;
    if (has_lagrangian())
        return substitute(f, {{q, point.q}, {v, point.v}, {model.centre, centre}, {model.time_vec(), time}});
    if (point.p.empty() && !jacobian(f, p).empty())
        throw std::logic_error("a formula of a Hamiltonian is taken at a point without a momentum");
    return substitute(f, {{q, point.q},
                          {v, point.v},
                          {p, point.p.empty() ? p : point.p},
                          {model.centre, centre},
                          {model.time_vec(), time}});
}

Equation Mechanics::metric(const Point& point, const Vec& w, const Vec& f) const {
    // w and f may hold q: they must not be moved to the point, too.
    const Vec any = symbols_like(graph, "any ", zero_border(v));
    const auto along = [&](const Vec& map, const Vec& leaves, const Vec& direction) {
        return substitute(at(derivative_along(map, leaves, any), point), {{any, direction}});
    };
    if (has_lagrangian()) return along(momentum(), v, w) == f;
    return w == along(gradient(model.function, p), p, f);
}

Vec Mechanics::force(const Vec& at_q, const Vec& at_v, const Expr& at_t) const {
    return model.force.empty() ? zeros_like(q) : at(model.force, {at_q, at_v, at_t});
}

Vec Mechanics::momentum() const { return has_lagrangian() ? gradient(model.function, v) : p; }

Expr Mechanics::energy() const { return has_lagrangian() ? dot(v, momentum()) - model.function : model.function; }

std::vector<Equation> Mechanics::legendre() const {
    if (has_lagrangian()) return {p == momentum()};
    if (u.empty()) return {v == gradient(model.function, p)};
    return {v == gradient(model.function, p), gradient(model.function, u) == zeros_like(u)};
}

Equation Mechanics::legendre(const Point& point) const {
    if (has_lagrangian()) return at(momentum(), point) == point.p;
    return point.v == at(gradient(model.function, p), point);
}

Vec Mechanics::applied() const {
    if (has_lagrangian()) return gradient(model.function, q) + (model.force.empty() ? zeros_like(q) : model.force);
    return force(q, gradient(model.function, p), t) - gradient(model.function, q);
}

Vec Mechanics::acceleration() const { return symbols_like(graph, "acceleration of ", zero_border(q)); }

Equation Mechanics::motion(const Vec& a, const Vec& f) const {
    const Vec one({{"t", Expr(1)}});
    if (has_lagrangian())
        return derivative_along(momentum(), concat({q, v, model.time_vec()}), concat({v, a, one})) == f;
    return a == derivative_along(gradient(model.function, p), concat({q, p, model.time_vec()}), concat({v, f, one}));
}

FirstOrder Mechanics::canonical() const {
    if (has_lagrangian()) return {model.graph, concat({q, p}), v, concat({v, applied()}), legendre(), v};
    const Vec rates = concat({gradient(model.function, p), applied()});
    if (u.empty()) return {model.graph, concat({q, p}), {}, rates, {}, {}};
    return {model.graph, concat({q, p}), u, rates, {gradient(model.function, u) == zeros_like(u)}, zeros_like(u)};
}

FirstOrder Mechanics::second_order() const {
    if (!has_lagrangian()) return canonical();
    const Vec a = acceleration();
    return {model.graph, concat({q, v}), a, concat({v, a}), {motion(a, applied())}, zeros_like(a)};
}

} // namespace rattleback
