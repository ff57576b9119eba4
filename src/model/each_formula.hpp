// All formulas of a model.
#pragma once

#include <rattleback/model.hpp>

#include "expr/each_formula.hpp"
#include "model/view.hpp"

namespace rattleback {

template <class F> void each_formula(Model& m, F&& f) {
    f(m.t), f(m.function);
    for (Parameter& p : m.parameters) f(p.symbol);
    for (Vec* v : {&m.q, &m.v, &m.p, &m.centre, &m.z, &m.force, &m.holonomic, &m.velocity, &m.phase, &m.redundant,
                   &m.chart, &m.chart_map})
        each_formula(*v, f);
    for (Symmetry& s : m.symmetries) each_formula(s.generator, f);
    for (SymmetrySection& s : m.sections)
        for (auto& [name, coefficient] : s.coefficients) f(coefficient);
    for (NamedFormula& o : m.observables) f(o.formula);
    for (NamedFormula& u : m.inputs) f(u.formula);
    if (m.control) {
        each_formula(m.control->inputs, f), each_formula(m.control->dynamics, f);
        f(m.control->cost), f(m.control->terminal);
        for (Control::Bound& b : m.control->bounds) f(b.value);
    }
    if (m.boundary) each_formula(m.boundary->from_set, f), each_formula(m.boundary->to_set, f);
    if (m.discrete) {
        DiscreteMechanics& d = *m.discrete;
        for (Vec* v : {&d.q0, &d.q1, &d.force_0, &d.force_1, &d.reaction_0, &d.reaction_1, &d.constraint})
            each_formula(*v, f);
        f(d.h), f(d.t0), f(d.lagrangian);
    }
    if (!m.view) return;
    const auto view = std::make_shared<View>(*m.view); // copies of a model share theirs, with the same formulas
    for (ViewShape& s : view->shapes)
        for (ViewShape::Part& part : s.parts)
            for (Expr& e : part.formulas) f(e);
    m.view = view;
}

} // namespace rattleback
