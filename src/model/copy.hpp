// Copies of a model to derive from, and what is derived from the model alone.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback {

// With its formulas in a graph of their own. Who derives from a model (gradients, equations of a method) does so in
// such a copy: the model itself is only read, so that threads may share it, and what is derived depends on its formulas
// alone.
Model deep_copy(const Model& model);
Model at_typical_values(const Model& model); // of its parameters, and at its typical start

// Where a run begins: scalars in order.
struct Start {
    quad t0 = 0;
    std::vector<quad> q0, v0, p0, z0;              // v0 or p0 is empty when the other is given
    std::vector<std::optional<quad>> z_given = {}; // general Hamiltonian: which components were given
    std::vector<quad> lambda0 = {};
    std::optional<double> step = {};
};

std::shared_ptr<const Start> start_of(const Model& model);

// d/dt of formulas of (t, q) along the motion: f_q v + f_t.
Vec rates_of(const Vec& f, const Model& model);

// <p, xi_Q(q)> of the symmetries, then of the sections.
std::vector<NamedFormula> momentum_maps(const Model& model);

} // namespace rattleback
