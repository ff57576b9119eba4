#include "evidence/preserved.hpp"
#include "expr/graph.hpp"
#include "expr/terms.hpp"
#include "run/exchange.hpp"
#include "scheme/discrete_table.hpp"

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

constexpr int most_looked_at = 100; // constraints; of more nothing is said

// Whether formulas vanish where the sample looks, beside others of their size.
bool vanish(const Sample& sample, const Vec& formulas, const Vec& beside) {
    double value = 0, size = 0;
    const auto count = static_cast<std::size_t>(formulas.count());
    for (const auto& point : sample.at_all(concat({formulas, beside, largest_terms(beside)})))
        for (std::size_t i = 0; i < point.size(); ++i)
            (i < count ? value : size) = std::max(i < count ? value : size, std::abs(point[i]));
    return value <= 1e-9 * size;
}

bool has_constant_derivatives(const Graph& graph, const Vec& f, const Vec& leaves, const Vec& variables) {
    const std::vector<JacobianTerm> terms = jacobian(f, leaves);
    return std::none_of(terms.begin(), terms.end(),
                        [&](const JacobianTerm& t) { return contains(graph, {t.value}, variables); });
}

bool values_vanish(const Vec& f) {
    return std::all_of(f.begin(), f.end(), [](const Component& c) { return c.value.is(0); });
}

bool holds(Condition condition, const MomentumTraits& momentum) {
    switch (condition) {
#define CONDITION(id, words, of_model, of_momentum, of_test)                                                           \
    case Condition::id:                                                                                                \
        return of_momentum;
#include <rattleback/conditions.def>
#undef CONDITION
    }
    return false;
}

} // namespace

Preserved::Preserved(const Sample& sample)
    : model_(sample.model()), group_(group_facts(sample)), why_energy_changes_(Exchanges(model_).why_energy_changes()) {
    const Graph& graph = *model_.graph;
    const bool general = model_.kind == Model::general;
    std::vector<Expr> all{model_.function};
    for (const Vec* v : {&model_.force, &model_.velocity, &model_.holonomic, &model_.phase})
        for (const Expr& e : values_of(*v)) all.push_back(e);
    traits_.forces = !model_.force.empty();
    traits_.time = contains(graph, all, model_.time_vec());
    if (model_.discrete) {
        traits_.time |= contains(graph, {model_.discrete->lagrangian}, Vec({{"t_0", model_.discrete->t0}}));
        traits_.discrete_symmetric = is_symmetric(model_), traits_.discrete_reversible = is_reversible(model_);
    }
    const Vec moving = general ? model_.z : concat({model_.q, model_.kind == Model::lagrangian ? model_.v : model_.p});
    const Vec slopes = gradient(model_.function, moving);
    const Vec bounds = concat({model_.velocity, model_.holonomic, model_.phase}); // must be linear: they enter H, too
    traits_.quadratic = has_constant_derivatives(graph, slopes, moving, concat({moving, model_.time_vec()})) &&
                        has_constant_derivatives(graph, bounds, concat({moving, model_.v}),
                                                 concat({moving, model_.v, model_.time_vec()}));
    if (general) return;
    const Vec p = model_.kind == Model::lagrangian ? Mechanics(model_).momentum() : model_.p;
    for (const ConservedMomentum& m : conserved_momenta(sample))
        for (const Symmetry& s : model_.symmetries)
            if (s.name == m.name)
                momenta_.push_back({m.name, m.affine, m.translation,
                                    has_constant_derivatives(graph, Vec({{"", dot(s.generator, p)}}), moving,
                                                             concat({moving, model_.time_vec()})),
                                    model_.discrete && is_invariant(model_, s.generator)});
    const auto backwards = [&](const Vec& f) { return substitute(f, {{model_.v, -model_.v}, {model_.p, -model_.p}}); };
    const Vec function({{"", model_.function}});
    // With inputs that H_u = 0 does not give outright, H as a function of (q, p) is not written: nothing is known of
    // it.
    const bool implicit = !model_.implicit_inputs().empty();
    traits_.even = !implicit && vanish(sample, backwards(function) - function, function);
    traits_.quadratic &= !implicit;
    traits_.even_forces = model_.force.empty() || vanish(sample, backwards(model_.force) - model_.force, model_.force);
    const Vec &phi = model_.velocity, &g = model_.holonomic;
    traits_.homogeneous =
        phi.empty() || vanish(sample, backwards(phi) - phi, phi) || vanish(sample, backwards(phi) + phi, phi);
    traits_.even_phase = true;
    for (const Component& c : model_.phase) {
        const Vec f({c});
        traits_.even_phase &= vanish(sample, backwards(f) - f, f) || vanish(sample, backwards(f) + f, f);
    }
    traits_.quadratic_g = g.empty();
    if (!g.empty() && g.count() <= most_looked_at) {
        Vec normals;
        for (const Expr& e : expand(g)) normals = concat({normals, gradient(e, model_.q)});
        traits_.quadratic_g = has_constant_derivatives(graph, normals, model_.q, concat({model_.q, model_.time_vec()}));
    }
    traits_.constant_metric = model_.kind == Model::lagrangian &&
                              has_constant_derivatives(graph, Mechanics(model_).momentum(), model_.v, moving);
    const Vec at_rest = substitute(concat({p, phi}), {{model_.v, zeros_like(model_.v)}});
    traits_.bi_invariant = traits_.constant_metric && !traits_.forces && g.empty() && values_vanish(at_rest) &&
                           !contains(graph, {model_.function}, concat({model_.q, model_.time_vec()})) &&
                           has_constant_derivatives(graph, phi, model_.v, model_.v);
}

