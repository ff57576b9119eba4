#include "scheme/generating_function.hpp"
#include "expr/graph.hpp"
#include "scheme/common.hpp"
#include "scheme/discrete_table.hpp"

namespace rattleback {

using enum Condition;

namespace {

// p1 is moved along A(q1)^T until phi(q1, v1) = 0.
Vec projected(Step& step, const Nonholonomic& sys, const Vec& q1, const Vec& change, const Vec& velocity_guess) {
    const Expr t1 = sys.t + step.h;
    const Vec v1 = symbols_like(sys.graph, "next ", sys.v), kappa = symbols_like(sys.graph, "shift along ", sys.phi);
    const Vec shift = substitute(sys.at(sys.reaction(sys.lambda), {q1, v1, t1}), {{sys.lambda, kappa}});
    const Vec kept = change - shift;
    const Point end{q1, v1, t1, sys.p + kept};
    step.work.push_back({shift, q1});
    const Vec phi = sys.at(sys.phi, end);
    step.find.push_back({v1, velocity_guess});
    // NOTE: kappa may be nothing but round-off, with S of high order: beside p its increments have a scale.
    const Vec p1 = symbols_like(sys.graph, "next ", sys.p);
    step.find.push_back({concat({p1, kappa}), concat({sys.p, zeros_like(kappa)})});
    step.equations.push_back(p1 == end.p);
    step.equations.push_back(sys.legendre({q1, v1, t1, p1}));
    step.equations.push_back(phi == zeros_like(phi));
    return kept;
}

void generated_by(Step& step, const Nonholonomic& sys, const DiscreteLagrangian& S, const Vec& q1) {
    step.generating = substitute(Vec({{"S", step.h * S.mean}}), {{S.q0, sys.q}, {S.q1, q1}})[0].value;
}

} // namespace

Step geometric_step(const Nonholonomic& sys, const DiscreteLagrangian& S) {
    const Expr h = step_size(sys.model);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = sys.t};
    find_from_last(step, S.slopes[0], sys.v);
    const Vec velocity_guess = step.hint;
    const DiscreteMomenta p = discrete_momenta(sys, S, applied_forces(sys, S), sys.q);
    find_point_momenta(step, sys, S, p.q1);
    const Point begin{sys.q, symbols_like(sys.graph, "node ", sys.v), sys.t, sys.p}; // A(q0, v0), where A depends on v
    if (!is_affine(sys)) step.find.push_back({begin.v, velocity_guess}), step.equations.push_back(sys.legendre(begin));
    Vec alpha_0 = zeros_like(sys.q);
    for (std::size_t j = 0; j < S.points.size(); ++j) {
        const Point at = placed(S, S.points[j].at, sys.q, p.q1);
        const auto m = sys.multiplier(at, "point " + std::to_string(j + 1) + ", ");
        step.stages.push_back({at.q, at.v, {}, at.t});
        find_from_last(step, m.a, zeros_like(m.a));
        find_from_last(step, m.lambda, zeros_like(m.lambda));
        step.equations.insert(step.equations.end(), m.equations.begin(), m.equations.end());
        const quad share = S.points[j].weight * (1 - S.points[j].along[0]); // (1 - a) of the point at a
        alpha_0 =
            alpha_0 + (h * Expr(share)) * substitute(sys.at(sys.reaction(sys.lambda), begin), {{sys.lambda, m.lambda}});
    }
    step.equations.push_back(p.left[0] == sys.p - alpha_0);
    step.work.push_back({alpha_0, sys.q});
    const Vec change = projected(step, sys, p.q1, p.change - alpha_0, velocity_guess);
    step.increment = concat({p.dq, change});
    if (sys.model.force.empty()) generated_by(step, sys, S, p.q1);
    carry_positions_and_momenta(step, sys, velocity_guess);
    return step;
}

namespace {

// Where [discrete] gives forces or reactions: these, and the model's forces. Else nothing.
std::vector<PointForce> given_forces(const Nonholonomic& sys, const DiscreteLagrangian& S) {
    if (!S.given) return {};
    const DiscreteMechanics& d = *sys.model.discrete;
    if (d.force_0.empty() && d.reaction_0.empty()) return {};
    std::vector<PointForce> all = applied_forces(sys, S);
    if (d.reaction_0.empty()) return all;
    for (const PointForce& f : end_forces(sys, S, -d.reaction_0, -d.reaction_1)) all.push_back(f);
    return all;
}

} // namespace

