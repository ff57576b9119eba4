// Writes steps of a pair of methods whose stages are found by iteration (src/solve/pairs.hpp): one lane a stage.
#pragma once

#include "code/stages.hpp"
#include "solve/pairs.hpp"

namespace rattleback::code {

// The listing takes the decisions of PairSolver<double> and computes the same numbers, to the bit; see write_stages.
Listing write_pairs(const CompiledStages& stages);
StageTables pair_tables(const std::shared_ptr<const CompiledStages>& stages);
// After a call, whose results are here: what the caller's arrays are to have.
void take_pair_results(const CompiledStages& stages, const double* results,
                       const std::array<double*, array_count>& arrays);

} // namespace rattleback::code
