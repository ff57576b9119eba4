#include "run/redundant.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "model/copy.hpp"
#include "run/initial.hpp"
#include "solve/rank.hpp"
#include "solve/surface.hpp"

namespace rattleback {
namespace {

using Rows = std::vector<int>;
using Numbers = std::vector<double>;

constexpr double dependent = 1e-8; // of a row of length one: what it has outside the others

class Constraints {
  public:
    explicit Constraints(const Model& model)
        : surface(model.graph, model.holonomic, model.q, time_and_parameter_leaves(model)),
          others_(time_and_parameters(model, 0.0)) {}
    bool evaluate(const Numbers& q, double t) { return surface.evaluate(q, at(t)); }
    bool reach(Numbers& q, double t, const Rows& rows) { return surface.reach(q, at(t), rows); }
    solve::Surface surface;

  private:
    const Numbers& at(double t) {
        others_[0] = t;
        return others_;
    }
    Numbers others_;
};

std::string listed(const Constraints& c, const Rows& rows) {
    std::string s;
    for (int i : rows) s += (s.empty() ? "" : ", ") + c.surface.name(i) + " = 0";
    return s;
}

// A set that cannot be met, from which none can be left out: one after the other is, as long as what is left cannot.
Rows contradiction(Constraints& c, const Numbers& q0, double t, Rows rows) {
    for (std::size_t i = 0; i < rows.size() && rows.size() > 1;) {
        Rows fewer = rows;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        Numbers q = q0;
        if (c.reach(q, t, fewer))
            ++i;
        else
            rows = fewer;
    }
    return rows;
}

// Those of the kept rows that row d is a combination of, and d itself.
Rows involved(Constraints& c, const Rows& kept, int d) {
    Rows rows{d};
    for (int leave_out : kept) { // d still has nothing of its own without a row that it does not need
        Rows others;
        for (int i : kept)
            if (i != leave_out) others.push_back(i);
        Numbers m;
        others.push_back(d);
        for (int i : others) m.insert(m.end(), c.surface.row(i), c.surface.row(i) + c.surface.dimension());
        const auto rank = solve::row_rank(m, static_cast<int>(others.size()), c.surface.dimension(), dependent);
        if (rank.rank == static_cast<int>(others.size())) rows.push_back(leave_out);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

constexpr double aside = 1e-3; // how far away it is asked whether a constraint still follows

// Whether row d vanishes where the kept ones do, around q and at times around t.
enum class Follows { yes, not_here, not_later };
Follows follows(Constraints& c, const Numbers& q0, double t0, const Rows& kept, int d) {
    const double length = std::sqrt(c.surface.product(d, d));
    double size = 1;
    for (double x : q0) size = std::max(size, std::abs(x));
    for (const double dt : {0.0, aside, 0.1})
        for (int point = 1; point <= 3; ++point) {
            Numbers q = q0;
            for (std::size_t k = 0; k < q.size(); ++k)
                q[k] += aside * size * std::sin(1.0 + 2.0 * static_cast<double>(k) + 5.0 * point);
            if (!kept.empty() && !c.reach(q, t0 + dt, kept)) continue;
            if (kept.empty() && !c.evaluate(q, t0 + dt)) continue;
            // NOTE: where it follows only at q0, it differs by aside^2 times its curvature; else by what is left of
            // Newton.
            if (!(c.surface.residual({d}) <=
                  1e-5 * aside * size * length + 1e-3 * solve::on_surface * c.surface.scale(d)))
                return dt == 0 ? Follows::not_here : Follows::not_later;
        }
    return Follows::yes;
}

Vec chosen(const Vec& all, const Rows& rows) {
    const std::vector<Expr> values = expand(all);
    const std::vector<std::string> names = expanded_names(all);
    Vec result;
    for (int i : rows) result.push_back({names[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(i)]});
    return result;
}

void require_redundant(Constraints& c, const Numbers& q, double t, const solve::Rank& rank) {
    for (int d : rank.dependent_rows) {
        const Follows answer = follows(c, q, t, rank.independent_rows, d);
        c.evaluate(q, t);
        if (answer == Follows::not_later)
            throw BadRun(
                "contradictory constraints: " + listed(c, involved(c, rank.independent_rows, d)) +
                " can be met together at the start, but not later\n  none of them can be left out of this set; "
                "correct one");
        if (answer == Follows::not_here)
            throw BadRun("dependent constraints: at the start the gradient of " + c.surface.name(d) +
                         " is a combination of those of the others, but " + c.surface.name(d) +
                         " = 0 does not follow from them: a singular position\n  start elsewhere");
    }
}

// The choice that typical values would make, if it is one here: which of them are kept decides the last digits.
solve::Rank as_typically(const Model& model, Constraints& c, const solve::Rank& here) {
    const bool other = std::any_of(model.parameters.begin(), model.parameters.end(),
                                   [](const Parameter& p) { return p.value != p.typical; });
    if (!other && !model.typical_start) return here;
    const Model typical = at_typical_values(model);
    const Numbers q = to_scalars<double>(typical.q0);
    Constraints there(typical);
    if (!there.evaluate(q, static_cast<double>(typical.t0))) return here;
    const int columns = c.surface.dimension();
    const auto wanted = solve::row_rank(there.surface.gradients, there.surface.count(), columns, dependent);
    Numbers rows;
    for (int i : wanted.independent_rows) rows.insert(rows.end(), c.surface.row(i), c.surface.row(i) + columns);
    const bool fits =
        wanted.rank == here.rank && solve::row_rank(rows, wanted.rank, columns, dependent).rank == here.rank;
    return fits ? wanted : here;
}

} // namespace

std::optional<Model> with_independent_constraints(const Model& given, bool project) {
    if (given.kind == Model::general || given.holonomic.empty() || !given.redundant.empty() || given.any_index)
        return {};
    if (static_cast<long long>(given.holonomic.count()) * given.q.count() > 100000) return {};
    const Model model = deep_copy(given);
    Constraints c(model);
    Numbers q = to_scalars<double>(model.q0);
    const double t = static_cast<double>(model.t0);
    Rows all;
    for (int i = 0; i < c.surface.count(); ++i) all.push_back(i);
    if (!c.evaluate(q, t)) return {}; // the start has no value: that is said where it is looked for
    if (const std::string why = c.surface.unusual_size(); !why.empty()) throw BadRun(why);
    if (!c.surface.holds(all)) {
        Numbers near = q;
        if (!c.reach(near, t, all)) {
            const Rows rows = contradiction(c, q, t, all);
            throw BadRun("contradictory constraints: no place was found near the start where " + listed(c, rows) +
                         (rows.size() > 1 ? " hold together\n  none of them can be left out of this set; correct one"
                                          : " holds\n  correct it, or start elsewhere"));
        }
        if (!project) return {}; // the start is off the constraints: likewise
        q = near, c.evaluate(q, t);
    }
    solve::Rank rank = solve::row_rank(c.surface.gradients, c.surface.count(), c.surface.dimension(), dependent);
    if (rank.dependent_rows.empty()) return {};
    rank = as_typically(model, c, rank);
    require_redundant(c, q, t, rank);
    Model result = model;
    result.holonomic = chosen(model.holonomic, rank.independent_rows);
    result.redundant = chosen(model.holonomic, rank.dependent_rows);
    result.redundant_places = rank.dependent_rows;
    return result;
}

std::string names_of_equations(const Vec& constraints) {
    std::string s;
    for (const Component& c : constraints) s += (s.empty() ? "" : ", ") + c.name + " = 0";
    return s;
}

LeastNorm least_norm_multipliers(const Model& model, const Vec& lambda) {
    const Vec &kept = model.holonomic, &others = model.redundant, &q = model.q;
    const auto leaves = [&](const char* label, const Vec& like) { return symbols_like(*model.graph, label, like); };
    const Vec own = leaves("shortest multiplier of ", kept), also = leaves("shortest multiplier of ", others);
    const Vec s = leaves("first weight of ", kept), u = leaves("second weight of ", kept);
    const auto along = [&](const Vec& g, const Expr& combination) {
        return derivative_along(g, q, gradient(combination, q));
    };
    LeastNorm result{{{own, {}}, {also, {}}, {s, {}}, {u, {}}},
                     {along(kept, dot(s, kept)) == own, also == along(others, dot(s, kept)),
                      along(kept, dot(u, kept) - dot(also, others)) == zeros_like(kept), own + u == lambda},
                     {}};
    std::size_t next_kept = 0, next_other = 0;
    for (int i = 0; i < model.holonomic.count() + model.redundant.count(); ++i) {
        const bool redundant = next_other < others.size() && model.redundant_places[next_other] == i;
        result.lambda.push_back(redundant ? also[next_other++] : own[next_kept++]);
    }
    return result;
}

} // namespace rattleback
