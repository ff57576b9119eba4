// Trajectories: starts, steps, nodes, and what was measured on the way.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/scheme.hpp>

namespace rattleback {

class StepCode;

// Where a run starts: q with v and p (and the multipliers of variational constraints), or z.
template <class T> struct InitialData {
    std::vector<T> q = {}, v = {}, p = {}, z = {}, lambda = {};
};

// From the model's own data: p from v or v from p, on the constraints; the components of z that grad H determines.
// Throws BadRun where the data do not fit; `project` moves them onto the constraints instead.
template <class T>
bool complete_initial_data(const Model& model, InitialData<T>& data, Report& report, bool project = false);

// The model without the holonomic constraints that follow from the others at its start and around it; they are kept in
// `redundant`: nodes show their residuals and multipliers. Empty: there are none. Throws BadRun naming constraints that
// contradict each other, or that are dependent at the start alone. `project`: the start is moved onto them first.
std::optional<Model> with_independent_constraints(const Model& model, bool project = false);

// Why the multipliers (of a singular Lagrangian: the velocities) are not determined at the model's start, as a message;
// empty: the equations are of index 1. Runs from such a start throw BadRun unless model.any_index is set.
std::string index_problem(const Model& model);

// A method on a model, ready to step in scalar T. It carries a state (with the low parts of compensated sums) and
// nothing else: two steppers with the same state take the same step, to the bit.
class Divisions;

template <class T> class Stepper {
  public:
    Stepper(const Model& model, const Method& method);

    // h: the step to come, for methods whose state depends on it. Of v and p one may be left out. Whether such data
    // lie on the constraints is not asked.
    bool start(const InitialData<T>& data, T t0, Report& report, T h = Real<T>::nan);
    bool start(Report& report, T h = Real<T>::nan, bool project = false); // from the model's initial data
    bool advance(long long step, T h, Report& report);                    // from t0 + step h to t0 + (step + 1) h

    std::size_t state_count() const { return state_.size(); }
    const std::vector<T>& state() const { return state_; }
    void set_state(const std::vector<T>& state); // the low parts become zero
    void set_state(const std::vector<T>& state, const std::vector<T>& low);
    const std::vector<T>& hint() const { return hint_; }
    void set_hint(const std::vector<T>& hint) { hint_ = hint; }
    const std::vector<T>& low() const { return low_; }
    T t0() const { return t0_; }
    // Refuses to change one that the structure is made of. Like start(), it may add formulas to the model's graph.
    void set_parameters(const std::vector<T>& values);
    T h() const { return h_; } // of the last step, or given to start()
    const std::vector<T>& parameters() const { return parameters_; }
    const Method& method() const { return method_; }
    SystemSolver<T>& solver() { return step_; }
    // Whether solver() is what solves for these parameters: not where it divides by what is small for them.
    bool is_usual() const { return !other_in_use_; }

    bool sub_step(T t, T h, bool steady, Report& report); // one application of the step itself

    // From here on in machine code, with the same bits; only in double.
    void use(std::shared_ptr<const StepCode> code) { code_ = std::move(code); }

  private:
    bool controlled_advance(T t, T h, Report& report);
    bool coded_advance(T t, T h, Report& report);
    void fill_given(T t, T h);
    void choose_pivots();
    SystemSolver<T>& now() { return other_in_use_ ? *other_ : step_; }

    Model model_;
    Method method_;
    std::shared_ptr<Divisions> divisions_; // none: nothing is divided by
    SystemSolver<T> step_;
    std::optional<SystemSolver<T>> other_; // that divides where step_ does not, or the other way round
    bool other_in_use_ = false;
    std::vector<T> state_, low_, hint_, parameters_;
    std::size_t outright_; // components of the state that are no sums
    T t0_ = 0, h_ = Real<T>::nan;
    T own_h_ = 0; // of methods that control their step
    std::shared_ptr<const StepCode> code_;
    std::array<bool, 2> pivots_chosen_ = {}; // of step_ and other_
};

// What a node shows.
template <class T> struct NodeValues {
    std::vector<T> q, v, p, z, lambda;
    T energy = 0;
    T constraint = 0, velocity_residual = 0, holonomic_residual = 0; // the largest of all, and of each kind
    std::vector<T> momenta, observables, extra;                      // momenta: of symmetries, then of sections
};

// Computes nodes from carried states.
template <class T> class NodeReader {
  public:
    NodeReader(const Model& model, const Method& method, const std::vector<Expr>& extra = {});
    bool read(const Stepper<T>& stepper, T t, Report& report);
    const NodeValues<T>& node() const { return node_; }
    const CompiledSystem& compiled() const { return solver_.compiled(); }
    void use(std::shared_ptr<const StepCode> code) { code_ = std::move(code); } // as of Stepper
    void use(std::shared_ptr<const SectionCode> code) { solver_.use(std::move(code)); }

  private:
    bool coded_solve();
    std::vector<T> residuals_;
    std::size_t velocity_residuals_ = 0; // of them; the others are holonomic
    SystemSolver<T> solver_;
    std::shared_ptr<const StepCode> code_;
    std::vector<T> results_; // of machine code; empty: they are the solver's
    NodeValues<T> node_;
};

struct RunOptions {
    // What takes the steps; the results have the same bits. automatic: the tape, and machine code once it is ready;
    // compiled: machine code from the first step on, where it can be had.
    enum class Engine { automatic, interpreted, compiled };
    std::string method = {}; // empty: the model's
    std::optional<double> step = {}, until = {};
    std::optional<long long> steps = {};
    long long every = 1;                  // record every k-th node
    std::optional<double> tolerance = {}; // of methods that control their step
    Engine engine = Engine::automatic;
    bool project = false; // move initial data onto the constraints
    // Called before the first step, with the names of all columns known; it may throw.
    std::function<void(const class Run&)> prepared = {};
    // Called at every recorded node; returning false ends the run.
    std::function<bool(const struct NodeView&)> at_node = {};
    const volatile int* interrupt = nullptr; // nonzero: stop after this step and keep what was computed
    std::function<void(long long done, long long total)> progress = {};
};

struct NodeView {
    long long step;
    double t;
    std::span<const double> q, v, p, z, lambda;
    double energy, constraint;
    std::span<const double> momenta, observables;
};

// Rows of numbers, one a recorded node. as<Eigen::Map<...>>() views it without a copy.
class Table {
  public:
    explicit Table(std::size_t columns = 0) : columns_(columns) {}
    std::size_t rows() const { return columns_ ? data_.size() / columns_ : 0; }
    std::size_t columns() const { return columns_; }
    double operator()(std::size_t row, std::size_t column) const { return data_[row * columns_ + column]; }
    const double* data() const { return data_.data(); }
    std::span<const double> row(std::size_t i) const { return {data_.data() + i * columns_, columns_}; }
    void append(std::span<const double> values) { data_.insert(data_.end(), values.begin(), values.end()); }
    template <class Map> Map as() const {
        return Map(data_.data(), static_cast<long>(rows()), static_cast<long>(columns_));
    }