bool Preserved::holds(Condition condition) const {
    const Traits& model = traits_;
    switch (condition) {
#define CONDITION(id, words, of_model, of_momentum, of_test)                                                           \
    case Condition::id:                                                                                                \
        return of_model;
#include <rattleback/conditions.def>
#undef CONDITION
    }
    return false;
}

std::optional<Condition> Preserved::first_missing(const std::vector<Condition>& conditions) const {
    for (Condition c : conditions)
        if (!holds(c)) return c;
    return {};
}

std::vector<std::string> Preserved::kept_momenta(const std::vector<Condition>& conditions) const {
    std::vector<std::string> names;
    for (const MomentumTraits& m : momenta_)
        if (std::all_of(conditions.begin(), conditions.end(), [&](Condition c) { return rattleback::holds(c, m); }))
            names.push_back(m.name);
    return names;
}

std::string Preserved::momenta(const std::vector<Condition>& conditions) const {
    std::string list;
    for (const std::string& name : kept_momenta(conditions)) list += (list.empty() ? "" : " and ") + name;
    return list.empty() ? "" : "momentum of " + list;
}

std::string Preserved::claim_in_words(const Claim& claim) const {
    if (claim.answer != Answer::yes || first_missing(claim.conditions)) return "";
    switch (claim.property) {
    case Property::symplectic: return "symplectic";
    case Property::symmetric: return "symmetric";
    case Property::reversible: return "reversible";
    case Property::constraint_exact: return model_.velocity.empty() ? "" : "velocity constraints";
    case Property::holonomic_exact: return model_.holonomic.empty() ? "" : "holonomic constraints";
    case Property::constraint_at_stages:
    case Property::holonomic_at_stages: return ""; // no node shows a stage
    case Property::energy_exact: return "energy";
    case Property::energy_bounded: return "bounded energy";
    case Property::momentum_exact: return momenta(claim.conditions);
    }
    return "";
}

std::vector<std::string> Preserved::kept(const std::vector<Claim>& claims, const Method& method) const {
    std::vector<std::string> all;
    for (const Claim& claim : in_charts(claims, method.step, model_))
        if (const std::string words = claim_in_words(claim); !words.empty()) all.push_back(words);
    return all;
}

bool Preserved::keeps_structure(const std::vector<Claim>& claims, const Method& method) const {
    const auto of_the_flow = [&](const Claim& c) {
        return c.property == Property::symplectic || c.property == Property::symmetric ||
               c.property == Property::reversible || c.property == Property::energy_exact ||
               c.property == Property::energy_bounded;
    };
    const std::vector<Claim> all = in_charts(claims, method.step, model_);
    return std::any_of(all.begin(), all.end(),
                       [&](const Claim& c) { return of_the_flow(c) && !claim_in_words(c).empty(); });
}

std::string Preserved::words(const std::vector<Claim>& claims, const Method& method) const {
    std::string list;
    for (const std::string& words : kept(claims, method)) list += (list.empty() ? "" : ", ") + words;
    return "order " + std::to_string(method.order) + "; " + (list.empty() ? "keeps nothing" : "keeps: " + list);
}

} // namespace rattleback
