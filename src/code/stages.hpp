// Writes steps whose stages are found by fixed-point iteration: one lane a stage. The right-hand side is written once,
// for all stages; only sums over stages go from lane to lane, through memory.
#pragma once

#include <array>

#include "code/listing.hpp"
#include "solve/collocation.hpp"

namespace rattleback::code {

// What calls of such a listing need. Array::active has the weights of the method, since its one member always takes
// part. Array::slots has rows of one number a lane, whatever is in them; after a call the first lane of the last rows
// has what it returns: state, low, iterations, size of the last step, how far from the state its stages began, y of its
// last stage.
struct StageTables {
    std::shared_ptr<const CompiledStages> stages;
    std::vector<double> weights;
    std::size_t rows = 0, results = 0; // of Array::slots; where the results begin

    void end_iterations_at(double tolerance); // as in CompiledStages
    long long run(Entry entry, std::array<double*, array_count> arrays, long long steps) const;
};
StageTables stage_tables(const std::shared_ptr<const CompiledStages>& stages);
Shape stage_shape(const CompiledStages& stages); // the lanes are stages, of one member

// Can its right-hand side be written, within so many operations?
bool can_write(const CompiledStages& stages, std::size_t budget);

// The listing takes the decisions of StageSolver<double> and computes the same numbers, to the bit. A step that
// StageSolver is to look at, or that Newton's method takes, ends the call before it. `steady`: steps have different
// sizes.
Listing write_stages(const CompiledStages& stages, bool steady);

} // namespace rattleback::code
