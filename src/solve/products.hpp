// The order in which products are taken.
#pragma once

#include <rattleback/solve.hpp>

namespace rattleback::solve {

// Factors that stay the same come first: numbers, what is steady from one solution to the next, what is given, and last
// the unknowns. So m*(g*(l*sin(x))) becomes ((m*g)*l)*sin(x), whose first part is not computed again in every
// iteration. Systems with families or linear solves in their formulas are left as they are.
System order_products(System system);

} // namespace rattleback::solve
