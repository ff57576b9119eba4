// When the iteration of pairs has converged: see src/solve/newton_rules.hpp for how this is written once.
#pragma once

#include "solve/newton_rules.hpp"

namespace rattleback::solve {

// Changes of positions and of multipliers may take turns: every second change is then small, and the next one as large
// as that. So the larger of two is compared with the larger of the two before last; both fall twice in between.
template <class N> struct PairChanges {
    N last, larger, larger_before; // of the last iteration; NaN: there was none
};
template <class T, class N> auto judge_pairs(const N& d, const PairChanges<N>& changes) {
    using Limits = FixedLimits<T>;
    using M = decltype(d < d);
    const N larger = select(d < changes.last, changes.last, d), &before = changes.larger_before;
    const M left = larger * larger <= Limits::left_over * (before - larger);
    const M stagnates = (larger >= before) & (larger <= Limits::stagnant);
    const M nothing = d == T(0);
    const M converged = nothing | left | stagnates, slow = larger >= T(0.64) * before;
    return std::pair(FixedJudged<M>{converged, slow}, larger);
}

} // namespace rattleback::solve
