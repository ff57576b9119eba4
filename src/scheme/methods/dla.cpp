// Discrete Lagrange-d'Alembert equations (Cortes and Martinez 2001):
//     D1 L_d(q1, q2) + D2 L_d(q0, q1) = h mu(q1)^T lambda,     phi((q1 + q2)/2, (q2 - q1)/h) = 0
// carried as (q, p_plus), p_plus = D2 L_d(q0, q1); a node shows P* p_plus. For any regular L or H and any phi: a node
// shows the p with phi(q, v) = 0, p = L_v(q, v) or v = H_p(q, p), that differs from p_plus by A(q, v)^T kappa, and mu
// is A(q1, v1) of the node. Seen from p_minus the node is the same one, so the two-step equations stay symmetric. With
// ld=model the model's [discrete] table may give another phi_d(q1, q2, h) = 0.
#include "scheme/common.hpp"

#include "expr/graph.hpp"
#include "scheme/discrete_table.hpp"

namespace rattleback {

using enum Condition;

namespace {

bool has_own_constraint(const Nonholonomic& sys, const DiscreteLagrangian& Ld) {
    return Ld.given && !sys.model.discrete->constraint.empty();
}

Vec constraint_of_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld, const Point& middle, const Vec& q1) {
    if (!has_own_constraint(sys, Ld)) return sys.at(sys.phi, middle);
    return substitute(in_step(sys, Ld, sys.model.discrete->constraint), {{Ld.q0, sys.q}, {Ld.q1, q1}});
}

} // namespace

Step dla_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld) {
    const Expr h = step_size(sys.model), t = sys.t;
    const Vec p_plus = symbols_like(sys.graph, "incoming ", sys.p);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, p_plus}), .h = h, .t = t};
    const DiscreteMomenta p = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    const Vec v0 = symbols_like(sys.graph, "node ", sys.v); // A(q0, v0), where A depends on v
    const Vec jump = h * substitute(sys.reaction(sys.lambda), {{sys.v, v0}});
    for (std::size_t i = 0; i < Ld.slopes.size(); ++i) {
        find_from_last(step, Ld.slopes[i], sys.v);
        step.equations.push_back(p.left[i] == p_plus - jump);
    }
    const Vec velocity_guess = last_components(step.hint, sys.q.size());
    // The node: its momentum is p_plus, moved along A^T onto the constraint.
    const Vec kappa = symbols_like(sys.graph, "node ", sys.lambda);
    const Vec shift = substitute(sys.reaction(sys.lambda), {{sys.lambda, kappa}});
    if (!is_affine(sys)) {
        const Point node{sys.q, v0, t, substitute(p_plus - shift, {{sys.v, v0}})};
        step.find.push_back({v0, velocity_guess}), step.find.push_back({kappa, {}});
        step.equations.push_back(sys.legendre(node));
        step.equations.push_back(sys.at(sys.phi, node) == zeros_like(sys.phi));
    }
    // On groups the constraint is taken at the left end (Euler-Poincare-Suslov).
    const Point middle = Ld.action ? Point{sys.q, Ld.slopes[0], t} : Point{sys.q + p.dq / 2, p.dq / h, t + h / 2};
    const Vec phi = constraint_of_step(sys, Ld, middle, p.q1);
    if (!Ld.action && !has_own_constraint(sys, Ld)) step.stages = {{middle.q, middle.v, {}, middle.t}};
    find_from_last(step, sys.lambda, zeros_like(sys.lambda));
    step.equations.push_back(phi == zeros_like(phi));
    step.increment = concat({p.dq, p.change - jump});
    find_point_momenta(step, sys, Ld, p.q1);

    const Nonholonomic::Multiplier m = sys.multiplier();
    step.node_find = {{sys.v, velocity_guess}, {kappa, {}}, {m.a, {}}, {m.lambda, {}}};
    step.node_equations = m.equations;
    require_momentum(step.node_find, step.node_equations, sys, p_plus - shift);
    step.node_equations.push_back(sys.phi == zeros_like(sys.phi));
    step.q = sys.q, step.v = sys.v, step.p = sys.momentum(), step.lambda = sys.lambda;
    step.arrival = p_plus;
    step.start = concat({sys.q, sys.p});
    step.form = {{sys.q, p_plus}};
    return step;
}

extern const Scheme dla_scheme;
const Scheme dla_scheme = {
    .id = "dla",
    .title = "discrete Lagrange-d'Alembert equations",
    .cite = "cortes2001",
    .takes = "nonholonomic, any regular L or H",
    .options = {{"ld", "midpoint", "midpoint, alpha, sym_alpha, verlet, or model: [discrete] of the model"},
                {"alpha", "1/2", "for ld=alpha; 0 for ld=sym_alpha"}},
    .order =
        [](const Options& o) {
            if (o.word("ld", "midpoint") == "model") return 1; // at least
            return o.word("ld", "midpoint") == "alpha" && o.number("alpha", 0.5) != static_cast<quad>(0.5) ? 1 : 2;
        },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const std::vector<Claim> claims{
            {Property::symplectic, Answer::no},
            {Property::constraint_exact, Answer::yes},
            {Property::constraint_at_stages, Answer::yes},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::unknown},
            {Property::momentum_exact, Answer::yes, {horizontal_symmetry, generator_affine, no_forces_along_it}},
            {Property::symmetric, Answer::no},
            {Property::reversible, Answer::unknown}};
        return o.word("ld", "midpoint") == "model" ? claims_of_given(claims) : claims;
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = nonholonomic(model, "dla");
        if (!model.holonomic.empty())
            throw Unsuitable("method 'dla' takes velocity constraints only; nh_rattle takes holonomic ones too");
        const DiscreteLagrangian Ld = discrete_lagrangian(sys, o);
        if (Ld.slopes.size() > 1)
            throw BadMethod("option ld=galerkin: the constraint of dla has one slope a step; choose midpoint, alpha, "
                            "sym_alpha or verlet");
        if (Ld.given) require_consistent_constraint(sys);
        const bool halved = Ld.given && !has_symmetric_constraint(model); // the order
        return {.id = "dla", .step = dla_step(sys, Ld), .order = halved ? 1 : Ld.order};
    },
};

} // namespace rattleback
