// Mechanics under control with coordinates on groups: their velocities become coordinates as velocities of the body,
// which are the same in all charts. Rates of a chart's coordinates w follow from them.
#include "model/copy.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

Numbers values(const Vec& of, std::size_t first, std::size_t count) {
    Numbers all;
    for (std::size_t i = first; i < first + count; ++i) all.push_back(of[i].value);
    return all;
}

void set(Vec& of, std::size_t first, const Numbers& to) {
    for (std::size_t i = 0; i < to.size(); ++i) of[first + i].value = to[i];
}

} // namespace

bool Reader::velocities_become_coordinates() const {
    const Value* control = table("control");
    return control && !control->find("dynamics");
}

// q' of the coordinates: of charts as formulas of the velocities of the body, where those are coordinates.
Vec Reader::chart_rates() const {
    Vec rates = model_.v;
    std::size_t at = 0;
    for (const GroupCoordinate& g : model_.groups) {
        if (body_.empty()) break;
        set(rates, g.first,
            find_group(g.group)->chart_rate(values(model_.q, g.first, g.count), values(body_, at, g.count)));
        at += g.count;
    }
    return rates;
}

// A formula of velocities of the body as one of the rates of charts.
Expr Reader::in_chart_rates(const Expr& f) const {
    if (body_.empty()) return f;
    Vec velocities = body_;
    std::size_t at = 0;
    for (const GroupCoordinate& g : model_.groups) {
        set(velocities, at,
            find_group(g.group)->body_velocity(values(model_.q, g.first, g.count), values(model_.v, g.first, g.count)));
        at += g.count;
    }
    return substitute(f, {{body_, velocities}});
}

// The coordinates' velocities, of which the state is made.
Vec Reader::velocity_names() const {
    Vec all = model_.v;
    std::size_t at = 0;
    for (const GroupCoordinate& g : model_.groups)
        for (std::size_t k = 0; k < g.count && !body_.empty(); ++k) all[g.first + k] = body_[at++];
    return all;
}

// In the chart that is centred at the body itself: w = 0 there, its rates are the velocities of the body.
Expr Reader::seen_from_the_body(const Expr& f) const {
    if (body_.empty()) return f;
    Vec w, rates, centre = model_.centre;
    for (const GroupCoordinate& g : model_.groups) {
        for (std::size_t k = 0; k < g.count; ++k)
            w.push_back(model_.q[g.first + k]), rates.push_back(model_.v[g.first + k]);
        set(centre, g.centre,
            find_group(g.group)->moved(values(model_.centre, g.centre, g.centre_count),
                                       values(model_.q, g.first, g.count)));
    }
    return substitute(f, {{concat({w, rates, model_.centre}), concat({zeros_like(w), body_, centre})}});
}

// Rates of the velocities of the body from w'' in that chart.
Vec Reader::body_accelerations(const Vec& of_charts) {
    if (body_.empty()) return of_charts;
    Vec all = of_charts;
    for (const GroupCoordinate& g : model_.groups) {
        Vec w, rate, second, found;
        for (std::size_t k = 0; k < g.count; ++k) {
            w.push_back(model_.q[g.first + k]), rate.push_back(model_.v[g.first + k]);
            const std::string name = "w'' of " + model_.q[g.first + k].name;
            second.push_back({name, graph_.symbol(name)}), found.push_back(of_charts[g.first + k]);
        }
        Vec velocity = rate;
        set(velocity, 0, find_group(g.group)->body_velocity(values(w, 0, g.count), values(rate, 0, g.count)));
        const Vec rates = derivative_along(velocity, concat({w, rate}), concat({rate, second}));
        for (std::size_t k = 0; k < g.count; ++k)
            all[g.first + k].value = substitute(seen_from_the_body(rates[k].value), {{second, found}});
    }
    return all;
}

// A coordinate of a chart by the name of the element.
std::string Reader::name_in_tables(const Component& c) const {
    for (const GroupCoordinate& g : model_.groups)
        for (std::size_t k = 0; k < g.count; ++k)
            if (model_.q[g.first + k].name == c.name) return g.name;
    return c.name;
}

} // namespace rattleback::model
