// All formulas of a method.
#pragma once

#include <rattleback/scheme.hpp>

#include "expr/each_formula.hpp"

namespace rattleback {

template <class F> void each_formula(std::vector<Unknown>& find, F&& f) {
    for (Unknown& u : find) {
        each_formula(u.symbols, f), each_formula(u.guess, f);
        for (Expr& e : u.beside) f(e);
    }
}
template <class F> void each_formula(std::vector<Equation>& equations, F&& f) {
    for (Equation& e : equations) each_formula(e.lhs, f), each_formula(e.rhs, f);
}

template <class F> void each_formula(Step& s, F&& f) {
    f(s.h), f(s.t);
    for (Vec* v : {&s.state, &s.hint, &s.increment, &s.next_hint, &s.steady_hint, &s.error, &s.start, &s.start_hint,
                   &s.reverse, &s.q, &s.v, &s.p, &s.z, &s.lambda, &s.arrival, &s.centre, &s.chart, &s.manifold})
        each_formula(*v, f);
    for (auto* find : {&s.find, &s.start_find, &s.node_find}) each_formula(*find, f);
    for (auto* equations : {&s.equations, &s.start_equations, &s.node_equations}) each_formula(*equations, f);
    for (Stage& stage : s.stages) {
        for (Vec* v : {&stage.q, &stage.v, &stage.z, &stage.p, &stage.u}) each_formula(*v, f);
        f(stage.t);
    }
    if (s.generating) f(*s.generating);
    for (Work& w : s.work) each_formula(w.force, f), each_formula(w.place, f);
    for (auto& [a, b] : s.form) each_formula(a, f), each_formula(b, f);
}

} // namespace rattleback
