// Determinants, by elimination with row pivoting.
#pragma once

#include <algorithm>

#include <rattleback/real.hpp>
#include <rattleback/report.hpp>

namespace rattleback::solve {

// Of what is left of a matrix [A B; C D] when the unknowns of A are eliminated, D - C A^-1 B; `eliminated`: the size of
// A. 0 also where A is singular. The matrix is overwritten.
template <class T> T determinant_of_complement(Matrix<T>& m, std::size_t eliminated) {
    T product = 1;
    for (std::size_t k = 0; k < m.rows; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < (k < eliminated ? eliminated : m.rows); ++i)
            if (real::abs(m(i, k)) > real::abs(m(pivot, k))) pivot = i;
        if (!(real::abs(m(pivot, k)) > T(0))) return 0;
        for (std::size_t j = k; j < m.rows && pivot != k; ++j) std::swap(m(k, j), m(pivot, j));
        if (k >= eliminated) product *= pivot != k ? -m(k, k) : m(k, k);
        for (std::size_t i = k + 1; i < m.rows; ++i) {
            if (m(i, k) == T(0)) continue;
            const T factor = m(i, k) / m(k, k);
            for (std::size_t j = k; j < m.rows; ++j) m(i, j) -= factor * m(k, j);
        }
    }
    return product;
}

template <class T> T determinant(Matrix<T> m) { return determinant_of_complement(m, 0); }

} // namespace rattleback::solve
