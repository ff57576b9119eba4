// Equations between formulas, and what is to be found from them.
#pragma once

#include <rattleback/expr.hpp>

namespace rattleback {

struct Equation {
    Vec lhs, rhs;
};
inline Equation operator==(const Vec& lhs, const Vec& rhs) { return {lhs, rhs}; }

struct Unknown {
    Vec symbols;
    Vec guess; // where Newton starts, as formulas of the inputs; empty: zero
    // Inputs of the same kind as these unknowns: Newton's increments count as small relative to these values, too.
    std::vector<Expr> beside = {};
};

} // namespace rattleback
