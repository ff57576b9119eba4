// Loop rerolling: finds the loops in a section of a program, which is straight-line code. Consecutive instructions with
// one operation whose operand slots are equal, consecutive or every other one form a run; runs that feed each other are
// fused into one loop.
#pragma once

#include "kernel/program.hpp"

#include <array>
#include <vector>

namespace rattleback::code {

// A run of `count` instructions, or, if count is 1, a single one. Instruction i writes slot target + i; operand a is
// slot operand[a] + stride[a]*i, with a stride of 0, 1 or 2: sums are added up in pairs, x[0] + x[1], x[2] + x[3], ...
struct Piece {
    Op op;
    Slot target;
    std::uint32_t count;
    std::array<Slot, 3> operand{};
    std::array<std::uint32_t, 3> stride{};
    std::uint32_t level = 0;
    std::uint32_t loop = 0;  // of a run: index into Loops::loops
    std::int64_t offset = 0; // of a run: instruction i runs at the loop's index offset + i

    bool is_run() const { return count > 1; }
    // How many slots there are from the first that operand a reads to the last.
    std::uint32_t extent(std::size_t a) const { return stride[a] * (count - 1) + 1; }
};

// A fused loop over [begin, end). Pieces read each other at the same index only, so nothing is carried from one
// iteration to the next. All pieces take part in [first, last); the few iterations before and after are peeled.
struct Loop {
    std::vector<std::uint32_t> pieces;
    std::int64_t begin = 0, first = 0, last = 0, end = 0;
};

// Executed level by level: first the single instructions, in order, then the loops, which are independent of each
// other.
struct Loops {
    std::vector<Piece> pieces;
    struct Level {
        std::vector<std::uint32_t> singles, loops;
    };
    std::vector<Level> levels;
    std::vector<Loop> loops;
    std::vector<std::uint32_t> home; // by slot, counted from the section's first: the piece that writes it
};

Loops find_loops(const Program& program, const Section& section);

} // namespace rattleback::code
