// What a model's [discrete] table gives: its L_d as a discrete Lagrangian like the others, and what is found out about
// it. Formulas are looked at in quad, at points around the start.
#pragma once

#include "scheme/common.hpp"

namespace rattleback {

// Throws Unsuitable where the model has no [discrete] table, or where it is not consistent.
DiscreteLagrangian given_lagrangian(const Mechanics& mechanics);

inline constexpr const char* given_lagrangian_help = "model: [discrete] of the model"; // ends the help of ld=
bool takes_given_lagrangian(const Scheme& scheme);
// What to say where a method does not use the model's table and nobody asked for another L_d; empty: nothing.
std::string table_left_aside(const Model& model, const Method& method);

// Throw Unsuitable where what is given does not tend to what the model has as h -> 0. What is not given is consistent.
void require_consistent(const Mechanics& mechanics); // lagrangian and forces
void require_consistent_reaction(const Nonholonomic& system);
void require_consistent_constraint(const Nonholonomic& system);

// Formulas of the table's leaves in a step of L_d: differences x_1 - x_0 are h times the slope.
Vec in_step(const Mechanics& mechanics, const DiscreteLagrangian& Ld, const Vec& given);

// Covectors at both ends of a step, as forces that act there.
std::vector<PointForce> end_forces(const Mechanics& mechanics, const DiscreteLagrangian& Ld, const Vec& begin,
                                   const Vec& end);

// L_d(q0, q1, h) = -L_d(q1, q0, -h), with forces and reaction likewise: the step is its own adjoint.
bool is_symmetric(const Model& model);
bool has_symmetric_constraint(const Model& model); // phi_d(q0, q1, h) = +-phi_d(q1, q0, -h), or none is given
// L_d(q0, q1, h) = L_d(q1, q0, h), with forces and reaction likewise: backwards is the same with the other sign of p.
bool is_reversible(const Model& model);
// L_d does not change along a generator, and what is given besides does no work along it.
bool is_invariant(const Model& model, const Vec& generator);

} // namespace rattleback
