// Writes the sections of large programs as listings: fused loops (loops.hpp), and the other instructions in parts of
// bounded size.
#pragma once

#include "kernel/program.hpp"

#include "code/listing.hpp"

namespace rattleback::code {

// The code reads its operands from the array `slots`, constants included, and stores the slots that are `wanted` (see
// wanted_slots). If an argument is outside the range of an elementary function, it sets `left`, and the caller runs the
// section on the tape. A long section gives several listings, to be run in order: so compilation can be abandoned
// between two of them.
std::vector<Listing> write_section(const Program& program, std::size_t section, const std::vector<bool>& wanted);

} // namespace rattleback::code
