// Trajectories: starts, steps, nodes, and what was measured on the way.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/record.hpp>
#include <rattleback/stepper.hpp>

namespace rattleback {

// The model without the holonomic constraints that follow from the others at its start and around it; they are kept in
// `redundant`: nodes show their residuals and multipliers. Empty: there are none. Throws BadRun naming constraints that
// contradict each other, or that are dependent at the start alone. `project`: the start is moved onto them first.
std::optional<Model> with_independent_constraints(const Model& model, bool project = false);

struct RunOptions {
    // What takes the steps; the results have the same bits. automatic: the tape, and machine code once it is ready;
    // compiled: machine code from the first step on, where it can be had.
    enum class Engine { automatic, interpreted, compiled };
    std::string method = {}; // empty: the model's
    std::optional<double> step = {}, until = {};
    std::optional<long long> steps = {};
    long long every = 1;                  // record every k-th node
    bool keep_record = true;              // false: Run::record stays empty, and at_node alone sees the nodes
    std::optional<double> tolerance = {}; // of methods that control their step
    // The largest error of q and v (or z), each component relative to its largest value: method and step are chosen for
    // it. With `method` the step alone, and its stages where it leaves these open. Not beside step, steps, tolerance.
    std::optional<double> accuracy = {};
    Engine engine = Engine::automatic;
    bool project = false; // move initial data onto the constraints
    // Called before the first step, with the names of all columns known; it may throw.
    std::function<void(const class Run&)> prepared = {};
    // Called at every recorded node; returning false ends the run.
    std::function<bool(const struct NodeView&)> at_node = {};
    const volatile int* interrupt = nullptr; // nonzero: stop after this step and keep what was computed
    std::function<void(long long done, long long total)> progress = {};
    std::string command = {}; // how the run was asked for: kept with its results
};

// A node as at_node sees it: node["q"] are the values of a group, row.values those of all, in the order of CSV columns.
struct NodeView {
    long long step;
    double t;
    const Row& row;
    std::vector<double> operator[](std::string_view group) const { return row[group]; }
};

// A (-1)^k mode of carried multipliers: its amplitude at the first nodes, in the last tenth of the run, the largest.
struct ParasiticMode {
    double first = 0, last = 0, largest = 0;
};

// What the motion itself does not conserve.
struct Balance {
    std::string name, why; // "energy" or a symmetry's; why: "forces do work"
    // The largest |change - what forces, constraints and the time gave|; empty: it could not be measured. `quadrature`:
    // how well the nodes tell what was given.
    std::optional<double> error = {};
    double quadrature = 0;
};

// What RunOptions::accuracy asked for, and what is known of the error.
struct Accuracy {
    double asked = 0;
    double estimated = 0; // the largest difference of a run with this step and one with half of it, at some 64 nodes,
                          // and rounding
    double rounding = 0;  // how far the run moves when data, parameters and step are changed in their last digits
    double until = 0;     // these went so far; beyond, the estimate is extrapolated as growing by this power of time
    double growth = 1;
    double holds_until = 0; // the last of these nodes up to which the difference is at most what was asked for
    std::string why;        // the choice, in words
    bool reached() const { return estimated <= asked; }
};

struct Summary {
    std::string model, method;
    double step = 0, t_end = 0;
    long long steps = 0;
    Row end;                   // the last node, recorded or not: end["q"]
    std::vector<double> g, xi; // of coordinates on groups there, one after the other
    double energy_initial = 0, energy_error_max = 0, energy_drift_per_time = 0;
    std::optional<double> constraint_max, holonomic_max;
    std::vector<std::pair<std::string, double>> momentum_error_max;    // of symmetries
    std::vector<std::string> horizontal;                               // symmetries whose direction was allowed
    std::vector<std::pair<std::string, double>> momentum_equation_max; // of sections, or of g^q: the largest residual
    std::vector<double> momentum_initial;                              // in the same order
    std::vector<Balance> balances;                                     // of what is not conserved: energy first
    const Balance* balance(std::string_view name) const;               // null: the motion conserves it
    double energy_size = 0; // that its errors are compared with: the largest of |E| and |p . v|/2 at both ends
    double newton_iterations_mean = 0, seconds_setup = 0, seconds_run = 0;
    std::optional<ParasiticMode> parasitic; // of methods that have one
    // Of methods with charts: since when which coordinates were the chart's, the first hundred; how often it changed.
    std::vector<std::pair<double, std::string>> charts;
    long long chart_changes = 0;
    std::string note; // e.g. that the step was shortened
    std::vector<std::string> warnings;
    std::optional<Accuracy> accuracy; // where it was asked for
};

// What a run was made from, enough to make it again: with what --set, --q, --project and the like made of the file.
struct Origin {
    std::string model, reference, model_file, model_text; // model: its name
    std::string method, command, version;
    double step = 0, t0 = 0;
    std::vector<std::pair<std::string, double>> parameters;
    InitialData<double> start; // v or p, whichever was given; NaN: a component of z that was left to be determined
};
class Run {
  public:
    explicit Run(const std::shared_ptr<const Layout>& layout = std::make_shared<const Layout>());

    Origin origin;
    Record record;
    Table t, q, v, p, z, lambda; // record["t"], ...; without columns where the model has no such thing
    const Table& operator[](std::string_view group) const { return record[group]; }
    const Table& energy() const { return record["energy"]; }
    double energy_error_max() const { return summary_.energy_error_max; }
    const Report& report() const { return report_; }
    const Summary& summary() const { return summary_; }

    Report report_;
    Summary summary_;
};

// A start or a command that does not fit the model: what() is the message.
struct BadRun : Error {
    using Error::Error;
};

Run integrate(const Model& model, const RunOptions& options);
// With a method of the caller's own.
Run integrate(const Model& model, const Scheme& scheme, const RunOptions& options);
Run integrate(const Model& model, const Method& method, const RunOptions& options);

} // namespace rattleback
