// Whether an extremal is a minimum: conjugate points, and what the ends add.
#pragma once

#include "boundary/path.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {

struct SecondOrder {
    std::vector<double> conjugate;    // times, in the path's own
    int at_end = 0;                   // negative directions that the end adds
    bool abnormal = false;            // the ends of neighbouring paths do not fill all directions: p is not determined
    std::optional<double> not_convex; // where H_uu is not positive definite
    bool is_minimum() const { return conjugate.empty() && at_end == 0 && !not_convex; }
};
// Where solver.newton(path) has just ended.
SecondOrder second_order(PathSolver& solver, const Problem& problem, const Path& path);

// Of holonomic constraints: a basis of the directions that they allow at a node, in columns.
Dense allowed_directions(const PathSolver& solver, const Path& path, std::size_t node);
// A tangent map of (q, p), row-major, between such directions.
std::vector<double> restricted(const double* A, const Dense& before, const Dense& after);

} // namespace rattleback::boundary
