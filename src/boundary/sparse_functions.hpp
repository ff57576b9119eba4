// A cost f and conditions g of a few variables, with all their derivatives from the graph, nonzeros only.
#pragma once

#include "boundary/problem.hpp"

namespace rattleback::boundary {

Vec as_scalars(const Vec& of); // members of families one by one

class SparseFunctions {
  public:
    // x: leaves of the model of the problem; f and g may depend on its t and its parameters, too.
    SparseFunctions(const Problem& problem, const Expr& f, const Vec& g, const Vec& x);

    std::size_t rows() const { return rows_; } // of g
    using Pattern = std::vector<solve::RowColumn>;
    const Pattern& f_x() const { return first_.patterns[0]; }
    const Pattern& g_x() const { return first_.patterns[1]; }
    const Pattern& hessian() const { return hessian_; } // the lower triangle of that of weight f + y . g

    // Where they are in the values of first(): f, g, then the nonzeros of f_x and of g_x.
    std::size_t g_place() const { return f_x().size() + g_x().size() + 1; }
    std::size_t f_place() const { return f_x().size() + g_x().size(); }
    std::size_t g_x_place() const { return f_x().size(); }
    std::size_t values() const { return g_place() + rows_; }
    bool first(const double* x, double t, double* values);
    bool second(const double* x, double t, double weight, const double* y, double* values);

  private:
    std::size_t variables_, rows_;
    std::vector<double> parameters_;
    solve::Jacobians first_;
    Pattern hessian_;
    std::optional<SystemSolver<double>> first_solver_, second_solver_;
};

} // namespace rattleback::boundary
