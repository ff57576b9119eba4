// Discrete Lagrangians on groups: L_d(g0, g1) = h L at the middle of g0 and g1, with a velocity of the body that W, the
// turn from g0 to g1, gives. With e the vector part of the quaternion of W, r half its angle:
//   mv   omega = (2/h) e          Moser and Veselov: (h/2) <omega, I omega> = -(1/h) tr(W J) + const
//   log  omega = (2/h) e r/sin r  W = exp(h omega)
//   cay  omega = (2/h) e/cos r    Cayley's map
// In the plane all are the same: omega is the angle over h. The shift is x1 - x0 = h R u, with R the turn in the
// middle.
//
// The derivatives of L_d are taken along variations seen from the body, g0 -> g0 exp(z0), g1 -> g1 exp(z1), as leaves
// that are 0 afterwards. They enter as the slope d = (z1 - z0)/h and the mean z = (z0 + z1)/2: with these the momenta
// at both ends are L_d' by d, minus and plus h/2 times that by z, and no difference of nearby numbers is formed.
#pragma once

#include "group/group.hpp"
#include "scheme/common.hpp"
#include "scheme/group_state.hpp"

namespace rattleback {

enum class Retraction { mv, log, cay };

struct GroupAction {
    Retraction retraction;
};

DiscreteLagrangian group_lagrangian(const Mechanics& mechanics, const Options& options); // ld
// By which each group coordinate moves in a step, seen from its left end.
std::vector<GroupMove> group_moves(const Mechanics& mechanics, const DiscreteLagrangian& Ld);
DiscreteMomenta group_momenta(const Mechanics& mechanics, const DiscreteLagrangian& Ld);

// What to try where a step has no solution; empty: nothing special.
std::string group_remedy(const Method& method);
std::vector<Claim> group_leapfrog_claims(); // of lie_del and lie_rattle

inline constexpr std::string_view group_lagrangians[] = {"mv", "log", "cay", "midpoint"};

} // namespace rattleback
