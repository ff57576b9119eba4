// A section of a program as loops: runs of like operations whose operands lie side by side, put together where one
// takes what another has made. What is in no run stays as it is.
#pragma once

#include <rattleback/kernel.hpp>

#include <array>
#include <vector>

namespace rattleback::code {

// `count` times one operation: to target, target + 1, ... from operands that move along with it or stay.
struct Piece {
    Op op;
    Slot target;
    std::uint32_t count;
    std::array<Slot, 3> operand{};
    std::array<bool, 3> moves{};
    std::uint32_t level = 0;
    std::uint32_t loop = 0;  // of a run: in Loops::loops
    std::int64_t offset = 0; // of a run: its place 0 belongs to this index of the loop

    bool is_run() const { return count > 1; }
};

// At each index the pieces in their order; no piece takes from another what that makes at another index. Between
// `first` and `last` all pieces take part; outside there are few indices, at which some do.
struct Loop {
    std::vector<std::uint32_t> pieces;
    std::int64_t begin = 0, first = 0, last = 0, end = 0;
};

// Level after level: first the single operations, in their order, then the loops, which do not depend on each other.
struct Loops {
    std::vector<Piece> pieces;
    struct Level {
        std::vector<std::uint32_t> singles, loops;
    };
    std::vector<Level> levels;
    std::vector<Loop> loops;
    std::vector<std::uint32_t> home; // by slot, from the section's first: the piece that makes it
};

Loops find_loops(const Program& program, const Section& section);

} // namespace rattleback::code
