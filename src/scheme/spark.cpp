#include "scheme/spark.hpp"

namespace rattleback {
namespace {

// What the two kinds of system have in common.
struct Spark {
    const Mechanics& sys;
    Vec g, Lambda, hidden; // holonomic constraints, their multipliers (leaves), their rates
    Vec lambda;            // multipliers inside the action (leaves); they come with v, from p
    std::vector<Equation> legendre;
    Vec rate; // p', with Lambda in it
};

struct Stage {
    Vec Q, P, V, Lambda, lambda;
    Vec rate;
};

// Two stages have one momentum; where p = L_v(v) does not depend on where and when, they have one velocity, too.
bool has_one_velocity(const Spark& spark, int stages) {
    const Mechanics& sys = spark.sys;
    return stages == 2 && spark.lambda.empty() && sys.has_lagrangian() &&
           jacobian(sys.momentum(), concat({sys.q, sys.model.time_vec()})).empty();
}

Step equations_of(const Spark& spark, int stages) {
    const Mechanics& sys = spark.sys;
    const Tableau A = lobatto_a(stages), B = symplectic_partner(A);
    const Expr h = step_size(sys.model), t = sys.t;
    const auto s = static_cast<std::size_t>(stages);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = t};
    const auto sum = [&](const Vec& from, const std::vector<quad>& weights, const auto& term) {
        Vec x = from;
        for (std::size_t j = 0; j < s; ++j)
            if (weights[j] != 0) x = x + (h * Expr(weights[j])) * term(j);
        return x;
    };
    const auto there = [&](const Vec& f, const Stage& x, std::size_t i) {
        return substitute(f, {{sys.q, x.Q},
                              {sys.p, x.P},
                              {sys.v, x.V},
                              {spark.Lambda, x.Lambda},
                              {spark.lambda, x.lambda},
                              {sys.model.time_vec(), Vec({{"t", t + Expr(A.c[i]) * h}})}});
    };
    const auto require_legendre = [&](const Stage& x, std::size_t i) {
        for (const Equation& e : spark.legendre) step.equations.push_back(there(e.lhs, x, i) == there(e.rhs, x, i));
    };
    std::vector<Stage> stage(s);
    for (std::size_t i = 0; i < s; ++i) {
        const std::string label = "stage " + std::to_string(i + 1) + " of ";
        stage[i].V = symbols_like(sys.graph, label, zero_border(sys.v));
        stage[i].P = symbols_like(sys.graph, label, sys.p);
        stage[i].Lambda = symbols_like(sys.graph, label, spark.Lambda);
        stage[i].lambda = symbols_like(sys.graph, label, spark.lambda);
    }
    const bool one_velocity = has_one_velocity(spark, stages);
    if (one_velocity) stage[1].V = stage[0].V, stage[1].P = stage[0].P;
    for (std::size_t i = 0; i < s; ++i) {
        stage[i].Q = sum(sys.q, A.a[i], [&](std::size_t j) { return stage[j].V; });
        stage[i].rate = there(spark.rate, stage[i], i);
    }
    const auto rate = [&](std::size_t j) { return stage[j].rate; };
    for (std::size_t i = 0; i < s; ++i) {
        if (i == 0 || !one_velocity) {
            find_from_last(step, stage[i].V, sys.v);
            if (!spark.lambda.empty()) find_from_last(step, stage[i].lambda, spark.lambda);
            step.find.push_back({stage[i].P, sys.p});
            step.equations.push_back(stage[i].P == sum(sys.p, B.a[i], rate));
            require_legendre(stage[i], i);
        }
        if (spark.g.empty()) continue;
        const Vec g = there(spark.g, stage[i], i);
        find_from_last(step, stage[i].Lambda, spark.Lambda);
        if (i > 0) step.equations.push_back(g == zeros_like(g));
    }
    const Vec dq = sum(zeros_like(sys.q), A.b, [&](std::size_t j) { return stage[j].V; });
    const Vec dp = sum(zeros_like(sys.p), A.b, rate);
    step.increment = concat({dq, dp});
    if (spark.g.empty()) return step;
    // The hidden constraint at the end.
    const Vec last = first_components(step.hint, sys.q.size() + spark.lambda.size());
    const Stage end{sys.q + dq,
                    sys.p + dp,
                    symbols_like(sys.graph, "next ", sys.v),
                    spark.Lambda,
                    symbols_like(sys.graph, "next ", spark.lambda),
                    {}};
    step.find.push_back({end.V, first_components(last, sys.q.size())});
    if (!spark.lambda.empty()) step.find.push_back({end.lambda, last_components(last, spark.lambda.size())});
    require_legendre(end, s - 1);
    const Vec hidden = there(spark.hidden, end, s - 1);
    step.equations.push_back(hidden == zeros_like(hidden));
    step.manifold = concat({spark.g, spark.hidden});
    return step;
}

} // namespace

Step spark_step(const Nonholonomic& sys, int stages) {
    Step step = equations_of(
        {sys, sys.g, sys.lambda, sys.phi, {}, sys.legendre(), sys.applied() - sys.reaction(sys.lambda)}, stages);
    if (!sys.g.empty() && sys.has_lagrangian()) { // where Newton starts
        const Nonholonomic::Multiplier m = sys.multiplier();
        step.start_find = {{m.a, {}}, {m.lambda, {}}};
        step.start_equations = m.equations;
    } else if (!sys.g.empty()) {
        step.start_find = {{sys.lambda, {}}};
        step.start_equations = sys.canonical().algebraic;
    }
    carry_positions_and_momenta(step, sys, first_components(step.hint, sys.q.size()));
    return step;
}

Step spark_step(const Variational& sys, int stages) {
    const Vec Lambda = symbols_like(sys.graph, "multiplier of ", sys.g), one({{"t", Expr(1)}});
    const Vec hidden = derivative_along(sys.g, concat({sys.q, sys.model.time_vec()}), concat({sys.v, one}));
    const Vec rate = last_components(sys.canonical().rate, sys.p.size()) - gradient(dot(Lambda, sys.g), sys.q);
    Step step = equations_of({sys, sys.g, Lambda, hidden, sys.lambda, sys.legendre(), rate}, stages);
    step.start_hint = substitute(step.start_hint, {{Lambda, zeros_like(Lambda)}}); // where Newton starts
    const Vec first = first_components(step.hint, sys.q.size() + sys.lambda.size());
    carry_positions_and_momenta(step, sys, first_components(first, sys.q.size()),
                                last_components(first, sys.lambda.size()));
    return step;
}

std::vector<Claim> spark_claims() {
    return {{Property::symplectic, Answer::yes, "on the constraint manifold, no forces"},
            {Property::holonomic_exact, Answer::yes, ""},
            {Property::energy_exact, Answer::no, ""},
            {Property::energy_bounded, Answer::yes, "no forces, no time, small steps"},
            {Property::momentum_exact, Answer::yes, "generator affine in q, no forces along it"},
            {Property::symmetric, Answer::yes, ""},
            {Property::reversible, Answer::yes, "L even in v, forces even in v, no time"}};
}

} // namespace rattleback
