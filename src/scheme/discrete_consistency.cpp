// What is found out about a [discrete] table, by values in quad at points around the start: whether it tends to the
// model as h -> 0, and which symmetries it has.
#include <cmath>

#include "expr/graph.hpp"
#include "scheme/discrete_table.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

Vec one(const Expr& e) { return Vec({{"", e}}); }

constexpr int points = 6;
using Values = std::vector<std::vector<quad>>; // by point; none where a formula has no value

// A system of equations in quad for given (q, u, t, h) and the parameters, at points around the start. u is any
// vector shaped like q, of about the size of initial velocities or momenta.
Values at_points(const Model& model, System system, const Vec& q, const Vec& u, const Expr& t, const Expr& h,
                 quad size) {
    system.graph = model.graph;
    system.given = concat({q, u, Vec({{"t", t}, {"h", h}}), model.parameter_vec()});
    SystemSolver<quad> solver(compile(system));
    const std::vector<quad>& rates = model.v0.empty() ? model.p0 : model.v0;
    Values all;
    for (int k = 1; k <= points; ++k) {
        quad* to = solver.given();
        for (std::size_t i = 0; i < model.q0.size(); ++i)
            *to++ = model.q0[i] + static_cast<quad>(0.03 * k * std::sin(1.0 + 2.0 * static_cast<double>(i) + 5.0 * k));
        for (std::size_t i = 0; i < model.q0.size(); ++i)
            *to++ = (i < rates.size() ? rates[i] : 0) +
                    static_cast<quad>(0.4 * std::cos(2.0 + 3.0 * static_cast<double>(i) + 4.0 * k));
        *to++ = model.t0 + static_cast<quad>(0.1 * k);
        *to++ = size * k;
        for (const Parameter& p : model.parameters) *to++ = p.value;
        Report report;
        all.emplace_back();
        if (!solver.solve(report)) continue;
        for (std::size_t i = 0; i < solver.result_count(); ++i) all.back().push_back(solver.result(i));
    }
    return all;
}

// The largest |a - b| and the largest of |a| and |b|, where results are a list a and then as long a list b.
struct Comparison {
    quad apart = 0, size = 0;
    quad left = 0, right = 0; // where they are farthest apart
    bool seen = false;
    bool agree(double tolerance) const { return seen && apart <= static_cast<quad>(tolerance) * size; }
};
Comparison compare(const Values& values) {
    Comparison c;
    for (const std::vector<quad>& at : values)
        for (std::size_t i = 0; i < at.size() / 2; ++i) {
            const quad a = at[i], b = at[i + at.size() / 2];
            c.seen = true;
            c.size = std::max({c.size, real::abs(a), real::abs(b)});
            if (real::abs(a - b) >= c.apart) c.apart = real::abs(a - b), c.left = a, c.right = b;
        }
    return c;
}

// In 2 f(h/2) - f(h) errors of order h cancel: (w h)^2 is left of a frequency w, beside round-off of 2e-34/h^2. With
// the step and the tolerance below that is enough for w up to 5e5, and numbers that differ in 9 digits are told apart.
constexpr double short_step = 1e-11, in_the_limit = 1e-9;

// f(h) and f(h/2) of f = a quotient in which h^k cancels.
quad limit(quad at_h, quad at_half) { return 2 * at_half - at_h; }

Expr limit_h(const Model& model) { return model.graph->symbol("h of a short step"); }

// Formulas of the table for the step from q to q + h v.
Vec along(const Mechanics& sys, const Vec& f, const Vec& v) {
    const DiscreteMechanics& d = *sys.model.discrete;
    const Expr h = limit_h(sys.model);
    return substitute(f, {{Vec({{"h", d.h}}), Vec({{"h", h}})},
                          {Vec({{"t_0", d.t0}}), sys.model.time_vec()},
                          {d.q0, sys.q},
                          {d.q1, sys.q + h * v}});
}

Comparison compare_limits(const Mechanics& sys, const System& system, const Vec& u) {
    const auto at = [&](quad h) { return at_points(sys.model, system, sys.q, u, sys.t, limit_h(sys.model), h); };
    Values limits = at(short_step), half = at(static_cast<quad>(short_step) / 2);
    for (std::size_t k = 0; k < limits.size(); ++k) {
        if (half[k].empty()) limits[k].clear();
        for (std::size_t i = 0; i < limits[k].size(); ++i) limits[k][i] = limit(limits[k][i], half[k][i]);
    }
    return compare(limits);
}

