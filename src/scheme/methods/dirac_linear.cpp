// The linear special case (Leimkuhler and Reich 1994, section 3): for g linear in q, H taken at the nearest q with g =
// 0,
//     q' = p,   p' = -(I - H) F_q((I - H) q)
// in the paper's words (M = I, H the projector on the normals). It is Hamiltonian, and the velocity across the
// constraints is constant: g grows with what round-off makes of it. Gauss collocation.
#include "scheme/dirac_family.hpp"

namespace rattleback {

using enum Condition;

extern const Scheme dirac_linear_scheme;
const Scheme dirac_linear_scheme = dirac_scheme_of(
    "dirac_linear", "Gauss collocation on the Hamiltonian of linear constraints",
    {.holonomic = [](const Dirac& sys, const Options&) { return sys.hamiltonian(sys.linear()); }, .takes_alpha = false},
    [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::yes},
                {Property::holonomic_exact, Answer::yes},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                {Property::momentum_exact, Answer::unknown},
                {Property::symmetric, Answer::yes},
                {Property::reversible, Answer::yes, {L_even_in_v, forces_even_in_v, no_time}}};
    });

} // namespace rattleback
