// A convex problem near another one: its dynamics linearised along the straight line between the ends, and of its cost
// what is quadratic there. From its one solution paths are led to the problem itself.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback::boundary {

// With a share, from 0 to 1, of the problem itself in dynamics and cost. None: for problems with a free time, chosen
// parameters, families, coordinates on groups or inputs without a square.
std::optional<Model> nearly_convex(const Model& model, double share);

} // namespace rattleback::boundary
