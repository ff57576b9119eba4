// What a page draws of a model that does not say it: points at coordinates x, y (and z), or r, theta; rods for the
// distances that constraints keep.
#pragma once

#include <optional>

#include <rattleback/model.hpp>

namespace rattleback {

std::string usual_view(const Model& model); // the [view] to paste into the model; empty: nothing is known to draw
// The model with that view. Parameters have their present values.
std::optional<Model> with_usual_view(const Model& model);

} // namespace rattleback
