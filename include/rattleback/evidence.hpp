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
    const Matrix<T>& state() const; // d(next state) / d(state)
    // d(next state) / d(parameters); NaN for those that `structure` is computed from, which is fixed at load.
    const Matrix<T>& parameters() const;
    // The two-form of the method at the stepper's state, as an antisymmetric matrix.
    bool form(const Stepper<T>& stepper, T t, Matrix<T>& omega, Report& report);
    // An orthonormal basis of the normals of what carried states lie on, at the stepper's state; no rows: all of space.
    bool normals(const Stepper<T>& stepper, T t, Matrix<T>& rows, Report& report);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Each measures one property along a run of `steps` steps of size h from the model's start, as the largest departure
// relative to the size of what should be kept. Empty: the property does not apply.
template <class T> std::optional<T> symplectic_defect(const CompiledMethod& method, T h, int steps, Report& report);
template <class T> std::optional<T> symmetry_defect(const CompiledMethod& method, T h, int steps, Report& report);
template <class T> std::optional<T> reversibility_defect(const CompiledMethod& method, T h, int steps, Report& report);

// The energy's error over a long run.
struct Drift {
    double first = 0, second = 0; // largest error in the two halves of the run, relative to its largest term
    double slope = 0;             // of the error, fitted by a line, times the length of the run
    double confidence = 0;        // 95 %: the slope is within this, as its scatter over 20 parts of the run tells
    double spread[2] = {0, 0};    // of the motion: largest distance of q (or z) from its start in the two halves
    // What was reached once is not left behind, and no line is seen in it; where the error is round-off it wanders.
    bool bounded() const;
};

// Errors at a fixed time for a sequence of halved steps, against a converged reference, in quad.
struct OrderStudy {
    std::vector<double> steps, errors, orders; // orders[i] from errors[i] and errors[i + 1]
    double order = 0;                          // fitted where errors are small and above the plateau
    double until = 0;
    bool moved = true; // false: the motion rests, and no order can show
    std::string note;
};
struct OrderOptions {
    double until = 1; // from the model's t0
    int coarsest = 4; // steps
    int most_halvings = 8;
    std::vector<quad> exact = {}; // q and v, or z, at that time; empty: they are computed
    std::function<void(long long done, long long total)> progress = {}; // in milliseconds
};
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
    std::function<void(long long done, long long total)> progress = {}; // in milliseconds, the total as far as known
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

} // namespace rattleback
