// Which of several methods to use: what `compare` says at its end.
#pragma once

#include "evidence/studies.hpp"

namespace rattleback {

// The computing time a method needs for an error, along lines between what was measured and on their continuation;
// empty: it does not get there. Times are in seconds for a unit of the model's time.
std::optional<double> cost_of(const ComparedMethod& method, double error, const Comparison& all);

// Fills short_runs, long_runs and recommendation.
void advise(const Model& model, Comparison& all);

} // namespace rattleback
