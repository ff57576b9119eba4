// Writes a whole step of a method as a listing: the loop over steps, Newton's loop, and the compensated summation.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "code/listing.hpp"
#include "solve/fields.hpp"
#include "solve/system.hpp"

namespace rattleback::code {

// A system that is solved at every node after the node's own, from what that shows.
struct BesideLayout {
    // What it is given: place `place` of a field of the node's results, or of its parameters; the time; or a number.
    struct Given {
        enum From { field, parameter, time, zero } from = zero;
        std::size_t place = 0;
        std::string name = {}; // of the field
    };
    std::shared_ptr<const CompiledSystem> system;
    std::vector<Given> given;
    bool reads_time() const;
};

// What a step shows of the node that it leads to, with one lane: a row of the array `rows`. Column 0: Newton iterations
// of the steps so far; then the largest magnitude of each field in `largest`; then all other results of the system but
// those in `hidden`; then the results of the system beside it.
struct NodeLayout {
    const NamedSystem* system = nullptr; // with the inputs of the step; none: nothing is shown
    std::vector<Fields::Field> largest = {};
    bool in_parts = false; // a composition: a node is shown after the last part of each step
    std::vector<Fields::Field> hidden = {};
    const BesideLayout* beside = nullptr;
    bool is_column(std::size_t result) const;
};

// Where things are in a step's system. Given: "state", "hint", "t", "h", "parameters"; results: "increment" of the
// first components of the state, "next" values of the others, "next hint".
struct StepLayout {
    const NamedSystem* step = nullptr;
    std::string next_hint = "next hint"; // or another result in its place
    // For explicit steps: check for NaN and range once per call, not once per step. If the check fails, the whole call
    // is rolled back, and the caller retries with fewer steps. Otherwise a call ends before the first step that fails.
    bool all_or_nothing = false;
    NodeLayout node = {};
};

// Operations of a listing of the system, its linear algebra included; nothing if a block has more unknowns than the
// unrolled linear algebra allows, or is solved by functional iteration.
std::optional<std::size_t> listed_operations(const CompiledSystem& system);
inline bool can_write(const CompiledSystem& system, std::size_t budget) {
    return listed_operations(system).value_or(budget + 1) <= budget;
}
std::size_t operation_count(const Program& program);
// Whether anything in the system reads this input.
bool reads(const CompiledSystem& system, std::size_t input);

// The listing makes the same decisions as SystemSolver<double> and computes the same numbers, to the bit. Rare cases
// are left to SystemSolver: a lane in which an argument is out of range, a value is not finite, a matrix is singular or
// Newton's method takes long rolls the step back and sets `left`.
Listing write_step(const StepLayout& layout, const Shape& shape);
// One solution of a system. Its given values are read from the array `state`, its results are written to `low`.
Listing write_solve(const CompiledSystem& system, const Shape& shape);

} // namespace rattleback::code
