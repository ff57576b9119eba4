// Generating functions that keep the constraint (de Leon, Martin de Diego and Santamaria 2004, (33) and section 5.1):
// the step of gf, then p1 <- P*(q1) p1.
#include "scheme/generating_function.hpp"

namespace rattleback {

extern const Scheme gf_proj_scheme;
const Scheme gf_proj_scheme =
    generating_function_scheme("gf_proj", "generating functions, projected on the constraint", false, true);

} // namespace rattleback
