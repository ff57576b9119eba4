// Steps of many operations without an implicit equation, one lane: cut into parts that pass values through memory.
#pragma once

#include "code/step.hpp"

namespace rattleback::code {

Listing write_large_step(const StepLayout& layout);

} // namespace rattleback::code
