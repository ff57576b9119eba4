// Whether an extremal is a minimum: conjugate points, and what the ends add.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/path.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {

struct SecondOrder {
    std::vector<double> conjugate; // times, in the path's own
    int at_end = 0;                // negative directions that the end adds
    bool is_judged = true;         // false: second derivatives were not found
    bool abnormal = false;         // the ends of neighbouring paths do not fill all directions: p is not determined
    std::optional<InputOptimality> inputs; // of a control problem, where it was looked at
    bool is_minimum() const { return is_judged && conjugate.empty() && at_end == 0 && (!inputs || inputs->holds()); }
};
// Where solver.newton(path) has just ended.
SecondOrder second_order(PathSolver& solver, const Problem& problem, const Path& path);

// Of holonomic constraints: a basis of the directions that they allow at a node, in columns.
Dense allowed_directions(const PathSolver& solver, const Path& path, std::size_t node);
// A tangent map of (q, p), row-major, between such directions.
std::vector<double> restricted(const double* A, const Dense& before, const Dense& after);

} // namespace rattleback::boundary
