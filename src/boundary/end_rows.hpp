// What both ends say in the linear system of a path.
#pragma once

#include "boundary/block_system.hpp"

namespace rattleback::boundary {

struct PathEnds { // conditions and their derivatives by the state and by the multipliers of the end's set
    std::vector<double> from, to;
    Matrix<double> from_by_state, from_by_nu, to_by_state, to_by_nu;
};

// Of the start, rows without multipliers: combinations of the conditions in which these do not occur.
class StartRows {
  public:
    StartRows() = default;
    explicit StartRows(const PathEnds& factored);
    Matrix<double> rows;
    std::vector<double> rhs(const PathEnds& ends) const;
    // The multipliers, once dx of the first node is known.
    std::vector<double> multipliers(const PathEnds& ends, const PathEnds& factored, const double* dx) const;

  private:
    Matrix<double> basis_;
};

// The last node and the multipliers there, by least squares: with holonomic constraints there are more conditions than
// unknowns, of abnormal paths fewer. Unknowns are measured in units of `weights`; singular
// values below `cutoff` count as 0.
struct EndIncrement {
    std::vector<double> x, nu;
    bool deficient = false;
};
EndIncrement end_increment(const BlockSystem& blocks, const PathEnds& ends, const PathEnds& factored,
                           const std::vector<double>& weights, double cutoff = 1e-13);

} // namespace rattleback::boundary
