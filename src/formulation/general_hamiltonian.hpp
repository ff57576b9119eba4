// J z' = grad H(z) as a first-order system.
#pragma once

#include <rattleback/formulation.hpp>

namespace rattleback {

// J z' = grad H(z) with any constant antisymmetric J. Coordinates are split linearly, z = R x + N y, where N spans the
// kernel of J: x carries the dynamics, y follows from N^T grad H = 0 (index 1).
struct GeneralHamiltonian {
    explicit GeneralHamiltonian(const Model& model);

    const Model& model;
    std::vector<int> chosen;  // coordinates that make up x; J restricted to them is regular
    std::vector<quad> kernel; // N, row-major, z.size() rows
    int rank() const { return static_cast<int>(chosen.size()); }
    int nullity() const { return model.z.count() - rank(); }
    Vec x, y;                           // leaves
    Vec z() const;                      // R x + N y
    Vec multiplier_equations() const;   // N^T grad H(z), of the model's z
    Vec x_of_z() const, y_of_z() const; // the split of the model's z
    std::vector<quad> inverse() const;  // of R^T J R, row-major
    std::pair<Vec, Vec> form() const;   // (a, b) with da ^ db = dz ^ J dz / 2, of x
    FirstOrder first_order() const;
};

} // namespace rattleback
