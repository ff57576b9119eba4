// Discrete Euler-Poincare equations, with potentials and forces: del on groups (Marsden, Pekarsky and Shkoller 1999).
#include "scheme/group_action.hpp"

namespace rattleback {

extern const Scheme lie_del_scheme;
const Scheme lie_del_scheme = {
    .id = "lie_del",
    .title = "discrete Euler-Poincare equations",
    .cite = "marsden1999",
    .takes = "coordinates on groups, unconstrained",
    .options = {{"ld", "mv", "mv, log, cay or midpoint (the same as log; the one for groups in the plane)"}},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) { return group_leapfrog_claims(); },
    .build = [](const Model& model, const Options& o) -> Method {
        require_unconstrained(model, "lie_del");
        const Mechanics sys(model);
        const DiscreteLagrangian Ld = group_lagrangian(sys, o);
        Step step = del_step(sys, Ld);
        carry_elements(step, model, group_moves(sys, Ld));
        return {.id = "lie_del", .step = step, .order = 2};
    },
};

} // namespace rattleback
