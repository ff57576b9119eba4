// The symplectic Euler method (Hairer, Lubich and Wanner 2006, VI (3.1)): explicit in one of q and p, implicit in the
// other. In terms of the velocity V = (q1 - q0)/h it is the discrete Lagrangian h L(q_a, V), q_a one end of the step:
//     first=p:  p1 = L_v(q0, V) = p0 + h L_q(q0, V)        the kick, then the drift with the new momentum
//     first=q:  p0 = L_v(q1, V),  p1 = p0 + h L_q(q1, V)   the drift with the old momentum, then the kick
// Of order 1; each is the adjoint of the other, and their composition with h/2 is the Verlet method.
#include "scheme/common.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view firsts[] = {"p", "q"};

}

extern const Scheme symplectic_euler_scheme;
const Scheme symplectic_euler_scheme = {
    .id = "symplectic_euler",
    .title = "symplectic Euler method",
    .cite = "hairer2006",
    .takes = "unconstrained",
    .options = {{"first", "p", "p or q: which of them is advanced first"}},
    .order = [](const Options&) { return 1; },
    .claims = [](const Options& o) -> std::vector<Claim> {
        o.word("first", "p", firsts);
        return {{Property::symplectic, Answer::yes, {no_forces}},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                {Property::symmetric, Answer::no},
                {Property::reversible, Answer::no}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        require_unconstrained(model, "symplectic_euler");
        const Mechanics mechanics(model);
        const quad where = o.word("first", "p", firsts) == "p" ? 0 : 1;
        return {.id = "symplectic_euler",
                .step = del_step(mechanics, discrete_lagrangian(mechanics, "alpha", where, 1)),
                .order = 1};
    },
};

} // namespace rattleback
