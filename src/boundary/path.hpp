// A path as one system of equations: of every step and of both ends. Newton's method for all of it at once, with the
// damping of Deuflhard (Newton Methods for Nonlinear Problems, 2004, section 3.3): a step of Newton's method is cut as
// long as the next one, with the same matrix, would not be shorter. That test does not depend on units, nor on how the
// equations are written.
#pragma once

#include <functional>

#include "boundary/block_system.hpp"
#include "boundary/end_rows.hpp"
#include "boundary/problem.hpp"
#include "boundary/step_equations.hpp"

namespace rattleback::boundary {

// States at the nodes, unknowns inside the steps, multipliers of the sets at both ends.
struct Path {
    std::vector<double> t, h; // where each step begins, and its size: steps of a composition are parts of the user's
    std::vector<double> x, y; // node by node, step by step
    std::vector<double> nu_from, nu_to;
    std::size_t steps() const { return h.size(); }
    std::size_t states() const { return x.size() / (h.size() + 1); }
    const double* node(std::size_t k) const { return x.data() + k * states(); }
};

struct NewtonOutcome {
    enum Status { converged, stalled, singular, not_finite, too_many, interrupted } status = too_many;
    int iterations = 0;
    double increment = 0;   // the last, relative to the size of the path
    double residual = 0;    // the largest of all equations
    bool deficient = false; // the conditions at the end do not determine all multipliers
};

class PathSolver {
  public:
    PathSolver(const Problem& problem, const std::string& method);

    const Formulas& formulas() const { return formulas_; }
    std::size_t states() const { return step_.states(); }
    int parts() const { return static_cast<int>(formulas_.method.substeps.size()); } // of a step of the user's
    void use_machine_code() { step_.use_machine_code(); }

    // A path of so many steps through x(time), where time goes from 0 to 1.
    // `inputs`: with which unknown inputs begin, where there are any.
    using Curve = std::function<void(double, double*)>;
    Path path(std::size_t steps, const Curve& x, const std::function<std::vector<double>(double)>& inputs = {});
    // `cutoff`: of the conditions at the end, singular values below it count as 0. A path that is one of a family has
    // one that is noise; to a larger cutoff it is none, and Newton's method takes the nearest of the family.
    NewtonOutcome newton(Path& path, int most_iterations, const volatile int* interrupt = nullptr,
                         double cutoff = 1e-13);
    // dx_{k+1} = A dx_k of step k, where newton() ended, row-major.
    const double* tangent(std::size_t k) const { return &tangents_[k * states() * states()]; }
    EndEquations& from() { return from_; }
    EndEquations& to() { return to_; }

  private:
    struct Values { // of all equations at a path
        std::vector<double> steps, defects;
        PathEnds ends;
    };
    struct Increment {
        std::vector<double> x, y, nu_from, nu_to;
    };
    bool evaluate(const Path& path, Values& values);
    bool factor(const Path& path, const Values& values);
    // dx_{k+1} = A dx_k + b, without the unknowns inside.
    void condense(std::size_t k, const Values& values, const Values& factored, double* b);
    // With the derivatives that factor() has seen last.
    bool find_increment(const Values& values, const Values& factored, Increment& to);
    void weigh(const Path& path);
    double size(const Increment& d) const;
    double scale() const; // of the path
    static double largest(const Values& values);

    Formulas formulas_;
    StepEquations step_;
    EndEquations from_, to_;
    double t0_, time_;
    std::optional<BlockSystem> blocks_;
    std::vector<double> lu_, inside_, tangents_, inside_rhs_;
    std::vector<int> order_;
    StartRows start_;
    std::vector<double> weight_x_, weight_y_;
    bool deficient_ = false;
    double cutoff_ = 0;
};

} // namespace rattleback::boundary
