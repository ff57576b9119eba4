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

// Inputs of a control problem that have no square in H, by their places: they stand for themselves among the model's
// inputs, and its phase constraints are H_u = 0, in this order.
std::vector<std::size_t> singular_inputs(const Model& model);
// The model with a start at which the chain of a control problem can be decided by numbers: its own, where that will
// do, else a place between its ends. Throws Unsuitable where none is found, or no chain determines all inputs.
Model with_start_for_chain(const Model& model);
// Of a control problem, inputs without a square in H: what the chain of H_u = 0 says they are, put into the model.
// Throws Unsuitable where it leaves some open.
void put_in_singular_inputs(Model& model);

} // namespace rattleback
