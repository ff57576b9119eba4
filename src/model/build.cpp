// Models built in C++.
#include "expr/graph.hpp"
#include "model/copy.hpp"
#include "model/each_formula.hpp"

namespace rattleback {

Vec Model::parameter_vec() const {
    Vec all;
    for (const Parameter& each : parameters) all.push_back({each.name, each.symbol});
    return all;
}

std::shared_ptr<const Start> start_of(const Model& m) {
    return std::make_shared<const Start>(Start{m.t0, m.q0, m.v0, m.p0, m.z0, m.z_given, m.lambda0, m.run.step});
}

Model deep_copy(const Model& model) {
    Model own = model;
    own.graph = std::make_shared<Graph>();
    import_formulas(own, *own.graph);
    return own;
}

Model at_typical_values(const Model& model) {
    Model typical = model;
    for (Parameter& p : typical.parameters) p.value = p.typical;
    if (const auto& start = model.typical_start) {
        typical.t0 = start->t0, typical.q0 = start->q0, typical.v0 = start->v0, typical.p0 = start->p0;
        typical.z0 = start->z0, typical.z_given = start->z_given, typical.lambda0 = start->lambda0;
        typical.run.step = start->step;
    }
    return typical;
}

Vec rates_of(const Vec& f, const Model& model) {
    return derivative_along(f, concat({model.q, model.time_vec()}), concat({model.v, Vec({{"t", Expr(1)}})}));
}

std::vector<NamedFormula> momentum_maps(const Model& model) {
    std::vector<NamedFormula> maps;
    for (const Symmetry& s : model.symmetries) maps.push_back({s.name, dot(s.generator, model.p)});
    const std::size_t symmetries = maps.size();
    for (const SymmetrySection& s : model.sections) {
        Expr sum = 0;
        for (const auto& [name, coefficient] : s.coefficients)
            for (std::size_t i = 0; i < symmetries; ++i)
                if (maps[i].name == name) sum = sum + coefficient * maps[i].formula;
        maps.push_back({s.name, sum});
    }
    return maps;
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
