// The part of a run that alternates from node to node. A nonholonomic leapfrog carries a multiplier, and with it a mode
// (-1)^k a that the motion does not have; whether it grows is decided by the system, not by the step.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

// (x_{k-4} - 4 x_{k-3} + 6 x_{k-2} - 4 x_{k-1} + x_k)/16 is a where x = (-1)^k a, and O(h^4) where x is smooth.
class Alternation {
  public:
    explicit Alternation(long long steps) : tenth_(std::max(8LL, steps / 10)) {}

    void at_node(long long k, std::span<const double> values) {
        for (double x : values) size_ = std::max(size_, std::abs(x));
        last_[static_cast<std::size_t>(k % 5)].assign(values.begin(), values.end());
        if (k < 4) return;
        static constexpr std::array<double, 5> weights = {1, -4, 6, -4, 1};
        double amplitude = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 5; ++j)
                sum += weights[j] * last_[(static_cast<std::size_t>(k % 5) + 1 + j) % 5][i];
            amplitude = std::max(amplitude, std::abs(sum) / 16);
        }
        if (k / tenth_ != block_) block_ = k / tenth_, mode_.last = 0;
        if (block_ == 0) mode_.first = std::max(mode_.first, amplitude);
        mode_.last = std::max(mode_.last, amplitude);
        mode_.largest = std::max(mode_.largest, amplitude);
        seen_ = true;
    }

    std::optional<ParasiticMode> mode() const { return seen_ ? std::optional(mode_) : std::nullopt; }
    bool grows() const { return mode_.largest > 10 * mode_.first && mode_.largest > 0.01 * size_; }

  private:
    long long tenth_, block_ = 0;
    std::array<std::vector<double>, 5> last_;
    ParasiticMode mode_;
    double size_ = 0; // of the multipliers themselves
    bool seen_ = false;
};

} // namespace rattleback
