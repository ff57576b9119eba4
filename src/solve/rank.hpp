// Which rows of a matrix are independent.
#pragma once

#include <vector>

namespace rattleback::solve {

struct Rank {
    int rank = 0;                                      // -1 if the matrix has a NaN or an infinity
    std::vector<int> independent_rows, dependent_rows; // ascending
    // How clear the decision was: the distance of the last independent row from the span of those before it, and the
    // largest distance of a dependent row from the span, relative to the first row taken. Zero if there is no such row.
    double smallest_kept = 0, largest_dropped = 0;
};

// a is row-major. Rows are normalized, so that their units do not matter; then Householder QR of the transposed matrix
// with pivoting takes the row farthest from the span of those taken before, until none is farther than the threshold.
Rank row_rank(const std::vector<double>& a, int rows, int cols, double threshold = 1e-10);

} // namespace rattleback::solve
