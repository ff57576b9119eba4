// The monodromy matrix of a periodic path, and its eigenvalues, the Floquet multipliers.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/path.hpp"

namespace rattleback::boundary {

// Where solver.newton(path) has just ended.
Orbit orbit_of(const PathSolver& solver, const Path& path);

} // namespace rattleback::boundary
