// Copies of a model to derive from, and what is derived from the model alone.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback {

// With its formulas in a graph of their own. Who derives from a model (gradients, equations of a method) does so in
// such a copy: the model itself is only read, so that threads may share it, and what is derived depends on its formulas
// alone.
Model deep_copy(const Model& model);
Model at_typical_values(const Model& model); // of its parameters, and at its typical start

// Where a run begins: scalars in order.
struct Start {
    quad t0 = 0;
    std::vector<quad> q0, v0, p0, z0; // v0 or p0 is empty when the other is given
    std::vector<quad> centre0 = {};
    std::vector<std::optional<quad>> z_given = {}; // general Hamiltonian: which components were given
    std::vector<quad> lambda0 = {};
    std::optional<double> step = {};
};

std::shared_ptr<const Start> start_of(const Model& model);

// The values of Model::others() at time t.
template <class T> std::vector<T> other_values(const Model& model, T t) {
    std::vector<T> values{t};
    for (const Parameter& p : model.parameters) values.push_back(static_cast<T>(p.value));
    for (const quad& x : model.centre0) values.push_back(static_cast<T>(x));
    return values;
}

// What results show of (q, v, p): of group coordinates the element, and velocity and momentum seen from the body.
struct ShownCoordinates {
    Vec q, v, p;
};
ShownCoordinates shown_coordinates(const Model& model); // adds formulas to its graph
Vec shown_positions(const Model& model);                // leaves, named as results show them: at w = 0 they are q
// From the numbers of shown_coordinates(model).q: those of q, 0 in charts, and those of the centre.
template <class T>
std::pair<std::vector<T>, std::vector<T>> from_shown(const Model& model, const std::vector<T>& shown) {
    std::vector<T> q, centre;
    auto group = model.groups.begin();
    auto at = shown.begin();
    for (std::size_t i = 0; i < model.q.size();) {
        const bool chart = group != model.groups.end() && i == group->first;
        int count = model.q[i].count();
        if (chart) count *= static_cast<int>(group->centre_count);
        std::vector<T>& to = chart ? centre : q;
        to.insert(to.end(), at, at + count);
        at += count;
        if (chart) q.insert(q.end(), group->count * static_cast<std::size_t>(model.q[i].count()), T(0));
        i += chart ? group->count : 1;
        if (chart) ++group;
    }
    return {std::move(q), std::move(centre)};
}
Vec written_out(const Vec& f); // each member of a family as a component of its own, which has no name
Expr at_centre(const Expr& f, const Model& model); // where the coordinates of charts are 0

// d/dt of formulas of (t, q) along the motion: f_q v + f_t.
Vec rates_of(const Vec& f, const Model& model);

// <p, xi_Q(q)> of the symmetries, then of the sections.
std::vector<NamedFormula> momentum_maps(const Model& model);

} // namespace rattleback
