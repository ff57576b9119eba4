// RATTLE (Andersen 1983), in the form for any Hamiltonian or regular Lagrangian (Jay 1996, Leimkuhler and Reich 1994):
//     p' = p0 - (h/2)(H_q(q0, p') + G(q0)^T Lambda),     q1 = q0 + (h/2)(H_p(q0, p') + H_p(q1, p')),     g(q1) = 0
//     p1 = p' - (h/2)(H_q(q1, p') + G(q1)^T Mu),         G(q1) H_p(q1, p1) + g_t = 0
// These are the Lobatto IIIA-IIIB equations with two stages.
#include "scheme/spark.hpp"

namespace rattleback {

extern const Scheme rattle_scheme;
const Scheme rattle_scheme = {
    .id = "rattle",
    .title = "RATTLE",
    .cite = "andersen1983",
    .takes = "holonomic, unconstrained",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) { return spark_claims("L even in v, forces even in v, no time"); },
    .build = [](const Model& model, const Options&) -> Method {
        return {.id = "rattle", .step = spark_step(holonomic(model, "rattle"), 2), .order = 2};
    },
};

} // namespace rattleback
