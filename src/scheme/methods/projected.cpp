// A baseline: the classical Runge-Kutta method on the index-reduced equations, then the nearest positions with g = 0
// and the nearest velocities with phi = 0, in the kinetic metric (Hairer, Lubich and Wanner, IV.4). Constraints hold;
// nothing else does.
#include "scheme/common.hpp"

namespace rattleback {
namespace {

Step projected_step(const Nonholonomic& sys) {
    Step step = runge_kutta(sys.model, sys.stabilized(zeros_like(sys.phi)), classical_rk4()).step;
    const std::size_t n = sys.q.size();
    const Vec last_p = last_stage_momentum(step, sys);
    const Expr t1 = sys.t + step.h;
    const Vec x = concat({sys.q, sys.v}), free = x + step.increment;
    const Vec q_free = first_components(free, n), v_free = last_components(free, n);
    const Vec q1 = symbols_like(sys.graph, "next ", sys.q), v1 = symbols_like(sys.graph, "next ", sys.v);
    const Vec sigma = symbols_like(sys.graph, "shift along ", sys.g),
              nu = symbols_like(sys.graph, "shift along ", sys.phi);
    Point free_end{q_free, v_free, t1}, unprojected{q1, v_free, t1};
    if (!sys.has_lagrangian()) {
        if (!sys.g.empty()) free_end.p = find_momentum(step, sys, "free ", free_end, last_p);
        unprojected.p = find_momentum(step, sys, "unprojected ", unprojected, last_p);
    }
    const Vec reaction = substitute(sys.at(sys.reaction(sys.lambda), {q1, v1, t1}), {{sys.lambda, nu}});
    const Vec p_free = sys.at(sys.momentum(), unprojected);
    const Point end{q1, v1, t1, p_free - reaction};
    // The shifts may be nothing but round-off: beside q and v their increments have a scale.
    step.find.push_back({concat({q1, sigma}), concat({sys.q, zeros_like(sigma)})});
    step.find.push_back({concat({v1, nu}), concat({sys.v, zeros_like(nu)})});
    if (sys.g.empty()) {
        step.equations.push_back(q1 == q_free);
    } else { // M (q1 - q_free) = G^T sigma
        const Vec g = sys.at(sys.g, end);
        step.equations.push_back(
            sys.metric(free_end, q1 - q_free, sys.at(gradient(dot(sigma, sys.g), sys.q), free_end)));
        step.equations.push_back(g == zeros_like(g));
    }
    const Vec phi = sys.at(sys.phi, end);
    step.equations.push_back(sys.legendre(end));
    step.equations.push_back(phi == zeros_like(phi));
    step.increment = concat({q1, v1}) - x;
    carry_positions_and_velocities(step, sys, last_p);
    return step;
}

} // namespace

extern const Scheme projected_scheme;
const Scheme projected_scheme = {
    .id = "projected",
    .title = "classical Runge-Kutta method with projection on the constraints",
    .cite = "hairer2006",
    .takes = "holonomic and nonholonomic constraints",
    .options = {{"base", "rk4", "rk4"}},
    .order = [](const Options&) { return 4; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no},          {Property::constraint_exact, Answer::yes},
                {Property::holonomic_exact, Answer::yes},    {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::unknown}, {Property::momentum_exact, Answer::no},
                {Property::symmetric, Answer::no},           {Property::reversible, Answer::no}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        constexpr std::string_view bases[] = {"rk4"};
        o.word("base", "rk4", bases);
        if (!model.constrained()) throw Unsuitable("method 'projected' needs constraints to project on");
        const Nonholonomic sys(model);
        return {.id = "projected", .step = projected_step(sys), .order = 4};
    },
};

} // namespace rattleback
