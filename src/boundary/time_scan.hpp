// Of a problem with a free time that no start solved: what paths cost that take given times.
#pragma once

#include <rattleback/boundary.hpp>

namespace rattleback::boundary {

struct CostOfTime {
    double time, cost;
};
// From short times to long ones, where paths are found; empty: the time is not free.
std::vector<CostOfTime> costs_of_times(const Model& model, const SolveOptions& options);

} // namespace rattleback::boundary
