#include "run/columns.hpp"

#include "run/redundant.hpp"

namespace rattleback {
namespace {

using Values = NodeValues<double>;

std::vector<std::string> numbered(const std::string& name, int count) {
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i) names.push_back(name + "_" + std::to_string(i));
    return names;
}

template <class... Lists> std::vector<std::string> names_of(const Lists&... lists) {
    std::vector<std::string> names;
    const auto add = [&](const auto& list) {
        for (const auto& x : list) names.push_back(x.name);
    };
    (add(lists), ...);
    return names;
}

} // namespace

Columns::Columns(const Model& model, const Method& method) {
    Layout layout;
    layout.add({"t", ColumnGroup::time, {"t"}});
    const auto one = [&](const char* name, ColumnGroup::Role role, Source source) {
        layout.add({name, role, {name}}), sources_.push_back(source);
    };
    const auto several = [&](const char* name, ColumnGroup::Role role, std::vector<std::string> columns,
                             Source source) {
        const std::size_t n = columns.size();
        layout.add({name, role, std::move(columns), {n}}), sources_.push_back(source);
    };
    std::vector<std::string> momenta;
    if (model.kind == Model::general) {
        several("z", ColumnGroup::state, expanded_names(model.z), [](const Values& n) { return std::span(n.z); });
    } else {
        several("q", ColumnGroup::state, expanded_names(model.q), [](const Values& n) { return std::span(n.q); });
        several("v", ColumnGroup::state, expanded_names(model.v), [](const Values& n) { return std::span(n.v); });
        several("p", ColumnGroup::state, expanded_names(model.p), [](const Values& n) { return std::span(n.p); });
        momenta = names_of(model.symmetries, model.sections);
    }
    several("lambda", ColumnGroup::multiplier, numbered("lambda", shown_multipliers(model, method.step)),
            [](const Values& n) { return std::span(n.lambda); });
    one("energy", ColumnGroup::invariant, [](const Values& n) { return std::span(&n.energy, 1); });
    one("constraint", ColumnGroup::residual, [](const Values& n) { return std::span(&n.constraint, 1); });
    several("momenta", ColumnGroup::invariant, momenta, [](const Values& n) { return std::span(n.momenta); });
    several("observables", ColumnGroup::observable, names_of(model.observables),
            [](const Values& n) { return std::span(n.observables); });
    layout_ = std::make_shared<const Layout>(std::move(layout));
}

void Columns::read(double t, const Values& node, std::vector<double>& row) const {
    row.assign(1, t);
    for (const Source source : sources_) {
        const std::span<const double> values = source(node);
        row.insert(row.end(), values.begin(), values.end());
    }
}

} // namespace rattleback
