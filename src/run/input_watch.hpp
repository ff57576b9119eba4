// Of a control problem, whether the inputs make H least along a path (Pontryagin): H_uu is positive there (Legendre and
// Clebsch), and no other root of H_u = 0 has a lower H.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/least_inputs.hpp"
#include <rattleback/expr.hpp>

namespace rattleback {

double smallest_eigenvalue(Matrix<double> symmetric); // Jacobi's rotations; of an empty matrix infinity

// The entries of H_uu, of the inputs that have a square in H, row by row, as formulas of (t, q, p) and of inputs that
// methods solve for. Empty: no control problem, or none of its inputs has one, or they are too many to be looked at.
std::vector<Expr> hessian_by_inputs(const Model& model);

class LegendreWatch {
  public:
    explicit LegendreWatch(const Model& model);

    const std::vector<Expr>& wanted() const { return wanted_; } // what nodes must show: entries that may change
    void at_node(std::span<const double> values, double t);
    // What is to be said of the path; empty: H_uu is positive at all nodes.
    std::string warning() const;

  private:
    std::vector<Expr> wanted_;
    std::vector<std::size_t> places_; // of these in the matrix
    Matrix<double> matrix_;
    bool idle_ = true;
    struct Seen {
        double eigenvalue, t;
    };
    std::optional<Seen> first_, last_, bad_, lowest_; // bad: the first that is not positive
    std::optional<double> lost_;                      // the time between nodes at which it passed through 0
};

} // namespace rattleback
