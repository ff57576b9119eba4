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
    // Where a gradient is below 1e-60 or beyond 1e60, this in words; else nothing. Products of four of them, which
    // steps and brackets of brackets have, are then 0 or infinite in double: RATTLE, which solves for one rod outright,
    // would leave a circle that was divided by 1e80.
    std::string unusual_size() const;
    // Moves x to a nearby point where the functions `rows` vanish and evaluates there; false: none was found. By
    // Levenberg's method with damping proportional to the squared residual: dependent gradients do no harm, and
    // convergence stays quadratic.
    bool reach(std::vector<double>& x, const std::vector<double>& others, const std::vector<int>& rows);

    std::vector<double> f, gradients; // gradients: one a row

  private:
    // Whether what is left of these functions is 1e-12, and also that little where they are divided by a large number.
    bool is_close(const std::vector<int>& rows) const;

    int dimension_;
    std::vector<std::string> names_;
    std::vector<ScalarEntry> entries_;
    SystemSolver<double> solver_;
};

inline constexpr double on_surface = 1e-9; // the largest residual of initial data that count as consistent

} // namespace rattleback::solve
