// Formulas that are numbers.
#pragma once

#include "expr/elaborate.hpp"

namespace rattleback {

// The value of a formula without names, like "1/4" or "sqrt(3)/6". Throws SyntaxError, FormulaError or ExprError.
quad constant_value(const std::string& text);
// A number, or ExprError.
quad require_number(const Expr& e);

} // namespace rattleback
