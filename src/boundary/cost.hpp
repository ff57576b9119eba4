// What a path costs: of a control problem the quadrature that the method's own stages make, of a mechanical one its
// action, the integral of L = p . v - E.
#pragma once

#include "boundary/path.hpp"

namespace rattleback::boundary {

// The cost as one more coordinate c, c' = L: H + (p_c - 1) L with p_c = 1 leaves q and p as they are.
Problem with_cost(const Problem& problem);

class PathCost {
  public:
    PathCost(const Problem& problem, const PathSolver& solver);
    // NaN where it cannot be computed. Of a control problem: of the path with which the solver's newton() ended.
    double operator()(const Path& path);

  private:
    double of_motion(const Path& path);

    const PathSolver& solver_;
    bool is_control_;
    std::size_t coordinates_, hints_, parts_;
    double end_;
    std::vector<double> parameters_;
    NamedSystem node_; // of a motion
    std::optional<SystemSolver<double>> at_node_, terminal_;
};

} // namespace rattleback::boundary
