// Which iteration finds the stages of a step, and what it leaves.
//
// iteration_tol: what the fixed-point iteration of stages may leave. By default it leaves nothing that adds up over 1e7
// steps, and a method keeps what its equations keep; with a tolerance it ends some iterations sooner, and each step
// keeps that to the tolerance only.
#pragma once

#include "scheme/common.hpp"

namespace rattleback {

// The option iteration of a method, as it was given or else as its scheme has it; "newton" of methods without it
// (compositions, whose base has one stage).
std::string iteration_of(const Method& method);

OptionInfo iteration_tol_option();
void check_iteration_tol(const Options& options); // throws BadMethod; src/run/stages.cpp reads it
// What a method claims with these options, of what it claims without a tolerance.
std::vector<Claim> kept_by_iterations(const Options& options, std::vector<Claim> claims);

} // namespace rattleback
