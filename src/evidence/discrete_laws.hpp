// Laws that a step obeys by what it is, beside the claims of its method: for `verify`.
#pragma once

#include "evidence/defects.hpp"
#include "evidence/preserved.hpp"

namespace rattleback {

// What is exact leaves round-off behind: 1e-34 in quad, times what the model makes of it; over the gallery with all
// methods 2e-30 at most (rattle on Andrews' squeezer). Violations are larger but for those of dop853 with small steps.
constexpr double exact_in_quad = real::in_round_off(1e-24);
constexpr std::size_t most_states = 120; // a tangent map is a dense matrix, in quad
// Observed orders on the gallery differ by 0.21 at most from those claimed (rattle on Arenstorf's orbit).
constexpr double order_slack = 0.25;

// Of steps with a generating function, one_form, two_form, and where it is one of (q0, q1) discrete_form,
// discrete_momentum and regularity; where these do not keep velocity constraints exactly, constraint_order; of GNI and
// its kin, energy_of_p_minus; of the midpoint rule under --force index, presymplectic.
std::vector<MeasuredClaim> discrete_laws(const CompiledMethod& method, const std::vector<Claim>& claims,
                                         const Preserved& preserved, double step, int steps);

} // namespace rattleback
