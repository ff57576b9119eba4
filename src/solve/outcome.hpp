// The outcome of a factorization, and the exact scaling of rows by powers of two that all solvers share.
#pragma once

#include "expr/real_functions.hpp"

#include "expr/binary.hpp"

namespace rattleback::solve {

// growth: the largest number met in the elimination of the matrix whose rows are scaled to a largest in [1, 2).
struct Outcome {
    bool ok = true;
    int index = -1; // where it failed: the column that has no pivot
    double growth = 1;
    bool is_row = false; // index is not a column but a row, which is zero or has a NaN or an infinity
};

// A pivot at or below this, in rows of size one, is round-off.
template <class T> T smallest_pivot(int n) { return T(8) * Real<T>::epsilon * T(n); }

// to = from * scale, where scale is the power of two that brings the largest number of the row into [1, 2). Being
// exact, it leaves no trace: a row given in other units of a power of two is the same row from here on. False if the
// row is zero or has a NaN or an infinity.
template <class T> inline bool equilibrate(const T* from, T* to, int count, T& scale) {
    using B = Binary<T>;
    int largest = 0; // NaN and infinity have the largest of all exponents: one maximum finds size and finiteness
    for (int j = 0; j < count; ++j) {
        const int e = B::exponent(from[j]);
        largest = e > largest ? e : largest;
    }
    if (largest > 2 * B::bias) return false;
    scale =
        B::power(largest < 2 * B::bias ? 2 * B::bias - largest : 1); // the inverse of the largest power is subnormal
    for (int j = 0; j < count; ++j) to[j] = from[j] * scale;
    if (largest > 0) return true;
    for (int j = 0; j < count; ++j)
        if (from[j] != T(0)) return true; // a subnormal row still has digits
    return false;
}

} // namespace rattleback::solve
