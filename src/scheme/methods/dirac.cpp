// Dirac's underlying ODE (Leimkuhler and Reich 1994, (16)-(17)): Hamilton's equations of H + mu . g + eta . psi, whose
// invariant manifold g = 0, psi = 0 is a centre; with alpha (section 3.2) {g, psi} eta = alpha g - psi. For phase
// constraints, of H + mu . phi over all that Dirac's algorithm finds. Gauss collocation.
#include "scheme/dirac_family.hpp"

namespace rattleback {

extern const Scheme dirac_scheme;
const Scheme dirac_scheme = dirac_scheme_of(
    "dirac", "Gauss collocation on Dirac's Hamiltonian",
    {.holonomic = [](const Dirac& sys, const Options& o) { return sys.hamiltonian(sys.total(alpha_of(o))); },
     .phase = [](const DiracChain& chain) { return chain.hamiltonian(); }},
    hamiltonian_claims);

} // namespace rattleback
