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

struct StageUnknowns {
    Vec Q, P, V, Lambda, lambda;
    Vec rate;
};

// What ties v to p. Where each momentum belongs to one velocity, p_i = m_i v_i + ..., that is v = formula: Newton's
// method is left with the multipliers, and the velocity is that of the multiplier it ends with. As an unknown of its
// own it would lack what is below its last place, always on the side that Newton's method comes from.
std::vector<Equation> velocities(const Mechanics& sys) {
    if (!sys.has_lagrangian()) return sys.legendre();
    const Vec L_v = sys.momentum();
    Vec metric = zeros_like(sys.v), v = sys.p - substitute(L_v, {{sys.v, zeros_like(sys.v)}});
    for (const JacobianTerm& t : jacobian(L_v, sys.v)) {
        const bool own =
            t.row == t.column && t.shift == 0 && (t.kind == JacobianTerm::single || t.kind == JacobianTerm::stencil);
        if (!own) return sys.legendre();
        metric[t.row].value = t.value;
    }
    for (const Component& c : metric)
        if (c.value.is(0)) return sys.legendre();
    if (!jacobian(metric, sys.v).empty()) return sys.legendre();
    for (std::size_t i = 0; i < v.size(); ++i) v[i].value = v[i].value / metric[i].value;
    return {sys.v == v};
}

class Equations {
  public:
    Equations(const Spark& spark, int stages)
        : spark_(spark), sys_(spark.sys), A_(lobatto_a(stages)), B_(symplectic_partner(A_)), h_(step_size(sys_.model)),
          stages_(static_cast<std::size_t>(stages)), one_velocity_(has_one_velocity()), quadratic_(is_quadratic()) {
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + " of ";
            stages_[i].V = symbols_like(sys_.graph, label, zero_border(sys_.v));
            stages_[i].P = symbols_like(sys_.graph, label, sys_.p);
            stages_[i].Lambda = symbols_like(sys_.graph, label, spark.Lambda);
            stages_[i].lambda = symbols_like(sys_.graph, label, spark.lambda);
        }
        if (one_velocity_) stages_[1].V = stages_[0].V, stages_[1].P = stages_[0].P;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            stages_[i].Q = sum(sys_.q, A_.a[i], &StageUnknowns::V);
            stages_[i].rate = there(spark.rate, stages_[i], i);
        }
    }

    Step step() {
        step_ = {.graph = sys_.model.graph, .state = concat({sys_.q, sys_.p}), .h = h_, .t = sys_.t};
        for (std::size_t i = 0; i < stages_.size(); ++i) add_stage(i);
        const Vec dq = sum(zeros_like(sys_.q), A_.b, &StageUnknowns::V),
                  dp = sum(zeros_like(sys_.p), A_.b, &StageUnknowns::rate);
        step_.increment = concat({dq, dp});
        if (!spark_.g.empty()) hide_at_the_end(sys_.q + dq, sys_.p + dp);
        return step_;
    }

  private:
    // Two stages have one momentum; where p = L_v(v) does not depend on where and when, they have one velocity, too.
    bool has_one_velocity() const {
        return stages_.size() == 2 && spark_.lambda.empty() && sys_.has_lagrangian() &&
               jacobian(sys_.momentum(), concat({sys_.q, sys_.model.time_vec()})).empty();
    }

    Vec sum(const Vec& from, const std::vector<quad>& weights, Vec StageUnknowns::*term) const {
        Vec x = from;
        if (one_velocity_ && term == &StageUnknowns::V) { // added once: what two additions round away has a direction
            const quad both = weights[0] + weights[1];
            return both == 0 ? x : x + (h_ * Expr(both)) * stages_[0].V;
        }
        for (std::size_t j = 0; j < stages_.size(); ++j)
            if (weights[j] != 0) x = x + (h_ * Expr(weights[j])) * (stages_[j].*term);
        return x;
    }

    Expr time(std::size_t i) const { return sys_.t + Expr(A_.c[i]) * h_; }

    Vec there(const Vec& f, const StageUnknowns& x, std::size_t i) const {
        return substitute(f, {{sys_.q, x.Q},
                              {sys_.p, x.P},
                              {sys_.v, x.V},
                              {spark_.Lambda, x.Lambda},
                              {spark_.lambda, x.lambda},
                              {sys_.model.time_vec(), Vec({{"t", time(i)}})}});
    }

    void require_legendre(const StageUnknowns& x, std::size_t i) {
        for (const Equation& e : spark_.legendre) step_.equations.push_back(there(e.lhs, x, i) == there(e.rhs, x, i));
    }

    bool is_quadratic() const { // g in q, without time
        const Vec u = symbols_like(sys_.graph, "move of ", zero_border(sys_.q)),
                  slope = derivative_along(spark_.g, sys_.q, u);
        return jacobian(spark_.g, sys_.model.time_vec()).empty() &&
               jacobian(derivative_along(slope, sys_.q, u), sys_.q).empty();
    }

    // g(Q_i) = 0. A quadratic g is written as g(q) + G(q) d + g''(d, d)/2, d = Q_i - q: the same, but Newton's method
    // does not see that Q_i is rounded, as it does in steps of one unit of its last place. A multiplier that obeys such
    // steps makes angular momentum drift: by 7e-21 a step on a spherical pendulum with h = 0.01.
    Vec constraint(const StageUnknowns& x, std::size_t i) const {
        if (!quadratic_) return there(spark_.g, x, i);
        const Vec u = symbols_like(sys_.graph, "move of ", zero_border(sys_.q)),
                  slope = derivative_along(spark_.g, sys_.q, u);
        const Vec change = slope + Expr(0.5) * derivative_along(slope, sys_.q, u);
        return spark_.g + substitute(change, {{u, sum(zeros_like(sys_.q), A_.a[i], &StageUnknowns::V)}});
    }

    void add_stage(std::size_t i) {
        const StageUnknowns& x = stages_[i];
        step_.stages.push_back({x.Q, x.V, {}, time(i)});
        if (i == 0 || !one_velocity_) {
            find_from_last(step_, x.V, sys_.v);
            if (!spark_.lambda.empty()) find_from_last(step_, x.lambda, spark_.lambda);
            step_.find.push_back({x.P, sys_.p});
            step_.equations.push_back(x.P == sum(sys_.p, B_.a[i], &StageUnknowns::rate));
            require_legendre(x, i);
        }
        if (spark_.g.empty()) return;
        const Vec g = constraint(x, i);
        find_from_last(step_, x.Lambda, spark_.Lambda);
        if (i > 0) step_.equations.push_back(g == zeros_like(g));
    }

    // dg/dt = 0 at (q1, p1), which determines the last multiplier.
    void hide_at_the_end(const Vec& q1, const Vec& p1) {
        const Vec last = first_components(step_.hint, sys_.q.size() + spark_.lambda.size());
        const Vec v1 = symbols_like(sys_.graph, "next ", sys_.v),
                  lambda1 = symbols_like(sys_.graph, "next ", spark_.lambda);
        const StageUnknowns end{q1, p1, v1, spark_.Lambda, lambda1, {}};
        step_.find.push_back({v1, first_components(last, sys_.q.size())});
        if (!lambda1.empty()) step_.find.push_back({lambda1, last_components(last, lambda1.size())});
        require_legendre(end, stages_.size() - 1);
        const Vec hidden = there(spark_.hidden, end, stages_.size() - 1);
        step_.equations.push_back(hidden == zeros_like(hidden));
        step_.manifold = concat({spark_.g, spark_.hidden});
    }

    const Spark& spark_;
    const Mechanics& sys_;
    Tableau A_, B_;
    Expr h_;
    std::vector<StageUnknowns> stages_;
    bool one_velocity_, quadratic_;
    Step step_;
};

} // namespace

