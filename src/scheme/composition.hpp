// Coefficients of symmetric compositions of a symmetric method of order 2.
#pragma once

#include <rattleback/scheme.hpp>

namespace rattleback {

// The fractions gamma_i of h, for order 4, 6 or 8; they are symmetric and add up to 1.
std::vector<quad> composition_fractions(int order);

// Largest violation of the order conditions up to `order`, for tests.
quad composition_defect(const std::vector<quad>& fractions, int order);

} // namespace rattleback
