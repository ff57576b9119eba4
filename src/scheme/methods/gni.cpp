// GNI, the geometric nonholonomic integrator (Ferraro, Iglesias and Martin de Diego 2008):
//     D1 L_d(q1, q2) + (P* - Q*)|_{q1} D2 L_d(q0, q1) = 0
// P, Q: the metric's projectors onto the constraint distribution and its complement. In other words: there is a node
// momentum p = L_v(q1, v1) with phi(q1, v1) = 0, halfway between D2 L_d(q0, q1) = p + (h/2) A^T lambda and
// -D1 L_d(q1, q2) = p - (h/2) A^T lambda, A = phi_v(q1, v1). So written it takes any regular L and any phi; a regular H
// has L = p . v - H with v = H_p at the points of L_d and at the node. It carries a parasitic mode that alternates in
// Q* p_minus and can grow (on the Chaplygin sleigh like exp(m a V/(I + m a^2) t)).
#include "scheme/common.hpp"
#include "scheme/nonholonomic_leapfrog.hpp"

namespace rattleback {
namespace {

constexpr std::string_view starts[] = {"smooth", "plain"};

bool is_symmetric(const Options& o) {
    return o.word("ld", "midpoint", discrete_lagrangians) != "alpha" ||
           o.number("alpha", 0.5) == static_cast<quad>(0.5);
}
bool is_given(const Options& o) { return o.word("ld", "midpoint") == "model"; }

} // namespace

extern const Scheme gni_scheme;
const Scheme gni_scheme = {
    .id = "gni",
    .title = "geometric nonholonomic integrator",
    .cite = "ferraro2008",
    .takes = "nonholonomic, any regular L or H",
    .options = {{"ld", "midpoint", "midpoint, alpha, sym_alpha, verlet, galerkin, or model: [discrete] of the model"},
                {"alpha", "1/2", "for ld=alpha; 0 for ld=sym_alpha"},
                {"stages", "2", "for ld=galerkin"},
                {"start", "smooth", "smooth: from the continuous multiplier; plain: from 0"}},
    .order = [](const Options& o) { return is_symmetric(o) && !is_given(o) ? 2 : 1; },
    .claims =
        [](const Options& o) {
            const std::vector<Claim> claims = nonholonomic_leapfrog_claims(is_symmetric(o));
            return is_given(o) ? claims_of_given(claims) : claims;
        },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = nonholonomic(model, "gni");
        const bool smooth = o.word("start", "smooth", starts) == "smooth";
        const DiscreteLagrangian Ld = discrete_lagrangian(sys, o);
        return {.id = "gni",
                .step = nonholonomic_leapfrog(sys, Ld, smooth),
                .order = Ld.symmetric ? 2 : 1,
                .composes_to = 4};
    },
};

} // namespace rattleback
