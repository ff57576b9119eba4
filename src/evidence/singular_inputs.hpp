// Inputs of a control problem that H_u = 0 does not contain: the chain of constraints that determines them.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback {

// Name and text of each fact: the sets P_0, P_1, ... of Gotay and Nester, the inputs on the last one, Kelley's
// condition.
std::vector<std::pair<std::string, std::string>> singular_input_facts(const Model& model);

// Whether H_uu has a direction at the start in which it is not positive: then inputs from H_u = 0 do not make H least.
bool violates_legendre(const Model& model);

} // namespace rattleback
