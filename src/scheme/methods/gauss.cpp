// Gauss collocation: J K_i = grad H(Z_i), Z_i = z + h sum_j a_ij K_j, z_next = z + h sum_i b_i K_i, c_i the zeros of
// the Legendre polynomial of degree s (Hairer, Lubich and Wanner, II.1.3). Where J is singular the multipliers are
// solved with the stages, and at the node from H_lambda = 0 (McLachlan, Modin, Verdier and Wilkins 2014, Prop. 4).
#include "scheme/iteration.hpp"

namespace rattleback {

using enum Condition;

extern const Scheme gauss_scheme;
const Scheme gauss_scheme = {
    .id = "gauss",
    .title = "Gauss collocation",
    .cite = "butcher1964",
    .takes = "unconstrained, variational, J z' = grad H of index 1",
    .options = {{"stages", "1", "1 to 16; the order is twice as high"}, iteration_option(), iteration_tol_option()},
    .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 16); },
    .claims = [](const Options& o) -> std::vector<Claim> {
        return kept_by_iterations(o, {{Property::symplectic, Answer::yes, {no_forces}},
                                      {Property::constraint_exact, Answer::yes}, // of constraints inside the action
                                      {Property::constraint_at_stages, Answer::yes},
                                      {Property::energy_exact, Answer::yes, {H_quadratic, no_forces, no_time}},
                                      {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
                                      {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                                      {Property::symmetric, Answer::yes},
                                      {Property::reversible, Answer::yes, {H_even_in_p, forces_even_in_v, no_time}}});
    },
    .build = [](const Model& model, const Options& o) -> Method {
        require_no_multipliers_but_variational(model, "gauss");
        const int s = o.integer("stages", 1, 1, 16);
        Step step = runge_kutta_step(model, gauss(s));
        choose_iteration(step, o), check_iteration_tol(o);
        return {.id = "gauss", .step = std::move(step), .order = 2 * s};
    },
};

} // namespace rattleback
