// Finds formulas of the state that an explicit step evaluates at its start and again at its end, such as the forces of
// Verlet's method: the next step then reuses the values of the end (first same as last).
//
// They are found in the finished formulas, not declared by a scheme: elimination and the reordering of products have
// changed them by then, and which components of the state are known in time depends on the model (disallow_late). The
// schemes would have to name them before, for every formulation.
//
// Ablation: without it, Verlet steps in machine code on one lane take 1.62 times as long on toda and 1.06 times on
// chaotic_oscillator (nh_rattle), but 0.85 times on outer_solar_system, where 75 values are carried over; on the tape
// the three take 0.89 to 0.93 times the instructions.
#pragma once

#include "expr/graph.hpp"

#include <span>

namespace rattleback::solve {

struct BothEnds {
    struct Moved { // a component of the state that the formulas read
        std::uint32_t component;
        Expr low, next; // a symbol for the low part of its compensated sum, and its value at the end
    };
    std::vector<Moved> moved;
    std::vector<Expr> formulas;         // at the start
    std::vector<Expr> at_start, at_end; // symbols for their values
};

// The first results are increments of as many components of the state. The results are rewritten to read the symbols;
// if nothing is worth sharing, they are left as they are and the answer is empty. Formulas are lowered already: see
// ProgramBuilder::lowered.
BothEnds share_ends(Graph& graph, Templates& templates, std::span<const Expr> state, std::span<const Expr> parameters,
                    std::vector<Expr>& results);

} // namespace rattleback::solve
