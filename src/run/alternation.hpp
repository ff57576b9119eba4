// The part of a run that alternates from node to node. A nonholonomic leapfrog carries a multiplier, and with it a mode
// (-1)^k a that the motion does not have; whether it grows is decided by the system, not by the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <rattleback/run.hpp>

#include "run/measures.hpp"

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

    // The same at nodes k, k + 1, ..., `count` of them; column(i): value i of `values` there.
    template <class ColumnOf>
    void at_nodes(long long k, std::size_t count, std::size_t values, const ColumnOf& column) {
        if (k <= first_nodes || last_.empty() || k + static_cast<long long>(count) > next_) {
            one_by_one_.resize(values);
            for (std::size_t j = 0; j < count; ++j) {
                for (std::size_t i = 0; i < values; ++i) one_by_one_[i] = column(i)[j];
                at_node(k + static_cast<long long>(j), one_by_one_);
            }
            return;
        }
        double amplitude = 0;
        around_.resize(4 + count);
        for (std::size_t i = 0; i < values; ++i) {
            double *const before = &last_[5 * i], *const x = around_.data();
            std::copy_n(before + 1, 4, x);
            std::copy_n(column(i), count, x + 4);
            const auto difference = [](const auto& a, const auto& b, const auto& c, const auto& d, const auto& e)
                                        RATTLEBACK_LANES { return a - 4 * b + 6 * c - 4 * d + e; };
            std::size_t j = 0;
            double highest = 0;
            solve::in_vectors([&](auto vector) RATTLEBACK_LANES {
                using Eight = in_lanes::Eight<decltype(vector)>;
                Eight most, sizes;
                for (; j + in_lanes::count <= count; j += in_lanes::count) {
                    const Eight a(x + j), b(x + j + 1), c(x + j + 2), d(x + j + 3), e(x + j + 4);
                    most = larger(most, magnitude(difference(a, b, c, d, e))), sizes = larger(sizes, magnitude(e));
                }
                highest = largest(most), size_ = std::max(size_, largest(sizes));
            });
            for (; j < count; ++j) {
                highest = std::max(highest, std::abs(difference(x[j], x[j + 1], x[j + 2], x[j + 3], x[j + 4])));
                size_ = std::max(size_, std::abs(x[j + 4]));
            }
            amplitude = std::max(amplitude, highest / 16);
            if (count >= 5)
                std::copy_n(x + count - 1, 5, before);
            else
                for (std::size_t n = 0; n < count; ++n) std::copy(before + 1, before + 5, before), before[4] = x[4 + n];
        }
        mode_.last = std::max(mode_.last, amplitude);
        mode_.largest = std::max(mode_.largest, amplitude);
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
    std::vector<double> one_by_one_, around_;
    ParasiticMode mode_;
    double size_ = 0; // of the multipliers themselves
    bool seen_ = false;
};

} // namespace rattleback
