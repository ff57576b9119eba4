// Lobatto IIIA-IIIB, partitioned (Jay 1996): IIIA for q, its symplectic partner IIIB for p, multipliers at the stages
// of IIIA, order 2s - 2.
//
// For constraints inside the action this is McLachlan, Modin, Verdier and Wilkins 2014, section 7: coefficients a, b
// for q' = H_p, a^, b^ for p' = -H_q, multipliers lambda_i with 0 = H_lambda(Q_i, P_i, lambda_i). With K = H_p, L =
// -H_q
//     d(q1 ^ p1) - d(q0 ^ p0) = h sum_i (b_i dK_i ^ dP_i + b^_i dQ_i ^ dL_i)
//                             + h^2 sum_ij (b_i b^_j - b_i a^_ij - b^_j a_ji) dK_i ^ dL_j
// (d(q ^ p) short for dq ^ dp), and dK ^ dP + dQ ^ dL = -dH_lambda ^ dlambda = 0 stage by stage. So it is symplectic if
//     b_i = b^_i,     b_i a^_ij + b^_j a_ji = b_i b^_j
// as without multipliers: they ask for nothing but to be at the stages of both. IIIA with IIIA itself violates it.
#include "scheme/spark.hpp"

namespace rattleback {
namespace {

Step lobatto_step(const Model& model, int stages) {
    if (model.kind != Model::general && is_variational(model)) return spark_step(Variational(model), stages);
    return spark_step(holonomic(model, "lobatto"), stages);
}

} // namespace

extern const Scheme lobatto_scheme;
const Scheme lobatto_scheme = {
    .id = "lobatto",
    .title = "Lobatto IIIA-IIIB for constraints",
    .cite = "jay1996",
    .takes = "holonomic, variational, both, unconstrained",
    .options = {{"stages", "2", "2 to 6; the order is 2 stages - 2"}},
    .order = [](const Options& o) { return 2 * o.integer("stages", 2, 2, 6) - 2; },
    .claims =
        [](const Options&) {
            std::vector<Claim> claims = spark_claims("L even, constraints homogeneous, forces even in v, no time");
            claims.push_back({Property::constraint_exact, Answer::yes, ""});
            claims.push_back({Property::constraint_at_stages, Answer::yes, ""});
            return claims;
        },
    .build = [](const Model& model, const Options& o) -> Method {
        const int s = o.integer("stages", 2, 2, 6);
        return {.id = "lobatto", .step = lobatto_step(model, s), .order = 2 * s - 2};
    },
};

} // namespace rattleback
