// Coordinates on the set g = 0 (Leimkuhler and Reich 1994, section 2).
#pragma once

#include <rattleback/operators.hpp>

namespace rattleback {

// A chart takes n - m coordinates of q; rows pick the m others, which follow: 1 at the coordinate, 0 elsewhere.
std::vector<Vec> automatic_chart(const Nonholonomic& system);    // formulas of q: where G is largest
std::vector<Vec> chart_of_the_start(const Nonholonomic& system); // the same at the model's start, as numbers
std::vector<Vec> chart_by_names(const Nonholonomic& system, const std::string& names); // "x+z"; throws BadMethod

Step canonical_chart_step(const Nonholonomic& system, const std::vector<Vec>& rows, const Tableau& gauss);
Step plain_chart_step(const Nonholonomic& system, const std::vector<Vec>& rows, const Tableau& gauss);
Step parametrized_step(const Nonholonomic& system, const Tableau& gauss); // by the model's [parametrization]

} // namespace rattleback
