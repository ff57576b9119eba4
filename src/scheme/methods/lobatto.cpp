// Lobatto IIIA-IIIB, partitioned, for holonomic constraints (Jay 1996): IIIA for q, its symplectic partner IIIB for p,
// multipliers at the stages of IIIA, order 2s - 2.
#include "scheme/spark.hpp"

namespace rattleback {

extern const Scheme lobatto_scheme;
const Scheme lobatto_scheme = {
    .id = "lobatto",
    .title = "Lobatto IIIA-IIIB for holonomic constraints",
    .cite = "jay1996",
    .takes = "holonomic, unconstrained",
    .options = {{"stages", "2", "2 to 6; the order is 2 stages - 2"}},
    .order = [](const Options& o) { return 2 * o.integer("stages", 2, 2, 6) - 2; },
    .claims = [](const Options&) { return spark_claims(); },
    .build = [](const Model& model, const Options& o) -> Method {
        const int s = o.integer("stages", 2, 2, 6);
        return {.id = "lobatto", .step = spark_step(holonomic(model, "lobatto"), s), .order = 2 * s - 2};
    },
};

} // namespace rattleback
