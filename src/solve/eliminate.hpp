// Unknowns that an equation gives outright, u = formula of the others, or after a division need not be solved for.
#pragma once

#include <rattleback/solve.hpp>

namespace rattleback::solve {

// Substitutes as many such unknowns as possible without going round in a circle. The slopes of a Runge-Kutta method
// go this way: Gauss on a Lagrangian is left with the stage velocities alone, a third of the unknowns as written.
// `divide`: also those that an equation gives after a division.
System eliminate(const System& system, bool divide = true);

} // namespace rattleback::solve
