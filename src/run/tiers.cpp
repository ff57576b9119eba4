#include "run/tiers.hpp"
#include "run/stepper.hpp"

#include <algorithm>
#include <exception>

namespace rattleback {

void Tiers::begin() {
    start_ = std::chrono::steady_clock::now();
    if (engine_ != RunOptions::Engine::compiled) return;
    compile();
    adopt();
}

void Tiers::consider(long long done, long long total) {
    if (worker_.joinable()) {
        if (ready_) adopt();
        first_ = done;
        return;
    }
    const double spent = seconds_since_start();
    const auto steps = static_cast<double>(std::max<long long>(done - first_, 1));
    const double left = spent * static_cast<double>(total - done) / steps;
    if (spent < patience || left < 2 * to_compile_) return;
    quick_ = !quick_ && code::operation_count(compiled_.parts().step.compiled->program) >= long_to_compile;
    begin_to_compile();
}

double Tiers::seconds_since_start() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Tiers::begin_to_compile() {
    ready_ = false;
    start_ = std::chrono::steady_clock::now();
    try {
        worker_ = std::thread([this] {
            compile();
            ready_ = true;
        });
    } catch (const std::exception&) { // no more threads, or no memory for one: the tape goes on
        finished_ = true;
        why_not_ = "no thread could be started";
    }
}

// Reads what the run does not change: the compiled systems. What fails is told in why_not: no exception leaves the
// thread.
void Tiers::compile() {
    step_ = make_step_code(compiled_, {}, quick_);
    if (step_.code || step_.sections) node_ = make_solve_code(reader_.parts().solver.compiled(), quick_);
}

void Tiers::adopt() {
    wait();
    finished_ = true;
    why_not_ = step_.why_not;
    if (step_.code) stepper_.parts().use(step_.code);
    if (step_.sections) stepper_.parts().use(step_.sections);
    if (node_.code) reader_.parts().code = node_.code;
    if (node_.sections) reader_.parts().solver.use(node_.sections);
    if (!quick_ || !why_not_.empty()) return;
    finished_ = false; // it can be faster; whether that is worth while, the next steps tell
    to_compile_ = optimised_over_quick * seconds_since_start();
    start_ = std::chrono::steady_clock::now();
}

} // namespace rattleback
