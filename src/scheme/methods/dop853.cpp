// DOP853: the explicit Runge-Kutta method of order 8 of Prince and Dormand with step control by two embedded estimates
// (Hairer, Norsett and Wanner 1993, II.5 and II.10). The reference: accurate, not geometric. --step is the distance of
// nodes; between them it takes steps of its own to meet --tol.
#include "scheme/common.hpp"
#include "scheme/dop853_coefficients.hpp"

namespace rattleback {

Tableau dop853_tableau() {
    Tableau t{std::vector<std::vector<quad>>(12, std::vector<quad>(12, 0)), std::vector<quad>(12, 0),
              std::vector<quad>(12, 0)};
    for (const auto& [i, j, value] : dop853::a)
        t.a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = real::parse(value);
    for (const auto& [i, j, value] : dop853::b) t.b[static_cast<std::size_t>(j)] = real::parse(value);
    for (std::size_t i = 0; i < 12; ++i) // c_i are the row sums
        for (quad a : t.a[i]) t.c[i] += a;
    return t;
}

namespace {

Step dop853_step(const Model& model) {
    const Tableau tableau = dop853_tableau();
    std::vector<quad> fifth(12, 0), third = tableau.b;
    for (const auto& [i, j, value] : dop853::fifth) fifth[static_cast<std::size_t>(j)] = real::parse(value);
    for (const auto& [i, j, value] : dop853::third) third[static_cast<std::size_t>(j)] -= real::parse(value);
    std::vector<Vec> slopes;
    Step step = index_reduced_step(model, tableau, &slopes);
    for (const auto& weights : {fifth, third}) {
        Vec error = zeros_like(step.state);
        for (std::size_t i = 0; i < 12; ++i) error = error + (step.h * Expr(weights[i])) * slopes[i];
        step.error = concat({step.error, error});
    }
    return step;
}

} // namespace

extern const Scheme rk4_scheme, dop853_scheme;
const Scheme dop853_scheme = {
    .id = "dop853",
    .title = "Dormand-Prince method of order 8 with step control",
    .cite = "hairer1993",
    .takes = "any model but phase constraints",
    .options = {{"tol", "1e-12", "relative and absolute tolerance of each step"}},
    .order = [](const Options&) { return 8; },
    .claims = [](const Options& o) { return rk4_scheme.claims(o); }, // nothing geometric, either
    .build = [](const Model& model, const Options& o) -> Method {
        const quad tolerance = o.number("tol", 1e-12);
        if (!(tolerance > 0)) throw BadMethod("option tol=" + o.word("tol", "") + ": a positive number is needed");
        return {.id = "dop853",
                .step = dop853_step(model),
                .order = 8,
                .controls_step = true,
                .tolerance = static_cast<double>(tolerance)};
    },
};

} // namespace rattleback
