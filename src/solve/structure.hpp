// Block-triangular order of sparse equations: which unknown belongs to which equation, and which belong together.
#pragma once

#include <cstdint>
#include <vector>

namespace rattleback::solve {

struct BlockStructure {
    std::vector<int> equation_of;                   // unknown -> equation; -1: not determined
    std::vector<std::vector<std::uint32_t>> blocks; // unknowns, in the order of solution
    bool determined = true;
};

// pattern[e] = unknowns that equation e depends on; as many equations as unknowns. mentioned[e]: unknowns that must be
// known, too, before equation e can be evaluated, though it cannot be solved for them.
BlockStructure block_triangular(const std::vector<std::vector<std::uint32_t>>& pattern, std::uint32_t unknowns,
                                const std::vector<std::vector<std::uint32_t>>& mentioned = {});

} // namespace rattleback::solve
