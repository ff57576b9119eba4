// How long a study of several portions will still take, for who waits.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

namespace rattleback {

class TimeLeft {
  public:
    // Takes milliseconds: those so far, and those in all as far as one can tell.
    using Tell = std::function<void(long long done, long long total)>;
    explicit TimeLeft(Tell tell) : tell_(std::move(tell)) {}

    explicit operator bool() const { return tell_ != nullptr; }
    void begin() { portion_ = Clock::now(); }
    double seconds() const { return since(portion_); } // of the portion that began last
    void left(double seconds) const {
        if (!tell_) return;
        const double so_far = since(begin_);
        tell_(static_cast<long long>(1000 * so_far),
              static_cast<long long>(1000 * (so_far + std::clamp(seconds, 0.0, longest))));
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double longest = 1e9;
    static double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }
    Tell tell_;
    Clock::time_point begin_ = Clock::now(), portion_ = begin_;
};

} // namespace rattleback
