// One trajectory, step by step: for those who want more than integrate() gives.
//
//   Stepper<double> stepper(compile(model, "gauss:stages=3"));
//   Report report;
//   stepper.start(report, h);
//   for (long long k = 0; k < steps && stepper.advance(k, h, report); ++k) { ... }
#pragma once

#include <memory>
#include <vector>

#include <rattleback/compile.hpp>
#include <rattleback/report.hpp>

namespace rattleback {

struct NamedSystem;

// Where a run starts: q with v and p (and the multipliers of variational constraints), or z.
template <class T> struct InitialData {
    std::vector<T> q = {}, v = {}, p = {}, z = {}, lambda = {};
    std::vector<T> centre = {}; // of the charts of group coordinates, which are 0 in q; empty: the model's
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

    // h: the step to come, for methods whose state depends on it. v or p may be left out; constraints are not checked.
    bool start(const InitialData<T>& data, T t0, Report& report, T h = Real<T>::nan);
    bool start(Report& report, T h = Real<T>::nan, bool project = false); // from the model's initial data
    bool advance(long long step, T h, Report& report);                    // from t0 + step h to t0 + (step + 1) h

    const CompiledMethod& compiled() const;
    const Method& method() const { return compiled().method(); }
    const std::vector<T>& state() const;
    const std::vector<T>& low() const;
    const std::vector<T>& hint() const;                                   // where the next Newton iteration starts
    void set_state(const std::vector<T>& state, std::vector<T> low = {}); // no low parts: they are zero
    void set_hint(const std::vector<T>& hint);
    T t0() const;
    T h() const; // of the last step, or given to start()
    const std::vector<T>& parameters() const;
    void set_parameters(const std::vector<T>& values); // throws BadRun for one that the structure is made of

    struct Parts; // src/run/stepper.hpp
    Parts& parts() { return *parts_; }
    const Parts& parts() const { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
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
    const NodeValues<T>& node() const;

    struct Parts; // src/run/stepper.hpp
    Parts& parts() { return *parts_; }
    const Parts& parts() const { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
};

} // namespace rattleback
