// RATTLE (Andersen 1983) for any Hamiltonian or regular Lagrangian (Leimkuhler and Reich 1994, Jay 1996). One step from
// (q0, p0) to (q1, p1), with the momentum p' halfway and one multiplier at each end:
//
//     (1)  p' = p0 - (h/2)(H_q(q0, p') + G(q0)^T Lambda)
//     (2)  q1 = q0 + (h/2)(H_p(q0, p') + H_p(q1, p'))
//     (3)  g(q1) = 0                                            determines Lambda
//     (4)  p1 = p' - (h/2)(H_q(q1, p') + G(q1)^T Mu)
//     (5)  G(q1) H_p(q1, p1) + g_t = 0                          determines Mu
//
// G = g_q. A Lagrangian has -L_q - F in place of H_q, and velocities in place of H_p: V0, V1 and v1 with p' = L_v(q0,
// V0), p' = L_v(q1, V1) and p1 = L_v(q1, v1). For L = T(v) - V(q), V0 = V1 and (1), (2) and (4) are the Verlet method.
// Lobatto IIIA-IIIB with two stages has the same equations.
//
// The unknowns are the impulses (h/2) Lambda and (h/2) Mu, which changes nothing but the rounding: h/2 times G^T Lambda
// has a direction where h is a decimal fraction (docs/design/same-bits.md).
#include <utility>

#include "expr/graph.hpp"
#include "scheme/spark.hpp"

namespace rattleback {
namespace {

// (h/2) Lambda, from the Lambda of the last step, which may have had another size.
void find_impulse(Step& step, const Vec& impulse, const Vec& Lambda, const Vec& first) {
    const Vec last = symbols_like(*step.graph, "last ", zero_border(Lambda));
    step.find.push_back({impulse, (step.h / 2) * last});
    step.hint = concat({step.hint, last});
    step.next_hint = concat({step.next_hint, (2 / step.h) * impulse});
    step.start_hint = concat({step.start_hint, first});
}

Step rattle_step(const Nonholonomic& sys) {
    const Spark spark(sys);
    const Expr h = step_size(sys.model), t = sys.t;
    const bool one_velocity = spark.velocity_follows_from_momentum(), quadratic = spark.is_quadratic(); // see spark.hpp

    Spark::Values start = spark.unknowns("stage 1 of "), end = spark.unknowns("stage 2 of "); // at (q0, p'), (q1, p')
    const Vec Lambda = std::exchange(start.Lambda, symbols_like(sys.graph, "impulse 1 by ", sys.lambda)),
              Mu = std::exchange(end.Lambda, symbols_like(sys.graph, "impulse 2 by ", sys.lambda));
    end.p = start.p;
    if (one_velocity) end.v = start.v;
    const Vec &p_half = start.p, &V0 = start.v, &V1 = end.v;
    const Vec applied = sys.applied(), impulse = sys.reaction(sys.lambda); // of (h/2) Lambda in place of Lambda
    const auto moved = [&](const Vec& q) {                                 // (2)
        return one_velocity ? q + h * V0 : q + (h / 2) * V0 + (h / 2) * V1;
    };
    start.q = sys.q, start.t = t;
    const Vec force0 = spark.at(applied, start), impulse0 = spark.at(impulse, start); // -H_q, (h/2) G^T Lambda
    end.q = moved(sys.q), end.t = t + h;
    const Vec force1 = spark.at(applied, end), impulse1 = spark.at(impulse, end); // -H_q, (h/2) G^T Mu

    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = t};
    step.stages = {{start.q, V0, {}, start.t}, {end.q, V1, {}, end.t}};
    find_from_last(step, V0, sys.v);
    step.find.push_back({p_half, sys.p});
    step.equations.push_back(p_half == (sys.p - impulse0) + (h / 2) * force0); // (1)
    spark.require_legendre(step, start);
    if (!sys.g.empty()) find_impulse(step, start.Lambda, Lambda, sys.lambda);
    if (!one_velocity) {
        find_from_last(step, V1, sys.v);
        spark.require_legendre(step, end);
    }
    const Vec dq = moved(zeros_like(sys.q));
    if (!sys.g.empty()) {
        const Vec g1 = spark.constraint_after(dq, end, quadratic);
        find_impulse(step, end.Lambda, Mu, sys.lambda);
        step.equations.push_back(g1 == zeros_like(g1)); // (3)
    }
    const Vec dp = ((h / 2) * force0 + (h / 2) * force1) - (impulse0 + impulse1); // (1) + (4)
    step.increment = concat({dq, dp});
    spark.require_hidden_constraint(step, sys.q + dq, sys.p + dp, end.t); // (5)
    complete(step, sys);
    return step;
}

} // namespace

using enum Condition;

extern const Scheme rattle_scheme;
const Scheme rattle_scheme = {
    .id = "rattle",
    .title = "RATTLE",
    .cite = "andersen1983",
    .takes = "holonomic, unconstrained",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims =
        [](const Options&) {
            return spark_claims({L_even_in_v, forces_even_in_v, no_time});
        },
    .build = [](const Model& model, const Options&) -> Method {
        return {.id = "rattle", .step = rattle_step(holonomic(model, "rattle")), .order = 2};
    },
};

} // namespace rattleback
