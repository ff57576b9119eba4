// Lobatto IIIA-IIIB for constraints (Jay 1996): IIIA (a, b) for q, its symplectic partner IIIB (a^, b) for p, order
// 2s - 2. With the notation of spark.hpp,
//
//     (1)  Q_i = q0 + h sum_j a_ij V_j
//     (2)  P_i = p0 + h sum_j a^_ij (L_q + F - G^T Lambda)_j,     P_i = L_v(Q_i, V_i)
//     (3)  g(Q_i) = 0 for i = 2 .. s                              determines Lambda_1 .. Lambda_{s-1}
//     (4)  q1 = Q_s,   p1 = p0 + h sum_j b_j (L_q + F - G^T Lambda)_j
//     (5)  g_q v1 + g_t = 0 at (q1, p1)                           determines Lambda_s: a^_is = 0, no stage has it
//
// For constraints inside the action this is McLachlan, Modin, Verdier and Wilkins 2014, section 7: coefficients a, b
// for q' = H_p, a^, b^ for p' = -H_q, multipliers lambda_i with 0 = H_lambda(Q_i, P_i, lambda_i). With K = H_p, L =
// -H_q
//     d(q1 ^ p1) - d(q0 ^ p0) = h sum_i (b_i dK_i ^ dP_i + b^_i dQ_i ^ dL_i)
//                             + h^2 sum_ij (b_i b^_j - b_i a^_ij - b^_j a_ji) dK_i ^ dL_j
// (d(q ^ p) short for dq ^ dp), and dK ^ dP + dQ ^ dL = -dH_lambda ^ dlambda = 0 stage by stage. So it is symplectic if
//     b_i = b^_i,     b_i a^_ij + b^_j a_ji = b_i b^_j
// as without multipliers: they ask for nothing but to be at the stages of both. IIIA with IIIA itself violates it.
#include "scheme/common.hpp"
#include "scheme/lobatto_equations.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view iterations[] = {"newton", "fixed"};

// NOTE: Newton's matrices couple all stages; with more than 6 of them steps take longer than they gain.
int stages_of(const Options& o) {
    return o.integer("stages", 2, 2, o.word("iteration", "newton", iterations) == "fixed" ? 12 : 6);
}

Step lobatto_step(const Model& model, int stages) {
    if (model.kind != Model::general && is_variational(model)) {
        const Variational sys(model);
        const Spark spark(sys);
        Step step = LobattoEquations(spark, stages).step();
        complete(step, sys, spark);
        return step;
    }
    const Nonholonomic sys = holonomic(model, "lobatto");
    Step step = LobattoEquations(Spark(sys), stages).step();
    complete(step, sys);
    return step;
}

} // namespace

extern const Scheme lobatto_scheme;
const Scheme lobatto_scheme = {
    .id = "lobatto",
    .title = "Lobatto IIIA-IIIB for constraints",
    .cite = "jay1996",
    .takes = "holonomic, variational, both, unconstrained",
    .options = {{"stages", "2", "2 to 6, with iteration=fixed to 12; the order is 2 stages - 2"},
                {"iteration", "newton",
                 "newton; fixed: velocities and multipliers from those of the last iteration, a vector lane a stage, "
                 "and newton where that is slow; from 3 stages on, without velocity constraints"}},
    .order = [](const Options& o) { return 2 * stages_of(o) - 2; },
    .claims =
        [](const Options&) {
            std::vector<Claim> claims = spark_claims({L_even, constraints_homogeneous, forces_even_in_v, no_time});
            claims.push_back({Property::constraint_exact, Answer::yes});
            claims.push_back({Property::constraint_at_stages, Answer::yes});
            return claims;
        },
    .build = [](const Model& model, const Options& o) -> Method {
        const int s = stages_of(o);
        return {.id = "lobatto", .step = lobatto_step(model, s), .order = 2 * s - 2};
    },
};

} // namespace rattleback
