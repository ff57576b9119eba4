// Which groups of columns a run has, and which fields of the node they are.
#include "run/columns.hpp"

#include "model/copy.hpp"
#include "run/redundant.hpp"
#include "run/step_code.hpp"
#include "run/stepper.hpp"

namespace rattleback {
namespace {

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

Columns::Columns(const Model& model, const Method& method, const Fields& node) {
    Layout layout;
    const auto one = [&](const char* name, ColumnGroup::Role role, std::optional<Fields::Field> source = {}) {
        layout.add({name, role, {name}});
        sources_.push_back(std::move(source));
    };
    const auto several = [&](const char* name, ColumnGroup::Role role, std::vector<std::string> columns) {
        const std::size_t count = columns.size();
        const Fields::Field field = count > 0 ? node[name] : Fields::Field{};
        if (field.size != count)
            throw std::logic_error("the columns of '" + std::string(name) + "' are not those of its field");
        layout.add({name, role, std::move(columns), {count}});
        sources_.push_back(field);
    };
    std::vector<std::string> momenta;
    one("t", ColumnGroup::time);
    if (model.kind == Model::general) {
        several("z", ColumnGroup::state, expanded_names(model.z));
    } else {
        several("q", ColumnGroup::state, expanded_names(shown_positions(model)));
        if (!model.control || model.control->positions == 0) // else velocities are among q
            several("v", ColumnGroup::state, expanded_names(model.v));
        several("p", ColumnGroup::state, expanded_names(model.p));
        momenta = names_of(model.symmetries, model.sections);
    }
    several("lambda", ColumnGroup::multiplier, numbered("lambda", shown_multipliers(model, method.step)));
    if (shows_holonomic_multipliers(model))
        several("lambda_h", ColumnGroup::multiplier, numbered("lambda_h", model.holonomic.count()));
    if (model.control) several("u", ColumnGroup::multiplier, names_of(model.inputs, model.implicit_inputs()));
    one("energy", ColumnGroup::invariant, node["energy"]);
    one("constraint", ColumnGroup::residual);
    several("momenta", ColumnGroup::invariant, momenta);
    several("observables", ColumnGroup::observable, names_of(model.observables));
    time_ = layout.find("t")->first, constraint_ = layout.find("constraint")->first;
    places_.resize(layout.width);
    for (std::size_t g = 0; g < sources_.size(); ++g)
        for (std::size_t i = 0; sources_[g] && i < sources_[g]->size; ++i)
            places_[layout.groups[g].first + i] = node_column(node, sources_[g]->offset + i);
    layout_ = std::make_shared<const Layout>(std::move(layout));
}

void Columns::read(double t, const NodeReader<double>& node, std::vector<double>& row) const {
    row.clear();
    for (std::size_t i = 0; i < sources_.size(); ++i)
        if (const auto& field = sources_[i]) {
            const auto values = std::span(node.parts().results).subspan(field->offset, field->size);
            row.insert(row.end(), values.begin(), values.end());
        } else { // not a result of the node: the time, and the largest of all residuals
            row.push_back(layout_->groups[i].role == ColumnGroup::time ? t : node.node().constraint);
        }
}

void note_elements(const Model& model, Summary& s) {
    if (model.groups.empty() && !model.is_group) return;
    std::vector<double> q = s.end["q"], v = s.end["v"];
    if (!model.is_group) s.g = from_shown(model, q).second;
    if (model.control && model.control->positions > 0) { // velocities are the last coordinates
        const auto velocities = q.end() - static_cast<std::ptrdiff_t>(model.control->positions);
        v.assign(velocities, q.end()), q.erase(velocities, q.end());
    }
    if (model.is_group) s.g = q, s.xi = v;
    if (model.is_group) return;
    const auto first = [&](std::size_t component) {
        int at = 0;
        for (std::size_t i = 0; i < component; ++i) at += model.q[i].count();
        return v.begin() + at;
    };
    for (const GroupCoordinate& c : model.groups) s.xi.insert(s.xi.end(), first(c.first), first(c.first + c.count));
}

} // namespace rattleback
