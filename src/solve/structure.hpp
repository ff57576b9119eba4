// Block-triangular order of sparse equations: a matching of unknowns to equations, then strongly connected components.
#pragma once

#include <cstdint>
#include <vector>

namespace rattleback::solve {

struct BlockStructure {
    std::vector<int> equation_of;                   // unknown -> equation; -1: not determined
    std::vector<std::vector<std::uint32_t>> blocks; // unknowns, in the order of solution
    bool determined = true;
};

// pattern[e]: the unknowns that equation e depends on; as many equations as unknowns. mentioned[e]: unknowns that must
// be known before equation e can be evaluated although they cancel in it.
BlockStructure block_triangular(const std::vector<std::vector<std::uint32_t>>& pattern, std::uint32_t unknowns,
                                const std::vector<std::vector<std::uint32_t>>& mentioned = {});

} // namespace rattleback::solve
