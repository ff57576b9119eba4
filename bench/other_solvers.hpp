// Solvers of other libraries as ways to integrate a problem: GSL and SUNDIALS where they are installed.
#pragma once

#include <vector>

#include "ways.hpp"

#if __has_include(<gsl/gsl_odeiv2.h>) && defined(RATTLEBACK_HAVE_GSL)
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#define WITH_GSL
#endif
#if __has_include(<arkode/arkode_erkstep.h>) && defined(RATTLEBACK_HAVE_SUNDIALS)
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#define WITH_SUNDIALS
#endif

namespace bench {

template <class Problem> std::array<double, Problem::n> rate_at(const void* problem, const double* x) {
    std::array<double, Problem::n> at, k;
    std::copy_n(x, Problem::n, at.begin());
    static_cast<const Problem*>(problem)->rate(at, k);
    return k;
}

// Runs it often enough for the clock: seconds of one.
template <class F> double seconds_of_one(F&& run) {
    constexpr double enough = 0.01;
    double seconds = 0;
    int count = 0;
    for (; count == 0 || seconds < enough; ++count) seconds += cpu_seconds_of(run);
    return seconds / count;
}

#ifdef WITH_GSL
// The method of Prince and Dormand of order 8.
template <class Problem>
Result by_gsl(const Problem& problem, const std::array<double, Problem::n>& start, double T, double effort) {
    gsl_set_error_handler_off();
    const auto rate = [](double, const double x[], double k[], void* p) {
        const auto values = rate_at<Problem>(p, x);
        std::copy(values.begin(), values.end(), k);
        return static_cast<int>(GSL_SUCCESS);
    };
    gsl_odeiv2_system system = {rate, nullptr, Problem::n, const_cast<Problem*>(&problem)};
    Result result;
    bool well = true;
    result.seconds = seconds_of_one([&] {
        gsl_odeiv2_driver* driver =
            gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, T / 1e4, 1 / effort, 1 / effort);
        double t = 0;
        result.end.assign(start.begin(), start.end());
        well = gsl_odeiv2_driver_apply(driver, &t, T, result.end.data()) == GSL_SUCCESS;
        gsl_odeiv2_driver_free(driver);
    });
    if (!well) result.end.assign(Problem::n, NAN);
    return result;
}
#endif

#ifdef WITH_SUNDIALS
template <class Problem> int sundials_rate(realtype, N_Vector x, N_Vector k, void* p) {
    const auto values = rate_at<Problem>(p, N_VGetArrayPointer(x));
    std::copy(values.begin(), values.end(), N_VGetArrayPointer(k));
    return 0;
}

template <class Problem, class Solve>
Result by_sundials(const std::array<double, Problem::n>& start, const Solve& solve) {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    N_Vector x = N_VNew_Serial(Problem::n, context);
    Result result;
    bool well = true;
    result.seconds = seconds_of_one([&] {
        std::copy(start.begin(), start.end(), N_VGetArrayPointer(x));
        well = solve(x, context);
    });
    result.end.assign(N_VGetArrayPointer(x), N_VGetArrayPointer(x) + Problem::n);
    if (!well) result.end.assign(Problem::n, NAN);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return result;
}

// Adams' methods to order 12, with functional iteration: these problems are not stiff.
template <class Problem>
Result by_cvode(const Problem& problem, const std::array<double, Problem::n>& start, double T, double effort) {
    return by_sundials<Problem>(start, [&](N_Vector x, SUNContext context) {
        void* memory = CVodeCreate(CV_ADAMS, context);
        CVodeInit(memory, sundials_rate<Problem>, 0.0, x);
        CVodeSStolerances(memory, 1 / effort, 1 / effort);
        CVodeSetUserData(memory, const_cast<Problem*>(&problem));
        CVodeSetMaxNumSteps(memory, 10000000);
        CVodeSetErrFile(memory, nullptr);
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(x, 0, context);
        CVodeSetNonlinearSolver(memory, solver);
        CVodeSetStopTime(memory, T);
        double t = 0;
        const bool well = CVode(memory, T, x, &t, CV_NORMAL) >= 0;
        SUNNonlinSolFree(solver);
        CVodeFree(&memory);
        return well;
    });
}

// ARKODE's explicit methods, Fehlberg's of order 8.
template <class Problem>
Result by_arkode(const Problem& problem, const std::array<double, Problem::n>& start, double T, double effort) {
    return by_sundials<Problem>(start, [&](N_Vector x, SUNContext context) {
        void* memory = ERKStepCreate(sundials_rate<Problem>, 0.0, x, context);
        ERKStepSetTableNum(memory, ARKODE_FEHLBERG_13_7_8);
        ERKStepSStolerances(memory, 1 / effort, 1 / effort);
        ERKStepSetUserData(memory, const_cast<Problem*>(&problem));
        ERKStepSetMaxNumSteps(memory, 10000000);
        ERKStepSetErrFile(memory, nullptr);
        ERKStepSetStopTime(memory, T);
        double t = 0;
        const bool well = ERKStepEvolve(memory, T, x, &t, ARK_NORMAL) >= 0;
        ERKStepFree(&memory);
        return well;
    });
}
#endif

} // namespace bench
