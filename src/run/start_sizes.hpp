// How large the numbers of a step are where a model starts.
#pragma once

#include "run/compiled.hpp"

namespace rattleback {

// Powers of two: of each component of the state, the hint and t; 0: not known. Empty where all are near 1. `step`: a
// short step there.
struct StartSizes {
    std::vector<double> inputs;
    double step = typical_step;
};
// By the file's own start, parameters and step, as all that the order of solution depends on.
StartSizes start_sizes(const Formulas& formulas);

} // namespace rattleback
