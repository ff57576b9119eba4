#include <rattleback/formulation.hpp>

namespace rattleback {

Mechanics::Mechanics(const Model& m) : model(m), graph(*m.graph), q(m.q), v(m.v), p(m.p), t(m.t) {
    if (m.kind == Model::general) throw Unsuitable("this method needs a Lagrangian or a Hamiltonian of (q, p)");
}

Vec Mechanics::force(const Vec& at_q, const Vec& at_v, const Expr& at_t) const {
    if (model.force.empty()) return zeros_like(q);
    return substitute(model.force, {{q, at_q}, {v, at_v}, {model.time_vec(), Vec({{"t", at_t}})}});
}

Vec Mechanics::momentum() const { return gradient(model.function, v); }

Expr Mechanics::energy() const { return has_lagrangian() ? dot(v, momentum()) - model.function : model.function; }

std::vector<Equation> Mechanics::legendre() const {
    if (has_lagrangian()) return {p == momentum()};
    return {v == gradient(model.function, p)};
}

FirstOrder Mechanics::canonical() const {
    const Vec force_now = model.force.empty() ? zeros_like(q) : model.force;
    if (has_lagrangian())
        return {model.graph, concat({q, p}), v, concat({v, gradient(model.function, q) + force_now}), legendre(), v};
    const Vec velocity = gradient(model.function, p);
    return {model.graph, concat({q, p}),
            {},          concat({velocity, force(q, velocity, t) - gradient(model.function, q)}),
            {},          {}};
}

FirstOrder Mechanics::second_order() const {
    if (!has_lagrangian()) return canonical();
    const Vec a = symbols_like(graph, "acceleration of ", zero_border(q));
    const Vec one({{"t", Expr(1)}});
    // d/dt L_v along (v, a, 1): L_vv a + L_vq v + L_vt.
    const Vec momentum_rate = derivative_along(momentum(), concat({q, v, model.time_vec()}), concat({v, a, one}));
    const Vec force_now = model.force.empty() ? zeros_like(q) : model.force;
    return {model.graph,  concat({q, v}), a, concat({v, a}), {momentum_rate == gradient(model.function, q) + force_now},
            zeros_like(a)};
}

} // namespace rattleback
