// Small linear systems solved as formulas, for what is shown: each entry is tidied on the way.
#pragma once

#include <optional>

#include "evidence/sample.hpp"
#include "evidence/tidy.hpp"

namespace rattleback {

using FormulaMatrix = std::vector<std::vector<Expr>>; // rows of formulas

FormulaMatrix formula_matrix(std::size_t rows, std::size_t columns);
FormulaMatrix formula_jacobian(const Vec& f, const Vec& x); // df/dx, scalars
FormulaMatrix product(const FormulaMatrix& a, const FormulaMatrix& b, Tidy& tidy);
FormulaMatrix transposed(const FormulaMatrix& a);

Expr determinant(const FormulaMatrix& m, Tidy& tidy);

// X with A X = B, by cofactors: one denominator serves all. Empty where A is large, or singular somewhere on the
// sample.
std::optional<FormulaMatrix> solved_as_formulas(const Sample& sample, Tidy& tidy, FormulaMatrix A,
                                                const FormulaMatrix& B);

} // namespace rattleback
