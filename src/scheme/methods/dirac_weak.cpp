// The weak Dirac form (Leimkuhler and Reich 1994, (30)-(31)): q' = H_p + psi_p^T eta, p' = -H_q - G^T mu - psi_q^T eta.
// g, psi and H are strong invariants, so Gauss collocation keeps to round-off those that are quadratic: distance
// constraints at any order, without projection. It is not symplectic. With alpha, g' = alpha g: residuals decay where
// it is negative. Where g is quadratic and the metric constant, one more Newton step for g = 0, psi = 0 along
// (psi_p^T e, -G^T m - psi_q^T e) takes back what rounding leaves (correct=no: does not). For phase constraints, q' and
// p' of H + mu . phi with mu such that no phi changes.
#include "expr/graph.hpp"
#include "scheme/dirac_family.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view yes_or_no[] = {"yes", "no"};

bool keeps_constraints(const Dirac& sys) { // g'' and H_pp are constant
    const Vec u = symbols_like(sys.graph, "any ", sys.q), w = symbols_like(sys.graph, "any other ", sys.q);
    const Vec second = derivative_along(derivative_along(sys.g, sys.q, u), sys.q, w);
    const Vec metric = derivative_along(gradient(sys.H, sys.p), sys.p, u),
              x = concat({sys.q, sys.p, sys.model.time_vec()});
    return jacobian(second, x).empty() && jacobian(metric, x).empty();
}

void correct(const Dirac& sys, const Options& o, Step& step) {
    const bool exact = keeps_constraints(sys) && alpha_of(o) == 0;
    if (o.word("correct", "yes", yes_or_no) == "no") return;
    if (o.has("correct") && !exact)
        throw Unsuitable(
            "option correct=yes needs quadratic constraints, a constant metric and alpha = 0: elsewhere it "
            "would take back more than round-off");
    if (!exact) return;
    const Vec x = concat({sys.q, sys.p}), c = concat({sys.g, sys.psi});
    const Vec m = symbols_like(sys.graph, "correction of ", sys.g),
              e = symbols_like(sys.graph, "correction of ", sys.psi);
    const Expr part = dot(m, sys.g) + dot(e, sys.psi);
    const Vec direction = sys.field(part);
    const auto end = [&](const Vec& f) {
        return substitute(f, {{x, x + step.increment}, {sys.model.time_vec(), Vec({{"t", sys.t + step.h}})}});
    };
    step.find.push_back({concat({m, e}), {}});
    step.equations.push_back(end(c + derivative_along(c, x, direction)) == zeros_like(c));
    step.increment = step.increment + end(direction);
}

} // namespace

extern const Scheme dirac_weak_scheme;
const Scheme dirac_weak_scheme =
    dirac_scheme_of("dirac_weak", "Gauss collocation on the weak Dirac form",
                    {.holonomic = [](const Dirac& sys, quad alpha) { return sys.weak(alpha); },
                     .phase = [](const DiracChain& chain) { return chain.weak(); },
                     .finish = correct,
                     .more = {{"correct", "yes", "no: leave round-off in quadratic constraints as it is"}}},
                    [](const Options& o) -> std::vector<Claim> {
                        const Answer kept = alpha_of(o) == 0 ? Answer::yes : Answer::unknown;
                        const Answer even = alpha_of(o) == 0 ? Answer::yes : Answer::no;
                        return {{Property::symplectic, Answer::no},
                                {Property::holonomic_exact, kept, {g_quadratic, constant_metric}},
                                {Property::energy_exact, kept, {H_quadratic, no_time}},
                                {Property::energy_bounded, Answer::unknown},
                                {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
                                {Property::symmetric, Answer::yes},
                                {Property::reversible, even, {L_even_in_v, forces_even_in_v, no_time}}};
                    });

} // namespace rattleback
