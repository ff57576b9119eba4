#include "boundary/priced_inputs.hpp"

#include "expr/graph.hpp"
#include "formulation/chain.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {

// The phase constraints are H_u = 0 of these inputs, in their order: with the price u = -H_u / price.
Model with_priced_inputs(const Model& of, double price) {
    Model m = deep_copy(of);
    const std::vector<std::size_t> singular = singular_inputs(m);
    const Expr c(static_cast<quad>(price));
    Vec leaves, found;
    for (std::size_t k = 0; k < singular.size(); ++k) {
        const Expr slope = m.phase[k].value;
        leaves.push_back(m.control->inputs[singular[k]]), found.push_back({leaves[k].name, -slope / c});
        m.function = m.function - slope * slope / (2 * c);
        m.control->cost = m.control->cost + c * leaves[k].value * leaves[k].value / 2;
    }
    for (NamedFormula& u : m.inputs) u.formula = substitute(u.formula, {{leaves, found}});
    m.phase = {};
    return m;
}

} // namespace rattleback::boundary
