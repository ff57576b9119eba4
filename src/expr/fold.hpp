// Functions of numbers.
#pragma once

#include <array>

#include <rattleback/expr.hpp>

namespace rattleback {

// The value of a function at numbers, as many as it takes; nothing if it is not finite.
std::optional<quad> finite_value(Op op, const std::array<quad, 3>& arguments);

} // namespace rattleback
