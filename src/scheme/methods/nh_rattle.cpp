// Nonholonomic RATTLE (Ferraro, Iglesias and Martin de Diego 2008), for L = T - V with constant M:
//     p_{1/2} = p0 - (h/2)(V_q(q0) + mu(q0)^T lambda0),     q1 = q0 + h M^-1 p_{1/2}
//     p1 = p_{1/2} - (h/2)(V_q(q1) + mu(q1)^T lambda1),     mu(q1) M^-1 p1 = 0
// It is the geometric nonholonomic integrator with the trapezoidal L_d = (h/2)(L(q0, w) + L(q1, w)), w = (q1 - q0)/h,
// which is also what every other regular L gets. Then p1 is the p_plus - (h/2) A^T lambda1 with phi(q1, v1) = 0, A =
// phi_v(q1, v1), p1 = L_v(q1, v1): a projection by M^-1 where M and A do not depend on v, a nonlinear equation for
// lambda1 elsewhere. A regular H has v1 = H_p(q1, p1), and L = P . w - H(q, P) at both ends of the step with w = H_p(q,
// P). A holonomic constraint has a multiplier of its own in the first line, fixed by g(q1) = 0.
#include "scheme/common.hpp"
#include "scheme/nonholonomic_leapfrog.hpp"

namespace rattleback {

extern const Scheme nh_rattle_scheme;
const Scheme nh_rattle_scheme = {
    .id = "nh_rattle",
    .title = "nonholonomic RATTLE",
    .cite = "ferraro2008",
    .takes = "nonholonomic, also with holonomic; any regular L or H",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) { return nonholonomic_leapfrog_claims(true); },
    .build = [](const Model& model, const Options&) -> Method {
        const Nonholonomic sys = nonholonomic(model, "nh_rattle");
        return {.id = "nh_rattle",
                .step = nonholonomic_leapfrog(sys, discrete_lagrangian(sys, "verlet", 0), true),
                .order = 2,
                .composes_to = 4};
    },
};

} // namespace rattleback