Step spark_step(const Nonholonomic& sys, int stages) {
    const Vec rate = sys.applied() - sys.reaction(sys.lambda);
    const Spark spark{sys, sys.g, sys.lambda, sys.phi, {}, velocities(sys), rate};
    Step step = Equations(spark, stages).step();
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
    const Spark spark{sys, sys.g, Lambda, hidden, sys.lambda, sys.legendre(), rate};
    Step step = Equations(spark, stages).step();
    step.start_hint = substitute(step.start_hint, {{Lambda, zeros_like(Lambda)}}); // where Newton starts
    const Vec first = first_components(step.hint, sys.q.size() + sys.lambda.size());
    carry_positions_and_momenta(step, sys, first_components(first, sys.q.size()),
                                last_components(first, sys.lambda.size()));
    return step;
}

std::vector<Claim> spark_claims(const std::string& reversible_if) {
    return {{Property::symplectic, Answer::yes, "on the constraint manifold, no forces"},
            {Property::holonomic_exact, Answer::yes, ""},
            {Property::holonomic_at_stages, Answer::yes, ""}, // those of IIIA, which move q
            {Property::energy_exact, Answer::no, ""},
            {Property::energy_bounded, Answer::yes, "no forces, no time, small steps"},
            {Property::momentum_exact, Answer::yes, "generator affine in q, no forces along it"},
            {Property::symmetric, Answer::yes, ""},
            {Property::reversible, Answer::yes, reversible_if}};
}

} // namespace rattleback
