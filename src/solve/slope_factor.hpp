// What slopes are multiplied by where stages are solved by fixed-point iteration.
#pragma once

#include "solve/collocation.hpp"

namespace rattleback {

// A slope is multiplied by this, and divided by it with the weight that the step size is multiplied by. Where weights
// are 1 or 1/2, h b K_i lies on few multiples of a last place if h is a decimal fraction: rounding it has a direction.
// Other weights need no factor.
inline double slope_factor(const StageWeights& weights) { return weights.stages() <= 2 ? 1 + 5.0 / (1 << 22) : 1; }

} // namespace rattleback
