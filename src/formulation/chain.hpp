// Dirac's algorithm on a model: constraints of (t, q, p), holonomic and phase (Leimkuhler and Reich 1994, section 3.1),
// or of z beside any constant J (McLachlan, Modin, Verdier and Wilkins 2014, sections 2 and 7).
#pragma once

#include "formulation/constraint_algorithm.hpp"

namespace rattleback {

std::vector<double> time_and_parameters(const Model& model); // at the start

// w = (q, p), or (z, pi): J z' = grad H + phi_z^T mu says nothing about z' along the kernel N of J, and asks for N^T
// (grad H + phi_z^T mu) = 0. Both is what momenta pi with primary constraints pi = 0 say, pi conjugate to the part of z
// in the kernel: then the bracket is regular, and the rest of the presymplectic algorithm is Dirac's.
struct DiracChain : ConstraintAlgorithm {
    explicit DiracChain(const Model& model); // throws Unsuitable, also where constraints contradict each other

    const Model& model;
};

} // namespace rattleback
