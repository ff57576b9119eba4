// Formulas of the state alone that a step needs at its start and again at its end, such as the forces in Verlet's: the
// next step starts with what this one ended with.
#pragma once

#include <rattleback/expr.hpp>

#include <span>

namespace rattleback::solve {

struct BothEnds {
    struct Moved { // a component of the state that the formulas read
        std::uint32_t component;
        Expr low, next; // a symbol for what rounding has taken from it, and its value at the end
    };
    std::vector<Moved> moved;
    std::vector<Expr> formulas;         // at the start
    std::vector<Expr> at_start, at_end; // symbols for their values
};

// The first results are increments of as many components of the state, which are added with their `low`. They are
// rewritten to use the symbols; where there is nothing to share, they stay as they are. All formulas are such as a
// program holds.
BothEnds share_ends(Graph& graph, Templates& templates, std::span<const Expr> state, std::span<const Expr> parameters,
                    std::vector<Expr>& results);

} // namespace rattleback::solve
