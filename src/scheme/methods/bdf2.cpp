// BDF-2 on the equations as they stand (index 3 for holonomic constraints), a baseline that loses energy (Gear 1971):
//     (3/2) y1 - 2 y0 + (1/2) y_{-1} = h f(y1, lambda1),     g(q1) = 0, phi(q1, v1) = 0
// The first step is backward Euler. In increments d = y1 - y0: d = (w/3) d_before + (1 - w/3) h f, w = 0 first, then 1.
#include <rattleback/operators.hpp>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

Step bdf2_step(const Nonholonomic& sys) {
    const Expr h = step_size(sys.model), t = sys.t;
    const Vec y = concat({sys.q, sys.p}), before = symbols_like(sys.graph, "last increment of ", zero_border(y));
    const Vec w({{"steps so far", sys.graph.symbol("steps so far")}}); // 0, then 1
    Step step{.graph = sys.model.graph, .state = concat({y, before, w}), .h = h, .t = t};
    const Vec V = symbols_like(sys.graph, "next ", sys.v), P = symbols_like(sys.graph, "next ", sys.p);
    const Vec Q = symbols_like(sys.graph, "next ", sys.q), Lambda = symbols_like(sys.graph, "next ", sys.lambda);
    const auto end = [&](const Vec& f) {
        return substitute(
            f, {{sys.q, Q}, {sys.p, P}, {sys.v, V}, {sys.lambda, Lambda}, {sys.model.time_vec(), Vec({{"t", t + h}})}});
    };
    const Expr third = w[0].value / 3;
    const Vec f = concat({V, end(sys.applied() - sys.reaction(sys.lambda))});
    const Vec d = third * before + ((1 - third) * h) * f;
    step.find.push_back({concat({Q, P}), y});
    step.equations.push_back(concat({Q, P}) == y + d);
    find_from_last(step, V, sys.v);
    for (const Equation& e : sys.legendre()) step.equations.push_back(end(e.lhs) == end(e.rhs));
    if (!sys.phi.empty()) {
        const Vec constraints = concat({end(first_components(sys.phi, sys.phi.size() - sys.g.size())), end(sys.g)});
        find_from_last(step, Lambda, zeros_like(Lambda));
        step.equations.push_back(constraints == zeros_like(constraints));
    }
    step.increment = concat({d, d - before, Vec({{"w", 1 - w[0].value}})});
    const Vec guess = first_components(step.hint, sys.q.size());
    carry_positions_and_momenta(step, sys, guess);
    step.start = concat({y, zeros_like(before), Vec({{"w", Expr(0)}})});
    step.reverse = {};
    return step;
}

} // namespace

extern const Scheme bdf2_scheme;
const Scheme bdf2_scheme = {
    .id = "bdf2",
    .title = "backward differentiation formula of order 2",
    .cite = "gear1971",
    .takes = "unconstrained, holonomic, nonholonomic",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::no},
                {Property::constraint_exact, Answer::yes},
                {Property::holonomic_exact, Answer::unknown},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::no},
                {Property::momentum_exact, Answer::no},
                {Property::symmetric, Answer::no},
                {Property::reversible, Answer::unknown}};
    },
    .build = [](const Model& model, const Options&) -> Method {
        if (is_variational(model)) throw Unsuitable("method 'bdf2' takes no variational constraints");
        return {.id = "bdf2", .step = bdf2_step(Nonholonomic(model)), .order = 2};
    },
};

} // namespace rattleback
