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
#include "expr/graph.hpp"
#include "scheme/spark.hpp"
#include "scheme/step_along.hpp"

namespace rattleback {

using enum Condition;

namespace {

class Equations {
  public:
    Equations(const Spark& spark, int stages)
        : spark_(spark), sys_(spark.sys), A_(lobatto_a(stages)), B_(symplectic_partner(A_)), h_(step_size(sys_.model)),
          one_velocity_(stages == 2 && spark.velocity_follows_from_momentum()), quadratic_(spark.is_quadratic()) {
        for (int i = 1; i <= stages; ++i) stages_.push_back(spark.unknowns("stage " + std::to_string(i) + " of "));
        if (one_velocity_) stages_[1].v = stages_[0].v, stages_[1].p = stages_[0].p;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            stages_[i].q = sys_.q + move(A_.a[i]); // (1)
            stages_[i].t = sys_.t + Expr(A_.c[i]) * h_;
            rates_.push_back(spark.at(spark.rate, stages_[i]));
        }
    }

    Step step() {
        step_ = {.graph = sys_.model.graph, .state = concat({sys_.q, sys_.p}), .h = h_, .t = sys_.t};
        for (std::size_t i = 0; i < stages_.size(); ++i) add_stage(i);
        const Vec dq = move(A_.b), dp = step_along(h_, A_.b, rates_); // (4)
        step_.increment = concat({dq, dp});
        spark_.require_hidden_constraint(step_, sys_.q + dq, sys_.p + dp, stages_.back().t); // (5)
        return step_;
    }

  private:
    Vec move(const std::vector<quad>& weights) const { // h sum_j w_j V_j
        if (one_velocity_) return step_along(h_, {weights[0] + weights[1]}, {stages_[0].v});
        std::vector<Vec> velocities;
        for (const Spark::Values& s : stages_) velocities.push_back(s.v);
        return step_along(h_, weights, velocities);
    }

    void add_stage(std::size_t i) {
        const Spark::Values& x = stages_[i];
        step_.stages.push_back({x.q, x.v, {}, x.t});
        if (i == 0 || !one_velocity_) {
            find_from_last(step_, x.v, sys_.v);
            if (!spark_.lambda.empty()) find_from_last(step_, x.lambda, spark_.lambda);
            step_.find.push_back({x.p, sys_.p});
            step_.equations.push_back(x.p == sys_.p + step_along(h_, B_.a[i], rates_)); // (2)
            spark_.require_legendre(step_, x);
        }
        if (spark_.g.empty()) return;
        const Vec g = spark_.constraint_after(move(A_.a[i]), x, quadratic_);
        find_from_last(step_, x.Lambda, spark_.Lambda);
        if (i > 0) step_.equations.push_back(g == zeros_like(g)); // (3)
    }

    const Spark& spark_;
    const Mechanics& sys_;
    Tableau A_, B_;
    Expr h_;
    bool one_velocity_, quadratic_; // see spark.hpp
    std::vector<Spark::Values> stages_;
    std::vector<Vec> rates_; // p' at the stages
    Step step_;
};

Step lobatto_step(const Model& model, int stages) {
    if (model.kind != Model::general && is_variational(model)) {
        const Variational sys(model);
        const Spark spark(sys);
        Step step = Equations(spark, stages).step();
        complete(step, sys, spark);
        return step;
    }
    const Nonholonomic sys = holonomic(model, "lobatto");
    Step step = Equations(Spark(sys), stages).step();
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
    .options = {{"stages", "2", "2 to 6; the order is 2 stages - 2"}},
    .order = [](const Options& o) { return 2 * o.integer("stages", 2, 2, 6) - 2; },
    .claims =
        [](const Options&) {
            std::vector<Claim> claims = spark_claims({L_even, constraints_homogeneous, forces_even_in_v, no_time});
            claims.push_back({Property::constraint_exact, Answer::yes});
            claims.push_back({Property::constraint_at_stages, Answer::yes});
            return claims;
        },
    .build = [](const Model& model, const Options& o) -> Method {
        const int s = o.integer("stages", 2, 2, 6);
        return {.id = "lobatto", .step = lobatto_step(model, s), .order = 2 * s - 2};
    },
};

} // namespace rattleback
