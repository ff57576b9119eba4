// Sections of large programs as lines: loops over like operations, and what is left in parts of its own.
#pragma once

#include <rattleback/solve.hpp>

#include "code/listing.hpp"

namespace rattleback::code {

// Slots that are wanted after their section: by another one, or by who runs the system.
std::vector<bool> wanted_slots(const CompiledSystem& system);

// All values go through the array `slots`, whose constants must be there; what nobody wants outside is not stored.
// Where an argument is out of the range of an elementary function's lines, `left` becomes 1: the tape is to run the
// section. To be run one after the other: long sections are cut, so that compiling them can be given up.
std::vector<Listing> write_section(const Program& program, std::size_t section, const std::vector<bool>& wanted);

} // namespace rattleback::code
