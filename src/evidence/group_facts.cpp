#include "evidence/group_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/constraint_facts.hpp"
#include "scheme/build.hpp"
#include "scheme/group_state.hpp"

namespace rattleback {
namespace {

bool has_families(const Model& model) {
    return std::any_of(model.q.begin(), model.q.end(), [](const Component& c) { return c.family; });
}

const LieGroup& group_of(const GroupCoordinate& c) { return *find_group(c.group); }

// Where a coordinate on a group is, shown.
Numbers element(const Model& model, const GroupCoordinate& c) {
    return group_of(c).moved(component_values(model.centre, c.centre, c.centre_count),
                             component_values(model.q, c.first, c.count));
}

Symmetry still(const Model& model) { return {"", zeros_like(model.q)}; }

void set_body_velocity(const Model& model, const GroupCoordinate& c, Symmetry& s, const Numbers& xi) {
    set_components(s.generator, c.first, group_of(c).chart_rate(component_values(model.q, c.first, c.count), xi));
}

// One for each dimension: elements move with a constant velocity that is seen from space (to the left) or from the body
// (to the right), other coordinates evenly.
std::vector<Symmetry> translations(const Model& model, bool left) {
    std::vector<Symmetry> all;
    std::vector<bool> chart(model.q.size(), false);
    for (const GroupCoordinate& c : model.groups)
        for (std::size_t k = 0; k < c.count; ++k) {
            chart[c.first + k] = true;
            Numbers velocity(c.count, Expr(0));
            velocity[k] = 1;
            all.push_back(still(model));
            set_body_velocity(model, c, all.back(),
                              left ? group_of(c).body_velocity_of(element(model, c), velocity) : velocity);
        }
    for (std::size_t i = 0; i < model.q.size(); ++i)
        if (!chart[i]) all.push_back(still(model)), all.back().generator[i].value = 1;
    return all;
}

// Whether formulas are the same at the start and around it.
bool constant(const Sample& sample, const Numbers& formulas) {
    Vec all;
    for (const Expr& e : formulas) all.push_back({"", e});
    for (const Dense& m : sample.matrices(all, concat({sample.model().q, sample.model().time_vec()})))
        for (double x : m.entries)
            if (!(std::abs(x) <= 1e-9)) return false;
    return true;
}

bool vanishes(const Sample& sample, const Expr& f) {
    for (const auto& point : sample.at_all(Vec({{"", f}})))
        for (double x : point)
            if (!(std::abs(x) <= 1e-12)) return false;
    return true;
}

} // namespace

GroupFacts group_facts(const Sample& sample) {
    const Model& model = sample.model();
    GroupFacts facts;
    if (model.groups.empty() || has_families(model) || model.kind != Model::lagrangian) return facts;
    facts.looked_at = true;
    const Expr rest = substitute(model.function, {{model.v, zeros_like(model.v)}}), kinetic = model.function - rest;
    const auto every = [&](bool left, const auto& test) {
        const std::vector<Symmetry> all = translations(model, left);
        return std::all_of(all.begin(), all.end(), test);
    };
    const auto kept = [&](const Symmetry& s) { return leaves_alone(sample, s, kinetic); };
    const auto level = [&](const Symmetry& s) { return leaves_alone(sample, s, rest); };
    facts.left_metric = every(true, kept), facts.both_metric = facts.left_metric && every(false, kept);
    facts.left_constraints =
        model.velocity.empty() || every(true, [&](const Symmetry& s) { return keeps_velocity_constraints(sample, s); });
    std::vector<Expr> metric;
    for (const JacobianTerm& t : jacobian(gradient(kinetic, model.v), model.v)) metric.push_back(t.value);
    const Expr odd = kinetic - substitute(kinetic, {{model.v, -model.v}});
    facts.nothing_else = !contains(*model.graph, metric, model.v) && vanishes(sample, odd) && model.force.empty() &&
                         model.holonomic.empty() && every(true, level) &&
                         vanishes(sample, derivative(model.function, model.t));
    facts.one_turn = model.groups.size() == 1 && model.groups[0].group == "SO(3)" && model.q.size() == 3;
    return facts;
}

std::string group_in_words(const Model& model) {
    std::string words;
    std::size_t in_groups = 0;
    for (const GroupCoordinate& c : model.groups) {
        const Component& q = model.q[c.first];
        words += (words.empty() ? "" : " x ") + c.group + (q.family ? "^" + std::to_string(q.count()) : "");
        in_groups += c.count * static_cast<std::size_t>(q.count());
    }
    const std::size_t others = static_cast<std::size_t>(model.q.count()) - in_groups;
    return words + (others == 0 ? "" : " x R" + (others == 1 ? "" : "^" + std::to_string(others)));
}

void inspect_groups(const Sample& sample, const GroupFacts& facts, Inspection& result) {
    const Model& model = sample.model();
    const auto fact = [&](const std::string& name, const std::string& words) {
        result.facts.emplace_back(name, words);
    };
    fact("group", group_in_words(model));
    if (!facts.looked_at) return;
    fact("metric", facts.both_metric   ? "bi-invariant: translations to the left and to the right leave it alone"
                   : facts.left_metric ? "left-invariant, not bi-invariant"
                                       : "not left-invariant: it depends on the element");
    if (model.velocity.empty() || model.variational) return;
    fact("distribution", facts.left_constraints
                             ? "left-invariant"
                             : "not left-invariant: it depends on the element, and lie_eps has order 1");
    fact("energy of p_minus", !facts.nothing_else ? "no theorem: L is not the kinetic energy alone, or forces act"
                              : facts.keeps_energy(false) ? "lie_gni keeps it: the metric is bi-invariant"
                              : facts.keeps_energy(true)  ? "lie_gni keeps it with ld=mv, for any inertia"
                                                          : "no theorem: the metric is not bi-invariant");
}

bool is_translation(const Sample& sample, const Symmetry& symmetry) {
    const Model& model = sample.model();
    if (has_families(model)) return false;
    std::vector<bool> chart(model.q.size(), false);
    for (const GroupCoordinate& c : model.groups) {
        const LieGroup& g = group_of(c);
        const Numbers body = g.body_velocity(component_values(model.q, c.first, c.count),
                                             component_values(symmetry.generator, c.first, c.count));
        Numbers shift(body.begin() + g.turns(), body.end());
        const bool turn_to_the_right =
            constant(sample, body) &&
            std::all_of(shift.begin(), shift.end(), [&](const Expr& e) { return vanishes(sample, e); });
        if (!turn_to_the_right && !constant(sample, g.space_velocity(element(model, c), body))) return false;
        std::fill_n(chart.begin() + static_cast<std::ptrdiff_t>(c.first), c.count, true);
    }
    Numbers slopes; // of the other coordinates
    for (std::size_t i = 0; i < model.q.size(); ++i)
        if (!chart[i])
            for (const Component& d : gradient(symmetry.generator[i].value, model.q)) slopes.push_back(d.value);
    return constant(sample, slopes);
}

std::vector<Claim> in_charts(std::vector<Claim> claims, const Step& step, const Model& model) {
    if (!changes_charts(step, model)) return claims;
    using enum Property;
    constexpr std::array broken = {energy_exact, energy_bounded, momentum_exact, symmetric, reversible};
    for (Claim& c : claims)
        if (c.answer == Answer::yes && std::find(broken.begin(), broken.end(), c.property) != broken.end())
            c.conditions.push_back(Condition::same_chart);
    return claims;
}

} // namespace rattleback
