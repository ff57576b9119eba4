// Newton's method on all stages with one derivative of the right-hand side for all of them, that where the step begins:
// a simplified Newton method, whose matrix 1 - M (x) hJ splits into one of n complex numbers a pair of stages (see
// stage_spectrum.hpp). Factored once a step.
#pragma once

#include "solve/shifted_elimination.hpp"
#include "solve/stage_spectrum.hpp"
#include "solve/system.hpp"

#include <memory>

namespace rattleback {

struct CompiledStages;

struct CompiledKronecker {
    StageSpectrum spectrum;
    // The derivative of the right-hand side, entry by entry. Given: as of CompiledStages::rate.
    std::shared_ptr<const CompiledSystem> slopes;
    solve::Entries entries;                // their rows and columns
    solve::ShiftedElimination elimination; // of the same
    std::size_t operations() const { return elimination.operations() + elimination.operations_to_solve(); }
};

// rounding[row] += |h J x|, entry by entry; `x` the state.
template <class N>
void add_rounding(const solve::Entries& entries, const std::vector<N>& hJ, const N* x, std::vector<N>& rounding) {
    using solve::magnitude;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto row = static_cast<std::size_t>(entries[k].first),
                   column = static_cast<std::size_t>(entries[k].second);
        rounding[row] = solve::product_and_sum(magnitude(hJ[k]), magnitude(x[column]), rounding[row]);
    }
}

// What rounding takes from the weights. Frequencies times steps of 10 and more turn it into phases that are off by as
// many units in the last place, always to the same side.
template <class T> struct LowWeights {
    explicit LowWeights(const CompiledStages& stages);
    std::vector<std::vector<T>> mu;
    std::vector<T> b;
};

// On the tape. Rows are those of stages.
template <class T> class KroneckerSolver {
  public:
    explicit KroneckerSolver(const CompiledStages& stages);

    T* given() { return slopes_.given(); }
    // The factors, from what is given, for a step of this size. False: a formula fails, or pivots are too small.
    bool prepare(T h);
    // What multiplies the relative rounding error of the stages, by component: sums of |h J_kl x_l|, and |x_k| where it
    // is found with the stages where they begin.
    const std::vector<T>& rounding() const { return rounding_; }
    // What rounded weights leave out of the stages of these advances: nearly the same in all iterations.
    void find_low(const T* L);
    const std::vector<T>& low() const { return low_; }
    // h b slope - L of a stage; weight: h b, rounded.
    T residual(std::size_t stage, T h, T b, T weight, T slope, T L) const;
    // From the residuals to the next advances, in place.
    void correct(const T* L, T* rows);

  private:
    using Number = solve::Complex<T>;

    std::shared_ptr<const CompiledKronecker> compiled_;
    std::size_t s_, n_, pairs_;
    bool moves_;
    LowWeights<T> low_weights_;
    std::vector<Number> shift_, into_, from_; // [pair], [pair][stage], [stage][pair]
    SystemSolver<T> slopes_;
    std::vector<T> entries_, rounding_, low_;
    std::vector<Number> factors_, inverse_, z_; // pair by pair; inverse_: of pivots
};
extern template class KroneckerSolver<double>;
extern template class KroneckerSolver<long double>;
extern template class KroneckerSolver<quad>;

} // namespace rattleback
