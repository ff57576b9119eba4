// Finds in the equations of a step that they are the stages of a collocation method, each with the same right-hand
// side, for fixed-point iteration and the simplified Newton method (src/solve/collocation.hpp).
#pragma once

#include <functional>

#include "run/compiled.hpp"
#include "solve/collocation.hpp"

namespace rattleback {

// The stages of a method that iterates on them; else none. With iteration=auto it does where that pays and, at the
// model's own values, contracts, by fixed-point iteration or else by the simplified Newton method; newton is the step
// for Newton's method, and start makes the system of the start. Throws Unsuitable where iteration=fixed or kronecker
// is asked for and the equations do not have that form.
std::shared_ptr<const CompiledStages> stages_of(const Formulas& formulas, const CompiledSystem& newton,
                                                const std::function<NamedSystem()>& start);

} // namespace rattleback
