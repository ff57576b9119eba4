// The canonical state-space form (Leimkuhler and Reich 1994, Theorem 2.2): n - m of the coordinates, d = A q, are
// coordinates on g = 0, and p = A^T theta + G^T kappa makes (d, theta) canonical. In a chart Gauss collocation
// integrates
//     d' = A v,   A^T theta' + G^T rho = L_q - (kappa . (g_q v + g_t))_q,   L_v(q, v) = p,   g = 0,   g_q v + g_t = 0
// The dependent coordinates are those on which G is largest, by pivoted elimination at the beginning of each step: the
// chart changes on the way, which costs what one symplectic map would have kept; A=fixed keeps that of the start, and
// A=x+z takes d = (x, z). With a [parametrization] q = phi(a) (Prop. 2.1) it is Hamilton's equations of (a, phi_a^T p).
// form=plain is the baseline that the paper compares with: theta = d', which is not canonical.
#include "scheme/charts.hpp"
#include "scheme/common.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view forms[] = {"canonical", "plain"};

bool is_plain(const Options& o) { return o.word("form", "canonical", forms) == "plain"; }

Step state_space_step(const Nonholonomic& sys, const Options& o, const Tableau& tableau) {
    const std::string A = o.word("A", "auto");
    const bool given = A == "given" || (A == "auto" && !sys.model.chart.empty() && !is_plain(o));
    if (given && sys.model.chart.empty()) throw Unsuitable("option A=given needs a [parametrization] in the model");
    if (given && is_plain(o))
        throw BadMethod("option form=plain: A=given is canonical; A is auto, fixed or coordinates");
    if (given) return parametrized_step(sys, tableau);
    const std::vector<Vec> rows = A == "auto" || A == "pivots" ? automatic_chart(sys)
                                  : A == "fixed"               ? chart_of_the_start(sys)
                                                               : chart_by_names(sys, A);
    return is_plain(o) ? plain_chart_step(sys, rows, tableau) : canonical_chart_step(sys, rows, tableau);
}

} // namespace

extern const Scheme state_space_scheme;
const Scheme state_space_scheme = {
    .id = "state_space",
    .title = "Gauss collocation on the canonical state-space form",
    .cite = "leimkuhler1994",
    .takes = "holonomic, no forces",
    .options =
        {{"stages", "1", "1 to 16; the order is twice as high"},
         {"A", "auto",
          "auto: [parametrization] if given, else charts by pivots; pivots; fixed: that of the start; x+z: these"},
         {"form", "canonical", "canonical, or plain: theta = d', a baseline"},
         iteration_option()},
    .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 16); },
    .claims = [](const Options& o) -> std::vector<Claim> {
        const std::string A = o.word("A", "auto");
        const bool plain = is_plain(o), one_map = !plain && A != "auto" && A != "pivots";
        return {
            {Property::symplectic, plain ? Answer::unknown : Answer::yes},
            {Property::holonomic_exact, Answer::yes},
            {Property::holonomic_at_stages, Answer::yes},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::unknown}, // charts change on the way
            {Property::momentum_exact, Answer::unknown},
            {Property::symmetric, one_map ? Answer::yes : Answer::unknown}, // where both ends choose one chart
            {Property::reversible, one_map ? Answer::yes : Answer::unknown, {L_even_in_v, forces_even_in_v, no_time}}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = holonomic(model, "state_space");
        if (sys.g.empty()) throw Unsuitable("method 'state_space' needs holonomic constraints; try gauss");
        if (!model.force.empty())
            throw Unsuitable("method 'state_space' takes no forces: its equations are Hamilton's");
        for (const Vec* v : {&sys.q, &sys.g})
            for (const Component& c : *v)
                if (c.family) throw Unsuitable("method 'state_space' takes no families: '" + c.name + "'");
        const int s = o.integer("stages", 1, 1, 16);
        Step step = state_space_step(sys, o, gauss(s));
        choose_iteration(step, o);
        return {.id = "state_space", .step = std::move(step), .order = 2 * s};
    },
};

} // namespace rattleback
