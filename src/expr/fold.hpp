// Rows of functions.def evaluated at constants.
#pragma once

#include <array>

#include "expr/graph.hpp"

namespace rattleback {

// The value of a function at as many arguments as it has; nothing if it is not finite.
std::optional<quad> finite_value(Op op, const std::array<quad, 3>& arguments);

} // namespace rattleback
