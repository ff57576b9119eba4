// The weak Dirac form (Leimkuhler and Reich 1994, (30)-(31)): q' = H_p + psi_p^T eta, p' = -H_q - G^T mu - psi_q^T eta.
// g, psi and H are strong invariants, so Gauss collocation keeps to round-off those that are quadratic: distance
// constraints at any order, without projection. It is not symplectic. With alpha, g' = alpha g: residuals decay where
// it is negative. Where g is quadratic and the metric constant, one more Newton step for g = 0, psi = 0 along
// (psi_p^T e, -G^T m - psi_q^T e) takes back what rounding leaves (correct=no: does not).
//
// Where g or psi is not quadratic in (t, q, p), since g moves like sin(t) or L has a magnetic term, collocation misses
// them by the order of the method. Moving the end of the step onto g = 0, psi = 0 would be a projection, which is not
// symmetric. Instead mu + m and eta + e act at all stages, with m and e constant over the step and such that g = 0,
// psi = 0 at its end. Run backwards from there, the step has the same m and e, since its start has g = 0, psi = 0, too.
// m and e are of order h^2s, so the order stays; momenta are constant along the flow of H + mu . g + eta . psi whatever
// mu and eta are, and stay exact as well.
//
// For phase constraints, q' and p' of H + mu . phi with mu such that no phi changes.
#include "expr/graph.hpp"
#include "scheme/dirac_family.hpp"

namespace rattleback {

using enum Condition;

namespace {

constexpr std::string_view yes_or_no[] = {"yes", "no"};

enum class Correction { none, of_round_off, over_the_step };

Correction correction_of(const Dirac& sys, const Options& o) {
    const bool wanted = o.word("correct", "yes", yes_or_no) == "yes";
    const Vec all = concat({sys.q, sys.p, sys.model.time_vec()}), c = concat({sys.g, sys.psi});
    const auto slope = [&](const Vec& f, const char* direction, const Vec& by) {
        return derivative_along(f, by, symbols_like(sys.graph, direction, by));
    };
    const auto quadratic = [&](const Vec& f, const Vec& in) {
        return jacobian(slope(slope(f, "any ", in), "any other ", in), all).empty();
    };
    const bool constant_metric = jacobian(slope(gradient(sys.H, sys.p), "any ", sys.p), all).empty();
    const bool takes_it = quadratic(sys.g, sys.q) && constant_metric && alpha_of(o) == 0;
    if (wanted && o.has("correct") && !takes_it)
        throw Unsuitable(
            "option correct=yes needs quadratic constraints, a constant metric and alpha = 0: elsewhere it "
            "would take back more than round-off");
    if (!wanted || !takes_it) return Correction::none;
    return quadratic(c, all) ? Correction::of_round_off : Correction::over_the_step;
}

struct Shift { // of mu and eta
    explicit Shift(const Dirac& sys)
        : m(symbols_like(sys.graph, "correction of ", sys.g)), e(symbols_like(sys.graph, "correction of ", sys.psi)),
          direction(sys.field(dot(m, sys.g) + dot(e, sys.psi))) {}
    Vec m, e, direction;
    Vec both() const { return concat({m, e}); }
};

FirstOrder equations_of(const Dirac& sys, const Options& o) {
    FirstOrder f = sys.weak(alpha_of(o));
    if (correction_of(sys, o) == Correction::over_the_step) f.rate = f.rate + Shift(sys).direction;
    return f;
}

void correct(const Dirac& sys, const Options& o, Step& step) {
    const Correction correction = correction_of(sys, o);
    if (correction == Correction::none) return;
    const Vec x = concat({sys.q, sys.p}), c = concat({sys.g, sys.psi});
    const Shift shift(sys);
    const auto end = [&](const Vec& f) {
        return substitute(f, {{x, x + step.increment}, {sys.model.time_vec(), Vec({{"t", sys.t + step.h}})}});
    };
    if (correction == Correction::of_round_off) {
        step.find.push_back({shift.both(), {}});
        step.equations.push_back(end(c + derivative_along(c, x, shift.direction)) == zeros_like(c));
        step.increment = step.increment + end(shift.direction);
        return;
    }
    const Vec none = zeros_like(shift.both());
    for (Unknown& u : step.find) u.guess = substitute(u.guess, {{shift.both(), none}});
    // The shifts may be nothing but round-off: beside mu and eta of the last stage their increments have a scale.
    Unknown& last = step.find.back();
    last = {concat({last.symbols, shift.both()}), concat({last.guess, none})};
    step.equations.push_back(end(c) == zeros_like(c));
}

} // namespace

extern const Scheme dirac_weak_scheme;
const Scheme dirac_weak_scheme = dirac_scheme_of(
    "dirac_weak", "Gauss collocation on the weak Dirac form",
    {.holonomic = equations_of,
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
                {Property::reversible, even, {L_even_in_v, forces_even_in_v, no_time, phase_even_or_odd}}};
    });

} // namespace rattleback
