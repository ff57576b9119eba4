// A run begins on the tape and goes over to machine code between two steps, when that is ready and worth while.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "run/step_code.hpp"

namespace rattleback {

// NOTE: the bits of tape and machine code are the same, so it makes no difference to a result when the change comes.
class Tiers {
  public:
    Tiers(RunOptions::Engine engine, Stepper<double>& stepper, NodeReader<double>& reader)
        : engine_(engine), stepper_(stepper), reader_(reader), compiled_(stepper.compiled()) {}
    ~Tiers() { wait(); }
    Tiers(const Tiers&) = delete;
    Tiers& operator=(const Tiers&) = delete;

    void begin(); // before the first step: `compiled` waits for the code here
    // Between steps. On the tape, a long run begins to compile: one that has taken so long will most likely go on.
    void between_steps(long long done, long long total) {
        if ((done & 63) == 0 && engine_ == RunOptions::Engine::automatic && !finished_) consider(done, total);
    }
    void end() { wait(); }
    const std::string& why_on_tape() const { return why_not_; }
    const std::string& warning() const { return step_.warning; }

  private:
    static constexpr double patience = 0.03; // seconds on the tape: about what a small step takes to compile
    // Operations from which quickly compiled code comes first: 0.2 s of compilation, or 0.04 s.
    static constexpr std::size_t long_to_compile = 8000;
    static constexpr double optimised_over_quick = 5; // of the times to compile
    void consider(long long done, long long total);
    void begin_to_compile();
    double seconds_since_start() const;
    void compile();
    void adopt();
    void wait() {
        if (worker_.joinable()) worker_.join();
    }

    RunOptions::Engine engine_;
    Stepper<double>& stepper_;
    NodeReader<double>& reader_;
    CompiledMethod compiled_;
    std::chrono::steady_clock::time_point start_{};
    std::thread worker_;
    std::atomic<bool> ready_ = false;
    StepCodeResult step_, node_;
    bool quick_ = false;           // what is being compiled, or was last
    long long first_ = 0;          // step at `start_`, which is when this tier began
    double to_compile_ = patience; // seconds, of the next tier
    bool finished_ = false;
    std::string why_not_;
};

} // namespace rattleback
