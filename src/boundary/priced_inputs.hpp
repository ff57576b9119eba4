// A singular problem with a small price of its inputs: a regular one, whose paths lead to those of the singular one.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback::boundary {

// price u^2/2 is added to the cost for every input that has no square in H.
Model with_priced_inputs(const Model& model, double price);

} // namespace rattleback::boundary
