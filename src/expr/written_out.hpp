// Formulas of families with two indices, u[i,j], before they get a meaning. The rows of such a family are families of
// their own, with j as their index: j stays an index of templates, i must be a number. So a sum over i is written out.
#pragma once

#include "expr/syntax.hpp"

#include <functional>

namespace rattleback::syntax {

using IsTwice = std::function<bool(const std::string& name)>; // a family with two indices
using WholeNumber = std::function<std::optional<int>(const Tree& tree, std::uint32_t node)>;

// Whether `index` stands in the first index of such a family.
bool is_row_index(const Tree& tree, const std::string& index, const IsTwice& is_twice);

// With this number in place of a name, but where a sum gives the name another meaning.
Tree with_number(const Tree& tree, const std::string& name, int number);

// With all sums over row indices written out; `value` of their bounds. Throws FormulaError where one is no number.
Tree with_rows_written_out(const Tree& tree, const IsTwice& is_twice, const WholeNumber& value);

} // namespace rattleback::syntax
