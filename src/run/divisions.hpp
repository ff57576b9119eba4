// Steps divide by what is steady and not small for typical parameters. Whether it is for others, too.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// A short step, whatever the run's: the order of solution is the model's.
constexpr double typical_step = 0.01;
// Of the step size and the parameters.
std::vector<double> typical_values(const Model& model);

class Divisions {
  public:
    Divisions(const Model& model, const Expr& h, std::vector<Division> divisions);
    // With typical values nothing is computed, with the first others formulas are added to the model's graph.
    bool usable(const std::vector<double>& parameters);

  private:
    std::shared_ptr<Graph> graph_;
    Vec parameters_;
    Expr h_;
    std::vector<double> typical_;
    std::vector<Division> divisions_;
    std::optional<SystemSolver<double>> values_; // of what is divided by and of what stands beside it
};

} // namespace rattleback
