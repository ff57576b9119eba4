// Formulas whose value is a number.
#pragma once

#include "expr/elaborate.hpp"

namespace rattleback {

// The value of a formula without names, like "1/4" or "sqrt(3)/6". Throws SyntaxError, FormulaError or ExprError.
quad constant_value(const std::string& text);
// The value of a constant; throws ExprError for other formulas.
quad require_number(const Expr& e);

} // namespace rattleback
