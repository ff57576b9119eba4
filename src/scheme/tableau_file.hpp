// Runge-Kutta coefficients from a file.
#pragma once

#include <rattleback/operators.hpp>

namespace rattleback {

// TOML with A = [[...], ...], b = [...], and perhaps c = [...] (default: the row sums of A), name, reference; entries
// are numbers or formulas like "1/4 - sqrt(3)/6". Throws BadMethod with the place of what is wrong.
Tableau read_tableau(const std::string& file);

} // namespace rattleback
