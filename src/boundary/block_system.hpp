// The linear system of a path, almost block diagonal (de Boor and Weiss 1980): rows that hold at its start, for every
// step dx_{k+1} = A_k dx_k + b_k, rows that hold at its end. Gaussian elimination with row pivoting passes on, from
// node to node, what the start says there; it is as stable as that of a banded matrix, also where A_k have large and
// small eigenvalues, and its cost is linear in the number of steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rattleback/report.hpp>

namespace rattleback::boundary {

class BlockSystem {
  public:
    BlockSystem(std::size_t states, std::size_t steps) : n_(states), steps_(steps) {}

    std::size_t steps() const { return steps_; }
    // Rows R dx_0 = r.
    void begin(const Matrix<double>& rows, const std::vector<double>& rhs);
    // Step k, in order: A row-major. False: the rows are dependent.
    bool add(const double* A, const double* b);
    // What is known of the last node: rows and their right sides.
    const Matrix<double>& last_rows() const { return known_; }
    const std::vector<double>& last_rhs() const { return rhs_; }
    // From dx of the last node to all.
    void back(const std::vector<double>& last, double* dx) const;

    // Another right side for the same matrices.
    void begin_again(const std::vector<double>& rhs) { rhs_ = rhs, next_ = 0; }
    void add_again(const double* b);

  private:
    template <std::size_t fixed> bool eliminate(const double* A, const double* b);
    template <std::size_t fixed> void back_substitute(double* dx) const;
    std::size_t n_, steps_, next_ = 0;
    Matrix<double> known_;
    std::vector<double> rhs_, work_;
    // Of each step: the eliminated rows (n x 2n, the part of dx_k upper triangular with the inverse of its diagonal),
    // their right sides, the factors (n + r) x n and the order of the rows.
    std::vector<double> rows_, sides_, factors_;
    std::vector<std::uint32_t> order_;
};

} // namespace rattleback::boundary
