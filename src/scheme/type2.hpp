// Generating functions of type II (de Leon, Martin de Diego and Santamaria 2004b, section 3). L and Gamma, or H, are
// sampled at places q_i = (1 - c_i) q0 + c_i q1 between the ends of a step, all with one costate l:
//     l . (q1 - q0) - h sum w_i H(q_i, l, u_i)   is stationary in l and u_i,   p1 dq1 - p0 dq0 is what it changes by
// so that   q1 = q0 + h sum w_i H_p,   l = p0 - h sum (1 - c_i) w_i H_q,   p1 = p0 - h sum w_i H_q,   sum w_i H_u = 0.
// With c = 0 that is S_2(q0, p1) = p1 . q0 + h H(q0, p1). Of a control problem they are the necessary conditions of the
// discrete problem: sum of h L_d is least with q1 = q0 + h Gamma_d.
#pragma once

#include "scheme/common.hpp"

namespace rattleback {

struct QuadratureNode {
    quad at, weight; // at: 0 for q0, 1 for q1
};
using Quadrature = std::vector<QuadratureNode>;

struct Sampling {
    Quadrature cost, dynamics; // the same, or one input serves the whole step
    bool one_input = false;    // in place of one at each node
    bool symmetric() const;    // its own mirror image
};
Quadrature quadrature_of(const std::string& word, quad alpha); // left, right, midpoint, trapezoid, alpha

Method type2_method(const std::string& id, const Model& model, const Sampling& sampling);
std::vector<Claim> type2_claims(bool symmetric);

} // namespace rattleback
