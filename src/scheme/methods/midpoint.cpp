// The implicit midpoint rule: J (z_next - z)/h = grad H((z + z_next)/2). It is Gauss collocation with one stage.
#include "scheme/common.hpp"

namespace rattleback {

extern const Scheme gauss_scheme, midpoint_scheme;
const Scheme midpoint_scheme = {
    .id = "midpoint",
    .title = "implicit midpoint rule",
    .cite = "hairer2006",
    .takes = "unconstrained, variational, J z' = grad H of index 1",
    .options = {},
    .order = [](const Options&) { return 2; },
    .claims = [](const Options& o) { return gauss_scheme.claims(o); },
    .build = [](const Model& model, const Options&) -> Method {
        require_no_multipliers_but_variational(model, "midpoint");
        return {.id = "midpoint", .step = runge_kutta_step(model, gauss(1)), .order = 2};
    },
};

} // namespace rattleback
