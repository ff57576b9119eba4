// A surface f(x) = 0 of several functions: points on it and the gradients there, as numbers.
#pragma once

#include "solve/system.hpp"

namespace rattleback::solve {

class Surface {
  public:
    // f(x, others) = 0.
    Surface(std::shared_ptr<Graph> graph, const Vec& f, const Vec& x, const Vec& others);

    int count() const { return static_cast<int>(names_.size()); }
    int dimension() const { return dimension_; }
    const std::string& name(int i) const { return names_[static_cast<std::size_t>(i)]; }

    bool evaluate(const std::vector<double>& x, const std::vector<double>& others); // fills f and gradients
    double residual(const std::vector<int>& rows) const;
    const double* row(int i) const { return gradients.data() + static_cast<std::ptrdiff_t>(i) * dimension_; }
    double product(int i, int j) const; // of two gradients
    // Moves x to a nearby point where the functions `rows` vanish and evaluates there; false: none was found. By
    // Levenberg's method with damping proportional to the squared residual: dependent gradients do no harm, and
    // convergence stays quadratic.
    bool reach(std::vector<double>& x, const std::vector<double>& others, const std::vector<int>& rows);

    std::vector<double> f, gradients; // gradients: one a row

  private:
    int dimension_;
    std::vector<std::string> names_;
    std::vector<ScalarEntry> entries_;
    SystemSolver<double> solver_;
};

inline constexpr double on_surface = 1e-9; // the largest residual of initial data that count as consistent

} // namespace rattleback::solve
