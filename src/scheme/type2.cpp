#include "scheme/type2.hpp"

namespace rattleback {

using enum Condition;

Mechanics hamiltonian_only(const Model& model, const std::string& method) {
    require_unconstrained(model, method);
    if (model.kind != Model::hamiltonian)
        throw Unsuitable("method '" + method +
                         "' takes Hamiltonians of q and p, and control problems; try del or gauss");
    return Mechanics(model);
}

std::vector<Claim> type2_claims(bool symmetric) {
    const Answer answer = symmetric ? Answer::yes : Answer::no;
    return {{Property::symplectic, Answer::yes, {no_forces}},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
            {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
            {Property::symmetric, answer},
            {Property::reversible, answer, {H_even_in_p, forces_even_in_v, no_time}}};
}

void require_inputs(Step& step, const Mechanics& sys, const Vec& U, const Vec& H_u) {
    if (sys.u.empty()) return;
    find_from_last(step, U, zeros_like(U));
    step.equations.push_back(H_u == zeros_like(U));
}

} // namespace rattleback
