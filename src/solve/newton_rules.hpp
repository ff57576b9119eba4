// Newton's decisions: when it has converged, when it stagnates, when it keeps its matrix.
//
// They are written once, over an arithmetic. N is a number of the tape or a line of a listing (src/code), which stands
// for one double a lane; a comparison of two N is a bool or a mask of lanes. T is the scalar of the constants.
#pragma once

#include "solve/system.hpp"

#include <cstdint>
#include <vector>

namespace rattleback::solve {

// The arithmetic of the tape's scalars; that of a listing's lines comes with them.
template <class T> T magnitude(const T& x) { return real::abs(x); }
template <class T> T select(bool mask, const T& x, const T& y) { return mask ? x : y; }
inline bool without(bool x, bool y) { return x && !y; }

// f(x0) + f'(x0) (x - x0) is f(x) to round-off if the change x - x0 is at most this.
template <class T> T most_followed() { return real::sqrt(Real<T>::epsilon) / 2; }

template <class T> struct NewtonLimits {
    // An increment that changes no digit of the unknowns.
    static constexpr T tiny = Real<T>::epsilon / 4;
    // Newton ends when the next increment, relative to the unknowns, is predicted to be below this. It is far below the
    // rounding error of a step because what is left over has a direction and adds up, where round-off averages out:
    // with a quarter of epsilon, energy drifts by 1e-20 a step.
    static constexpr T left_over = Real<T>::epsilon / 4096;
    // What round-off may leave of the increment if the linear systems are ill-conditioned.
    static T small() {
        static const T value = real::pow(Real<T>::epsilon, T(2) / T(3));
        return value;
    }
};

// What follows from the size of an increment and of the one before it.
template <class N, class M> struct Judged {
    N contraction; // of the increments; NaN in the first iteration
    M converged;
    M stagnates;    // the increment no longer falls though it is not small: converged if the residual is round-off
    M keeps_matrix; // the next iteration can do with the matrix of this one
};

// d: the increment relative to the unknowns; last: that of the iteration before, in the first NaN, so that all that is
// compared with the contraction is false there. `patience` iterations with an old matrix cost as much as a new one: the
// matrix is kept if so many more, each of which leaves `contraction` of what the one before left, will do.
template <class T, class N> auto judge(int patience, const N& d, const N& last) {
    using Limits = NewtonLimits<T>;
    using M = decltype(d < last);
    const N contraction = d / last;
    const M first = last != last, slow = contraction >= T(0.5), small = d <= Limits::small();
    N left = d * contraction;
    const M predicted = without(left <= Limits::left_over, slow);
    for (int i = 0; i < patience; ++i) left = left * contraction;
    // Far from the solution the first matrix will not be good enough.
    const M close = patience == 0 ? without(first, first) : without(first, d > T(0.25));
    const M converged = (d <= Limits::tiny) | predicted | (slow & small),
            keeps_matrix = close | (left <= Limits::left_over);
    return Judged<N, M>{contraction, converged, without(slow, small), keeps_matrix};
}

// Functional iteration, on the tape alone, has a contraction c of its own: when it ends, d c/(1 - c) is left. It may
// take many small steps to get there, which is no stagnation.
template <class T> Judged<T, bool> judge_functional(bool first, const T& d, const T& last) {
    using Limits = NewtonLimits<T>;
    const T contraction = d / last;
    const bool falls = !first && contraction < T(1);
    const bool predicted = falls && d * contraction <= Limits::left_over * (1 - contraction);
    return {contraction, d <= Limits::tiny || predicted, !first && !falls, false};
}
constexpr int functional_iterations = 200; // at most; enough where each leaves 0.8 of what the one before left

// Fixed-point iteration of stages. An increment that no longer falls ends it where round-off is all that is left; the
// iterations of one that falls slowly, or not at all, are counted.
template <class M> struct FixedJudged { M converged, slow; };
template <class T> struct FixedLimits {
    static constexpr T left_over = Real<T>::epsilon / 4096; // of the largest slope; see NewtonLimits
    static constexpr T stagnant = 4096 * Real<T>::epsilon;
    static constexpr T near = T(1) / (std::int64_t(1) << 36); // from here on what the stages begin with is looked at
    static constexpr T beside = T(1) / 65536; // of the state: advances below that much of it are measured by it
    static constexpr int most_iterations = 60 * Real<T>::digits / 53, most_slow = 8;
};
// With the contraction c = d/last the iteration leaves d c/(1 - c), of the largest slope of its kind. No division: it
// would take as long as ten other operations. last is infinite where a kind at rest had no slope to compare with: that
// says nothing of the contraction.
template <class N> auto is_left(const N& d, const N& last, const N& left_over) {
    return (d * d <= left_over * (last - d)) & (last <= 1e300);
}
template <class T, class N> auto judge_fixed(const N& d, const N& last, const N& left_over) {
    using Limits = FixedLimits<T>;
    using M = decltype(d < last);
    const M stagnates = (d >= last) & (d <= Limits::stagnant);
    const M converged = (d == T(0)) | is_left(d, last, left_over) | stagnates, slow = d >= T(0.8) * last;
    return FixedJudged<M>{converged, slow};
}

// The largest increment relative to the largest value of its kind; scale and largest: these values, kind by kind.
// value(i) and increment(i) are those of unknown i, given(slot) is a value that counts with a kind.
template <class N, class Value, class Increment, class Given>
N relative_increment(const Block& block, const N& zero, std::vector<N>& scale, std::vector<N>& largest, Value value,
                     Increment increment, Given given) {
    scale.assign(block.kinds, zero), largest.assign(block.kinds, zero);
    const auto in_units = [](const N& x, const std::vector<double>& units, std::size_t i) {
        return units.empty() ? x : x * (1 / units[i]);
    };
    const auto widen = [&](std::uint32_t kind, const N& x) { scale[kind] = select(scale[kind] < x, x, scale[kind]); };
    for (std::size_t i = 0; i < block.beside.size(); ++i)
        widen(block.beside[i].first, in_units(magnitude(given(block.beside[i].second)), block.beside_units, i));
    for (std::size_t i = 0; i < block.unknowns.size(); ++i) {
        const std::uint32_t kind = block.kind[i];
        const N d = in_units(magnitude(increment(i)), block.units, i);
        widen(kind, in_units(magnitude(value(i)), block.units, i));
        largest[kind] = select(d < largest[kind], largest[kind], d); // takes NaN, too
    }
    N norm = zero;
    for (std::uint32_t k = 0; k < block.kinds; ++k) {
        const N relative = largest[k] / scale[k]; // Inf where the unknowns are all 0
        norm = select(largest[k] == zero, norm, select(relative < norm, norm, relative));
    }
    return norm;
}

// Unknowns that are tiny against the quantities they are computed from (a chain at rest, a multiplier that vanishes)
// stagnate at increments that are large relative to themselves. The residual is then no more than the round-off of the
// values it was made of. A search that runs away has small residuals, too: increments must be small beside the largest
// unknown.
template <class T, class N> auto is_small_beside(const N& increment, const N& unknown) {
    return increment <= unknown / T(1000);
}
template <class T, class N> auto is_round_off(const N& residual, const N& values) {
    return residual <= 64 * Real<T>::epsilon * values;
}

} // namespace rattleback::solve
