// Discrete Euler-Poincare-Suslov equations (Fedorov and Zenkov 2005): as dla on groups, with the constraint on the
// velocity of the step taken at its left end,
//     p(xi) = p_plus - h A(g0)^T lambda,     <A(g0), xi> = 0.
// Where the constraint depends on g, that is of first order only.
#include "scheme/group_action.hpp"

namespace rattleback {

using enum Condition;

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
        return {.id = "lie_eps", .step = step, .order = 2};
    },
};

} // namespace rattleback
