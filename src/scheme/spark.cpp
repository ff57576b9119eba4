#include "scheme/spark.hpp"
#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

namespace {

// Rounding: p = L_v(q, v) solved for v, where each momentum belongs to one velocity, p_i = m_i v_i + c_i. Newton's
// method then has the multipliers alone as unknowns, and v is the velocity of the multipliers it ends with. As an
// unknown of its own v would lack the digits below its last place, always on the side that Newton's method comes from.
// Where L_v couples velocities or is not affine in them, the Legendre equations as they are.
std::vector<Equation> solved_legendre(const Mechanics& sys) {
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

} // namespace

Spark::Spark(const Nonholonomic& system)
    : sys(system), g(system.g), Lambda(system.lambda), hidden(system.phi),
      rate(system.applied() - system.reaction(system.lambda)) {
    legendre = solved_legendre(system);
}

Spark::Spark(const Variational& system)
    : sys(system), g(system.g), Lambda(symbols_like(system.graph, "multiplier of ", system.g)), lambda(system.lambda) {
    const Vec one({{"t", Expr(1)}});
    hidden = derivative_along(g, concat({sys.q, sys.model.time_vec()}), concat({sys.v, one}));
    rate = last_components(system.canonical().rate, sys.p.size()) - gradient(dot(Lambda, g), sys.q);
    legendre = system.legendre();
}

Vec Spark::at(const Vec& f, const Values& there) const {
    return substitute(f, {{sys.q, there.q},
                          {sys.p, there.p},
                          {sys.v, there.v},
                          {Lambda, there.Lambda},
                          {lambda, there.lambda},
                          {sys.model.time_vec(), Vec({{"t", there.t}})}});
}

void Spark::require_legendre(Step& step, const Values& there) const {
    for (const Equation& e : legendre) step.equations.push_back(at(e.lhs, there) == at(e.rhs, there));
}

Spark::Values Spark::unknowns(const std::string& label) const {
    Values x;
    x.v = symbols_like(sys.graph, label, zero_border(sys.v));
    x.p = symbols_like(sys.graph, label, sys.p);
    x.Lambda = symbols_like(sys.graph, label, Lambda);
    x.lambda = symbols_like(sys.graph, label, lambda);
    return x;
}

void Spark::require_hidden_constraint(Step& step, const Vec& q1, const Vec& p1, const Expr& t1) const {
    if (g.empty()) return;
    const Vec last = first_components(step.hint, sys.q.size() + lambda.size());
    const Vec v1 = symbols_like(sys.graph, "next ", sys.v), lambda1 = symbols_like(sys.graph, "next ", lambda);
    const Values end{q1, p1, v1, Lambda, lambda1, t1};
    step.find.push_back({v1, first_components(last, sys.q.size())});
    if (!lambda1.empty()) step.find.push_back({lambda1, last_components(last, lambda1.size())});
    require_legendre(step, end);
    const Vec rate_of_g = at(hidden, end);
    step.equations.push_back(rate_of_g == zeros_like(rate_of_g));
    step.manifold = concat({g, hidden});
}

bool Spark::velocity_follows_from_momentum() const {
    return lambda.empty() && sys.has_lagrangian() &&
           jacobian(sys.momentum(), concat({sys.q, sys.model.time_vec()})).empty();
}

bool Spark::is_quadratic() const {
    const Vec u = symbols_like(sys.graph, "move of ", zero_border(sys.q)), slope = derivative_along(g, sys.q, u);
    return jacobian(g, sys.model.time_vec()).empty() && jacobian(derivative_along(slope, sys.q, u), sys.q).empty();
}

Vec Spark::constraint_after(const Vec& move, const Values& there, bool quadratic) const {
    if (!quadratic) return at(g, there);
    const Vec u = symbols_like(sys.graph, "move of ", zero_border(sys.q)), slope = derivative_along(g, sys.q, u);
    const Vec change = slope + Expr(0.5) * derivative_along(slope, sys.q, u);
    return g + substitute(change, {{u, move}});
}

void complete(Step& step, const Nonholonomic& sys) {
    if (!sys.g.empty() && sys.has_lagrangian()) {
        const Nonholonomic::Multiplier m = sys.multiplier();
        step.start_find = {{m.a, {}}, {m.lambda, {}}};
        step.start_equations = m.equations;
    } else if (!sys.g.empty()) {
        step.start_find = {{sys.lambda, {}}};
        step.start_equations = sys.canonical().algebraic;
    }
    carry_positions_and_momenta(step, sys, first_components(step.hint, sys.q.size()));
}

void complete(Step& step, const Variational& sys, const Spark& spark) {
    step.start_hint = substitute(step.start_hint, {{spark.Lambda, zeros_like(spark.Lambda)}});
    const Vec first = first_components(step.hint, sys.q.size() + sys.lambda.size());
    carry_positions_and_momenta(step, sys, first_components(first, sys.q.size()),
                                last_components(first, sys.lambda.size()));
}

std::vector<Claim> spark_claims(const std::vector<Condition>& reversible_if) {
    return {{Property::symplectic, Answer::yes, {on_constraint_manifold, no_forces}},
            {Property::holonomic_exact, Answer::yes},
            {Property::holonomic_at_stages, Answer::yes}, // those of IIIA, which move q
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
            {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
            {Property::symmetric, Answer::yes},
            {Property::reversible, Answer::yes, reversible_if}};
}

} // namespace rattleback
