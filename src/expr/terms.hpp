// The size of what a formula adds up, as a formula: what its value must be compared with to count as 0.
#pragma once

#include <rattleback/expr.hpp>

namespace rattleback {

// The largest absolute value of the terms of f, a sum; sines and cosines that are factors of a term count as 1, since
// where they are small is a matter of the angle. Of a product of sums, the largest term of one factor times the others:
// c (x^2 + y^2 - 1) has the terms of x^2 + y^2 - 1, times c. A sum over an index counts as one term, with the absolute
// values of its parts. No derivative is taken; where f is scaled, or the units of what it is made of, so is its size;
// it is 0 only where f is.
Expr largest_term(const Expr& f);
Vec largest_terms(const Vec& f); // component by component

} // namespace rattleback
