#include "scheme/dirac_family.hpp"

namespace rattleback {

using enum Condition;

namespace {

Step phase_step(const Model& model, const std::string& id, const DiracEquations& equations, const Options& o,
                const Tableau& tableau) {
    if (!equations.phase) throw Unsuitable("method '" + id + "' takes no phase constraints; dirac and dirac_weak do");
    if (o.has("alpha")) throw Unsuitable("option alpha is for holonomic constraints; this model has phase constraints");
    const DiracChain chain(model);
    if (!chain.off_start.empty()) throw Unsuitable(chain.off_start);
    Step step = runge_kutta(model, equations.phase(chain), tableau).step;
    carry_positions_and_momenta(step, static_cast<const Mechanics&>(chain), {});
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
            {Property::reversible, even, {L_even_in_v, forces_even_in_v, no_time}}};
}

Scheme dirac_scheme_of(const std::string& id, const std::string& title, const DiracEquations& equations,
                       std::function<std::vector<Claim>(const Options&)> claims) {
    std::vector<OptionInfo> options = {{"stages", "1", "1 to 10; the order is twice as high"}};
    if (equations.takes_alpha) options.push_back({"alpha", "0", "adds alpha g to what determines eta (section 3.2)"});
    options.insert(options.end(), equations.more.begin(), equations.more.end());
    return {.id = id,
            .title = title,
            .cite = "leimkuhler1994",
            .takes = equations.phase ? "holonomic or phase, no forces; H, or L quadratic in velocities"
                                     : "holonomic, no forces; H, or L quadratic in velocities",
            .options = options,
            .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 10); },
            .claims = std::move(claims),
            .build = [=](const Model& model, const Options& o) -> Method {
                const int s = o.integer("stages", 1, 1, 10);
                if (model.kind != Model::general && !model.phase.empty())
                    return {.id = id, .step = phase_step(model, id, equations, o, gauss(s)), .order = 2 * s};
                holonomic(model, id);
                const Dirac sys(model);
                Step step = runge_kutta(model, equations.holonomic(sys, o), gauss(s)).step;
                if (equations.finish) equations.finish(sys, o, step);
                carry_positions_and_momenta(step, Nonholonomic(model), {});
                return {.id = id, .step = std::move(step), .order = 2 * s};
            }};
}

} // namespace rattleback
