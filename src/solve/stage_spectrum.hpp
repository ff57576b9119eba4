// What decouples the linear systems of all stages. With L_j = h b_j K_j the stages' equations have the derivative
// 1 - M (x) hJ, M_ij = b_i mu_ij = b_i a_ij / b_j, J that of the right-hand side. M = T diag(lambda) T^-1 turns it into
// one system of complex numbers a stage, (1/lambda - hJ) z = (1/lambda) T^-1 r; of two conjugate eigenvalues one is
// enough.
#pragma once

#include <vector>

#include "solve/complex.hpp"

namespace rattleback {

struct StageWeights;

struct StageSpectrum {
    using Number = solve::Complex<quad>;
    std::vector<Number> shift; // 1/lambda of each pair, and of the real eigenvalue that an odd number leaves
    std::vector<std::vector<Number>> into; // [pair][stage]: 1/lambda times a row of T^-1
    std::vector<std::vector<Number>> from; // [stage][pair]: the real part of z times this, summed, solves the whole

    std::size_t pairs() const { return shift.size(); }
};
// In quad. Every method here whose stages are found in this way has an invertible M with different eigenvalues.
StageSpectrum spectrum_of(const StageWeights& weights);

} // namespace rattleback
