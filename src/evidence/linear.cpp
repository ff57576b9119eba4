// NOTE: the one source that includes Eigen, whose headers take seconds to compile.
#include "evidence/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace rattleback {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd matrix(const Dense& m) {
    return Eigen::Map<const RowMajor>(m.entries.data(), static_cast<long>(m.rows), static_cast<long>(m.columns));
}

Dense dense(const Eigen::MatrixXd& m) {
    Dense to(static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()));
    Eigen::Map<RowMajor>(to.entries.data(), m.rows(), m.cols()) = m;
    return to;
}

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
    const std::size_t n = symmetric.rows, all = n + rows.rows;
    Dense m(all, all);
    for (std::size_t i = 0; i < all; ++i)
        for (std::size_t j = 0; j < n; ++j) m(i, j) = m(j, i) = i < n ? symmetric(i, j) : rows(i - n, j);
    return m;
}

solve::Rank row_rank(const Dense& m, double threshold) {
    return solve::row_rank(m.entries, static_cast<int>(m.rows), static_cast<int>(m.columns), threshold);
}

int rank_of(const Dense& m) { return row_rank(m).rank; }

std::vector<std::size_t> pivot_columns(const Dense& rows) {
    Dense m = rows;
    for (std::size_t i = 0; i < m.rows; ++i) { // units do not matter
        double size = 0;
        for (std::size_t j = 0; j < m.columns; ++j) size = std::max(size, std::abs(m(i, j)));
        for (std::size_t j = 0; j < m.columns && size > 0; ++j) m(i, j) /= size;
    }
    std::vector<std::size_t> pivots;
    for (std::size_t k = 0; k < m.rows; ++k) {
        std::size_t row = k, column = 0;
        for (std::size_t i = k; i < m.rows; ++i)
            for (std::size_t j = 0; j < m.columns; ++j)
                if (std::abs(m(i, j)) > std::abs(m(row, column))) row = i, column = j;
        for (std::size_t j = 0; j < m.columns; ++j) std::swap(m(k, j), m(row, j));
        for (std::size_t i = k + 1; i < m.rows; ++i) {
            const double factor = m(i, column) / m(k, column);
            for (std::size_t j = 0; j < m.columns; ++j) m(i, j) -= factor * m(k, j);
            m(i, column) = 0;
        }
        pivots.push_back(column);
    }
    std::sort(pivots.begin(), pivots.end());
    return pivots;
}

// With rows of length 1, so that units do not matter: Q R = m^T P, and columns of Q beyond the rank.
Dense null_space(const Dense& m) {
    const auto n = static_cast<long>(m.columns);
    if (m.rows == 0) return dense(Eigen::MatrixXd::Identity(n, n));
    Eigen::MatrixXd rows = matrix(m);
    for (auto row : rows.rowwise()) row.stableNormalize(); // a row of zeros stays one
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows.transpose());
    qr.setThreshold(negligible_row);
    const Eigen::MatrixXd Q = qr.householderQ();
    return dense(Q.rightCols(n - qr.rank()));
}

std::vector<std::complex<double>> eigenvalues(const Dense& square) {
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix(square), false);
    return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

std::vector<double> symmetric_eigenvalues(const Dense& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix(symmetric), Eigen::EigenvaluesOnly);
    return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

LeastSquares least_squares(const Dense& a, const std::vector<double>& b, double cutoff) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr;
    qr.setThreshold(cutoff);
    qr.compute(matrix(a));
    const Eigen::VectorXd x = qr.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<long>(b.size())));
    return {{x.begin(), x.end()}, static_cast<int>(qr.rank())};
}

} // namespace rattleback
