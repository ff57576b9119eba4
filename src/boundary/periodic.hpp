// Periodic paths: a motion that comes back to where it began, near the one that [initial] gives.
#pragma once

#include <rattleback/boundary.hpp>

namespace rattleback::boundary {

Solution find_periodic_path(const Model& model, const SolveOptions& options);

} // namespace rattleback::boundary
