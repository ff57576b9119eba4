// Matrices of derivatives in which nearly every function depends on nearly every variable grow with the square of their
// number: 1,000 coordinates that all attract each other have derivatives with 47 million operations. They
// are refused before the memory is gone.
#pragma once

namespace rattleback {

// The environment's RATTLEBACK_DENSE_LIMIT, else 10 million: about 1 GB and 10 s.
double dense_limit();

// Throws ExprError where a matrix has more operations than that, with what to do about it.
void require_below_dense_limit(double operations);

} // namespace rattleback
