// Paths from here to there: optimal control and boundary values.
//
//   Solution s = find_path(load("parking.toml"));
//   s.best().cost, s.best().p0, s.best().run["u"]
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

struct SolveOptions {
    std::string method = {};             // empty: the model's, else one that suits the problem
    std::optional<long long> steps = {}; // none: as many as the accuracy asks for
    std::optional<double> accuracy = {}; // of the cost; none: 1e-8 of it, where steps are not given
    std::string solver = {};        // newton, shooting, multiple_shooting, ipopt; empty: newton, or ipopt for bounds
    std::optional<int> starts = {}; // paths from which extremals are looked for; none: 60, with Ipopt 8
    unsigned long long seed = 1;    // of their random parts
    // Continuation: a parameter, or time, and the value with which the search begins. Without it `solve` tries some of
    // its own where no start leads to a path.
    std::optional<std::pair<std::string, double>> along = {};
    int others = 0; // paths to keep beside the best one
    const volatile int* interrupt = nullptr;
    std::function<void(long long done, long long total)> progress = {};
    std::string command = {};
};

// Of inputs without a square in H, along a path: {H_u, {H_u, H}} is positive where it is a minimum, of longer chains
// its generalization. Of several inputs a matrix, and what it is made of commutes (Goh).
struct KelleyCondition {
    double smallest = 0, time = 0; // the smallest eigenvalue along the path, and where
    std::optional<double> lost;    // the first time at which it is not positive
    bool commute = true;           // {H_u, H_w} = 0
};

// H of a control problem as a function of the inputs, along a path: they make it least (Pontryagin).
struct InputOptimality {
    double smallest = 0, time = 0;   // the smallest eigenvalue of H_uu along the path, and where (Legendre, Clebsch)
    std::optional<double> lost;      // the first time at which it is not positive; between two of the path's, where
                                     // it passes through 0
    std::optional<double> lower;     // the first time at which other inputs make H lower (Weierstrass)
    double lower_by = 0;             // by so much,
    std::vector<double> inputs = {}; // these
    bool has_squares = true;         // false: no input has one in H, and there is no H_uu
    std::optional<KelleyCondition> kelley = {}; // of inputs without
    bool holds() const { return !lost && !lower && !(kelley && kelley->lost); }
};

// A path that is stationary.
struct Extremal {
    // minimum: no nearby path costs less; conjugate: some do, beyond a conjugate point; stationary: some do, at the
    // ends or with other inputs; abnormal: the dynamics allow too few neighbours, the costates are not determined.
    enum class Verdict { minimum, stationary, conjugate, abnormal };
    Verdict verdict = Verdict::stationary;
    double cost = 0, time = 0, residual = 0;
    std::vector<double> q0, p0, q, p;      // at the start and at the end
    std::vector<double> parameters;        // that were chosen
    std::vector<double> conjugate;         // times
    std::optional<InputOptimality> inputs; // of a control problem without bounds
    int hits = 0;                          // starts that led here
    std::optional<int> last_set;           // of a singular problem, the dimension of the set of (q, p) that it lies on
    bool is_judged = true;                 // false: second derivatives have no value on the way
};
std::string_view to_text(Extremal::Verdict verdict);

// Of a periodic path: what neighbouring motions do in one period.
struct Orbit {
    double energy = 0, period_error = 0;           // the error is estimated; the period is Extremal::time
    Matrix<double> monodromy;                      // of (q, p), or of directions that holonomic constraints allow
    std::vector<std::complex<double>> multipliers; // its eigenvalues, the largest first
    bool is_stable = false;                        // none is outside the unit circle, within 1e-5
};

struct Solution {
    enum class Status { solved, infeasible, failed, interrupted };
    Status status = Status::failed;
    std::string what, remedy; // where it is not solved
    std::string method, solver = "newton", note;
    long long steps = 0;
    std::vector<Extremal> extremals; // the best first: minima before others, then by cost
    double cost_error = 0;           // estimated
    double residual = 0;             // where none was found: by what the end, or the equations, are missed
    std::vector<double> u_first, u_last;
    std::optional<Orbit> orbit;
    int starts = 0, iterations = 0;
    double seconds_setup = 0, seconds_run = 0;
    Run run;                 // the best path, node by node
    std::vector<Run> others; // of the extremals after it, as many as were asked for
    const Extremal& best() const { return extremals.front(); }
};

// Throws Unsuitable where the model has no boundary values, or the method does not fit.
Solution find_path(const Model& model, const SolveOptions& options = {});

} // namespace rattleback
