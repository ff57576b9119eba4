// GNI on groups (Ferraro, Iglesias and Martin de Diego 2008): the reaction of a node reflects the momentum that arrives
// there. With a metric that both left and right translations leave alone, and for any inertia with ld=mv, the energy of
// the momentum that leaves a node is constant.
#include "scheme/group_action.hpp"
#include "scheme/nonholonomic_leapfrog.hpp"

namespace rattleback {

constexpr std::string_view starts[] = {"smooth", "plain"};

extern const Scheme lie_gni_scheme;
const Scheme lie_gni_scheme = {
    .id = "lie_gni",
    .title = "geometric nonholonomic integrator on groups",
    .cite = "ferraro2008",
    .takes = "coordinates on groups, nonholonomic",
    .options = {{"ld", "mv", "mv, log, cay or midpoint (the same as log; the one for groups in the plane)"},
                {"start", "smooth", "smooth: from the continuous multiplier; plain: from 0"}},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) { return nonholonomic_leapfrog_claims(true, Condition::generator_translates); },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = nonholonomic(model, "lie_gni");
        const DiscreteLagrangian Ld = group_lagrangian(sys, o);
        Step step = nonholonomic_leapfrog(sys, Ld, o.word("start", "smooth", starts) == "smooth");
        carry_elements(step, model, group_moves(sys, Ld));
        return {.id = "lie_gni", .step = step, .order = 2, .composes_to = 4};
    },
};

} // namespace rattleback
