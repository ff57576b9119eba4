// Which rows of a small matrix are independent of those before them.
#pragma once

#include <cstddef>
#include <vector>

namespace rattleback {

// a is row-major. Rows are brought to length one before they are compared, so that their units do not matter; a row
// that is nothing but round-off beside the largest entry counts as 0. The oldest rows are kept.
std::vector<std::size_t> independent_rows(const std::vector<double>& a, std::size_t rows, std::size_t columns);

} // namespace rattleback
