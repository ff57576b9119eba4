// Models built in C++.
#include <rattleback/model.hpp>

namespace rattleback {

Vec Model::parameter_vec() const {
    Vec all;
    for (const Parameter& each : parameters) all.push_back({each.name, each.symbol});
    return all;
}

Start start_of(const Model& m) { return {m.t0, m.q0, m.v0, m.p0, m.z0, m.z_given, m.lambda0, m.run.step}; }

namespace {

// Puts formulas into a copy of their graph.
struct Mover {
    const Graph& from;
    Graph& to;
    std::size_t known; // nodes of both
    bool complete = true;

    void operator()(Expr& e) {
        if (!e.graph()) return;
        if (e.graph() == &from && e.id() < known)
            e = Expr(to, e.id());
        else
            complete = false;
    }
    void operator()(Vec& v) {
        for (std::size_t i = 0; i < v.size(); ++i) {
            (*this)(v[i].value);
            for (auto& [k, value] : v[i].border) (*this)(value);
        }
    }
};

} // namespace

Model without_history(const Model& model) {
    if (model.as_read.nodes == 0 || model.graph->extent() == model.as_read) return model;
    Model own = model;
    own.graph = model.graph->as_it_was(model.as_read);
    Mover move{*model.graph, *own.graph, model.as_read.nodes};
    move(own.t), move(own.function);
    for (Parameter& p : own.parameters) move(p.symbol);
    for (Vec* v : {&own.q, &own.v, &own.p, &own.z, &own.force, &own.holonomic, &own.velocity, &own.phase,
                   &own.redundant, &own.chart, &own.chart_map})
        move(*v);
    for (Symmetry& s : own.symmetries) move(s.generator);
    for (SymmetrySection& s : own.sections)
        for (auto& [name, coefficient] : s.coefficients) move(coefficient);
    for (NamedFormula& o : own.observables) move(o.formula);
    for (ViewShape& s : own.view.shapes)
        for (ViewShape::Part& part : s.parts)
            for (Expr& e : part.formulas) move(e);
    return move.complete ? own : model;
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
