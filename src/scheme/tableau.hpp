// What is known of a tableau: its order, and what it keeps.
#pragma once

#include <rattleback/operators.hpp>

namespace rattleback {

quad symplectic_defect(const Tableau& t);        // largest |b_i a_ij + b_j a_ji - b_i b_j|
quad symmetry_defect(const Tableau& t);          // largest |a_{P(i)P(j)} + a_ij - b_j|, P the best pairing of stages
int order_of(const Tableau& t, int at_most = 8); // by the order conditions of all rooted trees

std::vector<quad> lagrange_basis(const std::vector<quad>& nodes, quad x); // values at x

} // namespace rattleback
