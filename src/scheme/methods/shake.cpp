// SHAKE (Ryckaert, Ciccotti and Berendsen 1977), for L = T - V with constant M:
//     q_{k+1} = 2 q_k - q_{k-1} - h^2 M^-1 (V_q + G^T lambda_k),     g(q_{k+1}) = 0
// For any regular L: D1 L_d(q_k, q_{k+1}) + D2 L_d(q_{k-1}, q_k) = h G^T lambda_k with the trapezoidal L_d. What is
// carried is q_k and the slope of the last step; a node shows the momentum D2 L_d(q_{k-1}, q_k) after the part along
// G^T that violates the hidden constraint is taken off, which is RATTLE's.
#include "scheme/common.hpp"

#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

namespace {

Step shake_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld) {
    const Expr h = step_size(sys.model), t = sys.t;
    const Vec W = Ld.slopes[0], u = symbols_like(sys.graph, "slope before, of ", zero_border(sys.q));
    Step step{.graph = sys.model.graph, .state = concat({sys.q, u}), .h = h, .t = t};
    const DiscreteMomenta next = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    const Vec p_plus = momentum_of_last_step(sys, Ld, u);
    const PointMomenta before = last_point_momenta(sys, Ld, u);
    const Vec g1 = sys.at(sys.g, {next.q1, sys.v, t + h});
    find_from_last(step, W, sys.v);
    find_from_last(step, sys.lambda, zeros_like(sys.lambda));
    step.equations = {next.left[0] == p_plus - h * sys.reaction(sys.lambda), g1 == zeros_like(g1)};
    step.increment = concat({next.dq, W - u});
    find_point_momenta(step, sys, Ld, next.q1);
    const Vec last = last_components(step.hint, before.unknowns.size());
    before.add(step.find, step.equations, last);

    const Vec kappa = symbols_like(sys.graph, "node ", sys.lambda);
    const Vec shift = substitute(sys.reaction(sys.lambda), {{sys.lambda, kappa}});
    const Nonholonomic::Multiplier m = sys.multiplier();
    step.node_find = {{sys.v, u}, {kappa, {}}, {m.a, {}}, {m.lambda, {}}};
    step.node_equations = m.equations;
    require_momentum(step.node_find, step.node_equations, sys, p_plus - shift);
    step.node_equations.push_back(sys.phi == zeros_like(sys.phi));
    before.add(step.node_find, step.node_equations, last);
    step.q = sys.q, step.v = sys.v, step.p = sys.momentum(), step.lambda = sys.lambda;
    // As if a step with momentum p at its end had led to q0; a part along G^T would go into lambda.
    step.start_find = {{u, sys.v}};
    step.start_equations = {p_plus == sys.p};
    before.add(step.start_find, step.start_equations, before.first);
    step.start = concat({sys.q, u});
    return step;
}

} // namespace

extern const Scheme shake_scheme;
const Scheme shake_scheme = {
    .id = "shake",
    .title = "SHAKE",
    .cite = "ryckaert1977",
    .takes = "holonomic",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::unknown}, // in (q, p) of its nodes; it carries a slope
                {Property::holonomic_exact, Answer::yes},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                {Property::symmetric, Answer::no}, // as a recurrence it is; its state belongs to one step size
                {Property::reversible, Answer::unknown}};
    },
    .build = [](const Model& model, const Options&) -> Method {
        const Nonholonomic sys = holonomic(model, "shake");
        if (sys.g.empty()) throw Unsuitable("method 'shake' needs holonomic constraints; try del:ld=verlet");
        return {.id = "shake", .step = shake_step(sys, discrete_lagrangian(sys, "verlet", 0)), .order = 2};
    },
};

} // namespace rattleback
