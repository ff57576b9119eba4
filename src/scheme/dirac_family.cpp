#include "scheme/dirac_family.hpp"

namespace rattleback {

Scheme dirac_scheme_of(const std::string& id, const std::string& title, FirstOrder (*equations)(const Dirac&),
                       std::vector<Claim> claims) {
    return {.id = id,
            .title = title,
            .cite = "leimkuhler1994",
            .takes = "holonomic, no forces; H, or L quadratic in velocities",
            .options = {{"stages", "1", "1 to 10; the order is twice as high"}},
            .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 10); },
            .claims = [=](const Options&) { return claims; },
            .build = [=](const Model& model, const Options& o) -> Method {
                const int s = o.integer("stages", 1, 1, 10);
                holonomic(model, id);
                Step step = runge_kutta(model, equations(Dirac(model)), gauss(s)).step;
                carry_positions_and_momenta(step, Nonholonomic(model), {});
                return {.id = id, .step = std::move(step), .order = 2 * s};
            }};
}

} // namespace rattleback
