// Symmetric generating functions that keep the constraint: the step of gf_sym, then p1 <- P*(q1) p1.
#include "scheme/generating_function.hpp"

namespace rattleback {

extern const Scheme gf_sym_proj_scheme;
const Scheme gf_sym_proj_scheme = generating_function_scheme(
    "gf_sym_proj", "symmetric generating functions, projected on the constraint", true, true);

} // namespace rattleback
