// Runge-Kutta coefficients: computed, never typed.
#pragma once

#include <rattleback/scheme.hpp>

namespace rattleback {

struct Tableau {
    std::vector<std::vector<quad>> a;
    std::vector<quad> b, c;
    int stages() const { return static_cast<int>(b.size()); }
};

Tableau gauss(int stages);     // collocation at the zeros of the Legendre polynomial
Tableau lobatto_a(int stages); // Lobatto IIIA: collocation at the zeros of x (x - 1) P'_{s-1}, both ends among them
Tableau symplectic_partner(const Tableau& t); // b_i a^_ij + b_j a_ji = b_i b_j; of Lobatto IIIA it is IIIB
Tableau classical_rk4();

quad symplectic_defect(const Tableau& t);        // largest |b_i a_ij + b_j a_ji - b_i b_j|
quad symmetry_defect(const Tableau& t);          // largest |a_{P(i)P(j)} + a_ij - b_j|, P the best pairing of stages
int order_of(const Tableau& t, int at_most = 8); // by the order conditions of all rooted trees

std::vector<quad> lagrange_basis(const std::vector<quad>& nodes, quad x); // values at x

} // namespace rattleback
