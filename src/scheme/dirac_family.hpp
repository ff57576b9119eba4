// Gauss collocation on ordinary differential equations for holonomic constraints: shared by the Dirac family.
#pragma once

#include "scheme/operators.hpp"

namespace rattleback {

Scheme dirac_scheme_of(const std::string& id, const std::string& title, FirstOrder (*equations)(const Dirac&),
                       std::vector<Claim> claims);

} // namespace rattleback
