// Trajectories: starts, steps, nodes, and what was measured on the way.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/stepper.hpp>

namespace rattleback {

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
// With a method of the caller's own.
Run integrate(const Model& model, const Scheme& scheme, const RunOptions& options);
Run integrate(const Model& model, const Method& method, const RunOptions& options);

// How many steps, and of which size: --until divides its interval.
struct Grid {
    double h;
    long long steps;
    bool shortened;
    std::optional<double> end = {}; // --until, to the bit
};
Grid make_grid(const Model& model, const RunOptions& options);

} // namespace rattleback
