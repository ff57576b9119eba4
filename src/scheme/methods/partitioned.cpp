// Gauss for (q, p) with a quadrature of its own for the multipliers (McLachlan, Modin, Verdier and Wilkins 2014,
// section 7): the action integral of L - lambda . phi, with Q the polynomial of slopes W_j at the Gauss points c_j,
//     A = h sum_i b_i L(Q_i, W_i) - h sum_k d_k Lambda_k . phi(Q~_k, W~_k)
//     Q_i = q0 + h sum_j a_ij W_j,   Q~_k = q0 + h sum_j a~_kj W_j,   W~_k = sum_j w_kj W_j   (there, at the nodes e_k)
// Stationary in W_j and Lambda_k, with F = -(lambda . phi)_q, R = (lambda . phi)_v at the nodes of the multipliers:
//     L_v(Q_j, W_j) = p0 + h sum_i a^_ji L_q,i + h sum_k a^~_jk F_k + sum_k w^_jk R_k,     phi(Q~_k, W~_k) = 0
//     p1 = p0 + h sum_i b_i L_q,i + h sum_k d_k F_k
// dq1 ^ dp1 = dq0 ^ dp0 for any such coefficients that obey, by the computation of Proposition 3,
//     b_j a^_ji + b_i a_ij = b_i b_j,     b_j a^~_jk + d_k a~_kj = b_j d_k,     b_j w^_jk = d_k w_kj
// (constraints met at other nodes than those whose reactions act violate the last two). The derivatives of A give the
// coefficients with a hat, so that they do. Constraints hold at the nodes e_k of the polynomial. The order is that of
// the weaker quadrature; with Gauss nodes it is the method gauss.
#include "scheme/common.hpp"

#include "scheme/tableau.hpp"

#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view rules[] = {"gauss", "lobatto"};

struct Rule {
    std::vector<quad> nodes, weights;
    int order;
};
// NOTE: as many nodes as stages. With fewer the slopes are free between them: one Gauss node less costs two orders, one
// Lobatto node less four (measured: s = 4 has order 2, s = 3 does not converge).
Rule rule_of(const Options& o) {
    const int s = o.integer("stages", 2, 1, 6);
    const bool ends = o.word("multipliers", "lobatto", rules) == "lobatto";
    if (ends && s == 1)
        throw BadMethod("multipliers=lobatto needs at least 2 stages: its nodes are both ends of a step");
    const Tableau t = ends ? lobatto_a(s) : gauss(s);
    return {t.c, t.b, ends ? 2 * s - 2 : 2 * s};
}

// Integrals of the j-th Lagrange polynomial of the Gauss points over (0, x), exactly by a Gauss rule.
std::vector<quad> integrals(const Tableau& gauss, quad x) {
    std::vector<quad> sum(gauss.b.size(), 0);
    for (std::size_t i = 0; i < gauss.b.size(); ++i) {
        const std::vector<quad> l = lagrange_basis(gauss.c, x * gauss.c[i]);
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += x * gauss.b[i] * l[j];
    }
    return sum;
}

Step partitioned_step(const Variational& sys, const Rule& rule) {
    const auto stages = static_cast<int>(rule.nodes.size());
    const Tableau points = gauss(stages);
    DiscreteLagrangian Ld = discrete_lagrangian(sys, "galerkin", 0, stages);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = step_size(sys.model), .t = sys.t};
    for (const Vec& W : Ld.slopes) find_from_last(step, W, sys.v);
    std::vector<Vec> phi;
    for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
        const std::vector<quad> a = integrals(points, rule.nodes[k]), w = lagrange_basis(points.c, rule.nodes[k]);
        Point node{Ld.q0, zeros_like(sys.v), sys.t + Expr(rule.nodes[k]) * step.h};
        for (std::size_t j = 0; j < a.size(); ++j) {
            node.q = node.q + (step.h * Expr(a[j])) * Ld.slopes[j];
            node.v = node.v + Expr(w[j]) * Ld.slopes[j];
        }
        const Vec Lambda = symbols_like(sys.graph, "node " + std::to_string(k + 1) + " of ", sys.lambda);
        phi.push_back(sys.at(sys.phi, node));
        Ld.mean = Ld.mean - Expr(rule.weights[k]) * dot(Lambda, phi.back());
        find_from_last(step, Lambda, sys.lambda);
        step.stages.push_back({substitute(node.q, {{Ld.q0, sys.q}}), node.v, {}, node.t});
    }
    const DiscreteMomenta p = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    for (const Vec& left : p.left) step.equations.push_back(left == sys.p);
    for (const Vec& f : phi) step.equations.push_back(substitute(f, {{Ld.q0, sys.q}}) == zeros_like(f));
    step.increment = concat({p.dq, p.change});
    carry_positions_and_momenta(step, sys, first_components(step.hint, sys.q.size()),
                                last_components(step.hint, sys.lambda.size()));
    find_point_momenta(step, sys, Ld, p.q1);
    return step;
}

} // namespace

extern const Scheme partitioned_scheme;
const Scheme partitioned_scheme = {
    .id = "partitioned",
    .title = "Gauss collocation, multipliers by another quadrature",
    .cite = "mclachlan2013",
    .takes = "variational constraints",
    .options = {{"stages", "2", "1 to 6; the order is 2 stages - 2, with multipliers=gauss 2 stages"},
                {"multipliers", "lobatto", "lobatto or gauss: the nodes at which constraints hold"}},
    .order = [](const Options& o) { return rule_of(o).order; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::yes, {no_forces}},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                {Property::constraint_exact, Answer::yes},     // a node's v and lambda solve phi = 0
                {Property::constraint_at_stages, Answer::yes}, // those of the multipliers
                {Property::symmetric, Answer::yes},
                {Property::reversible, Answer::yes, {L_even, constraints_homogeneous, forces_even_in_v, no_time}}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        if (model.kind == Model::general || !is_variational(model) || !model.holonomic.empty())
            throw Unsuitable("method 'partitioned' takes variational velocity constraints");
        const Variational sys(model);
        const Rule rule = rule_of(o);
        return {.id = "partitioned", .step = partitioned_step(sys, rule), .order = rule.order};
    },
};

} // namespace rattleback
