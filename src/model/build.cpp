// Models built in C++.
#include <rattleback/model.hpp>

namespace rattleback {

Vec Model::parameter_vec() const {
    Vec all;
    for (const Parameter& each : parameters) all.push_back({each.name, each.symbol});
    return all;
}

Expr add_coordinate(Model& model, const std::string& name) {
    Graph& g = *model.graph;
    model.t = g.symbol("t");
    model.q.push_back({name, g.symbol(name)});
    model.v.push_back({name + "'", g.symbol(name + "'")});
    model.p.push_back({"p_" + name, g.symbol("p_" + name)});
    return g.symbol(name);
}

Expr velocity(const Model& model, const std::string& name) { return model.graph->symbol(name + "'"); }
Expr momentum(const Model& model, const std::string& name) { return model.graph->symbol("p_" + name); }

Expr add_parameter(Model& model, const std::string& name, double value) {
    model.parameters.push_back({name, model.graph->symbol(name), static_cast<quad>(value)});
    return model.parameters.back().symbol;
}

} // namespace rattleback
