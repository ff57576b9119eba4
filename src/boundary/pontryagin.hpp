// Whether the inputs of an extremal make H least (Pontryagin): H_uu is positive along the path (Legendre and Clebsch),
// and no inputs far away make H lower (Weierstrass). Both are looked at where the method has its inputs, at its stages.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/path.hpp"
#include "run/least_inputs.hpp"

namespace rattleback::boundary {

class MinimumPrinciple {
  public:
    explicit MinimumPrinciple(const Problem& problem); // of control

    // At no more than so many steps of the path, equally far apart.
    InputOptimality look(PathSolver& solver, const Path& path, std::size_t most_steps);
    // Inputs that make H least at the nodes, step by step; of the steps without a minimum those that are given.
    std::vector<double> least_inputs(const Path& path, const std::vector<double>& given);
    bool has_several_roots() const { return least_.has_value(); } // or may have

  private:
    struct Place {
        const double *q, *p, *u; // u: those that the method solves for
        double t;
    };
    void look_at(const Place& at, InputOptimality& to);

    const Problem& problem_;
    std::size_t n_, m_;                             // coordinates; inputs that methods solve for
    std::optional<SystemSolver<double>> curvature_; // H_uu
    std::optional<LeastInputs> least_;
    std::vector<double> parameters_;
    std::size_t rows_ = 0; // of H_uu
    bool is_constant_ = true;
    std::optional<std::pair<double, double>> last_; // time and eigenvalue at the last place
};

} // namespace rattleback::boundary
