// What `check` says of constraints and of symmetries in their presence.
#pragma once

#include <rattleback/evidence.hpp>

#include "evidence/sample.hpp"
#include "evidence/studies.hpp"

namespace rattleback {

// False where the equations of motion are singular at the start.
bool inspect_constraints(const Sample& sample, Inspection& result);
// A two-form on the vectors that constraints (their Jacobian) allow: i*omega on C.
std::string restricted_form_in_words(const Dense& form, const Dense& constraints);
void inspect_symmetries(const Sample& sample, Inspection& result);
bool is_symmetry(const Sample& sample, const Symmetry& symmetry); // of L, of velocity constraints, of forces
// What a symmetry leaves alone; its generator is lifted to velocities, or momenta.
bool leaves_alone(const Sample& sample, const Symmetry& symmetry, const Expr& formula);
bool keeps_velocity_constraints(const Sample& sample, const Symmetry& symmetry); // or combines them
void inspect_chaplygin(const Sample& sample, Inspection& result);
struct ConservedMomentum {
    std::string name;
    bool affine;      // its generator, in q
    bool translation; // of groups, to the left or a turn to the right, affine in the other coordinates
};
std::vector<ConservedMomentum> conserved_momenta(const Sample& sample);

} // namespace rattleback
