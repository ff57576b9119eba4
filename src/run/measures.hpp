// What a summary says of all nodes of a run: the largest errors, and the slope of the energy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rattleback {

// A value of consecutive nodes, one after the other in memory.
using NodeColumn = const double*;

// Four numbers at a time, in registers: written out, since compilers keep the order of sums, and at -O2 loops as they
// are. Node k belongs to number k mod 4 of a sum, so that its bits do not depend on how many nodes come at once.
namespace in_lanes {
constexpr std::size_t count = 4;
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double; // what every processor has
struct Numbers {
    Pair half[2] = {};
    double operator[](std::size_t i) const { return half[i / 2][i % 2]; }
    void add(std::size_t i, double x) { half[i / 2][i % 2] += x; }
};
inline void load(const double* from, Numbers& to) { std::memcpy(&to.half, from, sizeof to.half); }
// The larger ones of `most` and the magnitudes of x.
inline void take_larger(Numbers& most, const Numbers& x) {
    for (int i = 0; i < 2; ++i) {
        const Pair up = x.half[i], down = -up, size = up < down ? down : up;
        most.half[i] = most.half[i] < size ? size : most.half[i];
    }
}
inline double largest(const Numbers& x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }
} // namespace in_lanes

// The largest of |x - first|.
class LargestChange {
  public:
    void begin(double first) { first_ = first; }
    void add(double x) { largest_ = std::max(largest_, std::abs(x - first_)); }
    void add(NodeColumn x, std::size_t count) {
        std::size_t i = 0;
        in_lanes::Numbers most, now;
        for (; i + in_lanes::count <= count; i += in_lanes::count) {
            in_lanes::load(x + i, now);
            for (auto& half : now.half) half -= first_;
            in_lanes::take_larger(most, now);
        }
        largest_ = std::max(largest_, in_lanes::largest(most));
        for (; i < count; ++i) add(x[i]);
    }
    double value() const { return largest_; }

  private:
    double first_ = 0, largest_ = 0;
};

// The slope of x against time at nodes k = 0, 1, ... by least squares. Sums of x and of (k - middle) x, where `middle`
// is the middle of the run that is planned: so little cancels.
class Slope {
  public:
    explicit Slope(long long steps) : middle_(static_cast<double>(steps) / 2) {}

    void begin(double first) { first_ = first; }
    void add(double x) {
        const std::size_t lane = static_cast<std::size_t>(nodes_) % in_lanes::count;
        const double change = x - first_;
        sum_.add(lane, change), moment_.add(lane, (static_cast<double>(nodes_) - middle_) * change);
        ++nodes_;
    }
    void add(NodeColumn x, std::size_t count) {
        std::size_t i = 0;
        for (; i < count && static_cast<std::size_t>(nodes_) % in_lanes::count != 0; ++i) add(x[i]);
        in_lanes::Numbers now, place{{{0, 1}, {2, 3}}};
        for (auto& half : place.half) half += static_cast<double>(nodes_) - middle_;
        for (; i + in_lanes::count <= count; i += in_lanes::count) {
            in_lanes::load(x + i, now);
            for (int half = 0; half < 2; ++half) {
                const in_lanes::Pair change = now.half[half] - first_;
                sum_.half[half] += change, moment_.half[half] += place.half[half] * change;
                place.half[half] += static_cast<double>(in_lanes::count);
            }
            nodes_ += in_lanes::count;
        }
        for (; i < count; ++i) add(x[i]);
    }
    // Per time, of steps h.
    double value(double h) const {
        if (nodes_ < 2) return 0;
        const auto total = [](const in_lanes::Numbers& x) { return (x[0] + x[1]) + (x[2] + x[3]); };
        const auto n = static_cast<double>(nodes_);
        const double mean = (n - 1) / 2 - middle_; // of k - middle
        return (total(moment_) - mean * total(sum_)) / (h * (n * (n * n - 1) / 12));
    }

  private:
    double middle_, first_ = 0;
    long long nodes_ = 0;
    in_lanes::Numbers sum_, moment_;
};

} // namespace rattleback
