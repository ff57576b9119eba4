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
    bool holds(const std::vector<int>& rows) const; // the last point counts as being on them, as data do (on_surface)
    double of_terms(int i) const;                   // |f_i| relative to its largest term; 0 where both are 0
    // What |f_i| is small against: its largest term, and what it changes by where x changes by its own size.
    double scale(int i) const;
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

    std::vector<double> f, terms, gradients; // terms: the largest of each function; gradients: one a row

  private:
    bool is_close(const std::vector<int>& rows, double tolerance) const; // relative to scale
    double slope(int i) const;                                           // sum of |gradient|, times the largest |x|

    int dimension_;
    std::vector<std::string> names_;
    std::vector<ScalarEntry> entries_;
    SystemSolver<double> solver_;
    double largest_x_ = 0;
};

// Data x count as being on f(x) = 0 where |f| is at most on_surface of the largest term of f (src/expr/terms.hpp),
// apart from what the rounding of x can do: in_data of the largest x of its kind, in each component. So x^2 + y^2 = l^2
// means the same for atoms in metres and for planets, and a velocity of 1e-17 beside others of 1 is as good as 0.
inline constexpr double on_surface = 1e-9;
inline constexpr double in_data = 1e-15; // five units in the last place of a double

} // namespace rattleback::solve
