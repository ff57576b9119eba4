// The part of a run that alternates from node to node. A nonholonomic leapfrog carries a multiplier, and with it a mode
// (-1)^k a that the motion does not have; whether it grows is decided by the system, not by the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

// (x_{k-4} - 4 x_{k-3} + 6 x_{k-2} - 4 x_{k-1} + x_k)/16 is a where x = (-1)^k a, and O(h^4) where x is smooth.
class Alternation {
  public:
    explicit Alternation(long long steps) : tenth_(std::max(8LL, steps / 10)), next_(tenth_) {}

    void at_node(long long k, std::span<const double> values) {
        if (last_.empty()) last_.resize(5 * values.size());
        double amplitude = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            double* x = &last_[5 * i];
            std::copy(x + 1, x + 5, x);
            x[4] = values[i];
            size_ = std::max(size_, std::abs(values[i]));
            amplitude = std::max(amplitude, std::abs(x[0] - 4 * x[1] + 6 * x[2] - 4 * x[3] + x[4]) / 16);
        }
        if (k < 4) return;
        if (k >= next_) next_ += tenth_, mode_.last = 0;
        if (k <= first_nodes) mode_.first = std::max(mode_.first, amplitude);
        mode_.last = std::max(mode_.last, amplitude);
        mode_.largest = std::max(mode_.largest, amplitude);
        seen_ = true;
    }

    std::optional<ParasiticMode> mode() const { return seen_ ? std::optional(mode_) : std::nullopt; }
    // NOTE: compared with the first nodes, not with a part of the run: on a bicycle it is at its largest after a tenth
    // of it. Measured over the gallery: where it grows, it becomes 0.1 to 1 of the multipliers; elsewhere it stays
    // below 0.01.
    bool grows() const { return mode_.largest > 10 * mode_.first && mode_.largest > 0.02 * size_; }

  private:
    static constexpr long long first_nodes = 16;
    long long tenth_, next_;
    std::vector<double> last_; // five values of each
    ParasiticMode mode_;
    double size_ = 0; // of the multipliers themselves
    bool seen_ = false;
};

} // namespace rattleback
