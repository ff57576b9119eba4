// The standard underlying ODE (Leimkuhler and Reich 1994, (3), (6)): q' = H_p, p' = -H_q - G^T mu with mu from the
// second derivative of g = 0; Gauss collocation. project=yes then moves q along M^-1 G^T onto g = 0 and p along G^T
// onto G v = 0.
#include "scheme/iteration.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view yes_or_no[] = {"yes", "no"};

Step underlying_step(const Nonholonomic& sys, int stages, bool project) {
    Step step = runge_kutta(sys.model, sys.canonical(), gauss(stages)).step;
    if (project) {
        const std::size_t n = sys.q.size();
        const Vec last_v = sys.has_lagrangian() // among v, a, lambda; of a Hamiltonian a formula
                               ? first_components(last_components(step.hint, 2 * n + sys.lambda.size()), n)
                               : zeros_like(sys.v);
        const Vec free = concat({sys.q, sys.p}) + step.increment;
        const Vec q_free = first_components(free, n), p_free = last_components(free, n);
        const Vec q1 = symbols_like(sys.graph, "next ", sys.q), v1 = symbols_like(sys.graph, "next ", sys.v),
                  dq = q1 - q_free;
        const Vec sigma = symbols_like(sys.graph, "shift along ", sys.g),
                  nu = symbols_like(sys.graph, "next ", sys.lambda);
        const Vec normal = gradient(dot(sigma, sys.g), sys.q);
        const Vec dp = substitute(sys.at(sys.reaction(sys.lambda), {q1, v1, sys.t + step.h}), {{sys.lambda, nu}});
        const Point end{q1, v1, sys.t + step.h, p_free + dp};
        const Vec g = sys.at(sys.g, end), phi = sys.at(sys.phi, end);
        // The shifts may be nothing but round-off: beside q and v their increments have a scale.
        step.find.push_back({concat({q1, sigma}), concat({sys.q, zeros_like(sigma)})});
        step.find.push_back({concat({v1, nu}), concat({last_v, zeros_like(nu)})});
        step.equations.push_back(sys.metric(end, dq, sys.at(normal, end)));
        step.equations.push_back(g == zeros_like(g));
        step.equations.push_back(sys.legendre(end));
        step.equations.push_back(phi == zeros_like(phi));
        step.increment = step.increment + concat({dq, dp});
    }
    carry_positions_and_momenta(step, sys, {});
    return step;
}

bool is_projected(const Options& o) { return o.word("project", "no", yes_or_no) == "yes"; }

} // namespace

extern const Scheme underlying_scheme;
const Scheme underlying_scheme = {
    .id = "underlying",
    .title = "Gauss collocation on the underlying ODE",
    .cite = "leimkuhler1994",
    .takes = "holonomic",
    .options = {{"stages", "1", "1 to 16; the order is twice as high"},
                {"project", "no", "yes: project on the constraints after each step"},
                iteration_option(),
                iteration_tol_option()},
    .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 16); },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const Answer kept = is_projected(o) ? Answer::yes : Answer::no,
                     even = is_projected(o) ? Answer::no : Answer::yes;
        return kept_by_iterations(o, {{Property::symplectic, Answer::no},
                                      {Property::holonomic_exact, kept},
                                      {Property::energy_exact, Answer::no},
                                      {Property::energy_bounded, Answer::unknown},
                                      {Property::momentum_exact, even, {generator_affine, no_forces_along_it}},
                                      {Property::symmetric, even},
                                      {Property::reversible, even, {L_even_in_v, forces_even_in_v, no_time}}});
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = holonomic(model, "underlying");
        if (sys.g.empty()) throw Unsuitable("method 'underlying' needs holonomic constraints; try gauss");
        const int s = o.integer("stages", 1, 1, 16);
        Step step = underlying_step(sys, s, is_projected(o));
        choose_iteration(step, o), check_iteration_tol(o);
        return {.id = "underlying", .step = std::move(step), .order = 2 * s};
    },
};

} // namespace rattleback
