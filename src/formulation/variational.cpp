#include <rattleback/formulation.hpp>

#include "expr/graph.hpp"

namespace rattleback {

Variational::Variational(const Model& m)
    : Mechanics(m), phi(m.velocity), lambda(symbols_like(*m.graph, "multiplier of ", m.velocity)), g(m.holonomic) {
    if (!m.variational)
        throw Unsuitable("this method takes variational constraints; this model has principle = \"nonholonomic\"");
    if (!m.phase.empty()) throw Unsuitable("this method takes no phase constraints");
}

Vec Variational::shifted() const { return p + gradient(dot(lambda, phi), v); }

Vec Variational::generalized_momentum() const { return momentum() - gradient(dot(lambda, phi), v); }

std::vector<Equation> Variational::legendre() const {
    const Equation constraint = phi == zeros_like(phi);
    if (has_lagrangian()) return {p == generalized_momentum(), constraint};
    return {v == substitute(gradient(model.function, p), {{p, shifted()}}), constraint};
}

Expr Variational::energy() const {
    const Expr work = dot(lambda, phi); // zero on the constraint; v . work_v - work is not where phi is affine
    const Expr without = has_lagrangian() ? Mechanics::energy() : substitute(model.function, {{p, shifted()}});
    return without - dot(v, gradient(work, v)) + work;
}

FirstOrder Variational::canonical() const {
    const Vec inside = gradient(dot(lambda, phi), q);
    const Vec L_q =
        has_lagrangian() ? gradient(model.function, q) : -substitute(gradient(model.function, q), {{p, shifted()}});
    return {model.graph, concat({q, p}),     concat({v, lambda}), concat({v, L_q - inside + force(q, v, t)}),
            legendre(),  concat({v, lambda})};
}

FirstOrder Variational::index_reduced() const {
    if (!has_lagrangian()) throw Unsuitable("this method needs a Lagrangian; this model gives a Hamiltonian");
    const Vec a = acceleration(), lambda_rate = symbols_like(graph, "rate of ", lambda);
    const Vec nu = symbols_like(graph, "multiplier of ", g), one({{"t", Expr(1)}});
    const auto rate = [&](const Vec& f) { // along the motion
        return derivative_along(f, concat({q, v, lambda, model.time_vec()}), concat({v, a, lambda_rate, one}));
    };
    const Vec inside = gradient(dot(lambda, phi), q), normal = gradient(dot(nu, g), q);
    const Vec phi_rate = rate(phi), g_rate = rate(rate(g));
    return {model.graph,
            concat({q, v, lambda}),
            concat({a, lambda_rate, nu}),
            concat({v, a, lambda_rate}),
            {rate(generalized_momentum()) == applied() - inside - normal, phi_rate == zeros_like(phi_rate),
             g_rate == zeros_like(g_rate)},
            concat({zeros_like(a), zeros_like(lambda_rate), zeros_like(nu)})};
}

} // namespace rattleback
