// The second variation of a singular path. Inputs without a square in H make impulses that cost nothing, so that what a
// variation of the state is along their directions does not matter (Goh 1966). What is left are the variations in the
// last set P_f, with the form dq ^ dp there; those that only such directions move take the place of dq = 0. In a
// basis (xi, eta) of these, xi what matters and eta its momenta, conjugate points are counted as usual.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/focal.hpp"
#include "boundary/last_set.hpp"

namespace rattleback::boundary {

struct ReducedVariations {
    Variations v;
    std::vector<std::vector<double>> tangents; // (xi, eta) of node k to that of node k + 1
};
// Of the path with which solver.newton() has just ended. None: the constraints that impulses move it by do not commute,
// or something is not finite.
std::optional<ReducedVariations> reduced_variations(PathSolver& solver, const Problem& problem, const Path& path);

// {H_u, {H_u, H}} along a path, of longer chains its generalization (Kelley, Kopp and Moyer 1967).
KelleyCondition kelley_condition(const Problem& problem, const Path& path, std::size_t most_places);

} // namespace rattleback::boundary
