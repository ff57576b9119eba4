// Dirac's underlying ODE (Leimkuhler and Reich 1994, (16)-(17)): Hamilton's equations of H + mu . g + eta . psi, whose
// invariant manifold g = 0, psi = 0 is a centre; Gauss collocation.
#include "scheme/dirac_family.hpp"

namespace rattleback {

extern const Scheme dirac_scheme;
const Scheme dirac_scheme = dirac_scheme_of(
    "dirac", "Gauss collocation on Dirac's Hamiltonian", [](const Dirac& sys) { return sys.hamiltonian(sys.total()); },
    {{Property::symplectic, Answer::yes, ""},
     {Property::holonomic_exact, Answer::no, ""},
     {Property::energy_exact, Answer::no, ""},
     {Property::energy_bounded, Answer::unknown, ""},
     {Property::momentum_exact, Answer::yes, "generator affine in q, no forces along it"},
     {Property::symmetric, Answer::yes, ""},
     {Property::reversible, Answer::yes, "L even in v, forces even in v, no time"}});

} // namespace rattleback
