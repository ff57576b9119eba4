// NOTE: the one source that includes Eigen, whose headers take seconds to compile.
#include "evidence/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "solve/rank.hpp"

namespace rattleback {
namespace {

Eigen::MatrixXd matrix(const Dense& m) {
    Eigen::MatrixXd to(m.rows, m.columns);
    for (int i = 0; i < m.rows; ++i)
        for (int j = 0; j < m.columns; ++j) to(i, j) = m(i, j);
    return to;
}

Dense dense(const Eigen::MatrixXd& m) {
    Dense to{static_cast<int>(m.rows()), static_cast<int>(m.cols()), {}};
    to.entries.resize(static_cast<std::size_t>(m.size()));
    for (int i = 0; i < to.rows; ++i)
        for (int j = 0; j < to.columns; ++j) to(i, j) = m(i, j);
    return to;
}

constexpr double negligible = 1e-8; // of a row of length 1, beside those before it

} // namespace

Dense transposed(const Dense& m) { return dense(matrix(m).transpose()); }

Dense product(const Dense& a, const Dense& b) { return dense(matrix(a) * matrix(b)); }

Dense solved(const Dense& a, const Dense& b) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix(a));
    if (!(lu.matrixLU().diagonal().array().abs() > 0).all()) return {};
    return dense(lu.solve(matrix(b)));
}

double condition(const Dense& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix(symmetric), Eigen::EigenvaluesOnly);
    const double smallest = solver.eigenvalues().array().abs().minCoeff(),
                 largest = solver.eigenvalues().array().abs().maxCoeff();
    return smallest > 1e-14 * largest ? largest / smallest : std::numeric_limits<double>::infinity();
}

Dense bordered(const Dense& symmetric, const Dense& rows) {
    const int n = symmetric.rows, all = n + rows.rows;
    Dense m{all, all, std::vector<double>(static_cast<std::size_t>(all) * all, 0.0)};
    for (int i = 0; i < all; ++i)
        for (int j = 0; j < n; ++j) m(i, j) = m(j, i) = i < n ? symmetric(i, j) : rows(i - n, j);
    return m;
}

int rank_of(const Dense& m) { return solve::row_rank(m.entries, m.rows, m.columns, negligible).rank; }

// By elimination with the largest pivots.
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

// With rows of length 1, so that units do not matter: Q R = m^T P, and columns of Q beyond the rank.
Dense null_space(const Dense& m) {
    if (m.rows == 0) return dense(Eigen::MatrixXd::Identity(m.columns, m.columns));
    Eigen::MatrixXd rows = matrix(m);
    for (auto row : rows.rowwise()) row.stableNormalize(); // a row of zeros stays one
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows.transpose());
    qr.setThreshold(negligible);
    const Eigen::MatrixXd Q = qr.householderQ();
    return dense(Q.rightCols(m.columns - qr.rank()));
}

std::vector<std::complex<double>> eigenvalues(const Dense& square) {
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix(square), false);
    return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

} // namespace rattleback
