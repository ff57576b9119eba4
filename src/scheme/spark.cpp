#include "scheme/spark.hpp"

namespace rattleback {
namespace {

struct Stage {
    Vec Q, P, V, Lambda;
    Vec rate; // L_q + F - G^T Lambda
};

// Two stages have one momentum; where p = L_v(v) does not depend on where and when, they have one velocity, too.
bool has_one_velocity(const Nonholonomic& sys, int stages) {
    return stages == 2 && sys.has_lagrangian() &&
           jacobian(sys.momentum(), concat({sys.q, sys.model.time_vec()})).empty();
}

} // namespace

Step spark_step(const Nonholonomic& sys, int stages) {
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
    const Vec force = sys.applied() - sys.reaction(sys.lambda);
    const auto there = [&](const Vec& f, const Stage& x, std::size_t i) {
        return substitute(f, {{sys.q, x.Q},
                              {sys.p, x.P},
                              {sys.v, x.V},
                              {sys.lambda, x.Lambda},
                              {sys.model.time_vec(), Vec({{"t", t + Expr(A.c[i]) * h}})}});
    };
    std::vector<Stage> stage(s);
    for (std::size_t i = 0; i < s; ++i) {
        const std::string label = "stage " + std::to_string(i + 1) + " of ";
        stage[i].V = symbols_like(sys.graph, label, zero_border(sys.v));
        stage[i].P = symbols_like(sys.graph, label, sys.p);
        stage[i].Lambda = symbols_like(sys.graph, label, sys.lambda);
    }
    const bool one_velocity = has_one_velocity(sys, stages);
    if (one_velocity) stage[1].V = stage[0].V, stage[1].P = stage[0].P;
    for (std::size_t i = 0; i < s; ++i) {
        stage[i].Q = sum(sys.q, A.a[i], [&](std::size_t j) { return stage[j].V; });
        stage[i].rate = there(force, stage[i], i);
    }
    const auto rate = [&](std::size_t j) { return stage[j].rate; };
    for (std::size_t i = 0; i < s; ++i) {
        if (i == 0 || !one_velocity) {
            find_from_last(step, stage[i].V, sys.v);
            step.find.push_back({stage[i].P, sys.p});
            step.equations.push_back(stage[i].P == sum(sys.p, B.a[i], rate));
            for (const Equation& e : sys.legendre())
                step.equations.push_back(there(e.lhs, stage[i], i) == there(e.rhs, stage[i], i));
        }
        if (sys.g.empty()) continue;
        const Vec g = there(sys.g, stage[i], i);
        find_from_last(step, stage[i].Lambda, sys.lambda);
        if (i > 0) step.equations.push_back(g == zeros_like(g));
    }
    const Vec dq = sum(zeros_like(sys.q), A.b, [&](std::size_t j) { return stage[j].V; });
    const Vec dp = sum(zeros_like(sys.p), A.b, rate);
    const Vec guess = first_components(step.hint, sys.q.size());
    if (!sys.g.empty()) { // the hidden constraint at the end
        const Vec v1 = symbols_like(sys.graph, "next ", sys.v);
        const Stage end{sys.q + dq, sys.p + dp, v1, sys.lambda, {}};
        const Vec phi = there(sys.phi, end, s - 1);
        step.find.push_back({v1, guess});
        for (const Equation& e : sys.legendre())
            step.equations.push_back(there(e.lhs, end, s - 1) == there(e.rhs, end, s - 1));
        step.equations.push_back(phi == zeros_like(phi));
        const Nonholonomic::Multiplier m = sys.multiplier(); // where Newton starts
        if (sys.has_lagrangian()) {
            step.start_find = {{m.a, {}}, {m.lambda, {}}};
            step.start_equations = m.equations;
        } else {
            step.start_find = {{sys.lambda, {}}};
            step.start_equations = sys.canonical().algebraic;
        }
    }
    step.increment = concat({dq, dp});
    carry_positions_and_momenta(step, sys, guess);
    step.manifold = concat({sys.g, sys.phi});
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
