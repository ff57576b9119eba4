#include <rattleback/formulation.hpp>

namespace rattleback {

Variational::Variational(const Model& m)
    : Mechanics(m), phi(m.velocity), lambda(symbols_like(*m.graph, "multiplier of ", m.velocity)), g(m.holonomic) {
    if (!m.variational)
        throw Unsuitable("this method takes variational constraints; this model has principle = \"nonholonomic\"");
    if (!m.phase.empty()) throw Unsuitable("this method takes no phase constraints");
}

Vec Variational::shifted() const { return p + gradient(dot(lambda, phi), v); }

std::vector<Equation> Variational::legendre() const {
    const Equation constraint = phi == zeros_like(phi);
    if (has_lagrangian()) return {p == momentum() - gradient(dot(lambda, phi), v), constraint};
    return {v == substitute(gradient(model.function, p), {{p, shifted()}}), constraint};
}

Expr Variational::energy() const {
    const Expr work = dot(lambda, phi); // zero on the constraint; v . work_v - work is not where phi is affine
    const Expr without = has_lagrangian() ? Mechanics::energy() : substitute(model.function, {{p, shifted()}});
    return without - dot(v, gradient(work, v)) + work;
}

FirstOrder Variational::canonical() const {
    const Vec inside = gradient(dot(lambda, phi), q);
    const Vec L_q = has_lagrangian() ? gradient(model.function, q)
                                     : -substitute(gradient(model.function, q), {{p, shifted()}});
    return {model.graph,
            concat({q, p}),
            concat({v, lambda}),
            concat({v, L_q - inside + force(q, v, t)}),
            legendre(),
            concat({v, lambda})};
}

} // namespace rattleback
