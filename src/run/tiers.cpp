#include "run/tiers.hpp"
#include "run/stepper.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace rattleback {

// Threads whose result nobody wants any more. The process waits for them when it ends, since LLVM must not be taken
// down while they use it; this object is made after LLVM was loaded, and so goes before it.
class Tiers::LeftBehind {
  public:
    static void add(std::thread& thread, const std::shared_ptr<Work>& work) {
        static LeftBehind all;
        const std::lock_guard lock(all.mutex_);
        std::erase_if(all.threads_, [](auto& t) {
            const bool ended = t.second->ready;
            if (ended) t.first.join();
            return ended;
        });
        all.threads_.reserve(all.threads_.size() + 1); // what may throw comes before the thread has moved
        all.threads_.emplace_back(std::move(thread), work);
    }
    ~LeftBehind() {
        for (auto& [thread, work] : threads_) thread.join();
    }

  private:
    std::mutex mutex_;
    std::vector<std::pair<std::thread, std::shared_ptr<Work>>> threads_;
};

void Tiers::begin() {
    start_ = std::chrono::steady_clock::now();
    if (engine_ != RunOptions::Engine::compiled) return;
    constexpr std::chrono::milliseconds between_looks(20); // at the interruption
    if (begin_to_compile()) {
        std::unique_lock lock(work_->mutex);
        while (!work_->done.wait_for(lock, between_looks, [&] { return work_->ready.load(); }))
            if (interrupted()) return;
    } else {
        work_->compile();
    }
    adopt();
}

void Tiers::end() {
    if (worker_.joinable() && interrupted() && !work_->ready) LeftBehind::add(worker_, work_);
    wait();
}

void Tiers::consider(long long done, long long total) {
    if (worker_.joinable()) {
        if (work_->ready) adopt();
        first_ = done;
        return;
    }
    const double spent = seconds_since_start();
    const auto steps = static_cast<double>(std::max<long long>(done - first_, 1));
    const double left = spent * static_cast<double>(total - done) / steps;
    if (spent < patience || left < 2 * to_compile_) return;
    quick_ = !quick_ && !stepper_.compiled().parts().stages &&
             code::operation_count(stepper_.compiled().parts().step.compiled->program) >= long_to_compile;
    if (begin_to_compile()) return;
    finished_ = true; // no more threads, or no memory for one: the tape goes on
    why_not_ = "no thread could be started";
}

double Tiers::seconds_since_start() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool Tiers::begin_to_compile() {
    start_ = std::chrono::steady_clock::now();
    work_.reset(new Work{stepper_.compiled(), walk_.node(), node_, quick_});
    try {
        worker_ = std::thread([work = work_] { work->compile(); });
        return true;
    } catch (const std::exception&) { return false; }
}

// Reads what the run does not change: the compiled systems. What fails is told in why_not: no exception leaves the
// thread.
void Tiers::Work::compile() {
    walk = make_walk_code(method, watched, quick);
    if (!walk.steps) step = make_step_code(method, {}, quick);
    const bool goes = walk.steps || step.code || step.sections;
    if (!goes) walk.nodes = nullptr;
    if (goes && !walk.nodes) {
        watched_code = make_solve_code(*watched.system.compiled, quick);
        if (watched.beside) beside_code = make_solve_code(*watched.beside->system, quick);
    }
    const bool own = node != watched.system.compiled;
    if (own && goes) node_code = make_solve_code(*node, quick);
    const std::lock_guard lock(mutex);
    ready = true;
    done.notify_one();
}

void Tiers::adopt() {
    wait();
    finished_ = true;
    const WalkCode& walk = work_->walk;
    why_not_ = walk.steps ? "" : work_->step.why_not, warning_ = walk.steps ? walk.warning : work_->step.warning;
    walk_.use(walk);
    if (work_->step.code) stepper_.parts().use(work_->step.code);
    if (work_->step.sections) stepper_.parts().use(work_->step.sections);
    if (walk_.beside()) walk_.beside()->use(work_->beside_code);
    const auto give = [](NodeReader<double>& reader, const StepCodeResult& made) {
        if (made.code) reader.parts().code = made.code;
        if (made.sections) reader.parts().solver.use(made.sections);
    };
    give(walk_.reader(), work_->watched_code), give(reader_, work_->node_code);
    if (!quick_ || !why_not_.empty()) return;
    finished_ = false; // it can be faster; whether that is worth while, the next steps tell
    to_compile_ = optimised_over_quick * seconds_since_start();
    start_ = std::chrono::steady_clock::now();
}

} // namespace rattleback
