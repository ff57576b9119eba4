// [tables]: measured data as functions of one argument.
#pragma once

#include <rattleback/expr.hpp>

#include <string>
#include <vector>

namespace rattleback::model {

// y at ascending x, and what is between: straight lines, or the cubic spline whose third derivative is continuous at
// the second and the last but one point (not-a-knot). Twice differentiable then, else once but at the points.
struct DataTable {
    enum Outside { refuse, hold, extrapolate };
    std::vector<quad> x, y;
    bool cubic = false;
    Outside outside = refuse;

    // As a formula. It picks the coefficients of the piece that the argument lies in by nested if(...), so its cost
    // grows with the number of points; derivatives share these choices. Where the argument is outside and that is
    // refused, it is not a number, and a run stops there.
    Expr at(const Expr& argument) const;
};

} // namespace rattleback::model
