// RATTLE on groups: bodies that are joined, and bodies beside ordinary coordinates. The equations of del with
// constraints, with elements of groups in place of coordinates.
#include "scheme/group_action.hpp"

namespace rattleback {

extern const Scheme lie_rattle_scheme;
const Scheme lie_rattle_scheme = {
    .id = "lie_rattle",
    .title = "RATTLE on groups",
    .cite = "marsden1999",
    .takes = "coordinates on groups, holonomic",
    .options = {{"ld", "mv", "mv, log, cay or midpoint (the same as log; the one for groups in the plane)"}},
    .order = [](const Options&) { return 2; },
    .claims =
        [](const Options&) {
            std::vector<Claim> claims = group_leapfrog_claims();
            claims.insert(claims.begin() + 1, {Property::holonomic_exact, Answer::yes});
            return claims;
        },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = holonomic(model, "lie_rattle");
        const DiscreteLagrangian Ld = group_lagrangian(sys, o);
        Step step = constrained_del_step(sys, Ld);
        carry_elements(step, model, group_moves(sys, Ld));
        return {.id = "lie_rattle", .step = step, .order = 2};
    },
};

} // namespace rattleback
