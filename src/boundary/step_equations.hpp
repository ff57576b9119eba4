// One step of a method as equations between its ends, none of them solved: with unknowns y inside the step,
//     F(x, y) = 0,     x_next = x + D(x, y),     and what the step costs, C(x, y)
// and all derivatives of F and D. Newton's method on a whole path takes these, several steps side by side.
#pragma once

#include <memory>
#include <vector>

#include "boundary/charts.hpp"
#include "run/compiled.hpp"
#include "run/step_code.hpp"
#include "solve/implicit.hpp"

namespace rattleback::boundary {

class StepEquations {
  public:
    // With `with_cost`, the last coordinate of the model is the cost so far, which is no part of x. `by_step_size`:
    // with the derivatives by h, too.
    StepEquations(const Formulas& formulas, bool with_cost, bool by_step_size = false,
                  std::shared_ptr<const Charts> charts = nullptr);

    static constexpr std::size_t lanes = 8; // steps that machine code evaluates side by side
    std::size_t states() const { return states_; }
    std::size_t unknowns() const { return unknowns_; }
    void use_machine_code(); // where it can be had

    // Where each begins in the values of a step; the residuals are F, D and C, the derivatives are row-major. F_h and
    // D_h are there where they were asked for.
    struct Places {
        std::size_t F, D, C, F_y, F_x, D_y, D_x, F_h, D_h, end;
    };
    const Places& places() const { return places_; }
    // `count` steps, at most `lanes`, that follow each other: nodes x, unknowns y, times t, sizes h. The values of step
    // i begin at i * places().end, those of residuals at i * (places().C + 1); they hold until the next call. None:
    // something is not finite there.
    struct Steps {
        const double *x, *y, *t, *h;
        std::size_t count;
        const double* centre = nullptr; // of the charts, node by node
    };
    const double* residuals(const Steps& steps) { return evaluate(residuals_, steps); }
    const double* derivatives(const Steps& steps) { return evaluate(derivatives_, steps); }
    // At each stage of a step: q, p, t and the inputs that the method solves for. Empty: its stages are not known.
    const std::vector<double>& stages(const Steps& one);
    std::size_t stage_count() const { return stage_count_; }
    // The unknowns of a step from x: as Newton's method finds them, else where it would begin. `hint`: the
    // inputs that the method solves for, one after the other, at all stages alike; empty: 0.
    void find_unknowns(const double* x, double t, double h, const std::vector<double>& hint, double* y,
                       const double* centre = nullptr);
    // Where Newton's method would begin.
    bool guess_unknowns(const double* x, double t, double h, double* y, const double* centre = nullptr);

  private:
    struct Functions { // a program, on the tape and in machine code
        std::shared_ptr<const CompiledSystem> system;
        std::optional<SystemSolver<double>> tape;
        std::shared_ptr<const StepCode> code;
        std::vector<double> given, results; // [place][lane]
        std::vector<std::size_t> where;     // of every result, in the values of a step
        std::vector<double> values;
        std::size_t width = 0; // of a step's values
    };
    void prepare(Functions& f, const System& system, const Vec& results, std::size_t width);
    void make_code(Functions& f) const;
    const double* evaluate(Functions& f, const Steps& steps) const;
    bool run_tape(Functions& f, const Steps& steps) const;
    bool run_code(Functions& f, const Steps& steps) const;
    void give(SystemSolver<double>& to, const double* x, double t, double h, const double* centre,
              const std::vector<double>& hint = {}) const;

    std::size_t states_ = 0, unknowns_ = 0, hints_ = 0, stage_count_ = 0;
    std::vector<std::optional<std::size_t>> inputs_in_hint_;
    std::vector<double> stage_values_;
    std::optional<SystemSolver<double>> stages_;
    std::vector<double> parameters_; // the last of them are centres
    std::shared_ptr<const Charts> charts_;
    std::size_t centres_ = 0; // numbers of both ends of a step
    Places places_ = {};
    Functions residuals_, derivatives_;
    std::optional<SystemSolver<double>> find_, guess_;
};

} // namespace rattleback::boundary
