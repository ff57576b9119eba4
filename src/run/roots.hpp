// The solutions of H_lambda = 0 of a structure with a kernel: whether there is one near the start, and which others.
#pragma once

#include "formulation/general_hamiltonian.hpp"
#include "run/initial.hpp"

namespace rattleback {

// Whether H_lambda = 0 has one solution near the data, there and for other values of the remaining variables nearby. It
// has where H_lambda_lambda is regular; and also, for example, at l = 0 of l^3 = x.
bool has_one_solution_nearby(const GeneralHamiltonian& sys, const InitialData<double>& at);

// Components of z that were left out follow from H_lambda = 0. Says which values they have and which others they might
// have, in words; empty: no others were found.
std::string other_roots(const Model& model, const std::vector<double>& z);

} // namespace rattleback
