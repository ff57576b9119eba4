// The times of a run.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// How many steps, and of which size: --until divides its interval.
struct Grid {
    double h;
    long long steps;
    bool shortened;
    std::optional<double> end = {}; // --until, to the bit
};
Grid make_grid(const Model& model, const RunOptions& options);

} // namespace rattleback
