// Discrete vakonomic mechanics (Benito and Martin de Diego 2005): the discrete action with a discrete constraint,
//     D1 (L_d - lambda phi_d)(q1, q2) + D2 (L_d - lambda phi_d)(q0, q1) = 0,     phi_d(q0, q1) = 0
// one lambda a step, phi_d made of phi as L_d is of L. With the midpoint it is the midpoint rule; the others keep
// phi_d, not phi, at zero.
#include "scheme/common.hpp"

#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view actions[] = {"midpoint", "alpha", "sym_alpha", "verlet"};

Step dvak_step(const Variational& sys, const DiscreteLagrangian& Fd) {
    const Vec lambda = symbols_like(sys.graph, "step ", sys.lambda);
    const DiscreteMomenta p = discrete_momenta(sys, Fd, applied_forces(sys, Fd), sys.q);
    const auto of_step = [&](const Vec& f) { return substitute(f, {{sys.lambda, lambda}}); };
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = step_size(sys.model), .t = sys.t};
    const Vec phi_d = substitute(gradient(Fd.mean, sys.lambda), {{Fd.q0, sys.q}, {Fd.q1, p.q1}});
    find_from_last(step, Fd.slopes[0], sys.v);
    find_from_last(step, lambda, sys.lambda);
    step.equations = {of_step(p.left[0]) == sys.p, phi_d == zeros_like(phi_d)};
    step.increment = concat({p.dq, of_step(p.change)});
    for (const QuadraturePoint& x : Fd.points) {
        const Point at = placed(Fd, x.at, sys.q, p.q1);
        step.stages.push_back({at.q, at.v, {}, at.t});
    }
    carry_positions_and_momenta(step, sys, first_components(step.hint, sys.q.size()),
                                last_components(step.hint, sys.lambda.size()));
    find_point_momenta(step, sys, Fd, p.q1);
    return step;
}

quad alpha_of(const Options& o) {
    const std::string ld = o.word("ld", "midpoint", actions);
    const quad half = static_cast<quad>(1) / 2;
    return ld == "midpoint" ? half : ld == "verlet" ? 0 : o.number("alpha", ld == "alpha" ? half : 0);
}

bool has_one_point(const Options& o) { // there phi_d is phi
    const std::string ld = o.word("ld", "midpoint", actions);
    return ld == "midpoint" || ld == "alpha";
}

bool is_symmetric(const Options& o) {
    return o.word("ld", "midpoint", actions) != "alpha" || alpha_of(o) == static_cast<quad>(1) / 2;
}

} // namespace

extern const Scheme dvak_scheme;
const Scheme dvak_scheme = {
    .id = "dvak",
    .title = "discrete vakonomic mechanics",
    .cite = "benito2005",
    .takes = "variational constraints",
    .options = {{"ld", "midpoint", "midpoint, alpha, sym_alpha or verlet"},
                {"alpha", "1/2", "for ld=alpha; 0 for ld=sym_alpha"}},
    .order = [](const Options& o) { return is_symmetric(o) ? 2 : 1; },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const Answer even = is_symmetric(o) ? Answer::yes : Answer::no;
        return {{Property::symplectic, Answer::yes, {no_forces}},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                {Property::constraint_exact, Answer::yes}, // a node's v and lambda solve phi = 0
                {Property::constraint_at_stages, has_one_point(o) ? Answer::yes : Answer::no},
                {Property::symmetric, even},
                {Property::reversible, even, {L_even, constraints_homogeneous, forces_even_in_v, no_time}}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        if (model.kind == Model::general || !is_variational(model) || !model.holonomic.empty())
            throw Unsuitable("method 'dvak' takes variational velocity constraints");
        const Variational sys(model);
        const std::string ld = o.word("ld", "midpoint", actions);
        require_effect(o, "alpha", ld, ld == "alpha" || ld == "sym_alpha", "ld=alpha and ld=sym_alpha");
        const Expr F = sys.lagrangian() - dot(sys.lambda, sys.phi);
        return {.id = "dvak",
                .step = dvak_step(sys, discrete_action(sys, F, ld, alpha_of(o))),
                .order = is_symmetric(o) ? 2 : 1};
    },
};

} // namespace rattleback
