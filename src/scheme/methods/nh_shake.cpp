// Nonholonomic SHAKE (Ferraro, Iglesias and Martin de Diego 2008), for L = T - V with constant M:
//     q_{k+1} = 2 q_k - q_{k-1} - h^2 M^-1 (V_q + mu^T lambda_k),     mu(q_k)(q_{k+1} - q_{k-1}) = 0
// In momenta, for any regular L or H: D1 L_d(q_k, q_{k+1}) + D2 L_d(q_{k-1}, q_k) = h A^T lambda_k with the trapezoidal
// L_d, and the mean p of the momenta on both sides of q_k obeys the constraint, phi(q_k, v) = 0 with A = phi_v(q_k, v),
// p = L_v(q_k, v) or v = H_p(q_k, p): a nonlinear equation for lambda_k where these depend on v or p. What is carried
// is q_k and the slope of the last step, u = (q_k - q_{k-1})/h: sums of small increments, where the plain recurrence
// loses digits.
#include "scheme/common.hpp"

#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

namespace {

Step shake_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld) {
    const Expr h = step_size(sys.model), t = sys.t;
    const Vec W = Ld.slopes[0], u = symbols_like(sys.graph, "slope before, of ", zero_border(sys.q)),
              lambda = sys.lambda;
    Step step{.graph = sys.model.graph, .state = concat({sys.q, u}), .h = h, .t = t};
    const DiscreteMomenta next = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    const Vec p_plus = momentum_of_last_step(sys, Ld, u); // the momentum at q_k from the left
    const PointMomenta before = last_point_momenta(sys, Ld, u);
    const Vec reaction = h * sys.reaction(lambda), p_minus = p_plus - reaction;
    const Vec mean = p_plus - reaction / 2; // what the node shows
    find_from_last(step, W, sys.v);
    find_from_last(step, lambda, zeros_like(lambda));
    step.find.push_back({sys.v, u});
    step.equations = {next.left[0] == p_minus};
    require_momentum(step.find, step.equations, sys, mean);
    step.equations.push_back(sys.phi == zeros_like(sys.phi));
    step.increment = concat({next.dq, W - u});
    find_point_momenta(step, sys, Ld, next.q1);
    const Vec last = last_components(step.hint, before.unknowns.size());
    before.add(step.find, step.equations, last);

    step.node_find = {{sys.v, u}, {lambda, {}}};
    require_momentum(step.node_find, step.node_equations, sys, mean);
    step.node_equations.push_back(sys.phi == zeros_like(sys.phi));
    before.add(step.node_find, step.node_equations, last);
    step.q = sys.q, step.v = sys.v, step.p = sys.momentum(), step.lambda = lambda;
    step.arrival = p_plus, step.alternates = !lambda.empty();
    // As if a step with the continuous multiplier had led to q0: u is the slope with p_plus = p + (h/2) A^T lambda.
    const auto m = sys.multiplier({sys.q, sys.v, t, sys.p}, "start ");
    step.start_find = {{m.a, {}}, {m.lambda, {}}, {u, sys.v}};
    step.start_equations = m.equations;
    step.start_equations.push_back(p_plus == sys.momentum() + (h / 2) * m.reaction);
    before.add(step.start_find, step.start_equations, before.first);
    step.start = concat({sys.q, u});
    step.start_hint = concat({sys.v, m.lambda, before.first});
    if (sys.has_lagrangian()) step.form = {{sys.q, substitute(sys.momentum(), {{sys.v, u}})}};
    return step;
}

} // namespace

extern const Scheme nh_shake_scheme;
const Scheme nh_shake_scheme = {
    .id = "nh_shake",
    .title = "nonholonomic SHAKE",
    .cite = "ferraro2008",
    .takes = "nonholonomic, any regular L or H",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no},
                {Property::constraint_exact, Answer::yes},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::unknown},
                {Property::momentum_exact, Answer::yes, {horizontal_symmetry, generator_affine, no_forces_along_it}},
                {Property::symmetric, Answer::no}, // as a recurrence it is; its state belongs to one step size
                {Property::reversible, Answer::unknown}};
    },
    .build = [](const Model& model, const Options&) -> Method {
        const Nonholonomic sys = nonholonomic(model, "nh_shake");
        if (!model.holonomic.empty())
            throw Unsuitable("method 'nh_shake' takes velocity constraints only; nh_rattle takes holonomic ones too");
        return {.id = "nh_shake", .step = shake_step(sys, discrete_lagrangian(sys, "verlet", 0)), .order = 2};
    },
};

} // namespace rattleback
