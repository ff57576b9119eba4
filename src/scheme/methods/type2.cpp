// Generating functions of type II with quadratures of one's own choice. As it is, H is taken at (q0, p1): for a control
// problem these are the necessary conditions of the discrete problem of Example 3.4: sum of h L(q_k, u_k) is least with
// q_{k+1} = q_k + h Gamma(q_k, u_k).
#include "scheme/type2.hpp"

namespace rattleback {
namespace {

constexpr std::string_view rules[] = {"left", "right", "midpoint", "trapezoid", "alpha"};
constexpr std::string_view places_of_inputs[] = {"points", "step"};

Sampling sampling_of(const Options& o) {
    const std::string both = o.word("quadrature", "left", rules), cost = o.word("cost", both, rules),
                      dynamics = o.word("dynamics", both, rules);
    if (o.has("quadrature") && o.has("cost") && o.has("dynamics"))
        throw BadMethod("option quadrature=" + both + " has no effect beside cost and dynamics; leave it out");
    if (o.has("alpha") && cost != "alpha" && dynamics != "alpha")
        throw BadMethod("option alpha has an effect with quadrature=alpha only");
    if (!o.has("alpha") && (cost == "alpha" || dynamics == "alpha"))
        throw BadMethod("quadrature=alpha needs alpha, the place in the step: 0 for its beginning, 1 for its end");
    const bool apart = cost != dynamics;
    const std::string inputs = o.word("inputs", apart ? "step" : "points", places_of_inputs);
    if (apart && inputs == "points")
        throw BadMethod("inputs=points needs the same quadrature for cost and dynamics: an input at a place where "
                        "only one of them is taken would not connect them");
    const quad alpha = o.number("alpha", 0);
    return {quadrature_of(cost, alpha), quadrature_of(dynamics, alpha), inputs == "step"};
}

} // namespace

extern const Scheme type2_scheme;
const Scheme type2_scheme = {
    .id = "type2",
    .title = "generating functions of type II",
    .cite = "deleon2004b",
    .takes = "Hamiltonians, control problems",
    .options = {{"quadrature", "left", "of H, or of cost and dynamics: left, right, midpoint, trapezoid, alpha"},
                {"alpha", "", "for quadrature=alpha: the place in the step, from 0 (left) to 1 (right)"},
                {"cost", "quadrature", "of the cost of [control], another one; likewise"},
                {"dynamics", "quadrature", "of the dynamics of [control], another one; likewise"},
                {"inputs", "points", "points: each place has its own; step: one for all, as where quadratures differ"}},
    .order = [](const Options& o) { return sampling_of(o).symmetric() ? 2 : 1; },
    .claims = [](const Options& o) { return type2_claims(sampling_of(o).symmetric()); },
    .build = [](const Model& model, const Options& o) -> Method {
        return type2_method("type2", model, sampling_of(o));
    },
};

} // namespace rattleback
