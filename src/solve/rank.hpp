// Which rows of a matrix are independent.
#pragma once

#include <vector>

namespace rattleback::solve {

struct Rank {
    int rank = 0;                                      // -1 if the matrix has a NaN or an infinity
    std::vector<int> independent_rows, dependent_rows; // ascending
    // How clear the decision was: what the last independent row has of its own beside the others, and the most that any
    // dependent row has, relative to the first row taken. Zero if there is no such row.
    double smallest_kept = 0, largest_dropped = 0;
};

// a is row-major. Rows are brought to length one first, so that their units do not matter; then Householder QR of the
// transposed matrix, which takes the row that is farthest from those taken before, until none has more than the
// threshold.
Rank row_rank(const std::vector<double>& a, int rows, int cols, double threshold = 1e-10);

} // namespace rattleback::solve
