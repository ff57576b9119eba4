#include "scheme/lobatto_equations.hpp"

#include "expr/graph.hpp"
#include "scheme/step_along.hpp"

namespace rattleback {

LobattoEquations::LobattoEquations(const Spark& spark, int stages)
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

Step LobattoEquations::step() {
    step_ = {.graph = sys_.model.graph, .state = concat({sys_.q, sys_.p}), .h = h_, .t = sys_.t};
    for (std::size_t i = 0; i < stages_.size(); ++i) add_stage(i);
    const Vec dq = move(A_.b), dp = step_along(h_, A_.b, rates_); // (4)
    step_.increment = concat({dq, dp});
    spark_.require_hidden_constraint(step_, sys_.q + dq, sys_.p + dp, stages_.back().t); // (5)
    return step_;
}

Vec LobattoEquations::move(const std::vector<quad>& weights) const {
    if (one_velocity_) return step_along(h_, {weights[0] + weights[1]}, {stages_[0].v});
    std::vector<Vec> velocities;
    for (const Spark::Values& s : stages_) velocities.push_back(s.v);
    return step_along(h_, weights, velocities);
}

void LobattoEquations::add_stage(std::size_t i) {
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

} // namespace rattleback
