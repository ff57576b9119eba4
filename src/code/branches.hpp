// Choices whose first case is long: machine code computes it only where a lane needs it.
#pragma once

#include <vector>

#include "solve/system.hpp"

namespace rattleback::code {

// Choices that have their condition in common, and what nobody but their first cases needs.
struct Branch {
    Slot condition = 0;
    std::vector<Slot> choices;
    std::vector<Slot> inside;   // computed by the branch alone
    std::vector<Slot> operands; // of `inside` and of the choices, but for those that are inside
};

// Those of a section with at least `shortest_branch` operations inside. A mispredicted jump costs about 20 cycles, as
// many as 40 to 80 additions side by side: only what is longer is worth one. `wanted`: see wanted_slots.
constexpr std::size_t shortest_branch = 80;
std::vector<Branch> find_branches(const Program& program, const Section& section, const std::vector<bool>& wanted);

} // namespace rattleback::code
