// The exponential map: geodesics from one point, many side by side on the lanes of machine code, with the derivatives
// of (q, p) by those of the start.
#pragma once

#include "boundary/step_equations.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {

class ExponentialMap {
  public:
    // Throws Unsuitable where the method does not carry (q, p).
    ExponentialMap(const Model& model, const std::string& method);

    static constexpr std::size_t lanes = StepEquations::lanes;
    std::size_t coordinates() const { return n_; }

    // Where a geodesic is: x = (q, p), and the derivatives of x by the x it came from, row-major. What becomes of one
    // does not depend on those beside it.
    struct Point {
        std::vector<double> x, by_start;
        bool good = true; // false: a step was not found, and it stays where it was
        double q_by_p(std::size_t row, std::size_t column) const {
            const std::size_t n = x.size() / 2;
            return by_start[row * 2 * n + n + column];
        }
    };
    Point start(const std::vector<double>& q, const std::vector<double>& p) const;
    // Each point by a step of its own size; `tangents`, where it is not null: of each, the derivatives of this step.
    void advance(std::vector<Point*> points, const std::vector<double>& h, std::vector<double>* tangents = nullptr);

  private:
    void step(Point* const* points, const double* h, std::size_t count, double* tangents);
    bool solve(std::size_t count, const double* h);
    bool differentiate(const double* values, double* tangent);

    std::vector<quad> parts_; // of a step: of compositions several
    StepEquations step_;
    std::size_t n_, m_; // coordinates, unknowns inside a step
    double t0_;
    std::vector<double> x_, y_, t_, lu_, dy_, inside_;
    std::vector<int> order_;
    std::vector<char> good_;
};

} // namespace rattleback::boundary