void require_agreement(const Comparison& c, const std::string& key, const std::string& rule,
                       const std::string& remedy) {
    const std::string place = key + " in [discrete]: ";
    if (!c.seen) throw Unsuitable(place + "no value for short steps around the start; " + remedy);
    if (c.agree(in_the_limit)) return;
    throw Unsuitable(place + "not consistent with the model; as h -> 0, " + rule + ", but it is " +
                     real::to_text(c.left, 6) + " where the model has " + real::to_text(c.right, 6) + "; " + remedy);
}

// v on the constraint, below any u, with the multiplier there: v = u - A^T kappa.
System on_constraint(const Nonholonomic& sys, const Vec& u) {
    const Vec kappa = symbols_like(sys.graph, "shift of ", sys.lambda);
    const Nonholonomic::Multiplier m = sys.multiplier();
    System s;
    s.find = {{sys.v, u}, {kappa, {}}, {m.a, {}}, {m.lambda, {}}};
    s.equations = m.equations;
    s.equations.push_back(sys.v == u - substitute(sys.reaction(sys.lambda), {{sys.lambda, kappa}}));
    s.equations.push_back(sys.phi == zeros_like(sys.phi));
    if (sys.has_lagrangian()) return s;
    s.find.push_back({sys.p, {}});
    for (const Equation& e : sys.legendre()) s.equations.push_back(e);
    return s;
}

} // namespace

void require_consistent(const Mechanics& sys) {
    const DiscreteMechanics& d = *sys.model.discrete;
    const bool given_by_L = sys.has_lagrangian();
    const Vec v = given_by_L ? sys.v : gradient(sys.model.function, sys.p);
    const Expr h = limit_h(sys.model);
    const auto compared = [&](const Vec& discrete, const Vec& of_model) {
        System s;
        s.results = concat({along(sys, discrete, v) / h, substitute(of_model, {{sys.v, v}})});
        return compare_limits(sys, s, given_by_L ? sys.v : sys.p);
    };
    require_agreement(compared(one(d.lagrangian), one(sys.lagrangian())), "lagrangian",
                      "L_d(q, q + h v, h)/h must tend to L(q, v)", "it is the integral of L over a step, about h L");
    if (!d.force_0.empty())
        require_agreement(compared(d.force_0 + d.force_1, sys.model.force), "forces",
                          "the sum of both ends, divided by h, must tend to the force",
                          "each end has about h/2 times the force of [mechanics]");
}

void require_consistent_reaction(const Nonholonomic& sys) {
    const DiscreteMechanics& d = *sys.model.discrete;
    if (d.reaction_0.empty()) return;
    const Vec u = symbols_like(sys.graph, "near ", zero_border(sys.v));
    System s = on_constraint(sys, u);
    s.results = concat({along(sys, d.reaction_0 + d.reaction_1, sys.v) / limit_h(sys.model), sys.reaction(sys.lambda)});
    require_agreement(compare_limits(sys, s, u), "reaction",
                      "the sum of both ends, divided by h, must tend to A^T lambda on the constraint",
                      "each end has about h/2 times A^T lambda, where d/dt L_v = L_q + F - A^T lambda");
}

