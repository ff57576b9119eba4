// Symmetric generating functions (de Leon, Martin de Diego and Santamaria 2004, Remark 4.1): S = (S_a + S_{1-a})/2, the
// reactions averaged with the same weights.
#include "scheme/generating_function.hpp"

namespace rattleback {

extern const Scheme gf_sym_scheme;
const Scheme gf_sym_scheme =
    generating_function_scheme("gf_sym", "symmetric generating functions of nonholonomic mechanics", true, false);

} // namespace rattleback
