// Matrices of derivatives in which nearly every function depends on nearly every variable grow with the square of their
// number: 1,000 coordinates that all attract each other have derivatives with 47 million operations. They
// are refused before the memory is gone.
#pragma once

#include "expr/graph.hpp"

namespace rattleback {

// The environment's RATTLEBACK_DENSE_LIMIT, else 10 million: about 1 GB and 10 s.
double dense_limit();

// Throw ExprError where a matrix has more operations than that, or what is said, with what to do about it.
void require_below_dense_limit(double operations, const char* what = "derivatives");
void require_below_dense_limit(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns);
// Of the Jacobian of families, before anything is written out: derived in a copy of the graph, since the order in which
// nodes are made decides last digits.
void require_below_dense_limit(const Vec& f, const Vec& leaves);

// Of the sums of families, before they are expanded.
void require_sums_below_dense_limit(const Vec& f);

} // namespace rattleback
