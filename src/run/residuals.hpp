// What a model says must vanish, wherever it is looked at.
#pragma once

#include <rattleback/formulation.hpp>

namespace rattleback {

struct Residuals {
    Vec velocity;  // of (t, q, v), or of z
    Vec phase;     // of (t, q, p)
    Vec holonomic; // of (t, q)
};
Residuals constraint_residuals(const Model& model); // constraints, or H_lambda of a singular structure

} // namespace rattleback
