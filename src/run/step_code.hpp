// Machine code for the steps of a method.
#pragma once

#include <rattleback/run.hpp>

#include "code/engine.hpp"
#include "code/step.hpp"

namespace rattleback {

// Steps of a method as compiled lines, with all that a call needs besides the members' data.
class StepCode {
  public:
    // Operations up to which a whole step is compiled: beyond, it stays on the tape.
    static constexpr std::size_t budget = 5000;

    code::Shape shape;
    std::shared_ptr<const code::Native> native;
    long long newton_blocks = 0; // Newton solves of a step

    long long run(double* const* arrays, long long steps) const {
        return native->entry()(arrays, steps, code::function_table());
    }
};

struct StepCodeResult {
    std::shared_ptr<const StepCode> code; // empty: see why_not
    std::string why_not, warning;
};
// A system solved in machine code; `run` with one step.
StepCodeResult make_solve_code(const CompiledSystem& system);
StepCodeResult make_step_code(const Method& method, const CompiledSystem& system, std::size_t parameters,
                              const code::Shape& shape, bool quick = false);

// When the steps of a method begin, and how long they are: t0 + k h, and the parts of h of a composition.
class StepTimes {
  public:
    StepTimes(const Method& method, double t0, double h);
    long long parts() const { return static_cast<long long>(fraction_.size()); }
    double of_step(long long step) const { return t0_ + static_cast<double>(step) * h_; }
    void at(long long part, double& t, double& size) const; // part = step * parts() + place in the step
    void fill(long long first, long long count, double* times, double* sizes) const;

  private:
    double t0_, h_;
    std::vector<double> fraction_, at_;
};

} // namespace rattleback
