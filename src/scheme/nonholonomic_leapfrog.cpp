#include "scheme/nonholonomic_leapfrog.hpp"
#include "expr/graph.hpp"
#include "scheme/common.hpp"

#include <algorithm>

namespace rattleback {

using enum Condition;

namespace {

void find_velocity(Step& step, const Nonholonomic& sys, const Vec& v0, const Vec& guess) {
    step.find.push_back({v0, guess});
    for (const Equation& e : sys.legendre())
        step.equations.push_back(substitute(e.lhs, {{sys.v, v0}}) == substitute(e.rhs, {{sys.v, v0}}));
}

bool same(const Vec& a, const Vec& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Component& x, const Component& y) { return x.value == y.value; });
}

// The reaction A^T lambda is the same in both directions of time. So lambda is, too, where phi is odd in v, and changes
// its sign where phi is even. Where neither is seen in the formulas, no reversal is known.
Vec reversed(const Nonholonomic& sys, const Vec& positions_and_momenta, const Vec& carried) {
    const auto backwards = [&](const Vec& f) { return substitute(f, {{sys.v, -sys.v}}); };
    const Vec reaction = sys.reaction(sys.lambda);
    if (is_affine(sys) || same(backwards(reaction), reaction)) return concat({positions_and_momenta, carried});
    if (same(backwards(sys.model.velocity), sys.model.velocity)) return concat({positions_and_momenta, -carried});
    return {};
}

} // namespace

Step nonholonomic_leapfrog(const Nonholonomic& sys, const DiscreteLagrangian& Ld, bool smooth_start) {
    const Expr h = step_size(sys.model), t = sys.t;
    // Only velocity constraints have a multiplier that is carried; those of g are found anew in each step.
    const Vec carried = first_components(sys.lambda, sys.model.velocity.size());
    const Vec found = last_components(sys.lambda, sys.g.size());
    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p, carried}), .h = h, .t = t};
    const DiscreteMomenta p = discrete_momenta(sys, Ld, applied_forces(sys, Ld), sys.q);
    const auto reaction = [&](const Vec& lambda, const Point& at) {
        return (h / 2) * substitute(sys.at(sys.reaction(sys.lambda), at), {{sys.lambda, lambda}});
    };
    const Vec v0 = symbols_like(sys.graph, "node ", sys.v); // A(q0, v0), where A depends on v
    const Vec d0 = reaction(concat({carried, found}), {sys.q, v0, t});
    for (std::size_t i = 0; i < Ld.slopes.size(); ++i) {
        find_from_last(step, Ld.slopes[i], sys.v);
        step.equations.push_back(p.left[i] == sys.p - d0);
    }
    const Vec velocity_guess = last_components(step.hint, sys.q.size());
    if (!is_affine(sys)) find_velocity(step, sys, v0, velocity_guess);
    if (!sys.g.empty()) {
        const Vec g1 = sys.at(sys.g, {p.q1, sys.v, t + h, {}, p.centre1});
        find_from_last(step, found, zeros_like(found));
        step.equations.push_back(g1 == zeros_like(g1));
    }
    // The other side of the next node: p1 = p_plus - (h/2) A^T lambda1 with phi(q1, v1) = 0.
    const Vec v1 = symbols_like(sys.graph, "next ", sys.v), lambda1 = symbols_like(sys.graph, "next ", sys.lambda);
    const Vec change = p.change - d0 - reaction(lambda1, {p.q1, v1, t + h, {}, p.centre1});
    const Point end{p.q1, v1, t + h, sys.p + change, p.centre1};
    const Vec phi = sys.at(sys.phi, end);
    step.find.push_back({v1, velocity_guess});
    step.find.push_back({lambda1, concat({carried, zeros_like(found)})});
    step.equations.push_back(sys.legendre(end));
    step.equations.push_back(phi == zeros_like(phi));
    find_point_momenta(step, sys, Ld, p.q1);
    step.increment = concat({p.dq, change, first_components(lambda1, carried.size()) - carried});
    step.outright = carried.size();

    carry_positions_and_momenta(step, static_cast<const Mechanics&>(sys), velocity_guess);
    step.lambda = sys.lambda;
    step.alternates = !carried.empty();
    step.arrival = sys.p + reaction(concat({carried, zeros_like(found)}), {sys.q, sys.v, t});
    step.reverse = reversed(sys, step.reverse, carried);
    step.start = concat({sys.q, sys.p, smooth_start ? carried : zeros_like(carried)});
    const Nonholonomic::Multiplier m = sys.multiplier();
    if (smooth_start) step.start_find = {{m.a, {}}, {m.lambda, {}}}, step.start_equations = m.equations;
    if (!sys.g.empty()) { // the node shows the multipliers of g as functions of (t, q, v)
        const Nonholonomic::Multiplier node = sys.multiplier({sys.q, sys.v, t, sys.p}, "node ");
        step.lambda = concat({carried, last_components(node.lambda, sys.g.size())});
        step.node_find.push_back({node.a, {}}), step.node_find.push_back({node.lambda, {}});
        step.node_equations.insert(step.node_equations.end(), node.equations.begin(), node.equations.end());
    }
    return step;
}

std::vector<Claim> nonholonomic_leapfrog_claims(bool symmetric, Condition of_generator) {
    const Answer answer = symmetric ? Answer::yes : Answer::no;
    return {{Property::symplectic, Answer::no},
            {Property::constraint_exact, Answer::yes},
            {Property::holonomic_exact, Answer::yes},
            {Property::energy_exact, Answer::unknown, {energy_of_p_minus}},
            {Property::energy_bounded, Answer::unknown},
            {Property::momentum_exact, Answer::yes, {horizontal_symmetry, of_generator, no_forces_along_it}},
            {Property::symmetric, answer},
            {Property::reversible, answer, {L_even, constraints_homogeneous, forces_even_in_v, no_time}}};
}

} // namespace rattleback
