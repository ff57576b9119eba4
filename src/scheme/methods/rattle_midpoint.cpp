// RATTLE around the midpoint rule, for holonomic beside variational velocity constraints (McLachlan, Modin, Verdier and
// Wilkins 2013, Prop. 7): with G = g_q,
//     p0^ = p0 - (h/2) G(q0)^T Lambda0,   midpoint rule on H(q, p, lambda) from (q0, p0^) to (q1, p1^),   g(q1) = 0
//     p1 = p1^ - (h/2) G(q1)^T Lambda1,   H_lambda(q1, p1, lambda1) = 0,   G(q1) H_p(q1, p1, lambda1) = 0
#include "scheme/common.hpp"

namespace rattleback {

using enum Condition;

namespace {

Step rattle_midpoint_step(const Variational& sys) {
    Step step = runge_kutta(sys.model, sys.canonical(), gauss(1)).step;
    const Vec kicked = symbols_like(sys.graph, "kicked ", sys.p);
    begin_at(step, sys.p, kicked);
    const Vec change = step.increment, dq = first_components(change, sys.q.size());
    const Vec last = last_components(step.hint, sys.q.size() + sys.lambda.size());

    const Expr half = step.h / 2, t1 = sys.t + step.h;
    const Vec Lambda0 = symbols_like(sys.graph, "multiplier of ", sys.g);
    const Vec Lambda1 = symbols_like(sys.graph, "next multiplier of ", sys.g);
    const auto kick = [&](const Vec& Lambda) { return half * gradient(dot(Lambda, sys.g), sys.q); };
    const Vec q1 = sys.q + dq, v1 = symbols_like(sys.graph, "next ", sys.v);
    const Vec lambda1 = symbols_like(sys.graph, "next ", sys.lambda);
    const auto end = [&](const Vec& f, const Vec& p1) {
        return substitute(
            f,
            {{sys.q, q1}, {sys.v, v1}, {sys.p, p1}, {sys.lambda, lambda1}, {sys.model.time_vec(), Vec({{"t", t1}})}});
    };
    const Vec first = -kick(Lambda0), second = -end(kick(Lambda1), sys.p);
    const Vec dp = first + last_components(change, sys.p.size()) + second;
    const Vec p1 = sys.p + dp;
    const Vec rate =
        derivative_along(sys.g, concat({sys.q, sys.model.time_vec()}), concat({sys.v, Vec({{"t", Expr(1)}})}));
    const Vec g1 = end(sys.g, p1), rate1 = end(rate, p1);
    step.find.push_back({kicked, sys.p});
    step.equations.push_back(kicked == sys.p + first);
    step.find.push_back({Lambda0, {}}), step.find.push_back({Lambda1, {}});
    step.find.push_back({v1, first_components(last, sys.q.size())});
    step.find.push_back({lambda1, last_components(last, sys.lambda.size())});
    step.equations.push_back(g1 == zeros_like(g1));
    for (const Equation& e : sys.legendre()) step.equations.push_back(end(e.lhs, p1) == end(e.rhs, p1));
    step.equations.push_back(rate1 == zeros_like(rate1));
    step.increment = concat({dq, dp});
    carry_positions_and_momenta(step, sys, first_components(last, sys.q.size()),
                                last_components(last, sys.lambda.size()));
    step.manifold = concat({sys.g, rate});
    return step;
}

} // namespace

extern const Scheme rattle_midpoint_scheme;
const Scheme rattle_midpoint_scheme = {
    .id = "rattle_midpoint",
    .title = "RATTLE around the midpoint rule",
    .cite = "mclachlan2013",
    .takes = "holonomic beside variational constraints",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::yes, {on_constraint_manifold, no_forces}},
                {Property::constraint_exact, Answer::yes},
                {Property::holonomic_exact, Answer::yes},
                {Property::constraint_at_stages, Answer::yes},
                {Property::holonomic_at_stages, Answer::no},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::unknown},
                {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                {Property::symmetric, Answer::yes},
                {Property::reversible, Answer::yes, {L_even, constraints_homogeneous, forces_even_in_v, no_time}}};
    },
    .build = [](const Model& model, const Options&) -> Method {
        if (model.kind == Model::general || !is_variational(model) || model.holonomic.empty())
            throw Unsuitable(
                "method 'rattle_midpoint' takes holonomic beside variational constraints; this model has " +
                std::string(!is_variational(model) ? "no variational ones" : "no holonomic ones: try gauss"));
        return {.id = "rattle_midpoint", .step = rattle_midpoint_step(Variational(model)), .order = 2};
    },
};

} // namespace rattleback
