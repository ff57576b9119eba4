// H and the inputs of a control problem that was changed, or that had bounds: as the reader of models finds them.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback::boundary {

// Puts H = L + p . Gamma into the model, with the inputs that H_u = 0 gives where it is linear in them. False: H_u = 0
// does not determine them.
bool eliminate_inputs(Model& model);

// The problem without its bounds and inequalities; none: H_u = 0 does not determine its inputs then.
std::optional<Model> without_bounds(const Model& model);

} // namespace rattleback::boundary
