// The simplified Dirac form (Leimkuhler and Reich 1994, (18)-(19)): Hamilton's equations of H + mu . g; with alpha
// (section 3.2) {g, psi} eta = alpha g. Its invariant manifold is a saddle: constraint residuals grow fast; Gauss
// collocation.
#include "scheme/dirac_family.hpp"

namespace rattleback {

extern const Scheme dirac_simplified_scheme;
const Scheme dirac_simplified_scheme = dirac_scheme_of(
    "dirac_simplified", "Gauss collocation on the simplified Dirac Hamiltonian",
    {.holonomic = [](const Dirac& sys, const Options& o) { return sys.hamiltonian(sys.simplified(alpha_of(o))); }},
    hamiltonian_claims);

} // namespace rattleback
