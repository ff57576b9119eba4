// A part of a compiled system, for some of its results.
#pragma once

#include "solve/system.hpp"

namespace rattleback {

// The same system for these of its results, with the same bits: without the blocks and instructions that they do not
// need.
std::shared_ptr<const CompiledSystem> restricted(const CompiledSystem& all, const std::vector<std::size_t>& results);

} // namespace rattleback
