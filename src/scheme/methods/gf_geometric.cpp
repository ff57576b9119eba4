// The geometric nonholonomic integrator of generating functions (de Leon, Martin de Diego and Santamaria 2004, the box
// before 5.1):
//     P(q1)(D2 S(q0, q1) + D1 S(q1, q2)) = 0,     phi~(q1, q2) = Psi(q1, -D1 S(q1, q2) + alpha_0(q1, q2)) = 0
// with S = h L((1-a) q0 + a q1, (q1-q0)/h). P acts on covectors and leaves n - m equations; phi~ gives the others. The
// force is chosen in D^0 at its own end, alpha_0 = (1-a) h A(q1)^T lambda with the continuous multiplier at that point.
// Horizontal momenta do not see such forces at all. Where A depends on v, it is taken at the velocities that belong to
// the momenta of both ends.
#include "scheme/common.hpp"
#include "scheme/discrete_table.hpp"
#include "scheme/generating_function.hpp"

namespace rattleback {

using enum Condition;

namespace {

quad alpha_of(const Options& o) { return o.number("alpha", static_cast<quad>(1) / 2); }
bool is_given(const Options& o) {
    const std::vector<std::string_view> allowed{"alpha", "model"};
    return o.word("ld", "alpha", allowed) == "model";
}
int order_of(const Options& o) { return !is_given(o) && alpha_of(o) == static_cast<quad>(1) / 2 ? 2 : 1; }

} // namespace

extern const Scheme gf_geometric_scheme;
const Scheme gf_geometric_scheme = {
    .id = "gf_geometric",
    .title = "generating functions, forces in the constraint's annihilator at both ends",
    .cite = "deleon2004",
    .takes = "nonholonomic, any regular L or H",
    .options = {{"alpha", "1/2", "where in the step L and the multiplier are taken"},
                {"ld", "alpha", "alpha, or model: [discrete] of the model"}},
    .order = [](const Options& o) { return order_of(o); },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const std::vector<Claim> claims{
            {Property::symplectic, Answer::no},
            {Property::constraint_exact, Answer::yes},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::unknown},
            {Property::momentum_exact, Answer::yes, {horizontal_symmetry, generator_affine, no_forces_along_it}},
            {Property::symmetric, Answer::no},
            {Property::reversible, Answer::no}};
        return is_given(o) ? claims_of_given(claims) : claims;
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = nonholonomic(model, "gf_geometric");
        if (!model.holonomic.empty())
            throw Unsuitable("method 'gf_geometric' takes velocity constraints only; nh_rattle and nh_gauss take "
                             "holonomic ones beside them");
        require_effect(o, "alpha", "model", !is_given(o), "ld=alpha");
        const DiscreteLagrangian S =
            is_given(o) ? given_lagrangian(sys) : discrete_lagrangian(sys, "alpha", alpha_of(o));
        return {.id = "gf_geometric", .step = geometric_step(sys, S), .order = S.order};
    },
};

} // namespace rattleback
