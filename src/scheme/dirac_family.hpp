// Gauss collocation on ordinary differential equations for constraints: shared by the Dirac family.
#pragma once

#include "formulation/chain.hpp"
#include "formulation/dirac.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {

// Equations of motion from a model's holonomic constraints, or from phase constraints; either may be missing.
struct DiracEquations {
    FirstOrder (*holonomic)(const Dirac&, const Options&) = nullptr;
    FirstOrder (*phase)(const DiracChain&) = nullptr;
    bool takes_alpha = true;
    void (*finish)(const Dirac&, const Options&, Step&) = nullptr; // of holonomic steps
    std::vector<OptionInfo> more = {};
};

std::vector<Claim> hamiltonian_claims(const Options& options); // of Hamilton's equations that do not keep g = 0
quad alpha_of(const Options& options);

Scheme dirac_scheme_of(const std::string& id, const std::string& title, const DiracEquations& equations,
                       std::function<std::vector<Claim>(const Options&)> claims);

} // namespace rattleback
