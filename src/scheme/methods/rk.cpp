// Any Runge-Kutta method, its coefficients from a file: A, b and c as numbers or formulas. What it preserves follows
// from them: it is symplectic when b_i a_ij + b_j a_ji = b_i b_j (Sanz-Serna 1988), symmetric when
// a_{s+1-i,s+1-j} + a_ij = b_j for some order of the stages.
#include "scheme/common.hpp"
#include "scheme/tableau.hpp"
#include "scheme/tableau_file.hpp"

namespace rattleback {

using enum Condition;

namespace {

Tableau tableau_of(const Options& o) {
    if (!o.has("tableau")) throw BadMethod("method 'rk' needs tableau=FILE");
    return read_tableau(o.word("tableau", ""));
}
bool small(quad defect) { return defect < static_cast<quad>(1e-14); }

} // namespace

extern const Scheme rk_scheme;
const Scheme rk_scheme = {
    .id = "rk",
    .title = "Runge-Kutta method of a given tableau",
    .cite = "sanzserna1988",
    .takes = "unconstrained, variational, J z' = grad H of index 1",
    .options = {{"tableau", "", "a TOML file with A = [[...]], b = [...] and perhaps c = [...]"}},
    .order = [](const Options& o) { return o.has("tableau") ? order_of(tableau_of(o)) : 0; },
    .claims = [](const Options& o) -> std::vector<Claim> {
        if (!o.has("tableau"))
            return {{Property::symplectic, Answer::unknown, {depends_on_tableau}},
                    {Property::symmetric, Answer::unknown, {depends_on_tableau}}};
        const Tableau t = tableau_of(o);
        const Answer symplectic = small(symplectic_defect(t)) ? Answer::yes : Answer::no;
        const Answer symmetric = small(symmetry_defect(t)) ? Answer::yes : Answer::no;
        return {{Property::symplectic, symplectic, {no_forces}},
                {Property::constraint_exact, Answer::yes}, // of constraints inside the action
                {Property::constraint_at_stages, Answer::yes},
                {Property::energy_bounded,
                 symplectic == Answer::yes ? Answer::yes : Answer::unknown,
                 {no_forces, no_time, small_steps}},
                {Property::momentum_exact, symplectic, {generator_affine, no_forces_along_it}},
                {Property::symmetric, symmetric},
                {Property::reversible, symmetric, {H_even_in_p, forces_even_in_v, no_time}}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        require_no_multipliers_but_variational(model, "rk");
        const Tableau t = tableau_of(o);
        return {.id = "rk", .step = runge_kutta_step(model, t), .order = order_of(t)};
    },
};

} // namespace rattleback
