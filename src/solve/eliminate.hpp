// Elimination of unknowns by substitution, before the equations are put in order.
#pragma once

#include "solve/system.hpp"

namespace rattleback::solve {

// Substitutes every unknown u that an equation u = formula gives, as long as no formula comes to depend on its own
// unknown. The slopes of a Runge-Kutta method go this way: Gauss on a Lagrangian is left with the stage velocities, a
// third of the unknowns as written. With `divide`, also unknowns that an equation gives after a division by a product
// of parameters: see monomial.hpp.
System eliminate(const System& system, bool divide = true);

} // namespace rattleback::solve
