// RATTLE on groups: bodies that are joined, and bodies beside ordinary coordinates. The equations of del with
// constraints, with elements of groups in place of coordinates.
#include "scheme/group_action.hpp"

namespace rattleback {

using enum Condition;

extern const Scheme lie_rattle_scheme;
const Scheme lie_rattle_scheme = {
    .id = "lie_rattle",
    .title = "RATTLE on groups",
    .cite = "marsden1999",
    .takes = "coordinates on groups, holonomic",
    .options = {{"ld", "mv", "mv, log, cay or midpoint (the same as log; the one for groups in the plane)"}},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::yes, {no_forces}},
                {Property::holonomic_exact, Answer::yes},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                {Property::momentum_exact, Answer::yes, {generator_translates, no_forces_along_it}},
                {Property::symmetric, Answer::yes},
                {Property::reversible, Answer::yes, {L_even_in_v, forces_even_in_v, no_time}}};
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
