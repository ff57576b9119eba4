// What a method preserves, measured.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// The exact tangent map of one step, by the implicit function theorem: with equations F(x, u) = 0 and x_next = Y(x, u),
// dx_next = (Y_x - Y_u F_u^-1 F_x) dx. Derivatives of F and Y come from the graph; nothing is differenced.
template <class T> class Tangent {
  public:
    Tangent(const Model& model, const Method& method);
    ~Tangent();
    Tangent(Tangent&&) noexcept;

    // At the stepper's state; the stepper is advanced by one step (all substeps).
    bool advance(Stepper<T>& stepper, long long step, T h, Report& report);
    const Matrix<T>& state() const { return state_; } // d(next state) / d(state)
    // d(next state) / d(parameters); NaN for those that `structure` is computed from, which is fixed at load.
    const Matrix<T>& parameters() const { return parameters_; }
    // The two-form of the method at a state, as an antisymmetric matrix.
    bool form(const std::vector<T>& at, T t, const std::vector<T>& parameters, Matrix<T>& omega, Report& report);
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
template <class T>
std::optional<T> symplectic_defect(const Model& model, const Method& method, T h, int steps, Report& report);
template <class T>
std::optional<T> symmetry_defect(const Model& model, const Method& method, T h, int steps, Report& report);
template <class T>
std::optional<T> reversibility_defect(const Model& model, const Method& method, T h, int steps, Report& report);
// Of a step that a function S and forces generate: how far b1 da1 - b0 da0 is from dS - sum f . dP, all steps taken
// together, and D^T Omega D - Omega from sum df ^ dP in a single one.
template <class T> struct GeneratingDefect { T one_form = 0, two_form = 0; };
template <class T>
std::optional<GeneratingDefect<T>> generating_defect(const Model& model, const Method& method, T h, int steps,
                                                     Report& report);
// The discrete nonholonomic momentum equation of the declared sections, or of all of g^q.
template <class T>
std::optional<T> momentum_equation_defect(const Model& model, const Method& method, T h, int steps, Report& report);

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
    double plateau = 1e-25;
};
OrderStudy observed_order(const Model& model, const Method& method, const OrderOptions& options);

// What a model is: for `check`.
struct Inspection {
    std::vector<std::pair<std::string, std::string>> facts; // name, in words
    std::vector<std::string> warnings;
    std::vector<std::pair<std::string, std::string>> methods;   // id; empty if it fits, else why it does not
    std::vector<std::pair<std::string, std::string>> preserves; // of those that fit: order, and what is kept here
};
Inspection inspect(const Model& model); // throws BadRun where the model cannot start

// A model with velocity constraints under d'Alembert's principle and under the variational one, whichever it asks for,
// from the same positions and velocities. Methods: the first of options.method that fits; by default of order 6.
struct PrinciplesStudy {
    Run nonholonomic, variational;
    std::vector<double> largest, at; // by coordinate: the largest difference, and when
    std::optional<double> part;      // the first time at which a coordinate differs by 1e-6
    double numerical_error = 0;      // of the two runs, by runs with half the step
    enum Verdict { coincide, differ, undecided } verdict = undecided; // undecided: these errors hide it
    std::string integrability;                                        // as check says it
    bool integrable = false;
    // |lambda . (d/dt phi_v - phi_q)| along allowed directions, which the variational motion alone feels; empty where
    // velocities enter nonlinearly.
    std::optional<double> force_start, force_max;
};
PrinciplesStudy compare_principles(const Model& model, const RunOptions& options); // throws BadRun, Unsuitable

} // namespace rattleback
