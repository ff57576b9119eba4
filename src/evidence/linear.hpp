// Small dense matrices, for what is shown to people: eigenvalues, null spaces, condition numbers. In double, by Eigen.
#pragma once

#include <complex>

#include "evidence/sample.hpp"

namespace rattleback {

Dense transposed(const Dense& m);
Dense product(const Dense& a, const Dense& b);
Dense solved(const Dense& a, const Dense& b); // a^-1 b; empty where a is singular
double condition(const Dense& symmetric);     // largest by smallest eigenvalue, in size; infinite where it is singular
// Columns of independent rows that make them so, by elimination with the largest pivots: one a row.
std::vector<int> pivot_columns(const Dense& rows);
Dense null_space(const Dense& m);                          // columns: an orthonormal basis of the kernel
Dense bordered(const Dense& symmetric, const Dense& rows); // [[symmetric, rows^T], [rows, 0]]
int rank_of(const Dense& m);
std::vector<std::complex<double>> eigenvalues(const Dense& square); // with their multiplicities, in no order

} // namespace rattleback
