// Generating functions of type II (de Leon, Martin de Diego and Santamaria 2004b, section 3):
//     S_2(q0, p1) = p1 . q0 + h H(q0, p1),     q1 = q0 + h H_p(q0, p1),     p0 = p1 + h H_q(q0, p1)
#pragma once

#include "scheme/common.hpp"

namespace rattleback {

Mechanics hamiltonian_only(const Model& model, const std::string& method); // throws Unsuitable
std::vector<Claim> type2_claims(bool symmetric);
void require_inputs(Step& step, const Mechanics& sys, const Vec& U, const Vec& H_u); // H_u = 0 there determines U

} // namespace rattleback
