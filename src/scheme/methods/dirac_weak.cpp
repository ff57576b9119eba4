// The weak Dirac form (Leimkuhler and Reich 1994, (30)-(31)): q' = H_p + psi_p^T eta, p' = -H_q - G^T mu - psi_q^T eta.
// g, psi and H are strong invariants, so Gauss collocation keeps to round-off those that are quadratic: distance
// constraints at any order, without projection. It is not symplectic.
#include "scheme/dirac_family.hpp"

namespace rattleback {

extern const Scheme dirac_weak_scheme;
const Scheme dirac_weak_scheme = dirac_scheme_of(
    "dirac_weak", "Gauss collocation on the weak Dirac form", [](const Dirac& sys) { return sys.weak(); },
    {{Property::symplectic, Answer::no, ""},
     {Property::holonomic_exact, Answer::yes, "g quadratic, constant metric"},
     {Property::energy_exact, Answer::yes, "H quadratic, no time"},
     {Property::energy_bounded, Answer::unknown, ""},
     {Property::momentum_exact, Answer::yes, "generator affine in q, no forces along it"},
     {Property::symmetric, Answer::yes, ""},
     {Property::reversible, Answer::yes, "L even in v, forces even in v, no time"}});

} // namespace rattleback
