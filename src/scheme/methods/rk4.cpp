// The classical Runge-Kutta method of order 4 on (q, v), v' from d/dt L_v = L_q + F; on (q, p) for a Hamiltonian.
// A baseline: it preserves nothing.
#include "scheme/operators.hpp"

namespace rattleback {

extern const Scheme rk4_scheme;
const Scheme rk4_scheme = {
    .id = "rk4",
    .title = "classical Runge-Kutta method",
    .cite = "kutta1901",
    .takes = "unconstrained, J z' = grad H of index 1",
    .options = {},
    .order = [](const Options&) { return 4; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no, ""},
                {Property::energy_exact, Answer::no, ""},
                {Property::energy_bounded, Answer::no, ""},
                {Property::momentum_exact, Answer::yes, "momentum linear in the state, no forces along it"},
                {Property::symmetric, Answer::no, ""},
                {Property::reversible, Answer::no, ""}};
    },
    .build = [](const Model& model, const Options&) -> Method {
        require_unconstrained(model, "rk4");
        if (model.kind != Model::lagrangian)
            return {.id = "rk4", .step = runge_kutta_step(model, classical_rk4()), .order = 4};
        const Mechanics mechanics(model);
        Step step = runge_kutta(model, mechanics.second_order(), classical_rk4()).step;
        carry_positions_and_velocities(step, mechanics);
        return {.id = "rk4", .step = std::move(step), .order = 4};
    },
};

} // namespace rattleback
