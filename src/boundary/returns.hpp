// When the motion from [initial] is near its start again: guesses of a period.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback::boundary {

// In order of time. `method`: with which the motion is followed; `most`: for how long, left out: as long as [run] says
// and a quarter more.
std::vector<double> times_of_return(const Model& model, const std::string& method, std::optional<double> most = {});

// Whether all formulas of the model have this period in t, at the nodes of a run.
bool is_driven_with(const Model& model, const Run& run, double period);

} // namespace rattleback::boundary
