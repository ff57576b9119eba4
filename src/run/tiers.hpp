// A run begins on the tape and goes over to machine code between two steps, when that is ready and worth while.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "run/walk.hpp"

namespace rattleback {

// NOTE: the bits of tape and machine code are the same, so it makes no difference to a result when the change comes.
class Tiers {
  public:
    // `reader` solves `node`, at nodes that are recorded; it may be the walk's own. `interrupt`, if any, is looked at
    // while the code is waited for.
    Tiers(RunOptions::Engine engine, Walk& walk, NodeReader<double>& reader, std::shared_ptr<const CompiledSystem> node,
          const volatile int* interrupt)
        : engine_(engine), walk_(walk), stepper_(walk.stepper()), reader_(reader), node_(std::move(node)),
          interrupt_(interrupt) {}
    ~Tiers() { wait(); }
    Tiers(const Tiers&) = delete;
    Tiers& operator=(const Tiers&) = delete;

    void begin(); // before the first step: `compiled` waits for the code here
    // Between steps. On the tape, a long run begins to compile: one that has taken so long will most likely go on.
    void between_steps(long long done, long long total) {
        if (done < next_look_ || engine_ != RunOptions::Engine::automatic || finished_) return;
        next_look_ = done + 64;
        consider(done, total);
    }
    void end(); // waits for what is being compiled; of an interrupted run it is left behind, and its result ignored
    const std::string& why_on_tape() const { return why_not_; }
    const std::string& warning() const { return warning_; }

  private:
    static constexpr double patience = 0.03; // seconds on the tape: about what a small step takes to compile
    // Operations from which quickly compiled code comes first: 0.2 s of compilation, or 0.04 s.
    static constexpr std::size_t long_to_compile = 8000;
    static constexpr double optimised_over_quick = 5; // of the times to compile

    // What a thread compiles, and what comes of it. It shares ownership of all it reads: it may outlive the run.
    struct Work {
        CompiledMethod method;
        ShownNode watched; // what the walk shows
        std::shared_ptr<const CompiledSystem> node;
        bool quick;
        WalkCode walk = {};
        StepCodeResult step = {}, watched_code = {}, node_code = {}, beside_code = {};
        std::atomic<bool> ready = false;
        std::mutex mutex = {};
        std::condition_variable done = {};

        void compile();
    };
    class LeftBehind;

    bool interrupted() const { return interrupt_ && *interrupt_; }
    void consider(long long done, long long total);
    bool begin_to_compile();
    double seconds_since_start() const;
    void adopt();
    void wait() {
        if (worker_.joinable()) worker_.join();
    }

    RunOptions::Engine engine_;
    Walk& walk_;
    Stepper<double>& stepper_;
    NodeReader<double>& reader_;
    std::shared_ptr<const CompiledSystem> node_;
    const volatile int* interrupt_;
    std::chrono::steady_clock::time_point start_{};
    std::thread worker_;
    std::shared_ptr<Work> work_;
    bool quick_ = false;           // what is being compiled, or was last
    long long next_look_ = 64;     // a step
    long long first_ = 0;          // step at `start_`, which is when this tier began
    double to_compile_ = patience; // seconds, of the next tier
    bool finished_ = false;
    std::string why_not_, warning_;
};

} // namespace rattleback
