// Formulas inside larger objects, one after the other: to put a whole model or method into another graph.
#pragma once

#include "expr/graph.hpp"

namespace rattleback {

template <class F> void each_formula(Expr& e, F&& f) { f(e); }
template <class F> void each_formula(Vec& v, F&& f) {
    for (std::size_t i = 0; i < v.size(); ++i) {
        f(v[i].value);
        for (auto& [k, value] : v[i].border) f(value);
    }
}

// Moves all formulas of an object into a copy of their graph that has the same ids.
template <class Object> void move_to_copy(Object& object, Graph& copy) {
    each_formula(object, [&](Expr& e) {
        if (e.graph()) e = Expr(copy, e.id());
    });
}

// Replaces all formulas of an object, which come from one graph, by their copies in another.
template <class Object> void import_formulas(Object& object, Graph& to) {
    const Graph* from = nullptr;
    std::vector<NodeId> roots;
    each_formula(object, [&](Expr& e) {
        if (!e.graph()) return;
        if (from && from != e.graph()) throw ExprError("formulas of different graphs cannot be combined");
        from = e.graph();
        roots.push_back(e.id());
    });
    if (!from || from == &to) return;
    const std::vector<NodeId> now = to.import(*from, roots);
    each_formula(object, [&](Expr& e) {
        if (e.graph()) e = Expr(to, now[e.id()]);
    });
}

} // namespace rattleback
