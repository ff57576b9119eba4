// The explicit inverse of a matrix of at most eight rows. Multiplying by it has the latency of a few operations, where
// a forward and back substitution is a dependency chain of dozens. Newton's method corrects the digits that an inverse
// may lose; a linear system is refined once.
//
// Two and three rows: by cofactors, with one division. More: by block elimination with pivots of two or three rows, in
// the order of the rows. Where a determinant comes close to cancelling, or where rows grow since a pivot is small
// beside its row, src/solve/dense.hpp is used instead. Written over any arithmetic of src/expr/elementary.hpp: the
// tape's double, and the lanes of machine code.
//
// Ablation: with the elimination of src/solve/elimination.hpp instead, a step of the double pendulum takes 1.03
// (midpoint) and 0.99 (two-stage Gauss) times the instructions on the tape, but 1.06 and 1.09 times as long in machine
// code on one lane, where latency counts (bench_steps).
#pragma once

#include <array>

#include "expr/elementary.hpp"
#include "solve/outcome.hpp"

namespace rattleback::solve {

constexpr int most_inverted = 8;
constexpr double most_growth = 0x1p20; // as in src/solve/elimination.hpp

template <class N> struct SmallInverse {
    using M = decltype(std::declval<N>() < std::declval<N>());
    static constexpr int most = most_inverted;

    std::array<std::array<N, 2 * most>, most> a;                // the matrix and, right of it, what becomes the inverse
    std::array<std::array<bool, most>, most> given{}, filled{}; // where the matrix has entries, and its inverse
    std::array<double, most> unit = units();                    // of the unknowns: see Block::units

    // Inverts the matrix in the left half. The mask says where too many digits cancel or are pushed out by what is
    // added to them, whatever the scale of the rows.
    template <int n> [[gnu::always_inline]] inline M invert() {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) a[i][n + j] = a[i][j];
        filled = given;
        if constexpr (n <= 3) {
            return invert_pivot<n, n>(0, a);
        } else {
            using elementary::magnitude;
            auto size = a; // sums of magnitudes: what later pivots would be if nothing cancelled
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) size[i][n + j] = magnitude(a[i][j]);
            constexpr int s = n % 2 ? 3 : 2; // rows of the first pivot
            M bad = invert_pivot<n, s>(0, size);
            eliminate_pivot<n, s>(0, size), bad = bad | grows<n, s>(0);
            for (int k = s; k < n; k += 2) {
                bad = bad | invert_pivot<n, 2>(k, size);
                eliminate_pivot<n, 2>(k, size);
                if (k + 2 < n) bad = bad | grows<n, 2>(k);
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

    // The residual b - A x of a linear system; the matrix is still in the left half after invert. The mask says where
    // it is too large for one refinement, which cofactors of two and three rows never leave.
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

    static constexpr std::array<double, most> units() {
        std::array<double, most> ones{};
        for (double& x : ones) x = 1;
        return ones;
    }

    // Whether the s rows from k on, divided by their pivot, have large entries. Rows below then lose digits of their
    // own when multiples of these are added to them, though nothing cancels.
    template <int n, int s> [[gnu::always_inline]] inline M grows(int k) const {
        using elementary::magnitude;
        N whole = a[k][n + k];
        bool any = false;
        for (int i = k; i < k + s; ++i)
            for (int j = k + s; j < n; ++j) {
                if (!filled[i][j]) continue;
                const double ratio = unit[j] / unit[i];
                const N u = ratio == 1 ? magnitude(a[i][n + j]) : magnitude(a[i][n + j]) * ratio;
                whole = any ? whole + u : u, any = true;
            }
        if (!any) whole = 0.0 * whole;
        return (whole > most_growth) | (whole != whole);
    }

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
bool invert_small(SmallInverse<double>& matrix, int n); // false: no usable inverse
// Of a linear system with one refinement. False: that is not enough.
bool apply_small(const SmallInverse<double>& matrix, int n, bool linear, double* x);

} // namespace rattleback::solve
