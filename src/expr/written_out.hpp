// Formulas of families with two indices, u[i,j], before they get a meaning. The rows of such a family are families of
// their own, with j as their index: j stays an index of templates, i must be a number. So a sum over i is written out.
#pragma once

#include "expr/syntax.hpp"

#include <functional>

namespace rattleback::syntax {

// Whether the first of this many indices of a name is that of a row.
using HasRows = std::function<bool(const std::string& name, std::size_t indices)>;
using WholeNumber = std::function<std::optional<int>(const Tree& tree, std::uint32_t node)>;

// Whether `index` stands where a row is named.
bool is_row_index(const Tree& tree, const std::string& index, const HasRows& has_rows);

// With this number in place of a name, but where a sum gives the name another meaning.
Tree with_number(const Tree& tree, const std::string& name, int number);

// With all sums over row indices written out; `value` of their bounds. Throws FormulaError where one is no number.
Tree with_rows_written_out(const Tree& tree, const HasRows& has_rows, const WholeNumber& value);

} // namespace rattleback::syntax
