// Generating functions for nonholonomic mechanics (de Leon, Martin de Diego and Santamaria 2004, section 4):
//     -D1 S(q0, q1) + alpha_0 = p0,     p1 = D2 S(q0, q1) - alpha_1,     S = h L((1-a) q0 + a q1, (q1-q0)/h)
//     alpha_0 = (1-a) h Lambda, alpha_1 = a h Lambda,   Lambda = phi_v^T lambda at that point
// ld=galerkin is Remark 4.1: S of higher order, with the reactions at its quadrature points.
#include "scheme/generating_function.hpp"

namespace rattleback {

extern const Scheme gf_scheme;
const Scheme gf_scheme =
    generating_function_scheme("gf", "generating functions of nonholonomic mechanics", false, false);

} // namespace rattleback
