#include "scheme/dirac_family.hpp"

#include "formulation/general_hamiltonian.hpp"
#include "scheme/iteration.hpp"

namespace rattleback {

using enum Condition;

namespace {

// J z' = grad H with momenta pi of the kernel: they are carried, and the form has them beside z.
void carry_kernel_momenta(Step& step, const DiracChain& chain) {
    const GeneralHamiltonian sys(chain.model);
    const Vec pi = last_components(chain.w, sys.y.size());
    step.start = concat({chain.model.z, zeros_like(pi)});
    step.z = chain.model.z;
    const auto [a, b] = sys.form();
    step.form = {{substitute(a, {{sys.x, sys.x_of_z()}}), sys.x_of_z()}};
    if (!pi.empty()) step.form.push_back({sys.y_of_z(), pi});
}

// q' of the motion, in which multipliers take part: H_p alone is not tangent to the constraints.
void show_velocities(Step& step, const Model& model, const FirstOrder& motion) {
    step.node_find = {{model.v, {}}};
    step.node_equations = {model.v == first_components(motion.rate, model.q.size())};
    if (motion.y.empty()) return;
    step.node_find.push_back({motion.y, {}});
    step.node_equations.insert(step.node_equations.end(), motion.algebraic.begin(), motion.algebraic.end());
}

Step phase_step(const Model& model, const std::string& id, const DiracEquations& equations, const Options& o,
                const Tableau& tableau) {
    if (!equations.phase) throw Unsuitable("method '" + id + "' takes no phase constraints; dirac and dirac_weak do");
    if (o.has("alpha")) throw Unsuitable("option alpha is for holonomic constraints; this model has phase constraints");
    const DiracChain chain(model);
    if (!chain.off_start.empty()) throw Unsuitable(chain.off_start);
    const FirstOrder motion = equations.phase(chain);
    Step step = runge_kutta(model, motion, tableau).step;
    if (model.kind == Model::general)
        carry_kernel_momenta(step, chain);
    else
        carry_positions_and_momenta(step, Mechanics(model), {});
    if (model.kind == Model::hamiltonian) show_velocities(step, model, motion);
    return step;
}

Step holonomic_step(const Model& model, const std::string& id, const DiracEquations& equations, const Options& o,
                    const Tableau& tableau) {
    holonomic(model, id);
    const Dirac sys(model);
    Step step = runge_kutta(model, equations.holonomic(sys, o), tableau).step;
    if (equations.finish) equations.finish(sys, o, step);
    carry_positions_and_momenta(step, Nonholonomic(model), {});
    return step;
}

} // namespace

quad alpha_of(const Options& o) { return o.number("alpha", 0); }

std::vector<Claim> hamiltonian_claims(const Options& o) {
    const Answer even = alpha_of(o) == 0 ? Answer::yes : Answer::no; // alpha g . psi changes its sign with p
    return {{Property::symplectic, Answer::yes},
            {Property::holonomic_exact, Answer::no},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::unknown},
            {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
            {Property::symmetric, Answer::yes},
            {Property::reversible, even, {L_even_in_v, forces_even_in_v, no_time, phase_even_or_odd}}};
}

Scheme dirac_scheme_of(const std::string& id, const std::string& title, const DiracEquations& equations,
                       std::function<std::vector<Claim>(const Options&)> claims) {
    std::vector<OptionInfo> options = {{"stages", "1", "1 to 16; the order is twice as high"}};
    if (equations.takes_alpha) options.push_back({"alpha", "0", "adds alpha g to what determines eta (section 3.2)"});
    options.insert(options.end(), equations.more.begin(), equations.more.end());
    options.push_back(iteration_option());
    options.push_back(iteration_tol_option());
    return {.id = id,
            .title = title,
            .cite = "leimkuhler1994",
            .takes = equations.phase
                         ? "holonomic or phase, no forces; H, or L quadratic in velocities; J z' = grad H of any index"
                         : "holonomic, no forces; H, or L quadratic in velocities",
            .options = options,
            .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 16); },
            .claims = [=](const Options& o) { return kept_by_iterations(o, claims(o)); },
            .build = [=](const Model& model, const Options& o) -> Method {
                const int s = o.integer("stages", 1, 1, 16);
                const bool phase = model.kind == Model::general || !model.phase.empty();
                Step step = phase ? phase_step(model, id, equations, o, gauss(s))
                                  : holonomic_step(model, id, equations, o, gauss(s));
                choose_iteration(step, o), check_iteration_tol(o);
                return {.id = id, .step = std::move(step), .order = 2 * s};
            }};
}

} // namespace rattleback
