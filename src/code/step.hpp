// A whole step of a method as lines: Newton's loop, the compensated sums and the loop over steps.
#pragma once

#include "code/listing.hpp"
#include "solve/fields.hpp"

namespace rattleback::code {

struct StepLayout {
    // Given: "state", "hint", "t", "h", "parameters"; results: "increment" of the first components of the state, "next"
    // values of the others, "next hint".
    const NamedSystem* step = nullptr;
    std::string next_hint = "next hint"; // or another result in its place
    // Explicit steps check for NaN and range once a call: on failure the whole call is rolled back, and the caller
    // retries with fewer steps. Else a call ends before the first step that fails.
    bool all_or_nothing = false;
};

// Blocks of more unknowns than the lines of a solve allow, or more operations than `budget`: not for this.
bool can_write(const CompiledSystem& system, std::size_t budget);
std::size_t operation_count(const Program& program);

// The lines take the decisions of SystemSolver<double> and compute its numbers. What they do not decide they leave to
// it: a step in which an argument is out of range, a value not finite, a matrix singular, or in which Newton takes
// long, is taken back in the lanes concerned.
Listing write_step(const StepLayout& layout, const Shape& shape);
// One solution of a system: what is given in the array `state`, the results in `low`.
Listing write_solve(const CompiledSystem& system, const Shape& shape);

} // namespace rattleback::code
