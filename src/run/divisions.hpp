// Steps divide by products of parameters, none of which may then be 0.
#pragma once

#include "solve/system.hpp"
#include <rattleback/model.hpp>

namespace rattleback {

// A short step, whatever the run's: the order of solution is the model's.
constexpr double typical_step = 0.01;
// Of the step size and the parameters.
std::vector<double> typical_values(const Model& model);
// Whether all of the parameters that the system divides by have other values than 0.
bool can_divide(const CompiledSystem& system, const Vec& parameters, const std::vector<double>& values);

} // namespace rattleback
