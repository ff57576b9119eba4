// Where a search begins, of coordinates on groups in space: the centres of charts along a one-parameter group of turns
// from end to end.
#pragma once

#include "boundary/problem.hpp"

namespace rattleback::boundary {

class GroupCurve {
  public:
    // `rounds`: of each group, whole turns more than the shortest way has; -1: the long way. Ends that are free lie off
    // the other by the vectors in `off`, as many numbers as q has.
    GroupCurve(const Problem& problem, const std::vector<int>& rounds, const std::vector<double>& off);
    double longest() const { return longest_; } // of its turns and shifts
    void at(double s, double* centres) const;   // 0 <= s <= 1

  private:
    Charts& charts_;
    std::size_t states_;
    std::vector<double> from_, to_; // centres
    std::vector<double> w_;         // of the end, in the chart of the start
    double longest_ = 0;
};

} // namespace rattleback::boundary
