// What librattleback_ipopt.so offers: nonlinear programs with bounds by Ipopt (Wächter and Biegler 2006). Ipopt brings
// a sparse direct solver and BLAS along, so it is loaded on first use only, and no type of its own is seen here.
//     least f(x)   with   g_low <= g(x) <= g_high,   x_low <= x <= x_high
#pragma once

namespace rattleback {

// Matrices are given by entries (row, column, value); entries at the same place are added. Of the Hessian the lower
// triangle is given. Functions return false where a value is not finite.
struct IpoptProblem {
    void* self; // passed to all functions
    int variables, rows, jacobian_entries, hessian_entries;
    const double *x_low, *x_high, *g_low, *g_high; // beyond 1e19: no bound
    const int *jacobian_row, *jacobian_column, *hessian_row, *hessian_column;
    bool (*objective)(void* self, const double* x, double* f);
    bool (*gradient)(void* self, const double* x, double* f_x);
    bool (*constraints)(void* self, const double* x, double* g);
    bool (*jacobian)(void* self, const double* x, double* values);
    // of weight f + multipliers . g
    bool (*hessian)(void* self, const double* x, double weight, const double* multipliers, double* values);
    bool (*goes_on)(void* self); // asked after each iteration
};

struct IpoptSettings {
    double tolerance, violation; // of the optimality conditions; of each condition g
    double complementarity;      // of slack * multiplier of a bound
    double barrier;              // the first value of its parameter
    int most_iterations;
};

struct IpoptResult {
    enum Status { converged, infeasible, stopped, failed } status;
    int iterations;
    double objective;
    double shift; // what Ipopt added to the Hessian in its last iteration to have the inertia of a minimum; -1: none
                  // took place
};

struct IpoptModule {
    // x: the start, then the solution. multipliers of g, and of the bounds of x (both positive).
    void (*solve)(const IpoptProblem* problem, const IpoptSettings* settings, double* x, double* multipliers,
                  double* at_low, double* at_high, IpoptResult* result);
};

inline constexpr const char* ipopt_door = "rattleback_ipopt_1"; // extern "C" const IpoptModule* rattleback_ipopt_1()

} // namespace rattleback