Step generating_function_step(const Nonholonomic& sys, const DiscreteLagrangian& S, bool project) {
    const Expr h = step_size(sys.model);
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = sys.t};
    for (const Vec& W : S.slopes) find_from_last(step, W, sys.v);
    const Vec velocity_guess = last_components(step.hint, sys.q.size());
    const Vec q1 = discrete_momenta(sys, S, {}, sys.q).q1;
    find_point_momenta(step, sys, S, q1);
    const bool own_reaction = S.given && !sys.model.discrete->reaction_0.empty();
    std::vector<PointForce> forces = given_forces(sys, S);
    const bool applied = !forces.empty();
    for (std::size_t j = 0; j < S.points.size() && !own_reaction; ++j) {
        const Point at = placed(S, S.points[j].at, sys.q, q1);
        step.stages.push_back({at.q, at.v, {}, at.t});
        const auto m = sys.multiplier(at, "point " + std::to_string(j + 1) + ", ");
        find_from_last(step, m.a, zeros_like(m.a));
        find_from_last(step, m.lambda, zeros_like(m.lambda));
        step.equations.insert(step.equations.end(), m.equations.begin(), m.equations.end());
        forces.push_back({S.points[j], applied ? -m.reaction : sys.force(at.q, at.v, at.t) - m.reaction});
    }
    const auto here = [&](const Vec& f) { return substitute(f, {{S.q0, sys.q}, {S.q1, q1}}); };
    for (const PointForce& f : forces)
        step.work.push_back({here((-h * Expr(f.point.weight)) * f.force), here(f.point.at.q)});
    const DiscreteMomenta p = discrete_momenta(sys, S, forces, sys.q);
    for (const Vec& left : p.left) step.equations.push_back(left == sys.p);
    const Vec change = project ? projected(step, sys, q1, p.change, velocity_guess) : p.change;
    step.increment = concat({p.dq, change});
    generated_by(step, sys, S, q1);
    carry_positions_and_momenta(step, sys, velocity_guess);
    return step;
}

Scheme generating_function_scheme(const std::string& id, const std::string& title, bool symmetric, bool project) {
    const quad half = static_cast<quad>(1) / 2;
    const auto alpha = [=](const Options& o) { return o.number("alpha", symmetric ? 0 : half); };
    const auto ld_of = [=](const Options& o) -> std::string {
        const std::vector<std::string_view> allowed{"alpha", "galerkin", "model"};
        return symmetric ? "sym_alpha" : o.word("ld", "alpha", allowed);
    };
    const auto stages = [](const Options& o) { return o.integer("stages", 2, 1, 10); };
    const auto order = [=](const Options& o) {
        const std::string ld = ld_of(o);
        if (ld == "model") return 1; // at least; what is its own adjoint has 2
        return ld == "galerkin" ? 2 * stages(o) : symmetric || alpha(o) == half ? 2 : 1;
    };
    std::vector<OptionInfo> options{
        {"alpha", symmetric ? "0" : "1/2", "where in the step L and the reaction are taken"}};
    if (!symmetric) {
        options.push_back(
            {"ld", "alpha",
             "alpha; galerkin: polynomials of degree s with Gauss points; model: [discrete] of the model"});
        options.push_back({"stages", "2", "for ld=galerkin, 1 to 10: the order is twice as high"});
    }
    return {
        .id = id,
        .title = title,
        .cite = "deleon2004",
        .takes = "nonholonomic, any regular L or H",
        .options = options,
        .order = order,
        .claims = [=](const Options& o) -> std::vector<Claim> {
            const bool given = ld_of(o) == "model";
            const Answer even = given || symmetric || alpha(o) == half || order(o) > 2 ? Answer::yes : Answer::no;
            const Answer kept = project ? Answer::unknown : even;
            const std::vector<Claim> claims{
                {Property::symplectic, Answer::no},
                {Property::constraint_exact, project ? Answer::yes : Answer::no},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::unknown},
                {Property::momentum_exact, Answer::yes, {horizontal_symmetry, generator_affine, no_forces_along_it}},
                {Property::symmetric, project ? Answer::no : even},
                {Property::reversible,
                 project ? Answer::no : kept,
                 {L_even, constraints_homogeneous, forces_even_in_v, no_time}}};
            return given ? claims_of_given(claims) : claims;
        },
        .build = [=](const Model& model, const Options& o) -> Method {
            const Nonholonomic sys = nonholonomic(model, id);
            if (!model.holonomic.empty())
                throw Unsuitable("method '" + id +
                                 "' takes velocity constraints only; nh_rattle and nh_gauss take "
                                 "holonomic ones beside them");
            const std::string ld = ld_of(o);
            if (!symmetric) {
                require_effect(o, "alpha", ld, ld == "alpha", "ld=alpha");
                require_effect(o, "stages", ld, ld == "galerkin", "ld=galerkin");
            }
            const bool given = ld == "model";
            if (given) require_consistent_reaction(sys);
            const DiscreteLagrangian S = given
                                             ? given_lagrangian(sys)
                                             : discrete_lagrangian(sys, ld, alpha(o), ld == "galerkin" ? stages(o) : 1);
            return {.id = id, .step = generating_function_step(sys, S, project), .order = given ? S.order : order(o)};
        }};
}

} // namespace rattleback
