// What formulas mean by a coordinate on a group: R, R', p_R, body(R), space(R), rotation(R), position(R), angle(R).
#include "model/scope.hpp"

#include <algorithm>
#include <array>

namespace rattleback::model {
namespace {

constexpr std::array<std::string_view, 5> of_groups = {"body", "space", "rotation", "position", "angle"};

Tensor vector_or_number(const Numbers& x) {
    if (x.size() == 1) return x[0];
    return {x, static_cast<int>(x.size()), 0};
}

} // namespace

void ModelScope::add_group_coordinate(const std::string& name, const LieGroup& group, const Vec& w, const Vec& rate,
                                      const Vec& p, const Vec& centre, const Vec& body) {
    on_groups_[name] = {&group, w, rate, p, centre, body};
    for (const Component& c : body) note(c, {.velocity = true, .now = true});
    for (const Component& c : rate) note(c, {.velocity = true, .now = true});
    for (const Component& c : w) note(c, {.now = true});
    for (const Component& c : p) note(c, {.momentum = true, .now = true});
}

Numbers ModelScope::numbers_of(const Vec& leaves, const std::optional<Expr>& index) const {
    Numbers all;
    for (const Component& c : leaves)
        all.push_back(index ? member(c, *index, c.name.substr(0, c.name.find_last_of("_'"))) : c.value);
    return all;
}

Tensor ModelScope::group_value(const std::string& name, const OnGroup& of, const std::optional<Expr>& index,
                               bool primed) {
    const Numbers w = numbers_of(of.w, index), centre = numbers_of(of.centre, index);
    if (!on_groups_.contains(name)) { // p_R
        if (primed) throw ExprError("a momentum has no prime: only coordinates and definitions of them do");
        return vector_or_number(of.group->body_momentum(w, numbers_of(of.p, index)));
    }
    Tensor value = of.group->matrix(of.group->moved(centre, w));
    if (primed)
        for (Expr& e : value.e) e = time_derivative(e, name);
    return value;
}

std::optional<Tensor> ModelScope::function_of(const std::string& function, const std::string& name,
                                              const std::optional<Expr>& index) {
    if (std::find(of_groups.begin(), of_groups.end(), function) == of_groups.end()) return {};
    const auto it = on_groups_.find(name);
    if (it == on_groups_.end())
        throw ExprError(function + " takes the name of a coordinate on a group, like R of \"R in SO(3)\"");
    const OnGroup& of = it->second;
    const LieGroup& group = *of.group;
    if (of.w[0].family != index.has_value())
        throw ExprError(index ? "'" + name + "' is not a family, it takes no index"
                              : "'" + name + "' is a family: write " + function + "(" + name + "[i])");
    const Numbers w = numbers_of(of.w, index), here = group.moved(numbers_of(of.centre, index), w);
    if (function == "rotation") return group.rotation(here);
    if (function == "position") {
        if (!group.shifts) throw ExprError("elements of " + std::string(group.name) + " have no position");
        return vector_or_number(group.position(here));
    }
    if (function == "angle") {
        if (group.space != 2)
            throw ExprError("elements of " + std::string(group.name) + " have no angle: it belongs to SO(2) and SE(2)");
        return group.angle(here);
    }
    const Numbers body = of.body.empty() ? group.body_velocity(w, numbers_of(of.rate, index)) : numbers_of(of.body, {});
    return vector_or_number(function == "body" ? body : group.space_velocity(here, body));
}

} // namespace rattleback::model
