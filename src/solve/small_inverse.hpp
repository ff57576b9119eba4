// The inverse of a matrix of at most eight rows: what follows a residual is then a product, which waits for a few
// operations where a substitution waits for dozens. Newton's method forgives the digits that an inverse may lose; a
// linear system is refined once.
//
// Of two and three rows by cofactors, which takes one division, of more by elimination with such matrices as pivots, in
// the order of the rows. Where anything comes close to cancelling the matrix is eliminated with partial pivoting
// instead, up to four rows here and more by src/solve/dense.hpp. All is written over any arithmetic of
// src/expr/elementary.hpp: the tape's double, and the lanes of machine code.
#pragma once

#include <array>

#include "expr/elementary.hpp"
#include "solve/outcome.hpp"

namespace rattleback::solve {

constexpr int most_inverted = 8;
constexpr int most_pivoted = 4; // by invert

template <class N> struct SmallInverse {
    using M = decltype(std::declval<N>() < std::declval<N>());
    static constexpr int most = most_inverted;

    std::array<std::array<N, 2 * most>, most> a;                // the matrix and, right of it, what becomes the inverse
    std::array<std::array<bool, most>, most> given{}, filled{}; // where the matrix has entries, and its inverse

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

    // By cofactors and blocks. The mask says where that loses too much, whatever the scale of rows and columns.
    template <int n> [[gnu::always_inline]] inline M invert_directly() {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) a[i][n + j] = a[i][j];
        filled = given;
        if constexpr (n <= 3) {
            return invert_pivot<n, n>(0, a);
        } else {
            using elementary::magnitude;
            auto size = a; // of the numbers of later pivots, as if nothing had cancelled
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) size[i][n + j] = magnitude(a[i][j]);
            M bad = invert_pivot < n, n % 2 ? 3 : 2 > (0, size);
            eliminate_pivot<n, n % 2 ? 3 : 2>(0, size);
            for (int k = n % 2 ? 3 : 2; k < n; k += 2) {
                bad = bad | invert_pivot<n, 2>(k, size);
                eliminate_pivot<n, 2>(k, size);
            }
            return bad;
        }
    }

    template <int n> [[gnu::always_inline]] inline N row_times(int i, const N* x) const {
        using elementary::fused;
        N sum = a[i][n] * x[0];
        for (int j = 1; j < n; ++j) sum = fused(a[i][n + j], x[j], sum);
        return sum;
    }

    // What is left of a linear system's right hand side; the matrix is still in the left half after invert_directly.
    // The mask says where that is too much for one refinement: two and three rows by cofactors never leave so much.
    template <int n> [[gnu::always_inline]] inline M rest_of(const N* b, const N* x, N* rest) const {
        using elementary::fused, elementary::magnitude, elementary::without;
        M bad = without(b[0] == b[0], b[0] == b[0]);
        for (int i = 0; i < n; ++i) {
            rest[i] = b[i];
            N size = magnitude(b[i]);
            for (int j = 0; j < n; ++j) {
                if (!given[i][j]) continue;
                rest[i] = fused(-a[i][j], x[j], rest[i]);
                if (n > 3) size = fused(magnitude(a[i][j]), magnitude(x[j]), size);
            }
            if (n > 3) bad = bad | without(size == size, magnitude(rest[i]) <= 0x1p-27 * size);
        }
        return bad;
    }

  private:
    using Numbers = std::array<std::array<N, 2 * most>, most>;

    // The inverse of the s rows and columns from k on, in their place. All is in the right half.
    template <int n, int s> [[gnu::always_inline]] inline M invert_pivot(int k, const Numbers& size_of) {
        using elementary::fused, elementary::magnitude, elementary::without;
        const auto at = [&](int i, int j) -> N& { return a[k + i][n + k + j]; };
        const auto magnitude_at = [&](int i, int j) { return magnitude(size_of[k + i][n + k + j]); };
        N determinant = at(0, 0), size = determinant; // and what it would be if nothing cancelled
        std::array<std::array<N, s>, s> cofactor;
        if constexpr (s == 2) {
            cofactor = {{{at(1, 1), -at(1, 0)}, {-at(0, 1), at(0, 0)}}};
            determinant = fused(at(0, 0), at(1, 1), -(at(0, 1) * at(1, 0)));
            size = fused(magnitude_at(0, 0), magnitude_at(1, 1), magnitude_at(0, 1) * magnitude_at(1, 0));
        } else {
            for (int i = 0; i < s; ++i)
                for (int j = 0; j < s; ++j) {
                    const int x = (i + 1) % s, y = (i + 2) % s, c = (j + 1) % s, d = (j + 2) % s;
                    cofactor[i][j] = fused(at(x, c), at(y, d), -(at(x, d) * at(y, c)));
                    if (i > 0) continue;
                    const N whole =
                        fused(magnitude_at(x, c), magnitude_at(y, d), magnitude_at(x, d) * magnitude_at(y, c));
                    determinant = j == 0 ? at(0, 0) * cofactor[0][0] : fused(at(0, j), cofactor[0][j], determinant);
                    size = j == 0 ? magnitude_at(0, 0) * whole : fused(magnitude_at(0, j), whole, size);
                }
        }
        const N inverse = 1.0 / determinant;
        for (int i = 0; i < s; ++i)
            for (int j = 0; j < s; ++j) at(i, j) = cofactor[j][i] * inverse, filled[k + i][k + j] = true;
        const N left = magnitude(determinant);
        // Pivots of an elimination lose more than their own digits: measured on random matrices, 2e-3 at most.
        const M good = (left >= (n > 3 ? 0x1p-10 : 0x1p-24) * size) & (left >= 0x1p-900) & (left <= 0x1p900);
        return without(left == left, good) | (left != left);
    }

    // Rows and columns around the pivot, whose inverse P is in its place: U becomes P U, what is beside both A - L P U,
    // and L becomes -L P. Where the matrix has no entries nothing is computed.
    template <int n, int s> [[gnu::always_inline]] inline void eliminate_pivot(int k, Numbers& size) {
        using elementary::fused, elementary::magnitude;
        const auto inside = [&](int i) { return i >= k && i < k + s; };
        const auto any = [&](int i, int j, bool row) { // in row i, or in column j, of the pivot's columns or rows
            for (int m = k; m < k + s; ++m)
                if (row ? filled[i][m] : filled[m][j]) return true;
            return false;
        };
        for (int j = 0; j < n; ++j) {
            if (inside(j) || !any(0, j, false)) continue;
            std::array<N, s> u;
            for (int i = 0; i < s; ++i) {
                bool first = true;
                for (int m = 0; m < s; ++m) {
                    if (!filled[k + m][j]) continue;
                    const N &p = a[k + i][n + k + m], &x = a[k + m][n + j];
                    u[i] = first ? p * x : fused(p, x, u[i]);
                    first = false;
                }
            }
            for (int i = 0; i < s; ++i) a[k + i][n + j] = u[i], filled[k + i][j] = true;
        }
        for (int i = 0; i < n; ++i) {
            if (inside(i) || !any(i, 0, true)) continue;
            for (int j = 0; j < n; ++j) {
                if (inside(j) || !filled[k][j]) continue;
                for (int m = k; m < k + s; ++m) {
                    if (!filled[i][m]) continue;
                    const N &l = a[i][n + m], &u = a[m][n + j];
                    N &x = a[i][n + j], &whole = size[i][n + j];
                    const bool tracked = i > k && j > k;
                    if (filled[i][j]) {
                        if (tracked) whole = fused(magnitude(l), magnitude(u), whole);
                        x = fused(-l, u, x);
                    } else {
                        x = -(l * u), filled[i][j] = true;
                        if (tracked) whole = magnitude(x);
                    }
                }
            }
            std::array<N, s> left;
            for (int j = 0; j < s; ++j) {
                bool first = true;
                for (int m = 0; m < s; ++m) {
                    if (!filled[i][k + m]) continue;
                    const N &l = a[i][n + k + m], &p = a[k + m][n + k + j];
                    left[j] = first ? -l * p : fused(-l, p, left[j]);
                    first = false;
                }
            }
            for (int j = 0; j < s; ++j) a[i][n + k + j] = left[j], filled[i][k + j] = true;
        }
    }

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

// f.template operator()<n>() for an n from 2 to 8.
template <class F> auto with_size(int n, F&& f) {
    switch (n) {
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    case 5: return f.template operator()<5>();
    case 6: return f.template operator()<6>();
    case 7: return f.template operator()<7>();
    default: return f.template operator()<8>();
    }
}

// The tape's: compiled for fused multiply-add as an instruction, where the CPU has it.
bool invert_small(SmallInverse<double>& matrix, int n, bool directly); // false: no usable inverse
// Of a linear system, which has been inverted directly, with one refinement. False: that is not enough.
bool apply_small(const SmallInverse<double>& matrix, int n, bool linear, double* x);

} // namespace rattleback::solve
