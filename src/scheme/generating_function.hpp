// The generating-function family of de Leon, Martin de Diego and Santamaria (2004), shared by gf, gf_sym and their
// projected forms.
#pragma once

#include "scheme/common.hpp"

namespace rattleback {

//   -D1 S(q0, q1) + alpha_0 = p0,  p1 = D2 S(q0, q1) - alpha_1
// alpha = the reaction A^T lambda at the quadrature points of S, as virtual work; lambda is the continuous multiplier
// at (Q, W), no use being made of the constraint. `project`: p1 is then moved along A^T until phi(q1, v1) = 0.
Step generating_function_step(const Nonholonomic& system, const DiscreteLagrangian& S, bool project);

// The box before 5.1: alpha_0 and alpha_1 in D^0 at their own ends, A(q0)^T and A(q1)^T in place of A at Q. What acts
// at q1 is taken off by the projection there, so that alpha_1 drops out.
Step geometric_step(const Nonholonomic& system, const DiscreteLagrangian& S);

Scheme generating_function_scheme(const std::string& id, const std::string& title, bool symmetric, bool project);

} // namespace rattleback
