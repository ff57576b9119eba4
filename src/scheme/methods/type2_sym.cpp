// Half a step of type2, then half a step of its adjoint: L and Gamma by the trapezoidal rule, with inputs at both ends.
//     p_h = p0 - (h/2) H_q(q0, p_h),   q_h = q0 + (h/2) H_p(q0, p_h)
//     q1 = q_h + (h/2) H_p(q1, p_h),   p1 = p_h - (h/2) H_q(q1, p_h)
#include "scheme/type2.hpp"

namespace rattleback {

extern const Scheme type2_sym_scheme;
const Scheme type2_sym_scheme = {
    .id = "type2_sym",
    .title = "generating function of type II, symmetric",
    .cite = "deleon2004b",
    .takes = "Hamiltonians, control problems",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) { return type2_claims(true); },
    .build = [](const Model& model, const Options&) -> Method {
        const Quadrature rule = quadrature_of("trapezoid", 0);
        return type2_method("type2_sym", model, {rule, rule, false});
    },
};

} // namespace rattleback
