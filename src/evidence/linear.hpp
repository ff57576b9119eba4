// Small dense matrices, for what is shown to people: eigenvalues, null spaces, condition numbers. In double, by Eigen.
#pragma once

#include <complex>

#include <rattleback/report.hpp>

#include "solve/rank.hpp"

namespace rattleback {

using Dense = Matrix<double>;

Dense transposed(const Dense& m);
Dense product(const Dense& a, const Dense& b);
Dense solved(const Dense& a, const Dense& b); // a^-1 b; empty where a is singular
double condition(const Dense& symmetric);     // largest by smallest eigenvalue, in size; infinite where it is singular
// Columns of independent rows that make them so, by elimination with the largest pivots: one a row.
std::vector<std::size_t> pivot_columns(const Dense& rows);
Dense null_space(const Dense& m);                          // columns: an orthonormal basis of the kernel
Dense bordered(const Dense& symmetric, const Dense& rows); // [[symmetric, rows^T], [rows, 0]]
constexpr double negligible_row = 1e-8;                    // of length 1, beside those before it
solve::Rank row_rank(const Dense& m, double threshold = negligible_row);
int rank_of(const Dense& m);                                        // likewise
std::vector<std::complex<double>> eigenvalues(const Dense& square); // with their multiplicities, in no order
std::vector<double> symmetric_eigenvalues(const Dense& symmetric);  // of its lower triangle, ascending
// The shortest x with the least |a x - b|; singular values below `cutoff` of the largest count as 0.
struct LeastSquares {
    std::vector<double> x;
    int rank = 0;
};
LeastSquares least_squares(const Dense& a, const std::vector<double>& b, double cutoff);

} // namespace rattleback
