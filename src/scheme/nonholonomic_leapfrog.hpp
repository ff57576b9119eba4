// The geometric nonholonomic integrator of Ferraro, Iglesias and Martin de Diego (2008), shared by gni and nh_rattle.
#pragma once

#include "scheme/common.hpp"

namespace rattleback {

//     D1 L_d(q1, q2) + (P* - Q*)|_{q1} D2 L_d(q0, q1) = 0
// with the state (q, p, lambda): p is the average of the momenta on both sides of the node and obeys the constraint,
// p_minus = p - (h/2) A^T lambda. Carried as a force, lambda lets the step change its size: the map is symmetric.
// A holonomic constraint adds a multiplier to p_minus that brings q1 onto it.
Step nonholonomic_leapfrog(const Nonholonomic& system, const DiscreteLagrangian& Ld, bool smooth_start);
std::vector<Claim> nonholonomic_leapfrog_claims(bool symmetric, Condition of_generator = Condition::generator_affine);

} // namespace rattleback
