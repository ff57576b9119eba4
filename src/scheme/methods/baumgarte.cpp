// Baumgarte's stabilization (1972), a baseline: the multiplier is such that phi' + 2 alpha phi = 0 and
// g'' + 2 alpha g' + beta^2 g = 0, where alpha, beta > 0 are guessed; integrated by the classical Runge-Kutta method.
#include "scheme/common.hpp"

namespace rattleback {
namespace {

Step baumgarte_step(const Nonholonomic& sys, quad alpha, quad beta) {
    Vec pull = Expr(2 * alpha) * sys.phi; // phi: velocity constraints, then g'
    for (std::size_t i = 0; i < sys.g.size(); ++i) {
        Expr& last = pull[pull.size() - sys.g.size() + i].value;
        last = last + Expr(beta * beta) * sys.g[i].value;
    }
    Step step = runge_kutta(sys.model, sys.stabilized(pull), classical_rk4()).step;
    carry_positions_and_velocities(step, sys, last_stage_momentum(step, sys));
    return step;
}

} // namespace

extern const Scheme baumgarte_scheme;
const Scheme baumgarte_scheme = {
    .id = "baumgarte",
    .title = "Baumgarte stabilization with the classical Runge-Kutta method",
    .cite = "baumgarte1972",
    .takes = "holonomic and nonholonomic constraints",
    .options = {{"alpha", "5", "phi' + 2 alpha phi = 0, g'' + 2 alpha g' + beta^2 g = 0"},
                {"beta", "5", "as above; alpha = beta is critical damping"}},
    .order = [](const Options&) { return 4; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no},      {Property::constraint_exact, Answer::no},
                {Property::holonomic_exact, Answer::no}, {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::no},  {Property::momentum_exact, Answer::no},
                {Property::symmetric, Answer::no},       {Property::reversible, Answer::no}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        if (!model.constrained()) throw Unsuitable("method 'baumgarte' needs constraints to stabilize");
        return {.id = "baumgarte",
                .step = baumgarte_step(Nonholonomic(model), o.number("alpha", 5), o.number("beta", 5)),
                .order = 4};
    },
};

} // namespace rattleback
