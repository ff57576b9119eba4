// What coordinates on groups have to themselves: translations, metrics that these leave alone, and what follows.
#pragma once

#include <rattleback/evidence.hpp>

#include "evidence/sample.hpp"
#include "evidence/studies.hpp"

namespace rattleback {

// The group of all coordinates: those on groups, and the others with their translations. Nothing is looked at without
// coordinates on groups, for families of them, and where there is no Lagrangian.
struct GroupFacts {
    bool looked_at = false;
    bool left_metric = false, both_metric = false; // translations to the left leave the kinetic energy alone; and right
    bool left_constraints = false;                 // those to the left leave the velocity constraints alone
    bool nothing_else = false;                     // the kinetic energy is all of L, and no force acts
    bool one_turn = false;                         // the group is SO(3)

    // GNI keeps the energy of p_minus (Ferraro, Iglesias and Martin de Diego 2008); with ld=mv for any inertia.
    bool keeps_energy(bool moser_veselov) const {
        return looked_at && nothing_else && (both_metric || (left_metric && one_turn && moser_veselov));
    }
};
GroupFacts group_facts(const Sample& sample);
void inspect_groups(const Sample& sample, const GroupFacts& facts, Inspection& result);
std::string group_in_words(const Model& model); // "SO(3) x R^2"

// Whether discrete Lagrangians on groups have it, too: on each group a translation to the left and a turn to the right,
// affine in the other coordinates.
bool is_translation(const Sample& sample, const Symmetry& symmetry);

// Claims of a step that is taken in charts which are centred anew now and then. Each chart has steps of its own, and
// the state says where the next chart is: so the steps are symplectic and symmetric while a chart stays, not across its
// change.
std::vector<Claim> in_charts(std::vector<Claim> claims, const Step& step, const Model& model);

} // namespace rattleback
