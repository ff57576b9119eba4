// What a path costs: of a control problem the quadrature that the method's own stages make, of a mechanical one its
// action, the integral of L = p . v - E.
#pragma once

#include "boundary/path.hpp"

namespace rattleback::boundary {

class PathCost {
  public:
    PathCost(const Problem& problem, const std::string& method);
    // NaN where it cannot be computed. `inputs`: see inputs_of.
    double operator()(const Path& path, const std::function<std::vector<double>(double)>& inputs = {});

  private:
    double of_control(const Path& path, const std::function<std::vector<double>(double)>& inputs);
    double of_motion(const Path& path);

    bool is_control_;
    std::size_t coordinates_, hints_, parts_;
    double end_;
    std::vector<double> parameters_;
    NamedSystem system_; // the step with the cost as a coordinate, or what a node shows
    std::optional<SystemSolver<double>> solver_, terminal_;
};

} // namespace rattleback::boundary
