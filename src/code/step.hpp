// A whole step of a method as lines: Newton's loop, the compensated sums and the loop over steps.
#pragma once

#include <rattleback/solve.hpp>

#include "code/listing.hpp"

namespace rattleback::code {

// A step's system has given = (state, hint, t, h, parameters) and results = (increment, next hint, ...).
struct StepLayout {
    const CompiledSystem* system = nullptr;
    std::size_t state = 0, hint = 0, parameters = 0;
    std::size_t hint_results = 0; // where among the results the next hint starts
    std::size_t outright = 0;     // last components of the state, whose results are new values, not increments
    // Where nothing is iterated, a call takes all steps or, if there is trouble in any of them, none: what each costs
    // is then its formulas alone. Else a call ends before the first step in trouble.
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
