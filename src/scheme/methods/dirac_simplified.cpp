// The simplified Dirac form (Leimkuhler and Reich 1994, (18)-(19)): Hamilton's equations of H + mu . g. Its invariant
// manifold is a saddle: constraint residuals grow fast; Gauss collocation.
#include "scheme/dirac_family.hpp"

namespace rattleback {

extern const Scheme dirac_simplified_scheme;
const Scheme dirac_simplified_scheme =
    dirac_scheme_of("dirac_simplified", "Gauss collocation on the simplified Dirac Hamiltonian",
                    [](const Dirac& sys) { return sys.hamiltonian(sys.simplified()); },
                    {{Property::symplectic, Answer::yes, ""},
                     {Property::holonomic_exact, Answer::no, ""},
                     {Property::energy_exact, Answer::no, ""},
                     {Property::energy_bounded, Answer::unknown, ""},
                     {Property::momentum_exact, Answer::yes, "generator affine in q, no forces along it"},
                     {Property::symmetric, Answer::yes, ""},
                     {Property::reversible, Answer::yes, "L even in v, forces even in v, no time"}});

} // namespace rattleback
