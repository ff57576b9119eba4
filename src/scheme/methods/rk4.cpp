// The classical Runge-Kutta method of order 4 on (q, v), v' from d/dt L_v = L_q + F - A^T lambda; on (q, p) for a
// Hamiltonian or variational constraints. A baseline: it preserves nothing, and drifts off constraints.
#include "scheme/common.hpp"

namespace rattleback {

using enum Condition;

extern const Scheme rk4_scheme;
const Scheme rk4_scheme = {
    .id = "rk4",
    .title = "classical Runge-Kutta method",
    .cite = "kutta1901",
    .takes = "any model but phase constraints",
    .options = {},
    .order = [](const Options&) { return 4; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::no},
                {Property::momentum_exact, Answer::yes, {momentum_linear, no_forces_along_it}},
                {Property::symmetric, Answer::no},
                {Property::reversible, Answer::no}};
    },
    .build = [](const Model& model, const Options&) -> Method {
        return {.id = "rk4", .step = index_reduced_step(model, classical_rk4()), .order = 4};
    },
};

} // namespace rattleback
