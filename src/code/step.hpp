// Writes a whole step of a method as a listing: the loop over steps, Newton's loop, and the compensated summation.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "code/listing.hpp"
#include "code/nodes.hpp"
#include "solve/fields.hpp"
#include "solve/system.hpp"

namespace rattleback::code {

// Where things are in a step's system. Given: "state", "hint", "t", "h", "parameters"; results: "increment" of the
// first components of the state, "next" values of the others, "next hint".
struct StepLayout {
    const NamedSystem* step = nullptr;
    std::string next_hint = "next hint"; // or another result in its place
    // For explicit steps: check for NaN and range once per call, not once per step. If the check fails, the whole call
    // is rolled back, and the caller retries with fewer steps. Otherwise a call ends before the first step that fails.
    bool all_or_nothing = false;
    const NodeLayout* node = nullptr; // of what nodes are computed from, steps fill the columns; none: nothing
};

// Operations of a listing of the system, its linear algebra included; nothing if a block has more unknowns than the
// unrolled linear algebra allows, or is solved by functional iteration.
std::optional<std::size_t> listed_operations(const CompiledSystem& system);
inline bool can_write(const CompiledSystem& system, std::size_t budget) {
    return listed_operations(system).value_or(budget + 1) <= budget;
}
std::size_t operation_count(const Program& program);

// The listing makes the same decisions as SystemSolver<double> and computes the same numbers, to the bit. Rare cases
// are left to SystemSolver: a lane in which an argument is out of range, a value is not finite, a matrix is singular or
// Newton's method takes long rolls the step back and sets `left`.
Listing write_step(const StepLayout& layout, const Shape& shape);
// One solution of a system. Its given values are read from the array `state`, its results are written to `low`.
Listing write_solve(const CompiledSystem& system, const Shape& shape);

} // namespace rattleback::code
