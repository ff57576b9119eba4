// Control problems with bounds and inequalities: a search on a coarse grid by Ipopt, then finer grids where the set of
// active bounds changes, until the cost is known well enough.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/transcription.hpp"

namespace rattleback::boundary {

// Whether this problem goes to Ipopt. Throws BadRun, Unsuitable where the solver is not known or does not fit.
bool goes_to_ipopt(const Model& model, const SolveOptions& options);
// Pieces of a path between which steps are taken one after the other, by the solver's name; 0: it does not shoot.
std::size_t pieces_of(const SolveOptions& options);
Solution find_bounded_path(const Model& model, const SolveOptions& options);

// The path as a run of the user's model.
Run run_of(const Model& model, const Problem& problem, const Transcription& transcription, const BoundedPath& path,
           const std::string& method, const std::string& command);

} // namespace rattleback::boundary
