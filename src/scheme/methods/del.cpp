// Discrete Euler-Lagrange equations, in position-momentum form (Marsden and West 2001, 2.6):
//     p0 = -D1 L_d(q0, q1) - F_d^-,     p1 = D2 L_d(q0, q1) + F_d^+
#include "scheme/common.hpp"

#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

Step del_step(const Mechanics& sys, const DiscreteLagrangian& Ld) {
    const DiscreteMomenta p = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = step_size(sys.model), .t = sys.t};
    for (std::size_t i = 0; i < Ld.slopes.size(); ++i) {
        find_from_last(step, Ld.slopes[i], sys.v);
        step.equations.push_back(p.left[i] == sys.p);
    }
    step.increment = concat({p.dq, p.change});
    const auto here = [&](const Vec& f) { return substitute(f, {{Ld.q0, sys.q}, {Ld.q1, p.q1}}); };
    if (!Ld.action) step.generating = here(Vec({{"L_d", step.h * Ld.mean}}))[0].value;
    for (const PointForce& f : applied_forces(sys, Ld))
        step.work.push_back({here((-step.h * Expr(f.point.weight)) * f.force), here(f.point.at.q)});
    const Vec velocity_guess = last_components(step.hint, sys.q.size());
    find_point_momenta(step, sys, Ld, p.q1);
    carry_positions_and_momenta(step, sys, velocity_guess);
    return step;
}

// With holonomic constraints, as RATTLE does it: an impulse along G(q0)^T brings q1 onto g = 0, one along G(q1)^T makes
// the momentum there obey g_q v + g_t = 0.
Step constrained_del_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld) {
    const Expr h = step_size(sys.model), t = sys.t;
    const DiscreteMomenta p = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = t};
    const Vec v1 = symbols_like(sys.graph, "next ", sys.v), mu = symbols_like(sys.graph, "left ", sys.lambda),
              nu = symbols_like(sys.graph, "right ", sys.lambda);
    const auto impulse = [&](const Vec& lambda, const Point& at) {
        return (h / 2) * substitute(sys.at(sys.reaction(sys.lambda), at), {{sys.lambda, lambda}});
    };
    const Vec before = impulse(mu, {sys.q, sys.v, t}), after = impulse(nu, {p.q1, v1, t + h, {}, p.centre1});
    const Vec change = p.change - before - after;
    const Point end{p.q1, v1, t + h, sys.p + change, p.centre1};
    const Vec g = sys.at(sys.g, end), phi = sys.at(sys.phi, end);
    find_from_last(step, Ld.slopes[0], sys.v);
    find_from_last(step, mu, zeros_like(mu));
    step.equations = {p.left[0] == sys.p - before, g == zeros_like(g)};
    step.find.push_back({v1, first_components(step.hint, sys.q.size())}), step.find.push_back({nu, {}});
    step.equations.push_back(sys.legendre(end));
    step.equations.push_back(phi == zeros_like(phi));
    find_point_momenta(step, sys, Ld, p.q1);
    step.increment = concat({p.dq, change});
    carry_positions_and_momenta(step, sys, first_components(step.hint, sys.q.size()));
    step.manifold = concat({sys.g, sys.phi});
    return step;
}

extern const Scheme del_scheme;
const Scheme del_scheme = {
    .id = "del",
    .title = "discrete Euler-Lagrange equations",
    .cite = "marsden2001",
    .takes = "unconstrained, holonomic",
    .options = {{"ld", "midpoint", "midpoint, alpha, sym_alpha, verlet, galerkin, or model: [discrete] of the model"},
                {"alpha", "1/2", "for ld=alpha; 0 for ld=sym_alpha"},
                {"stages", "2", "for ld=galerkin, 1 to 10: the order is twice as high"}},
    .order =
        [](const Options& o) {
            const std::string ld = o.word("ld", "midpoint", discrete_lagrangians);
            if (ld == "model") return 1; // at least; what is its own adjoint has 2
            if (ld == "galerkin") return 2 * o.integer("stages", 2, 1, 10);
            return ld == "alpha" && o.number("alpha", 0.5) != static_cast<quad>(0.5) ? 1 : 2;
        },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const bool symmetric =
            !(o.word("ld", "midpoint") == "alpha" && o.number("alpha", 0.5) != static_cast<quad>(0.5));
        const Answer answer = symmetric ? Answer::yes : Answer::no;
        const std::vector<Claim> claims{
            {Property::symplectic, Answer::yes, {no_forces}},
            {Property::holonomic_exact, o.word("ld", "midpoint") == "galerkin" ? Answer::unknown : Answer::yes},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
            {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
            {Property::symmetric, answer},
            {Property::reversible, answer, {L_even_in_v, forces_even_in_v, no_time}}};
        return o.word("ld", "midpoint") == "model" ? claims_of_given(claims) : claims;
    },
    .build = [](const Model& model, const Options& o) -> Method {
        if (model.constrained() && model.kind != Model::general) {
            const Nonholonomic sys = holonomic(model, "del");
            const DiscreteLagrangian Ld = discrete_lagrangian(sys, o);
            if (Ld.slopes.size() > 1)
                throw Unsuitable("ld=galerkin takes no constraints; lobatto has a higher order with them");
            return {.id = "del", .step = constrained_del_step(sys, Ld), .order = Ld.order};
        }
        const Mechanics mechanics(model);
        const DiscreteLagrangian Ld = discrete_lagrangian(mechanics, o);
        return {.id = "del", .step = del_step(mechanics, Ld), .order = Ld.order};
    },
};

} // namespace rattleback
