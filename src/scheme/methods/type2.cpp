// The generating function of type II with H at (q0, p1). For a control problem these are the necessary conditions of
// the discrete problem: sum of h L(q_k, u_k) is least with q_{k+1} = q_k + h Gamma(q_k, u_k).
#include "scheme/type2.hpp"

#include "expr/graph.hpp"

namespace rattleback {
namespace {

Step type2_step(const Mechanics& sys) {
    const Expr h = step_size(sys.model), t = sys.t;
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = t};
    const Vec K = symbols_like(sys.graph, "slope of ", sys.p);
    const Vec U = symbols_like(sys.graph, "stage of ", sys.u); // H_u(q0, p1, U) = 0
    const auto here = [&](const Vec& f) { return substitute(f, {{sys.p, sys.p + h * K}, {sys.u, U}}); };
    find_from_last(step, K, sys.u.empty() ? sys.applied() : zeros_like(K));
    step.equations = {K == here(sys.applied())};
    require_inputs(step, sys, U, here(gradient(sys.model.function, sys.u)));
    step.increment = concat({h * here(gradient(sys.model.function, sys.p)), h * K});
    step.stages = {{sys.q, here(gradient(sys.model.function, sys.p)), {}, t, sys.p + h * K, U}};
    carry_positions_and_momenta(step, sys, last_components(step.hint, U.size()));
    return step;
}

} // namespace

extern const Scheme type2_scheme;
const Scheme type2_scheme = {
    .id = "type2",
    .title = "generating function of type II",
    .cite = "deleon2004b",
    .takes = "Hamiltonians, control problems",
    .options = {},
    .order = [](const Options&) { return 1; },
    .claims = [](const Options&) { return type2_claims(false); },
    .build = [](const Model& model, const Options&) -> Method {
        return {.id = "type2", .step = type2_step(hamiltonian_only(model, "type2")), .order = 1};
    },
};

} // namespace rattleback
