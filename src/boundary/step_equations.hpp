// One step of a method as equations between its ends, none of them solved: with unknowns y inside the step,
//     F(x, y) = 0,     x_next = x + D(x, y)
// and all derivatives. Newton's method on a whole path takes these.
#pragma once

#include <memory>
#include <vector>

#include "run/compiled.hpp"
#include "run/step_code.hpp"
#include "solve/implicit.hpp"

namespace rattleback::boundary {

class StepEquations {
  public:
    explicit StepEquations(const Formulas& formulas);

    std::size_t states() const { return states_; }
    std::size_t unknowns() const { return unknowns_; }
    void use_machine_code(); // where it can be had

    // F, D, then F_y, F_x, D_y, D_x, row-major, in one array: where each begins.
    struct Places {
        std::size_t F, D, F_y, F_x, D_y, D_x, end;
    };
    const Places& places() const { return places_; }
    // False: something is not finite there.
    bool evaluate(const double* x, const double* y, double t, double h, double* out);
    // The unknowns of a step from x: as Newton's method finds them, else where it would begin. `hint`: values for all
    // groups of the method's hint that are as large, such as inputs; empty: 0.
    void find_unknowns(const double* x, double t, double h, const std::vector<double>& hint, double* y);

  private:
    void give(SystemSolver<double>& to, const double* x, double t, double h,
              const std::vector<double>& hint = {}) const;
    bool run_code();

    std::size_t states_ = 0, unknowns_ = 0, hints_ = 0;
    std::vector<double> parameters_;
    Places places_ = {};
    std::vector<std::size_t> where_;                    // of every result, in `out`
    std::shared_ptr<const CompiledSystem> derivatives_; // F, D, and the nonzeros of their derivatives
    std::optional<SystemSolver<double>> derive_, find_, guess_;
    std::shared_ptr<const StepCode> code_;
    std::vector<double> results_;
};

} // namespace rattleback::boundary
