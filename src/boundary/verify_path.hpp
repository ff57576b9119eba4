// What a method promises of paths between two ends, measured on a model with [boundary]: that cost, path and costates
// converge with its order, that H is constant along the path with that order, where time does not enter, and that all
// steps together are symplectic.
#pragma once

#include <rattleback/boundary.hpp>
#include <rattleback/evidence.hpp>

namespace rattleback::boundary {

struct PathVerification {
    Model model; // begins where the best path begins, with its costates, where it had no [initial]
    std::vector<MeasuredClaim> claims;
};
// Whether a model has paths for this: fixed ends or free ones, no bounds, not periodic.
bool has_paths(const Model& model);
// Throws BadRun where no path is found. `claimed`: the order; none: the method's.
PathVerification verify_path(const Model& model, const std::string& method, const volatile int* interrupt = nullptr,
                             std::optional<int> claimed = {});

// How far the product M of the tangent maps of all steps is from symplectic: |M^T J M - J| / |M|^2. None: with
// holonomic constraints, and where Newton's method does not come back to the path.
std::optional<double> path_defect(const Model& model, const std::string& method, const Solution& found);

} // namespace rattleback::boundary
