// A path as one system of equations: of every step and of both ends. Newton's method for all of it at once, with the
// damping of Deuflhard (Newton Methods for Nonlinear Problems, 2004, section 3.3): a step of Newton's method is cut as
// long as the next one, with the same matrix, would not be shorter. That test does not depend on units, nor on how the
// equations are written.
#pragma once

#include <functional>

#include "boundary/linear_path.hpp"
#include "boundary/problem.hpp"

namespace rattleback::boundary {

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
    std::size_t unknowns() const { return step_.unknowns(); }
    int parts() const { return static_cast<int>(formulas_.method.substeps.size()); } // of a step of the user's
    void set_time(double time) { time_ = time; } // of a periodic path: what is known of its period
    void use_machine_code() { step_.use_machine_code(); }
    // Shooting: between the first nodes of so many pieces of a path, newton() takes step after step. 0: it does not.
    void shoot(std::size_t pieces) { pieces_ = pieces; }

    // A path of so many steps through x(time), where time goes from 0 to 1; with charts, their centres come after x.
    // `inputs`: with which unknown inputs begin, where there are any.
    using Curve = std::function<void(double, double*)>;
    Path path(std::size_t steps, const Curve& x, const std::function<std::vector<double>(double)>& inputs = {});
    // `cutoff`: of the conditions at the end, singular values below it count as 0. A path that is one of a family has
    // one that is noise; to a larger cutoff it is none, and Newton's method takes the nearest of the family.
    NewtonOutcome newton(Path& path, int most_iterations, const volatile int* interrupt = nullptr,
                         double cutoff = 1e-13);
    // dx_{k+1} = A dx_k of step k, where newton() ended or close to it, row-major.
    const double* tangent(std::size_t k) const { return linear_.tangent(k); }
    // Of a control problem, what the steps of the path cost that newton() ended with; without a terminal cost.
    double running_cost() const { return linear_.cost(); }
    // At each stage of step k: q, p, t and the inputs that the method solves for; empty: they are not known.
    const std::vector<double>& stages(const Path& p, std::size_t k) {
        return step_.stages({p.node(k), p.y.data() + k * unknowns(), &p.t[k], &p.h[k], 1, p.centre(k)});
    }
    EndEquations& from() { return from_; }
    EndEquations& to() { return to_; }
    const std::shared_ptr<Charts>& charts() const { return charts_; }

  private:
    bool evaluate_ends(const Path& path, PathEnds& to);
    PathEnds closed(const Path& path, const PathEnds& ends) const;
    void weigh(const Path& path);
    void weigh_charts(const Path& path);
    std::vector<double> node_weights() const;
    // |a - factor b|, in units of the sizes of each coordinate and costate along the path.
    double apart(const PathIncrement& a, const PathIncrement& b, double factor) const;
    double size(const PathIncrement& d) const { return apart(d, d, 0); }
    double scale() const; // of the path
    double scale_of_momenta() const;
    double residual_of_momenta(const PathEnds& ends) const;
    // The values of the ends of a path; of shooting, with all its steps taken. False: not finite.
    bool prepare(Path& path, PathEnds& ends);
    NewtonOutcome& finish(NewtonOutcome& out, const PathIncrement& last, Path& path);

    Formulas formulas_;
    StepEquations step_;
    EndEquations from_, to_;
    double t0_, time_;
    bool periodic_, free_period_;
    std::shared_ptr<Charts> charts_;
    std::size_t pieces_ = 0;
    LinearPath linear_;
    std::vector<double> weights_;
    // Kept between calls: of 100,000 steps they are many pages.
    PathIncrement increment_, simplified_;
    Path trial_;
};

// A method on a model, as formulas; throws Unsuitable where it carries more than (q, p), or something else.
Formulas canonical_formulas(const Model& model, const std::string& method);

// The one asked for; empty: the model's, where it carries (q, p), else one that needs few steps.
std::string suitable_method(const Model& model, const Problem& problem, const std::string& asked);

} // namespace rattleback::boundary