void require_consistent_constraint(const Nonholonomic& sys) {
    const DiscreteMechanics& d = *sys.model.discrete;
    if (d.constraint.empty()) return;
    const Vec u = symbols_like(sys.graph, "near ", zero_border(sys.v));
    System s = on_constraint(sys, u);
    s.results = concat({along(sys, d.constraint, sys.v), along(sys, d.constraint, u)});
    const std::vector<std::string> names = expanded_names(d.constraint);
    const std::size_t n = names.size();
    // phi_d on the constraint, beside the largest off it: by point and formula.
    const auto quotients = [&](quad h) {
        Values values = at_points(sys.model, s, sys.q, u, sys.t, limit_h(sys.model), h);
        std::vector<quad> off(n, 0);
        for (const std::vector<quad>& at : values)
            for (std::size_t i = 0; i < at.size() / 2; ++i) off[i] = std::max(off[i], real::abs(at[n + i]));
        for (std::vector<quad>& at : values)
            for (std::size_t i = 0; i < at.size() / 2; ++i) at[i] = at[i] / off[i];
        return values;
    };
    const Values whole = quotients(short_step), half = quotients(static_cast<quad>(short_step) / 2);
    for (std::size_t i = 0; i < n; ++i) {
        quad worst = 0;
        bool seen = false;
        for (std::size_t k = 0; k < whole.size(); ++k) {
            if (whole[k].empty() || half[k].empty()) continue;
            seen = true;
            const quad left = real::abs(limit(whole[k][i], half[k][i]));
            if (!(left <= worst)) worst = left; // takes NaN, too: phi_d may vanish everywhere
        }
        if (!seen)
            throw Unsuitable("constraint in [discrete]: no value for short steps on the model's constraint around the "
                             "start; it is phi_d(q0, q1, h), about h times that of the model");
        if (!(worst <= static_cast<quad>(in_the_limit)))
            throw Unsuitable("constraint in [discrete]: '" + names[i] +
                             "' is not consistent with the model; as h -> 0, phi_d(q, q + h v, h) must vanish faster "
                             "for v on the model's constraint than for others, but " +
                             real::to_text(worst, 3) + " of it is left there");
    }
}

namespace {

// Whether formulas of the table's leaves agree, left and right, whatever the ends of the step are.
bool identical(const Model& model, const Vec& left, const Vec& right) {
    const DiscreteMechanics& d = *model.discrete;
    System s;
    s.results = concat({left, right});
    const Vec d_q = symbols_like(*model.graph, "from end to end, ", d.q0);
    s.results = substitute(s.results, {{d.q1, d.q0 + d_q}});
    return compare(at_points(model, s, d.q0, d_q, d.t0, d.h, static_cast<quad>(0.1))).agree(1e-26);
}

// With the ends exchanged, and maybe time turned around.
Vec exchanged(const Model& model, const Vec& f, bool backwards) {
    const DiscreteMechanics& d = *model.discrete;
    const auto leaf = [](const Expr& e) { return Vec({{"", e}}); };
    if (!backwards) return substitute(f, {{d.q0, d.q1}, {d.q1, d.q0}});
    return substitute(f, {{d.q0, d.q1}, {d.q1, d.q0}, {leaf(d.h), leaf(-d.h)}, {leaf(d.t0), leaf(d.t0 + d.h)}});
}

bool exchange_keeps(const Model& model, bool backwards) {
    const DiscreteMechanics& d = *model.discrete;
    const auto same = [&](const Vec& f, const Vec& g) {
        const Vec other = exchanged(model, g, backwards);
        return f.empty() || identical(model, f, backwards ? -other : other);
    };
    return same(one(d.lagrangian), one(d.lagrangian)) && same(d.force_1, d.force_0) && same(d.reaction_1, d.reaction_0);
}

} // namespace

bool is_symmetric(const Model& model) { return exchange_keeps(model, true); }
bool is_reversible(const Model& model) { return exchange_keeps(model, false); }

bool has_symmetric_constraint(const Model& model) {
    const Vec &phi = model.discrete->constraint, other = exchanged(model, phi, true);
    return phi.empty() || identical(model, phi, other) || identical(model, phi, -other);
}

bool is_invariant(const Model& model, const Vec& generator) {
    const DiscreteMechanics& d = *model.discrete;
    const auto at = [&](const Vec& q, const Expr& t) {
        return substitute(generator, {{model.q, q}, {model.time_vec(), Vec({{"t", t}})}});
    };
    const Vec begin = at(d.q0, d.t0), end = at(d.q1, d.t0 + d.h);
    Expr left = dot(gradient(d.lagrangian, d.q0), begin), right = -dot(gradient(d.lagrangian, d.q1), end);
    if (!d.force_0.empty()) left = left + dot(d.force_0, begin), right = right - dot(d.force_1, end);
    if (!d.reaction_0.empty()) left = left - dot(d.reaction_0, begin), right = right + dot(d.reaction_1, end);
    return identical(model, one(left), one(right));
}

} // namespace rattleback
