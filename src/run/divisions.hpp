// Steps divide by what is steady and not small for typical parameters. Whether it is for others, too.
#pragma once

#include <mutex>

#include <rattleback/model.hpp>
#include <rattleback/solve.hpp>

namespace rattleback {

// A short step, whatever the run's: the order of solution is the model's.
constexpr double typical_step = 0.01;
// Of the step size and the parameters.
std::vector<double> typical_values(const Model& model);

class Divisions {
  public:
    // parameters, h: symbols of the system.
    Divisions(const CompiledSystem& system, const Vec& parameters, const Expr& h);
    bool usable(const std::vector<double>& parameters); // by one thread after the other

  private:
    std::vector<std::size_t> beside_; // of each divisor: how many values stand beside it
    std::mutex mutex_;
    std::optional<SystemSolver<double>> values_; // of what is divided by and of what stands beside it
};

} // namespace rattleback
