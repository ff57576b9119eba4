// Finds in the equations of a step that they are those of Lobatto's pair, for the iteration of src/solve/pairs.hpp.
#pragma once

#include "run/compiled.hpp"
#include "solve/pairs.hpp"

namespace rattleback {

// Their stages; none: the step has other equations, or none that the iteration takes. `formulas` are added to.
std::shared_ptr<const CompiledStages> pair_stages_of(const Formulas& formulas);

} // namespace rattleback
