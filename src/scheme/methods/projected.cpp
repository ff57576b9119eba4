// A baseline: the classical Runge-Kutta method on the index-reduced equations, then the nearest positions with g = 0
// and the nearest velocities with phi = 0, in the kinetic metric (Hairer, Lubich and Wanner, IV.4). Constraints hold;
// nothing else does.
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

Step projected_step(const Nonholonomic& sys) {
    Step step = runge_kutta(sys.model, sys.second_order(), classical_rk4()).step;
    const Expr t1 = sys.t + step.h;
    const Vec x = concat({sys.q, sys.v}), free = x + step.increment;
    const Vec q_free = first_components(free, sys.q.size()), v_free = last_components(free, sys.q.size());
    const Vec q1 = symbols_like(sys.graph, "next ", sys.q), v1 = symbols_like(sys.graph, "next ", sys.v);
    const Vec sigma = symbols_like(sys.graph, "shift along ", sys.g),
              nu = symbols_like(sys.graph, "shift along ", sys.phi);
    const Point end{q1, v1, t1}, unprojected{q1, v_free, t1};
    // The shifts may be nothing but round-off: beside q and v their increments have a scale.
    step.find.push_back({concat({q1, sigma}), concat({sys.q, zeros_like(sigma)})});
    step.find.push_back({concat({v1, nu}), concat({sys.v, zeros_like(nu)})});
    if (sys.g.empty()) {
        step.equations.push_back(q1 == q_free);
    } else { // M (q1 - q_free) = G^T sigma
        const Vec g = sys.at(sys.g, end);
        step.equations.push_back(sys.metric({q_free, v_free, t1}, q1 - q_free) ==
                                 sys.at(gradient(dot(sigma, sys.g), sys.q), {q_free, v_free, t1}));
        step.equations.push_back(g == zeros_like(g));
    }
    const Vec phi = sys.at(sys.phi, end);
    step.equations.push_back(sys.at(sys.momentum(), end) ==
                             sys.at(sys.momentum(), unprojected) -
                                 substitute(sys.at(sys.reaction(sys.lambda), end), {{sys.lambda, nu}}));
    step.equations.push_back(phi == zeros_like(phi));
    step.increment = concat({q1, v1}) - x;
    carry_positions_and_velocities(step, sys);
    return step;
}

} // namespace

extern const Scheme projected_scheme;
const Scheme projected_scheme = {
    .id = "projected",
    .title = "classical Runge-Kutta method with projection on the constraints",
    .cite = "hairer2006",
    .takes = "holonomic and nonholonomic constraints, Lagrangians",
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
        if (!sys.has_lagrangian()) throw Unsuitable("method 'projected' needs a Lagrangian, for its metric");
        return {.id = "projected", .step = projected_step(sys), .order = 4};
    },
};

} // namespace rattleback
