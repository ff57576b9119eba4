#include "evidence/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/rank.hpp"

namespace rattleback {

Dense transposed(const Dense& m) {
    Dense t{m.columns, m.rows, std::vector<double>(m.entries.size())};
    for (int i = 0; i < m.rows; ++i)
        for (int j = 0; j < m.columns; ++j) t(j, i) = m(i, j);
    return t;
}

Dense product(const Dense& a, const Dense& b) {
    Dense c{a.rows, b.columns, std::vector<double>(static_cast<std::size_t>(a.rows) * b.columns, 0.0)};
    for (int i = 0; i < a.rows; ++i)
        for (int k = 0; k < a.columns; ++k)
            for (int j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

Dense solved(Dense a, Dense b) {
    const int n = a.rows;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
        if (!(std::abs(a(pivot, k)) > 0)) return {};
        for (int j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
        for (int j = 0; j < b.columns; ++j) std::swap(b(k, j), b(pivot, j));
        for (int i = 0; i < n; ++i) {
            if (i == k || a(i, k) == 0) continue;
            const double factor = a(i, k) / a(k, k);
            for (int j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
            for (int j = 0; j < b.columns; ++j) b(i, j) -= factor * b(k, j);
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < b.columns; ++j) b(i, j) /= a(i, i);
    return b;
}

// Jacobi's rotations: some sweeps make the matrix diagonal.
double condition(const Dense& symmetric) {
    Dense a = symmetric;
    const int n = a.rows;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                if (a(p, q) == 0) continue;
                const double angle = 0.5 * std::atan2(2 * a(p, q), a(q, q) - a(p, p)), c = std::cos(angle),
                             s = std::sin(angle);
                for (int k = 0; k < n; ++k) {
                    const double x = a(k, p), y = a(k, q);
                    a(k, p) = c * x - s * y, a(k, q) = s * x + c * y;
                }
                for (int k = 0; k < n; ++k) {
                    const double x = a(p, k), y = a(q, k);
                    a(p, k) = c * x - s * y, a(q, k) = s * x + c * y;
                }
            }
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    for (int i = 0; i < n; ++i)
        smallest = std::min(smallest, std::abs(a(i, i))), largest = std::max(largest, std::abs(a(i, i)));
    return smallest > 1e-14 * largest ? largest / smallest : std::numeric_limits<double>::infinity();
}

Dense bordered(const Dense& symmetric, const Dense& rows) {
    const int n = symmetric.rows, all = n + rows.rows;
    Dense m{all, all, std::vector<double>(static_cast<std::size_t>(all) * all, 0.0)};
    for (int i = 0; i < all; ++i)
        for (int j = 0; j < n; ++j) m(i, j) = m(j, i) = i < n ? symmetric(i, j) : rows(i - n, j);
    return m;
}

int rank_of(const Dense& m) { return solve::row_rank(m.entries, m.rows, m.columns, 1e-8).rank; }

std::vector<int> pivot_columns(const Dense& rows) {
    Dense m = rows;
    for (int i = 0; i < m.rows; ++i) { // units do not matter
        double size = 0;
        for (int j = 0; j < m.columns; ++j) size = std::max(size, std::abs(m(i, j)));
        for (int j = 0; j < m.columns && size > 0; ++j) m(i, j) /= size;
    }
    std::vector<int> pivots;
    for (int k = 0; k < m.rows; ++k) {
        int row = k, column = 0;
        for (int i = k; i < m.rows; ++i)
            for (int j = 0; j < m.columns; ++j)
                if (std::abs(m(i, j)) > std::abs(m(row, column))) row = i, column = j;
        for (int j = 0; j < m.columns; ++j) std::swap(m(k, j), m(row, j));
        for (int i = k + 1; i < m.rows; ++i) {
            const double factor = m(i, column) / m(k, column);
            for (int j = 0; j < m.columns; ++j) m(i, j) -= factor * m(k, j);
            m(i, column) = 0;
        }
        pivots.push_back(column);
    }
    std::sort(pivots.begin(), pivots.end());
    return pivots;
}

Dense null_space(const Dense& m) {
    const solve::Rank rows = solve::row_rank(m.entries, m.rows, m.columns, 1e-8);
    Dense kept{rows.rank, m.columns, {}};
    for (int i : rows.independent_rows)
        for (int j = 0; j < m.columns; ++j) kept.entries.push_back(m(i, j));
    const std::vector<int> pivots = pivot_columns(kept);
    Dense square{rows.rank, rows.rank, {}}, basis{m.columns, m.columns - rows.rank, {}};
    basis.entries.assign(static_cast<std::size_t>(basis.rows) * basis.columns, 0.0);
    for (int i = 0; i < rows.rank; ++i)
        for (int k : pivots) square.entries.push_back(kept(i, k));
    int column = 0;
    for (int j = 0; j < m.columns; ++j) {
        if (std::find(pivots.begin(), pivots.end(), j) != pivots.end()) continue;
        basis(j, column) = 1;
        Dense right{rows.rank, 1, {}};
        for (int i = 0; i < rows.rank; ++i) right.entries.push_back(-kept(i, j));
        const Dense x = solved(square, right);
        for (int i = 0; i < rows.rank && !x.empty(); ++i) basis(pivots[static_cast<std::size_t>(i)], column) = x(i, 0);
        ++column;
    }
    return basis;
}

namespace {

using Complex = std::complex<double>;

// One QR step with a shift on rows and columns first..last: A - s I = Q R, then R Q + s I, by Gram and Schmidt's
// rotations of a full matrix; the matrices here are small.
void shifted_step(std::vector<Complex>& a, int n, int last, Complex shift) {
    const auto at = [&](int i, int j) -> Complex& { return a[static_cast<std::size_t>(i) * n + j]; };
    for (int i = 0; i <= last; ++i) at(i, i) -= shift;
    struct Rotation {
        int i, j;
        Complex c, s;
    };
    std::vector<Rotation> rotations;
    for (int j = 0; j < last; ++j)
        for (int i = j + 1; i <= last; ++i) {
            const double length = std::sqrt(std::norm(at(j, j)) + std::norm(at(i, j)));
            if (!(std::abs(at(i, j)) > 0)) continue;
            const Complex c = at(j, j) / length, s = at(i, j) / length;
            for (int k = 0; k <= last; ++k) {
                const Complex x = at(j, k), y = at(i, k);
                at(j, k) = std::conj(c) * x + std::conj(s) * y, at(i, k) = c * y - s * x;
            }
            rotations.push_back({j, i, c, s});
        }
    for (const Rotation& r : rotations)
        for (int k = 0; k <= last; ++k) {
            const Complex x = at(k, r.i), y = at(k, r.j);
            at(k, r.i) = x * r.c + y * r.s, at(k, r.j) = y * std::conj(r.c) - x * std::conj(r.s);
        }
    for (int i = 0; i <= last; ++i) at(i, i) += shift;
}

} // namespace

// QR with Wilkinson's shifts and deflation at the last row.
std::vector<Complex> eigenvalues(const Dense& square) {
    const int n = square.rows;
    std::vector<Complex> a(square.entries.begin(), square.entries.end()), found;
    const auto at = [&](int i, int j) -> Complex& { return a[static_cast<std::size_t>(i) * n + j]; };
    double size = 0;
    for (double x : square.entries) size = std::max(size, std::abs(x));
    int last = n - 1;
    for (int tries = 0; last > 0 && tries < 100 * n; ++tries) {
        double row = 0;
        for (int j = 0; j < last; ++j) row = std::max(row, std::abs(at(last, j)));
        if (row <= 1e-15 * size) {
            --last;
            continue;
        }
        const Complex p = at(last - 1, last - 1), q = at(last, last), mean = (p + q) / 2.0,
                      root = std::sqrt((p - q) * (p - q) / 4.0 + at(last - 1, last) * at(last, last - 1));
        const Complex plus = mean + root, minus = mean - root;
        // NOTE: a shift that is off by a little now and then breaks cycles, as of a rotation matrix.
        const Complex shift = std::abs(plus - q) < std::abs(minus - q) ? plus : minus;
        shifted_step(a, n, last, tries % 11 == 10 ? shift + 0.5 * row * Complex(0.6, 0.8) : shift);
    }
    for (int i = 0; i < n; ++i) found.push_back(at(i, i));
    return found;
}

} // namespace rattleback
