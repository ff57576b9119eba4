// The relation of pairs (z0, z1) that the midpoint rule makes of J z' = grad H, whatever J and H are.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// McLachlan, Modin, Verdier and Wilkins 2014, (2.10): J (z1 - z0) = h grad H((z0 + z1)/2). Nothing in it asks for a
// motion: with J = 0 it is grad H = 0 in the middle, and z1 = 2 z* - z0 for any z0. Tangent to it are the pairs with
//     (J - h/2 H_zz) dz1 = (J + h/2 H_zz) dz0.
template <class T> struct MidpointRelation {
    T form = 0; // the largest entry of dz1 ^ J dz1 - dz0 ^ J dz0, relative to the terms it is made of: 0 by Prop. 3
    T jump = 0; // the largest entry of J d(z1 - z0)/dz0: of the size of h where z1 approximates a motion
};
// At the pair that has the model's start in its middle; empty: z0 does not determine z1. `forward`: the part of z1 in
// the middle, 1/2.
template <class T>
std::optional<MidpointRelation<T>> midpoint_relation(const Model& model, const std::vector<double>& start, T h,
                                                     double forward = 0.5);

// What becomes of the jump when the step does: whether the relation approximates a motion. In words.
std::string convergence_of_relation(const Model& model, const std::vector<double>& start);

} // namespace rattleback
