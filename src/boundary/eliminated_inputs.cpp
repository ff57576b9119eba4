#include "boundary/eliminated_inputs.hpp"

#include "expr/cases.hpp"
#include "expr/graph.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {

bool eliminate_inputs(Model& m) {
    Control& c = *m.control;
    m.function = c.cost + dot(m.p, c.dynamics);
    m.inputs.clear(), m.phase = {}, c.implicit = false;
    const Vec slope = gradient(m.function, c.inputs), none = zeros_like(c.inputs);
    std::vector<Expr> matrix, rhs;
    for (const Component& s : slope) {
        if (has_cases(s.value, c.inputs)) return false;
        bool enters = false;
        for (const Component& entry : gradient(s.value, c.inputs)) {
            for (const Component& third : gradient(entry.value, c.inputs)) c.implicit |= !third.value.is(0);
            enters |= !entry.value.is(0), matrix.push_back(entry.value);
        }
        if (!enters) return false;
        rhs.push_back(-substitute(s.value, {{c.inputs, none}}));
    }
    if (c.implicit) return true; // methods solve for them
    const std::vector<Expr> found = m.graph->solve(matrix, rhs);
    Vec u = c.inputs;
    for (std::size_t i = 0; i < u.size(); ++i) u[i].value = found[i], m.inputs.push_back({u[i].name, found[i]});
    m.function = substitute(m.function, {{c.inputs, u}});
    return true;
}

std::optional<Model> without_bounds(const Model& model) {
    Model m = deep_copy(model);
    m.control->bounds.clear();
    if (!eliminate_inputs(m)) return {};
    return m;
}

} // namespace rattleback::boundary
