// The inverse of a matrix of at most four rows, for Newton's method: what follows a residual is then a product, which
// waits for four operations where a substitution waits for twenty. Newton forgives the digits that an inverse may lose.
//
// Of two and three rows by cofactors, which takes one division, where the determinant is far from cancelling. Else by
// Gauss-Jordan elimination with partial pivoting on the row-equilibrated matrix. Both are written without branches over
// any arithmetic of src/expr/elementary.hpp: the tape's double, and the lanes of machine code.
#pragma once

#include <array>

#include "expr/elementary.hpp"
#include "solve/outcome.hpp"

namespace rattleback::solve {

constexpr int most_inverted = 4;

template <class N> struct SmallInverse {
    using M = decltype(std::declval<N>() < std::declval<N>());
    static constexpr int most = most_inverted;

    std::array<std::array<N, 2 * most>, most> a; // the matrix and, right of it, what becomes the inverse

    // Takes the matrix from the left half. The mask says where it has no usable inverse.
    template <int n> [[gnu::always_inline]] inline M invert(const N& zero, const M& never) {
        M bad = never;
        for (int i = 0; i < n; ++i) bad = bad | scale<n>(i, zero);
        for (int k = 0; k < n; ++k) {
            exchange<n>(k);
            bad = bad | eliminate<n>(k);
        }
        return bad;
    }

    // By cofactors, n = 2 or 3. The mask says where that loses too much, whatever the scale of rows and columns.
    template <int n> [[gnu::always_inline]] inline M invert_directly() {
        using elementary::fused, elementary::magnitude, elementary::without;
        static_assert(n == 2 || n == 3);
        N determinant = a[0][0], size = determinant; // and what it would be if nothing cancelled
        std::array<std::array<N, n>, n> cofactor;
        if constexpr (n == 2) {
            cofactor = {{{a[1][1], -a[1][0]}, {-a[0][1], a[0][0]}}};
            const N other = a[0][1] * a[1][0];
            determinant = fused(a[0][0], a[1][1], -other);
            size = fused(magnitude(a[0][0]), magnitude(a[1][1]), magnitude(other));
        } else {
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const auto &x = a[(i + 1) % n], &y = a[(i + 2) % n];
                    const int s = (j + 1) % n, t = (j + 2) % n;
                    const N other = x[t] * y[s];
                    cofactor[i][j] = fused(x[s], y[t], -other);
                    if (i > 0) continue;
                    const N whole = fused(magnitude(x[s]), magnitude(y[t]), magnitude(other)), first = a[0][j];
                    determinant = j == 0 ? first * cofactor[0][0] : fused(first, cofactor[0][j], determinant);
                    size = j == 0 ? magnitude(first) * whole : fused(magnitude(first), whole, size);
                }
        }
        const N inverse = 1.0 / determinant;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) a[i][n + j] = cofactor[j][i] * inverse;
        const N left = magnitude(determinant);
        const M good = (left >= 0x1p-24 * size) & (left >= 0x1p-900) & (left <= 0x1p900);
        return without(left == left, good) | (left != left);
    }

    template <int n> [[gnu::always_inline]] inline N row_times(int i, const N* x) const {
        using elementary::fused;
        N sum = a[i][n] * x[0];
        for (int j = 1; j < n; ++j) sum = fused(a[i][n + j], x[j], sum);
        return sum;
    }

  private:
    // By the power of two that brings the largest number of the row into [1, 2), which is all of the unit matrix's row.
    template <int n> [[gnu::always_inline]] inline M scale(int i, const N& zero) {
        using elementary::Bits;
        using elementary::bits_of, elementary::magnitude, elementary::number_of, elementary::select;
        N largest = magnitude(a[i][0]);
        for (int j = 1; j < n; ++j) {
            const N next = magnitude(a[i][j]);
            largest = select(next > largest, next, largest);
        }
        constexpr Bits exponent = Bits(0x7ff) << 52;
        const N power = number_of(((bits_of(largest) & exponent) ^ exponent) - (Bits(1) << 52));
        for (int j = 0; j < n; ++j) a[i][j] = a[i][j] * power, a[i][n + j] = zero;
        a[i][n + i] = power;
        using elementary::without;
        return without(largest == largest, (largest >= 0x1p-1000) & (largest <= 0x1p1000)) | (largest != largest);
    }

    // The row with the largest number of column k comes to place k.
    template <int n> [[gnu::always_inline]] inline void exchange(int k) {
        using elementary::magnitude, elementary::select, elementary::without;
        std::array<M, most> larger{}, largest{};
        N size = magnitude(a[k][k]);
        for (int i = k + 1; i < n; ++i) {
            const N candidate = magnitude(a[i][k]);
            larger[i] = candidate > size;
            size = select(larger[i], candidate, size);
        }
        for (int i = k + 1; i < n; ++i) {
            largest[i] = larger[i];
            for (int later = i + 1; later < n; ++later) largest[i] = without(largest[i], larger[later]);
        }
        for (int j = k; j < 2 * n; ++j) {
            const N old = a[k][j];
            for (int i = k + 1; i < n; ++i) {
                a[k][j] = select(larger[i], a[i][j], a[k][j]);
                a[i][j] = select(largest[i], old, a[i][j]);
            }
        }
    }

    template <int n> [[gnu::always_inline]] inline M eliminate(int k) {
        using elementary::fused, elementary::magnitude, elementary::without;
        const N pivot = a[k][k], inverse = 1.0 / pivot;
        for (int j = k + 1; j < 2 * n; ++j) a[k][j] = a[k][j] * inverse;
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const N minus = -a[i][k];
            for (int j = k + 1; j < 2 * n; ++j) a[i][j] = fused(minus, a[k][j], a[i][j]);
        }
        return without(pivot == pivot, magnitude(pivot) > smallest_pivot<double>(n)) | (pivot != pivot);
    }
};

// f.template operator()<n>() for an n from 2 to 4.
template <class F> auto with_size(int n, F&& f) {
    return n == 2 ? f.template operator()<2>() : n == 3 ? f.template operator()<3>() : f.template operator()<4>();
}

// The tape's: compiled for fused multiply-add as an instruction, where the CPU has it.
bool invert_small(SmallInverse<double>& matrix, int n); // false: no usable inverse
void apply_small(const SmallInverse<double>& matrix, int n, double* x);

} // namespace rattleback::solve
