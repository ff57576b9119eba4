// Half a step of type2, then half a step of its adjoint:
//     p_h = p0 - (h/2) H_q(q0, p_h),   q_h = q0 + (h/2) H_p(q0, p_h)
//     q1 = q_h + (h/2) H_p(q1, p_h),   p1 = p_h - (h/2) H_q(q1, p_h)
#include "scheme/type2.hpp"

#include "expr/graph.hpp"

namespace rattleback {
namespace {

Step type2_sym_step(const Mechanics& sys) {
    const Expr h = step_size(sys.model), t = sys.t, half = h / 2;
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = t};
    const Vec K = symbols_like(sys.graph, "slope of ", sys.p), W = symbols_like(sys.graph, "slope of ", sys.q);
    const Vec H_p = gradient(sys.model.function, sys.p), p_half = sys.p + half * K;
    const Vec U0 = symbols_like(sys.graph, "stage 1 of ", sys.u), U1 = symbols_like(sys.graph, "stage 2 of ", sys.u);
    const auto at = [&](const Vec& f, const Vec& q, const Expr& time, const Vec& U) {
        return substitute(f, {{sys.q, q}, {sys.p, p_half}, {sys.u, U}, {sys.model.time_vec(), Vec({{"t", time}})}});
    };
    const Vec first = at(H_p, sys.q, t, U0), q1 = sys.q + half * first + half * W;
    const bool implicit = !sys.u.empty();
    find_from_last(step, K, implicit ? zeros_like(K) : sys.applied());
    find_from_last(step, W, implicit ? zeros_like(W) : H_p);
    step.equations = {K == at(sys.applied(), sys.q, t, U0), W == at(H_p, q1, t + h, U1)};
    const Vec H_u = gradient(sys.model.function, sys.u);
    require_inputs(step, sys, U0, at(H_u, sys.q, t, U0)), require_inputs(step, sys, U1, at(H_u, q1, t + h, U1));
    step.increment = concat({half * first + half * W, half * K + half * at(sys.applied(), q1, t + h, U1)});
    step.stages = {{sys.q, first, {}, t, p_half, U0}, {q1, W, {}, t + h, p_half, U1}};
    carry_positions_and_momenta(step, sys, last_components(step.hint, U1.size()));
    return step;
}

} // namespace

extern const Scheme type2_sym_scheme;
const Scheme type2_sym_scheme = {
    .id = "type2_sym",
    .title = "generating function of type II, symmetric",
    .cite = "deleon2004b",
    .takes = "Hamiltonians, control problems",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) { return type2_claims(true); },
    .build = [](const Model& model, const Options&) -> Method {
        return {.id = "type2_sym", .step = type2_sym_step(hamiltonian_only(model, "type2_sym")), .order = 2};
    },
};

} // namespace rattleback
