// Many trajectories of one model and method at once: on the lanes of machine code, or one after the other on the tape.
//
// A member has the same bits as a run of its own, whatever the lanes, and whatever the other members do. A member that
// fails leaves with its report; the others go on. Each member has parameters and a starting time of its own.
//
// Threads: batches of one compiled method may be made, started and advanced at the same time, each by one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

struct BatchOptions {
    bool machine_code = true;
    int width = 0, groups = 0; // lanes of a vector (1, 2, 4 or 8), vectors side by side (1 to 4); 0: what suits
};

class Batch {
  public:
    Batch(const CompiledMethod& method, std::size_t members, BatchOptions options = {});
    Batch(const Model& model, const Method& method, std::size_t members, BatchOptions options = {})
        : Batch(compile(model, method), members, options) {}
    ~Batch();
    Batch(Batch&&) noexcept;
    Batch& operator=(Batch&&) noexcept;

    std::size_t members() const;
    // From initial data as Stepper::start takes them; parameters: all of the model's, empty for their own values.
    bool start(std::size_t member, const InitialData<double>& data, double t0,
               const std::vector<double>& parameters = {});
    bool start(std::size_t member); // from the model's initial data

    // Steps first .. first + count - 1 of all members that have not failed: each from its t0 + first h on.
    void advance(long long first, long long count, double h);

    std::vector<double> state(std::size_t member) const;
    const Report& report(std::size_t member) const;
    int lanes() const;                      // that one run of the code advances; 0: on the tape
    const std::string& why_on_tape() const; // empty: machine code

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace rattleback
