#include "evidence/preserved.hpp"

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

constexpr int most_looked_at = 100; // constraints; of more nothing is said

std::vector<std::string> parts_of(const std::string& condition) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from < condition.size();) {
        const std::size_t comma = std::min(condition.find(", ", from), condition.size());
        parts.push_back(condition.substr(from, comma - from));
        from = comma + 2;
    }
    return parts;
}

// Whether formulas vanish where the sample looks, beside others of their size.
bool vanish(const Sample& sample, const Vec& formulas, const Vec& beside) {
    double value = 0, size = 1;
    const auto count = static_cast<std::size_t>(formulas.count());
    for (const auto& point : sample.at_all(concat({formulas, beside})))
        for (std::size_t i = 0; i < point.size(); ++i)
            (i < count ? value : size) = std::max(i < count ? value : size, std::abs(point[i]));
    return value <= 1e-9 * size;
}

bool has_constant_derivatives(const Graph& graph, const Vec& f, const Vec& leaves, const Vec& variables) {
    const std::vector<JacobianTerm> terms = jacobian(f, leaves);
    return std::none_of(terms.begin(), terms.end(),
                        [&](const JacobianTerm& t) { return contains(graph, {t.value}, variables); });
}

} // namespace

Preserved::Preserved(const Sample& sample) : model_(sample.model()) {
    const Graph& graph = *model_.graph;
    const bool general = model_.kind == Model::general;
    std::vector<Expr> all{model_.function};
    for (const Vec* v : {&model_.force, &model_.velocity, &model_.holonomic, &model_.phase})
        for (const Expr& e : values_of(*v)) all.push_back(e);
    timed_ = contains(graph, all, model_.time_vec());
    const Vec moving = general ? model_.z : concat({model_.q, model_.kind == Model::lagrangian ? model_.v : model_.p});
    const Vec slopes = gradient(model_.function, moving);
    const Vec bounds = concat({model_.velocity, model_.holonomic, model_.phase}); // must be linear: they enter H, too
    quadratic_ = has_constant_derivatives(graph, slopes, moving, concat({moving, model_.time_vec()})) &&
                 has_constant_derivatives(graph, bounds, concat({moving, model_.v}),
                                          concat({moving, model_.v, model_.time_vec()}));
    if (general) return;
    momenta_ = conserved_momenta(sample);
    const Vec p = model_.kind == Model::lagrangian ? Mechanics(model_).momentum() : model_.p;
    for (const ConservedMomentum& m : momenta_)
        for (const Symmetry& s : model_.symmetries)
            if (s.name == m.name)
                linear_.push_back(has_constant_derivatives(graph, Vec({{"", dot(s.generator, p)}}), moving,
                                                           concat({moving, model_.time_vec()})));
    const auto backwards = [&](const Vec& f) { return substitute(f, {{model_.v, -model_.v}, {model_.p, -model_.p}}); };
    const Vec function({{"", model_.function}});
    even_ = vanish(sample, backwards(function) - function, function);
    even_forces_ = model_.force.empty() || vanish(sample, backwards(model_.force) - model_.force, model_.force);
    const Vec &phi = model_.velocity, &g = model_.holonomic;
    homogeneous_ =
        phi.empty() || vanish(sample, backwards(phi) - phi, phi) || vanish(sample, backwards(phi) + phi, phi);
    quadratic_g_ = g.empty();
    if (!g.empty() && g.count() <= most_looked_at) {
        Vec normals;
        for (const Expr& e : expand(g)) normals = concat({normals, gradient(e, model_.q)});
        quadratic_g_ = has_constant_derivatives(graph, normals, model_.q, concat({model_.q, model_.time_vec()})) &&
                       !contains(graph, values_of(g), model_.time_vec());
    }
    constant_metric_ = model_.kind == Model::lagrangian &&
                       has_constant_derivatives(graph, Mechanics(model_).momentum(), model_.v, moving);
}

std::optional<bool> Preserved::holds(const std::string& assumption) const {
    const std::vector<std::pair<std::string, bool>> known = {
        {"no forces", model_.force.empty()},
        {"no time", !timed_},
        {"L even", even_},
        {"L even in v", even_},
        {"H even in p", even_ && homogeneous_}, // with constraints inside the action, which enter H
        {"forces even in v", even_forces_},
        {"constraints homogeneous", homogeneous_},
        {"H quadratic", quadratic_},
        {"g quadratic", quadratic_g_},
        {"constant metric", constant_metric_},
        // decided momentum by momentum
        {"generator affine in q", true},
        {"no forces along it", true},
        {"horizontal symmetry", true},
        {"momentum linear in the state", true},
        // for the user to see to
        {"small steps", true},
        {"on the constraint manifold", true},
    };
    for (const auto& [words, value] : known)
        if (words == assumption) return value;
    return {};
}

std::string Preserved::first_missing(const std::string& condition) const {
    for (const std::string& part : parts_of(condition))
        if (!holds(part).value_or(false)) return part;
    return "";
}

std::vector<std::string> Preserved::kept_momenta(const std::string& condition) const {
    const auto asks = [&](const char* words) { return condition.find(words) != std::string::npos; };
    const bool affine = asks("generator affine in q"), linear = asks("momentum linear in the state");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < momenta_.size(); ++i)
        if ((momenta_[i].affine || !affine) && (linear_[i] || !linear)) names.push_back(momenta_[i].name);
    return names;
}

std::string Preserved::momenta(const std::string& condition) const {
    std::string list;
    for (const std::string& name : kept_momenta(condition)) list += (list.empty() ? "" : " and ") + name;
    return list.empty() ? "" : "momentum of " + list;
}

std::string Preserved::claim_in_words(const Claim& claim) const {
    if (claim.answer != Answer::yes || !first_missing(claim.condition).empty()) return "";
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
    case Property::momentum_exact: return momenta(claim.condition);
    }
    return "";
}

std::string Preserved::words(const Scheme& scheme, const Options& options) const {
    std::string kept;
    for (const Claim& claim : scheme.claims(options))
        if (const std::string words = claim_in_words(claim); !words.empty()) kept += (kept.empty() ? "" : ", ") + words;
    return "order " + std::to_string(scheme.order(options)) + "; " +
           (kept.empty() ? "keeps nothing" : "keeps: " + kept);
}

} // namespace rattleback
