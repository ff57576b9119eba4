// Discrete Euler-Lagrange equations, in position-momentum form (Marsden and West 2001, 2.6):
//     p0 = -D1 L_d(q0, q1) - F_d^-,     p1 = D2 L_d(q0, q1) + F_d^+
// The unknowns are the slopes W_i of the discrete Lagrangian, q1 = q0 + h sum b_i W_i, so that q and p advance by
// increments and no difference of nearby numbers is formed.
#include "scheme/operators.hpp"

namespace rattleback {
namespace {

Step del_step(const Mechanics& sys, const DiscreteLagrangian& Ld) {
    const Expr h = step_size(sys.model), t = sys.t;
    const std::size_t s = Ld.slopes.size();
    Vec dq = zeros_like(sys.q);
    for (std::size_t i = 0; i < s; ++i) dq = dq + (h * Expr(Ld.weights[i])) * Ld.slopes[i];
    const Vec q1 = sys.q + dq;
    const auto here = [&](const Vec& f) { return substitute(f, {{Ld.q0, sys.q}, {Ld.q1, q1}}); };

    const Vec force = here(Ld.total_force);
    const Vec A_q0 = here(gradient(Ld.action, Ld.q0)), A_q1 = here(gradient(Ld.action, Ld.q1));

    Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = t};
    for (std::size_t i = 0; i < s; ++i) {
        const Vec hint = symbols_like(sys.graph, "last ", Ld.slopes[i]);
        const Vec A_W = here(gradient(Ld.action, Ld.slopes[i]));
        step.find.push_back({Ld.slopes[i], hint});
        step.equations.push_back(A_W / (h * Expr(Ld.weights[i])) + here(Ld.force_along[i]) - A_q0 - force == sys.p);
        step.hint = concat({step.hint, hint});
        step.next_hint = concat({step.next_hint, Ld.slopes[i]});
        step.start_hint = concat({step.start_hint, sys.v});
    }
    step.increment = concat({dq, A_q0 + A_q1 + force});
    Vec guess;
    for (std::size_t i = 0; i < sys.q.size(); ++i) guess.push_back(step.hint[step.hint.size() - sys.q.size() + i]);
    carry_positions_and_momenta(step, sys, guess);
    return step;
}

} // namespace

extern const Scheme del_scheme;
const Scheme del_scheme = {
    .id = "del",
    .title = "discrete Euler-Lagrange equations",
    .cite = "marsden2001",
    .takes = "unconstrained Lagrangians",
    .options = {{"ld", "midpoint", "midpoint, alpha, sym_alpha, verlet or galerkin"},
                {"alpha", "1/2", "for ld=alpha; 0 for ld=sym_alpha"},
                {"stages", "2", "for ld=galerkin, 1 to 10: the order is twice as high"}},
    .order =
        [](const Options& o) {
            const std::string ld = o.word("ld", "midpoint", discrete_lagrangians);
            if (ld == "galerkin") return 2 * o.integer("stages", 2, 1, 10);
            return ld == "alpha" && o.number("alpha", 0.5) != static_cast<quad>(0.5) ? 1 : 2;
        },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const bool symmetric =
            !(o.word("ld", "midpoint") == "alpha" && o.number("alpha", 0.5) != static_cast<quad>(0.5));
        const Answer answer = symmetric ? Answer::yes : Answer::no;
        return {{Property::symplectic, Answer::yes, "no forces"},
                {Property::energy_exact, Answer::no, ""},
                {Property::energy_bounded, Answer::yes, "no forces, no time, small steps"},
                {Property::momentum_exact, Answer::yes, "generator affine in q, no forces along it"},
                {Property::symmetric, answer, ""},
                {Property::reversible, answer, "L even in v, forces even in v, no time"}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        require_unconstrained(model, "del");
        const Mechanics mechanics(model);
        const DiscreteLagrangian Ld = discrete_lagrangian(mechanics, o);
        return {.id = "del", .step = del_step(mechanics, Ld), .order = Ld.order};
    },
};

} // namespace rattleback
