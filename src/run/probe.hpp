// Trial runs with a constant step and with half of it.
#pragma once

#include <functional>
#include <optional>

#include <rattleback/run.hpp>

#include "run/effort.hpp"
#include "run/stepper.hpp"

namespace rattleback {

// How far two runs, one with n steps and one with 2 n, are apart at common nodes.
struct Halving {
    std::vector<double> t, apart; // relative to the sizes of components; apart[k]: the largest up to t[k]
    double iterations = 0;        // a step, of the run with n steps
    double rounding = 0;          // the part of these that disturbed data have, if it was looked for
    std::string failure;          // of a run that did not come to the end; empty: both did
    double largest() const { return apart.empty() ? 0 : apart.back(); }
};

// A method on a model, for as many trial runs as wanted. They have the bits of a run.
class Probe {
  public:
    static constexpr long long nodes = 64; // at which runs are compared
    Probe(const Model& model, const std::string& method, const RunOptions& options);

    // What iterations of stages may leave in runs with n steps. Those with 2 n leave nothing that adds up, so that the
    // difference has all that the others leave.
    void end_iterations_at(double tolerance) { tolerance_ = tolerance; }
    // From the start over this span. n is a multiple of stride(n).
    Halving halve(double span, long long n);
    // Adds to `apart` how far the run with n steps moves when data, parameters and step are changed in their last
    // digits: what rounding them has done to both runs, and what rounding in each step adds.
    void disturb(double span, long long n, Halving& h);
    static long long stride(long long n) { return (n + nodes - 1) / nodes; }
    // The next number that a run may have.
    static long long rounded(double n);
    double of_step(double iterations) const { return effort_.of_step(iterations); }
    double operations() const;            // of the program of a step
    bool runs_on_tape() const;            // its stages are too large for machine code
    bool runs_on_lanes() const;           // its stages are, in machine code
    double done() const { return done_; } // operations so far
    const Method& method() const { return compiled_.method(); }

  private:
    struct Path {
        std::vector<std::vector<double>> q, v, z; // at the nodes
        double iterations = 0;
        std::string failure;
    };
    Path run(double h, long long steps, long long every, double tolerance, bool disturbed = false);
    void change_last_digits();
    void use_machine_code();

    CompiledMethod compiled_;
    Effort effort_;
    Stepper<double> stepper_;
    NodeReader<double> reader_;
    const volatile int* interrupt_;
    bool project_;
    Path coarse_; // of the last halving
    double done_ = 0, tolerance_ = 0;
    bool coded_ = false;
};

} // namespace rattleback
