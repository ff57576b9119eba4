// One trajectory, step by step: for those who want more than integrate() gives.
//
//   Stepper<double> stepper(compile(model, "gauss:stages=3"));
//   Report report;
//   stepper.start(report, h);
//   for (long long k = 0; k < steps && stepper.advance(k, h, report); ++k) { ... }
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <rattleback/compile.hpp>
#include <rattleback/report.hpp>

namespace rattleback {

class StepCode;
class SectionCode;
template <class T> class SystemSolver;

// Where a run starts: q with v and p (and the multipliers of variational constraints), or z.
template <class T> struct InitialData {
    std::vector<T> q = {}, v = {}, p = {}, z = {}, lambda = {};
};

// A state of a compiled method, in scalar T, with the low parts of its compensated sums. Two steppers with the same
// state take the same step, to the bit. Copies share the compiled method and cost no more than the state. One thread at
// a time may use a stepper; each thread has its own.
template <class T> class Stepper {
  public:
    explicit Stepper(CompiledMethod compiled);
    Stepper(const Model& model, const Method& method) : Stepper(compile(model, method)) {}
    Stepper(const Stepper& other);
    Stepper& operator=(const Stepper& other);
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;
    ~Stepper();

    // h: the step to come, for methods whose state depends on it. Of v and p one may be left out. Whether such data
    // lie on the constraints is not asked.
    bool start(const InitialData<T>& data, T t0, Report& report, T h = Real<T>::nan);
    bool start(Report& report, T h = Real<T>::nan, bool project = false); // from the model's initial data
    bool advance(long long step, T h, Report& report);                    // from t0 + step h to t0 + (step + 1) h
    bool sub_step(T t, T h, bool steady, Report& report);                 // one application of the step itself

    const CompiledMethod& compiled() const { return compiled_; }
    const Method& method() const { return compiled_.method(); }
    std::size_t state_count() const { return state_.size(); }
    const std::vector<T>& state() const { return state_; }
    const std::vector<T>& low() const { return low_; }
    const std::vector<T>& hint() const { return hint_; } // where the next Newton iteration starts
    void set_state(const std::vector<T>& state);         // the low parts become zero
    void set_state(const std::vector<T>& state, const std::vector<T>& low);
    void set_hint(const std::vector<T>& hint) { hint_ = hint; }
    T t0() const { return t0_; }
    void set_t0(T t0) { t0_ = t0; }
    T h() const { return h_; } // of the last step, or given to start()
    const std::vector<T>& parameters() const { return parameters_; }
    void set_parameters(const std::vector<T>& values); // throws BadRun for one that the structure is made of

    // What the systems of a step are given: the state, the hint, t, h and the parameters.
    void give(T t, T h, T* given) const;

    // --- for the rest of the library ---
    SystemSolver<T>& solver();
    bool is_usual() const; // its equations are those of most parameters: see CompiledMethod::Parts::step_for
    // From here on in machine code, with the same bits; only in double.
    void use(std::shared_ptr<const StepCode> code) { code_ = std::move(code); }
    void use(std::shared_ptr<const SectionCode> code);

  private:
    bool controlled_advance(T t, T h, Report& report);
    bool coded_advance(T t, T h, Report& report);
    void choose_pivots(SystemSolver<T>& solver) const;

    CompiledMethod compiled_;
    std::vector<T> state_, low_, hint_, parameters_;
    T t0_ = 0, h_ = Real<T>::nan;
    T own_h_ = 0; // of methods that control their step
    const NamedSystem* step_ = nullptr;
    std::unique_ptr<SystemSolver<T>> solver_; // scratch memory, made when it is first needed; not copied
    std::shared_ptr<const StepCode> code_;
    std::shared_ptr<const SectionCode> sections_;
};

// What a node shows.
template <class T> struct NodeValues {
    std::vector<T> q, v, p, z, lambda;
    T energy = 0;
    T constraint = 0, velocity_residual = 0, holonomic_residual = 0; // the largest of all, and of each kind
    std::vector<T> momenta, observables, extra;                      // momenta: of symmetries, then of sections
};

// Computes nodes from carried states; one thread at a time may use a reader.
template <class T> class NodeReader {
  public:
    explicit NodeReader(const CompiledMethod& compiled);
    NodeReader(const Model& model, const Method& method) : NodeReader(compile(model, method)) {}
    explicit NodeReader(const NamedSystem& node); // with more to show: see node_system
    ~NodeReader();
    NodeReader(NodeReader&&) noexcept;

    bool read(const Stepper<T>& stepper, T t, Report& report);
    const NodeValues<T>& node() const { return node_; }
    std::span<const T> results() const { return results_; } // all that the node system computes, in its order

    // --- for the rest of the library ---
    SystemSolver<T>& solver() { return *solver_; }
    void use(std::shared_ptr<const StepCode> code) { code_ = std::move(code); } // as of Stepper

  private:
    bool coded_solve();
    std::unique_ptr<SystemSolver<T>> solver_;
    std::shared_ptr<const StepCode> code_;
    std::vector<T> results_;
    std::vector<std::pair<std::size_t, std::vector<T> NodeValues<T>::*>> places_; // among the results
    std::size_t energy_, velocity_residuals_, holonomic_residuals_, end_of_residuals_;
    NodeValues<T> node_;
};

} // namespace rattleback
