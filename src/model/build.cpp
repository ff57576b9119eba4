// Models built in C++.
#include "expr/graph.hpp"
#include "group/group.hpp"
#include "model/copy.hpp"
#include "model/each_formula.hpp"

namespace rattleback {
namespace {

Numbers values(const Vec& of, std::size_t first, std::size_t count) {
    Numbers all;
    for (std::size_t i = first; i < first + count; ++i) all.push_back(of[i].value);
    return all;
}

} // namespace

Vec Model::parameter_vec() const {
    Vec all;
    for (const Parameter& each : parameters) all.push_back({each.name, each.symbol});
    return all;
}

Vec Model::others() const { return concat({time_vec(), parameter_vec(), centre}); }

ShownCoordinates shown_coordinates(const Model& m) {
    ShownCoordinates shown;
    auto group = m.groups.begin();
    for (std::size_t i = 0; i < m.q.size();) {
        if (group == m.groups.end() || i < group->first) {
            shown.q.push_back(m.q[i]), shown.v.push_back(m.v[i]), shown.p.push_back(m.p[i]);
            ++i;
            continue;
        }
        const LieGroup& g = *find_group(group->group);
        const Numbers w = values(m.q, group->first, group->count),
                      centre = values(m.centre, group->centre, group->centre_count);
        const auto add = [](Vec& to, const Vec& like, std::size_t first, const Numbers& formulas) {
            for (std::size_t k = 0; k < formulas.size(); ++k) {
                Component c = like[first + k];
                c.value = formulas[k], to.push_back(std::move(c));
            }
        };
        add(shown.q, m.centre, group->centre, g.moved(centre, w));
        add(shown.v, m.v, i, g.body_velocity(w, values(m.v, i, group->count)));
        add(shown.p, m.p, i, g.body_momentum(w, values(m.p, i, group->count)));
        i += group->count, ++group;
    }
    return shown;
}

Vec shown_positions(const Model& m) {
    Vec shown;
    auto group = m.groups.begin();
    for (std::size_t i = 0; i < m.q.size();) {
        const bool chart = group != m.groups.end() && i == group->first;
        for (std::size_t k = 0; k < (chart ? group->centre_count : 1); ++k)
            shown.push_back(chart ? m.centre[group->centre + k] : m.q[i]);
        i += chart ? group->count : 1;
        if (chart) ++group;
    }
    return shown;
}

Vec written_out(const Vec& f) {
    Vec all;
    for (const Expr& e : expand(f)) all.push_back({"", e});
    return all;
}

Expr at_centre(const Expr& f, const Model& m) {
    Vec charts;
    for (const GroupCoordinate& g : m.groups)
        for (std::size_t k = 0; k < g.count; ++k) charts.push_back(m.q[g.first + k]);
    const Vec members = written_out(charts);
    return charts.empty() ? f : substitute(f, {{charts, zeros_like(charts)}, {members, zeros_like(members)}});
}

std::shared_ptr<const Start> start_of(const Model& m) {
    return std::make_shared<const Start>(
        Start{m.t0, m.q0, m.v0, m.p0, m.z0, m.centre0, m.z_given, m.lambda0, m.run.step});
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
        typical.centre0 = start->centre0, typical.z0 = start->z0, typical.z_given = start->z_given,
        typical.lambda0 = start->lambda0;
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
