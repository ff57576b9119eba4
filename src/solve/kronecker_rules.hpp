// Decisions of the simplified Newton method of stages, over any arithmetic: see newton_rules.hpp.
#pragma once

#include "solve/newton_rules.hpp"

namespace rattleback::solve {

template <class T> struct KroneckerLimits {
    // A first change of this much: what the last step's polynomial leads to is no start, as where it follows
    // oscillations that steps do not resolve. The iteration then begins with all stages at the state.
    static constexpr T astray = T(0.25);
    static constexpr int scaling = 2; // the last iteration that says what changes are compared with
    // What rounding of the stages may leave of a change, in units of the derivative's entries times the state.
    static constexpr T rounding = 16 * Real<T>::epsilon;
    static constexpr T near = T(1) / 1048576; // as FixedLimits::near, above round-off
    static constexpr T sudden = T(0.1);       // contraction
};

// With one matrix for all iterations changes fall at one rate. Where they no longer do, though they have fallen fast
// (`best`, the least contraction so far), and are as small as round-off may be, the next iteration is the last. That it
// comes whatever its change matters: an end at a change that is large, or small, by chance, gives round-off a
// direction.
template <class M> struct SimplifiedJudged { M converged, slow, hidden; };
template <class T, class N, class M>
auto judge_simplified(const N& d, const N& last, const N& best, const N& round_off, const M& hidden_before) {
    using Limits = FixedLimits<T>;
    const N contraction = d / last;
    const M predicted = d * contraction <= Limits::left_over * (T(1) - contraction);
    const M ends = (contraction >= T(1)) | ((contraction >= T(0.5)) & (best <= KroneckerLimits<T>::sudden));
    const M converged = (d == T(0)) | predicted | hidden_before, slow = contraction >= T(0.8);
    const M small = (d <= round_off) | (d <= Limits::stagnant), hidden = ends & small;
    return SimplifiedJudged<M>{converged, slow, hidden};
}

} // namespace rattleback::solve
