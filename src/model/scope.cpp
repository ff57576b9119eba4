#include "model/scope.hpp"

#include <algorithm>
#include <array>

#include "expr/rewrite.hpp"

namespace rattleback::model {

void ModelScope::add_coordinate(const Component& q, const Component& v, const Component& p) {
    coordinates_[q.name] = {q, v, p};
}

bool ModelScope::taken(const std::string& name) const {
    return parameters_.contains(name) || coordinates_.contains(name) || definitions_.contains(name) ||
           templates_.contains(name) || variables_.contains(name) || (time_ && name == "t") || name == "pi" ||
           (name.rfind("p_", 0) == 0 && coordinates_.contains(name.substr(2)));
}

Expr ModelScope::time_derivative(const Expr& e, const std::string& name) const {
    if (!e.graph()) return 0.0;
    for (NodeId id : reachable(graph_, std::array{e.id()}, true))
        for (const auto& [key, c] : coordinates_) {
            const bool family =
                c.v.family && graph_.node(id).op == Op::element && graph_.node(id).a == graph_.node(c.v.value.id()).a;
            if (family || (!c.v.family && id == c.v.value.id()))
                throw ExprError(name + "' would need accelerations: '" + name + "' contains the velocity " + c.v.name);
        }
    return derivative_along(e, from_, to_);
}

std::optional<Tensor> ModelScope::name(const std::string& name, bool primed) {
    if (auto it = coordinates_.find(name); it != coordinates_.end()) {
        if (it->second.q.family)
            throw ExprError("'" + name + "' is a family: write " + name + "[i] or " + name + "[1]");
        return primed ? it->second.v.value : it->second.q.value;
    }
    if (name.rfind("p_", 0) == 0)
        if (auto it = coordinates_.find(name.substr(2)); it != coordinates_.end()) {
            if (primed) throw ExprError("a momentum has no prime: only coordinates and definitions of them do");
            if (it->second.p.family)
                throw ExprError("'" + name + "' is a family: write " + name + "[i] or " + name + "[1]");
            return it->second.p.value;
        }
    if (auto it = definitions_.find(name); it != definitions_.end()) {
        if (!primed) return it->second;
        Tensor rate = it->second;
        for (Expr& e : rate.e) e = time_derivative(e, name);
        return rate;
    }
    if (templates_.contains(name))
        throw ExprError("'" + name + "' is a family: write " + name + "[i] or " + name + "[1]");
    if (auto it = parameters_.find(name); it != parameters_.end()) {
        if (primed)
            throw ExprError("'" + name + "' is a parameter: only coordinates and definitions have a time derivative");
        return as_numbers_ ? graph_.constant(it->second.second) : it->second.first;
    }
    if (auto it = variables_.find(name); it != variables_.end()) {
        if (primed)
            throw ExprError("the Hamiltonian of J z' = grad H depends on the variables, not on their derivatives");
        return it->second.value;
    }
    if (time_ && name == "t") {
        if (primed) throw ExprError("'t' is the time: only coordinates and definitions have a time derivative");
        return *time_;
    }
    return {};
}

Expr ModelScope::member(const Component& family, const Expr& index) const {
    const FamilyId id = graph_.node(family.value.id()).a;
    const auto at = affine_index(graph_, index.in(graph_));
    if (at && !at->variable) {
        const Family& f = graph_.family(id);
        for (auto [k, value] : f.border)
            if (k == at->shift) return {graph_, value};
        if (at->shift < f.lo || at->shift > f.hi)
            throw ExprError(f.name + "[" + std::to_string(at->shift) + "] does not exist: " + f.name + " has members " +
                            std::to_string(f.lo) + ".." + std::to_string(f.hi) + " (a border value is a definition \"" +
                            f.name + "[" + std::to_string(at->shift) + "]\" = \"...\")");
    }
    return graph_.element(id, index);
}

std::optional<Expr> ModelScope::element(const std::string& name, const Expr& index, bool primed) {
    if (auto it = coordinates_.find(name); it != coordinates_.end() && it->second.q.family)
        return member(primed ? it->second.v : it->second.q, index);
    if (name.rfind("p_", 0) == 0)
        if (auto it = coordinates_.find(name.substr(2)); it != coordinates_.end() && it->second.p.family) {
            if (primed) throw ExprError("a momentum has no prime: only coordinates and definitions of them do");
            return member(it->second.p, index);
        }
    if (auto it = templates_.find(name); it != templates_.end()) {
        const Expr e = primed ? time_derivative(it->second, name) : it->second;
        return replace_index(e, graph_.free_index().id(), index);
    }
    return {};
}

Expr ModelScope::structural(const Expr& e) {
    if (!e.graph()) return e;
    Rewriter numbers(graph_, false);
    for (const auto& [name, parameter] : parameters_) numbers.replace(parameter.first.id(), parameter.second);
    return numbers(e);
}

std::vector<std::string> ModelScope::known() const {
    std::vector<std::string> names{"pi"};
    if (time_) names.push_back("t");
    for (const auto& [name, x] : parameters_) names.push_back(name);
    for (const auto& [name, x] : coordinates_) names.push_back(name), names.push_back("p_" + name);
    for (const auto& [name, x] : variables_) names.push_back(name);
    for (const auto& [name, x] : definitions_) names.push_back(name);
    for (const auto& [name, x] : templates_) names.push_back(name);
    return names;
}

} // namespace rattleback::model
