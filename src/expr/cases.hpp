// Formulas with cases: abs(u), max(u, 0), if(u > 1, ...).
#pragma once

#include "expr/graph.hpp"

namespace rattleback {

// Whether one of these symbols decides about a case, as the argument of a comparison or of abs does. Derivatives do not
// show that such a formula is not linear in it.
bool has_cases(const Expr& f, const Vec& symbols);

} // namespace rattleback
