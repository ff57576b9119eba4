// [parametrization]: q = phi(a) on the set that the holonomic constraints leave.
#include <algorithm>
#include <array>

#include "expr/graph.hpp"
#include "model/reader.hpp"

namespace rattleback::model {

void Reader::read_chart_coordinates(const Entry& list) {
    for (const Value& item : names_in(list, "[\"a\"]")) {
        Component c = read_coordinate_name(item);
        if (c.family) fail(item.range(), "a parametrization has single names, not families", "name each coordinate");
        c.value = graph_.symbol(c.name);
        scope_.add_variable(c);
        model_.chart.push_back(c);
    }
    if (model_.chart.size() >= model_.q.size())
        fail(list.value.range(), "a parametrization has fewer coordinates than the model",
             "as many as the constraints leave free");
}

Component Reader::read_chart_formula(const Value& table, const Component& coordinate) {
    const Entry* e = table.find(coordinate.name);
    if (!e)
        fail(table.range(), "the parametrization does not give " + coordinate.name,
             "write " + coordinate.name + " = \"...\", a formula of its coordinates");
    const Expr value = formula(e->value, "a parametrization");
    std::vector<NodeId> inside;
    if (value.graph()) inside = reachable(graph_, std::array{value.id()});
    for (const Vec* leaves : {&model_.q, &model_.v, &model_.p})
        for (const Component& c : *leaves)
            if (std::find(inside.begin(), inside.end(), c.value.id()) != inside.end())
                fail(e->value.range(), "a parametrization depends on its own coordinates and t, not on " + c.name,
                     "use " + model_.chart[0].name);
    return {coordinate.name, value};
}

// NOTE: read last, so that its coordinates are no names in other formulas.
void Reader::read_parametrization() {
    const Value* found = table("parametrization");
    if (!found) return;
    const Range header = document_.root().find("parametrization")->key_range;
    if (model_.holonomic.empty())
        fail(header, "[parametrization] goes with holonomic constraints", "it describes the set they leave");
    if (!model_.groups.empty())
        fail(header, "[parametrization] does not go with coordinates on groups",
             "they have coordinates everywhere; use rattle, or write coordinates of a chart");
    for (const Component& c : model_.q)
        if (c.family) fail(header, "a parametrization takes no families: '" + c.name + "'", "name each coordinate");
    const Entry* coordinates = found->find("coordinates");
    if (!coordinates) fail(header, "[parametrization] needs coordinates", "write coordinates = [\"a\"]");
    read_chart_coordinates(*coordinates);
    std::vector<std::string> names{"coordinates", "start"};
    for (const Component& c : model_.q) names.push_back(c.name);
    allow_keys(*found, names, "in [parametrization]");
    for (const Component& c : model_.q) model_.chart_map.push_back(read_chart_formula(*found, c));
    const Entry* start = found->find("start");
    if (!start) return;
    if (!start->value.is(Value::Kind::Table))
        fail(start->value.range(), "start must be a table by name",
             "write start = { " + model_.chart[0].name + " = 0 }");
    for (const Component& c : model_.chart) {
        const Entry* e = start->value.find(c.name);
        if (!e) fail(start->value.range(), "start does not give " + c.name, "a table names every coordinate");
        model_.chart_guess.push_back(number(text_of(e->value, "start")));
    }
    for (const Entry& e : start->value.entries())
        if (std::none_of(model_.chart.begin(), model_.chart.end(), [&](const Component& c) { return c.name == e.key; }))
            fail(e.key_range, "'" + std::string(e.key) + "' is no coordinate of the parametrization",
                 "they are " + list_of(expanded_names(model_.chart)));
}

} // namespace rattleback::model
