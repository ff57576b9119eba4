// Discrete Euler-Poincare-Suslov equations (Fedorov and Zenkov 2005): as dla on groups, with the constraint on the
// velocity of the step taken at its left end,
//     p(xi) = p_plus - h A(g0)^T lambda,     <A(g0), xi> = 0.
// Where the constraint depends on g, that is of first order only.
#include "expr/graph.hpp"
#include "scheme/group_action.hpp"

namespace rattleback {

using enum Condition;

namespace {

// Constraints that are seen from the body alone: where charts are 0, formulas of the velocity and of nothing else.
bool is_left_invariant(const Nonholonomic& sys) {
    Vec charts;
    for (const GroupCoordinate& c : sys.model.groups)
        for (std::size_t k = 0; k < c.count; ++k) charts.push_back(sys.q[c.first + k]);
    const Vec phi = substitute(sys.phi, {{charts, zeros_like(charts)}});
    return jacobian(phi, concat({sys.q, sys.model.centre, sys.model.time_vec()})).empty();
}

} // namespace

extern const Scheme lie_eps_scheme;
const Scheme lie_eps_scheme = {
    .id = "lie_eps",
    .title = "discrete Euler-Poincare-Suslov equations",
    .cite = "fedorov2005",
    .takes = "coordinates on groups, nonholonomic",
    .options = {{"ld", "mv", "mv, log, cay or midpoint (the same as log; the one for groups in the plane)"}},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no},          {Property::constraint_exact, Answer::yes},
                {Property::energy_exact, Answer::no},        {Property::energy_bounded, Answer::unknown},
                {Property::momentum_exact, Answer::unknown}, {Property::symmetric, Answer::no},
                {Property::reversible, Answer::unknown}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = nonholonomic(model, "lie_eps");
        if (!model.holonomic.empty())
            throw Unsuitable("method 'lie_eps' takes velocity constraints only; lie_gni takes holonomic ones too");
        const DiscreteLagrangian Ld = group_lagrangian(sys, o);
        Step step = dla_step(sys, Ld);
        carry_elements(step, model, group_moves(sys, Ld));
        return {.id = "lie_eps", .step = step, .order = is_left_invariant(sys) ? 2 : 1};
    },
};

} // namespace rattleback
