// Finds in the equations of a step that they are the stages of a collocation method, each with the same right-hand
// side, for fixed-point iteration (src/solve/collocation.hpp).
#pragma once

#include "run/compiled.hpp"
#include "solve/collocation.hpp"

namespace rattleback {

// Does the method ask for it, iteration=fixed?
bool iterates_on_stages(const Method& method);

// Throws Unsuitable where the equations do not have that form.
std::shared_ptr<const CompiledStages> compile_stages(const Formulas& formulas);

} // namespace rattleback