  private:
    std::size_t columns_;
    std::vector<double> data_;
};

// A (-1)^k mode of the multipliers a method carries: its amplitude at the first nodes and in the last tenth of the run,
// and the largest.
struct ParasiticMode {
    double first = 0, last = 0, largest = 0;
};

struct Summary {
    std::string model, method;
    double step = 0, t_end = 0;
    long long steps = 0;
    std::vector<double> q, v, p, z, lambda;
    double energy_initial = 0, energy_error_max = 0, energy_drift_per_time = 0;
    std::optional<double> constraint_max, holonomic_max;
    std::vector<std::pair<std::string, double>> momentum_error_max;    // of symmetries
    std::vector<std::string> horizontal;                               // symmetries whose direction was allowed
    std::vector<std::pair<std::string, double>> momentum_equation_max; // of sections, or of g^q: the largest residual
    double newton_iterations_mean = 0, seconds_setup = 0, seconds_run = 0;
    std::optional<ParasiticMode> parasitic; // of methods that have one
    // Of methods with charts: since when which coordinates were those of the chart, the first hundred, and how often it
    // changed.
    std::vector<std::pair<double, std::string>> charts;
    long long chart_changes = 0;
    std::string note; // e.g. that the step was shortened
    std::vector<std::string> warnings;
};

class Run {
  public:
    std::vector<double> t;
    Table q, v, p, z, lambda;
    std::vector<double> energies, constraints;
    Table momenta, observables;
    std::vector<std::string> q_names, v_names, p_names, z_names, lambda_names, momentum_names, observable_names;

    const std::vector<double>& energy() const { return energies; }
    double energy_error_max() const { return summary_.energy_error_max; }
    const Report& report() const { return report_; }
    const Summary& summary() const { return summary_; }

    Report report_;
    Summary summary_;
};

// A start or a command that does not fit the model: what() is the message.
struct BadRun : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Run integrate(const Model& model, const RunOptions& options);

// How many steps, and of which size: --until divides its interval.
struct Grid {
    double h;
    long long steps;
    bool shortened;
    std::optional<double> end = {}; // --until, to the bit
};
Grid make_grid(const Model& model, const RunOptions& options);

} // namespace rattleback
