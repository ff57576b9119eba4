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
    const auto here = [&](const Vec& f) { return substitute(f, {{sys.p, sys.p + h * K}}); };
    find_from_last(step, K, sys.applied());
    step.equations = {K == here(sys.applied())};
    step.increment = concat({h * here(gradient(sys.model.function, sys.p)), h * K});
    carry_positions_and_momenta(step, sys, {});
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
