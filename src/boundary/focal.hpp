// Focal points of the variations of a path: how many directions in which its quadratic model falls.
//
// Variations of a path of steps (a, b; c, d) = dx_{k+1}/dx_k, symplectic, are those of a discrete quadratic functional.
// It has as many negative directions as the conjoined basis (X, P) that begins with the variations allowed at the start
// has focal points: in step k these are the negative eigenvalues of X_k X_{k+1}^-1 b (Bohner, Dosly and Kratz 2009),
// plus those of P X^-1 + Hessian of the end's potential on the tangent space of the end's set. So this is the inertia
// of the KKT matrix, for any number of steps.
#pragma once

#include <functional>

#include <rattleback/report.hpp>

namespace rattleback::boundary {

// The quadratic model of a path: of every step the tangent map (q, p) -> (q, p), row-major, and what the ends say.
struct Variations {
    std::size_t coordinates = 0, steps = 0;
    std::function<const double*(std::size_t)> tangent;
    double sign = 1;                        // -1: p are costates
    std::size_t parts = 1;                  // of a step of a composition: some go backwards, all are taken together
    Matrix<double> from_rows, from_hessian; // what variations of q satisfy there; of the end's potential
    Matrix<double> to_rows, to_hessian;
};

// A conjoined basis (X, P), carried along a path step by step.
class ConjoinedBasis {
  public:
    ConjoinedBasis(Matrix<double> X, Matrix<double> P);
    // By one step, with its tangent map (q, p) -> (q, p), row-major: how many focal points are in it.
    int advance(const double* tangent, double sign);
    double crossing() const; // of the last step: which part of it is before its first focal point, about
    Matrix<double> X, P;     // orthonormal columns (X; P): what they span matters, not they

  private:
    Matrix<double> before_, after_;                               // X at both ends of the last step
    Matrix<double> a_, b_, c_, d_, momenta_, lu_, ratio_, focal_; // of a step: kept, a search takes many of them
    std::vector<int> order_;
};
// Of all paths from one point.
ConjoinedBasis from_one_point(std::size_t coordinates);

struct FocalPoints {
    std::vector<double> places; // in steps
    int at_end = 0;             // directions that the end adds
    bool none() const { return places.empty() && at_end == 0; }
};
FocalPoints focal_points(const Variations& of, bool first_only = false);

} // namespace rattleback::boundary
