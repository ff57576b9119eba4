// The derivative of a right-hand side whose algebraic unknowns are solved for inside it.
#pragma once

#include "solve/sparse.hpp"
#include "solve/system.hpp"

namespace rattleback {

// rate(x, y) with y from equations, as formulas of scalars; x and y are leaves.
struct RateFormulas {
    Vec x;
    std::vector<Unknown> find; // y
    std::vector<Equation> equations;
    Vec rate;
};

// The same unknowns and equations with those of dy/dx beside them, and the entries of d rate/dx that are not zero.
struct RateSlopes {
    std::vector<Unknown> find;
    std::vector<Equation> equations;
    Vec results;
    solve::Entries entries; // (row, column) of each
};
RateSlopes slopes_of(const RateFormulas& formulas, Graph& graph);

} // namespace rattleback
