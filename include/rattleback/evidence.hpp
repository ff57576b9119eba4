// What a method preserves, measured.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// The exact tangent map of one step, by the implicit function theorem: with equations F(x, u) = 0 and x_next = Y(x, u),
// dx_next = (Y_x - Y_u F_u^-1 F_x) dx. Derivatives of F and Y come from the graph; nothing is differenced.
template <class T> class Tangent {
  public:
    explicit Tangent(const CompiledMethod& method);
    Tangent(const Model& model, const Method& method) : Tangent(compile(model, method)) {}
    ~Tangent();
    Tangent(Tangent&&) noexcept;

    // At the stepper's state; the stepper is advanced by one step (all substeps).
    bool advance(Stepper<T>& stepper, long long step, T h, Report& report);
    const Matrix<T>& state() const { return state_; } // d(next state) / d(state)
    // d(next state) / d(parameters); NaN for those that `structure` is computed from, which is fixed at load.
    const Matrix<T>& parameters() const { return parameters_; }
    // The two-form of the method at the stepper's state, as an antisymmetric matrix.
    bool form(const Stepper<T>& stepper, T t, Matrix<T>& omega, Report& report);
    // An orthonormal basis of the normals of what carried states lie on, at the stepper's state; no rows: all of space.
    bool normals(const Stepper<T>& stepper, T t, Matrix<T>& rows, Report& report);

  private:
    struct Systems;
    bool sub_step(Stepper<T>& stepper, T t, T h, bool steady, Report& report);
    std::unique_ptr<Systems> systems_;
    Matrix<T> state_, parameters_;
};

// Each measures one property along a run of `steps` steps of size h from the model's start, as the largest departure
// relative to the size of what should be kept. Empty: the property does not apply.
template <class T> std::optional<T> symplectic_defect(const CompiledMethod& method, T h, int steps, Report& report);
template <class T> std::optional<T> symmetry_defect(const CompiledMethod& method, T h, int steps, Report& report);
template <class T> std::optional<T> reversibility_defect(const CompiledMethod& method, T h, int steps, Report& report);
// Of a step that a function S and forces generate: how far b1 da1 - b0 da0 is from dS - sum f . dP, all steps taken
// together, and D^T Omega D - Omega from sum df ^ dP in a single one.
template <class T> struct GeneratingDefect { T one_form = 0, two_form = 0; };
template <class T>
std::optional<GeneratingDefect<T>> generating_defect(const CompiledMethod& method, T h, int steps, Report& report);
// The discrete nonholonomic momentum equation of the declared sections, or of all of g^q.
template <class T>
std::optional<T> momentum_equation_defect(const CompiledMethod& method, T h, int steps, Report& report);

// The energy's error over a long run.
struct Drift {
    double first = 0, second = 0; // largest error in the two halves of the run, relative to the energy if that is > 1
    double slope = 0;             // of the error, fitted by a line, times the length of the run
    double confidence = 0;        // 95 %: the slope is within this, as its scatter over 20 parts of the run tells
    double spread[2] = {0, 0};    // of the motion: largest distance of q (or z) from its start in the two halves
    // Bounded: what was reached once is not left behind, and no line is seen in it. Where the error is round-off it
    // wanders instead.
    bool bounded() const;
};
std::optional<Drift> energy_drift(const CompiledMethod& method, double h, long long steps);
// Largest departures of the energy and of each momentum map from their first values, relative where these are > 1, and
// largest residuals: of velocity constraints, of holonomic ones and of their rates. Unstable formulations end early:
// what was seen until then counts, if it was more than 10 steps.
template <class T> struct Departures {
    T energy = 0, velocity = 0, holonomic = 0;
    std::vector<T> momenta; // of symmetries, then of sections
};
template <class T>
std::optional<Departures<T>> departures(const CompiledMethod& method, T h, int steps, Report& report);

// Largest residuals of the model's constraints at the stages of a method; empty: it has none. Runs that end early
// count as in departures.
template <class T> struct StageResiduals { T velocity = 0, holonomic = 0; };
template <class T>
std::optional<StageResiduals<T>> stage_residuals(const CompiledMethod& method, T h, int steps, Report& report);

// Errors at a fixed time for a sequence of halved steps, against a converged reference, in quad.
struct OrderStudy {
    std::vector<double> steps, errors, orders; // orders[i] from errors[i] and errors[i + 1]
    double order = 0;                          // fitted where errors are small and above the plateau
    double until = 0;
    std::string note;
};
struct OrderOptions {
    double until = 1; // from the model's t0
    int coarsest = 4; // steps
    int most_halvings = 8;
    double plateau = in_round_off(1e-25);
    std::vector<quad> exact = {}; // what exact_end gives for this model and time; empty: it is called
};
// Where the motion is after this time: q and v, or z, to 1e-30. Throws BadRun where it does not get there.
std::vector<quad> exact_end(const Model& model, double until);
OrderStudy observed_order(const CompiledMethod& method, const OrderOptions& options);

// Every claim of a method, measured on a model; what is exact is decided in quad, where round-off is 1e-34.
struct MeasuredClaim {
    std::string name;    // symplectic, order, ...
    std::string claimed; // yes, no, unknown; an order
    std::string condition;
    std::optional<double> measured; // in double; for the energy's bound its largest relative error
    std::optional<double> in_quad;
    enum Verdict { pass, fail, not_applicable } verdict = not_applicable;
    std::string remark;
};
std::string_view to_text(MeasuredClaim::Verdict verdict);
struct VerifyOptions {
    std::optional<double> step = {};  // default: the model's, or 0.1
    std::optional<long long> steps{}; // of the long run that bounds the energy; default: 10000
};
struct Verification {
    std::string method;
    double step = 0;
    long long steps = 0; // of the long run
    std::vector<MeasuredClaim> claims;
    OrderStudy order;
    std::optional<Drift> drift;
    bool holds() const; // no claim fails
};
Verification verify(const Model& model, const MethodName& name, const VerifyOptions& options = {});
Verification verify(const Model& model, const Method& method, const std::vector<Claim>& claims,
                    const VerifyOptions& options = {});

// Several methods side by side, and what a converged reference says of them.
struct ComparedMethod {
    Run run;
    std::optional<double> error;                           // in (q, v) or z at the end
    double seconds_per_time = 0;                           // of computing, for a unit of the model's time
    std::vector<double> work_steps, work_cost, work_error; // of coarser and finer runs: seconds a unit of time, errors
};
struct Comparison {
    std::vector<ComparedMethod> methods;
    std::string reference_method; // empty: none fits
    std::optional<Summary> reference;
    double reference_error = 0; // how far a coarser reference is from it
    std::string recommendation; // one sentence, with its reason
};
Comparison compare(const Model& model, const std::vector<MethodName>& methods, const RunOptions& options);

// What a model is: for `check`.
struct Inspection {
    std::vector<std::pair<std::string, std::string>> facts; // name, in words
    std::vector<std::string> warnings;
    std::vector<std::pair<std::string, std::string>> methods;   // id; empty if it fits, else why it does not
    std::vector<std::pair<std::string, std::string>> preserves; // of those that fit: order, and what is kept here
};
Inspection inspect(const Model& model); // throws BadRun where the model cannot start

} // namespace rattleback
