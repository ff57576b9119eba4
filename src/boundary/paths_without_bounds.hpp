// Where Ipopt begins, besides bent lines: at paths of the problem without its bounds and inequalities, where Newton's
// method finds some.
#pragma once

#include "boundary/transcription.hpp"
#include <rattleback/boundary.hpp>

namespace rattleback::boundary {

// The cheapest first; none: there are no bounds, or H_u = 0 does not determine the inputs without them.
std::vector<Transcription::Guess> paths_without_bounds(const Model& model, const Problem& problem,
                                                       const SolveOptions& options);

} // namespace rattleback::boundary
