// librattleback_ipopt.so: nonlinear programs with bounds, by Ipopt through its C interface.
#include "boundary/ipopt_module.hpp"

#include <coin/IpStdCInterface.h>

#include <algorithm>

namespace {

using Described = rattleback::IpoptProblem; // the C interface has a type of the same name
using rattleback::IpoptResult;
using rattleback::IpoptSettings;

// What the callbacks see: Ipopt passes it through.
struct Work {
    const Described* of;
    IpoptResult* result;
};

const Described& described(UserDataPtr data) { return *static_cast<Work*>(data)->of; }

Bool objective(Index, Number* x, Bool, Number* f, UserDataPtr data) {
    const Described& p = described(data);
    return p.objective(p.self, x, f);
}

Bool gradient(Index, Number* x, Bool, Number* f_x, UserDataPtr data) {
    const Described& p = described(data);
    return p.gradient(p.self, x, f_x);
}

Bool constraints(Index, Number* x, Bool, Index, Number* g, UserDataPtr data) {
    const Described& p = described(data);
    return p.constraints(p.self, x, g);
}

// Without values the places are asked for.
Bool jacobian(Index, Number* x, Bool, Index, Index count, Index* row, Index* column, Number* values, UserDataPtr data) {
    const Described& p = described(data);
    if (values) return p.jacobian(p.self, x, values);
    std::copy_n(p.jacobian_row, count, row), std::copy_n(p.jacobian_column, count, column);
    return TRUE;
}

Bool hessian(Index, Number* x, Bool, Number weight, Index, Number* multipliers, Bool, Index count, Index* row,
             Index* column, Number* values, UserDataPtr data) {
    const Described& p = described(data);
    if (values) return p.hessian(p.self, x, weight, multipliers, values);
    std::copy_n(p.hessian_row, count, row), std::copy_n(p.hessian_column, count, column);
    return TRUE;
}

Bool after_iteration(Index, Index iteration, Number, Number, Number, Number, Number, Number shift, Number, Number,
                     Index, UserDataPtr data) {
    Work& work = *static_cast<Work*>(data);
    work.result->iterations = iteration;
    if (iteration > 0) work.result->shift = shift; // the start itself was not tested
    return work.of->goes_on(work.of->self);
}

IpoptResult::Status meaning(ApplicationReturnStatus status) {
    switch (status) {
    case Solve_Succeeded: return IpoptResult::converged;
    case Infeasible_Problem_Detected: return IpoptResult::infeasible;
    case User_Requested_Stop: return IpoptResult::stopped;
    default: return IpoptResult::failed;
    }
}

// The C interface takes texts that it does not change as char*.
void set(IpoptProblem problem, const char* option, double value) {
    AddIpoptNumOption(problem, const_cast<char*>(option), value);
}
void set(IpoptProblem problem, const char* option, int value) {
    AddIpoptIntOption(problem, const_cast<char*>(option), value);
}
void set(IpoptProblem problem, const char* option, const char* value) {
    AddIpoptStrOption(problem, const_cast<char*>(option), const_cast<char*>(value));
}

void set_options(IpoptProblem problem, const IpoptSettings& settings) {
    set(problem, "print_level", 0), set(problem, "sb", "yes");
    set(problem, "option_file_name", ""); // NOTE: without this a file ipopt.opt in the user's folder is read
    set(problem, "linear_solver", "mumps");
    set(problem, "tol", settings.tolerance), set(problem, "constr_viol_tol", settings.violation);
    set(problem, "dual_inf_tol", 1e-6), set(problem, "compl_inf_tol", settings.complementarity);
    set(problem, "acceptable_iter", 0); // a path that is only acceptable is none
    set(problem, "bound_relax_factor", 1e-12);
    set(problem, "mu_init", settings.barrier), set(problem, "max_iter", settings.most_iterations);
}

void solve(const Described* p, const IpoptSettings* settings, double* x, double* multipliers, double* at_low,
           double* at_high, IpoptResult* result) {
    *result = {IpoptResult::failed, 0, 0, -1};
    Work work{p, result};
    const IpoptProblem problem =
        CreateIpoptProblem(p->variables, const_cast<double*>(p->x_low), const_cast<double*>(p->x_high), p->rows,
                           const_cast<double*>(p->g_low), const_cast<double*>(p->g_high), p->jacobian_entries,
                           p->hessian_entries, 0, objective, constraints, gradient, jacobian, hessian);
    if (!problem) return;
    set_options(problem, *settings);
    SetIntermediateCallback(problem, after_iteration);
    result->status = meaning(IpoptSolve(problem, x, nullptr, &result->objective, multipliers, at_low, at_high, &work));
    FreeIpoptProblem(problem);
}

} // namespace

extern "C" const rattleback::IpoptModule* rattleback_ipopt_1() {
    static const rattleback::IpoptModule module{solve};
    return &module;
}
