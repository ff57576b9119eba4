// What a summary says of all nodes of a run: the largest errors, and the slope of the energy.
#pragma once

#include "run/lanes.hpp"

namespace rattleback {

// The largest of |x - first|.
class LargestChange {
  public:
    void begin(double first) { first_ = first; }
    void add(double x) { largest_ = std::max(largest_, std::abs(x - first_)); }
    void add(NodeColumn x, std::size_t count) {
        std::size_t i = 0;
        solve::in_vectors([&](auto vector) RATTLEBACK_LANES {
            using in_lanes::Eight;
            const Eight<decltype(vector)> first = first_;
            Eight<decltype(vector)> most;
            for (; i + in_lanes::count <= count; i += in_lanes::count)
                most = larger(most, magnitude(Eight<decltype(vector)>(x + i) - first));
            largest_ = std::max(largest_, largest(most));
        });
        for (; i < count; ++i) add(x[i]);
    }
    double value() const { return largest_; }

  private:
    double first_ = 0, largest_ = 0;
};

// The slope of x against time at nodes k = 0, 1, ... by least squares. Sums of x and of (k - middle) x, where `middle`
// is the middle of the run that is planned: so little cancels. Node k belongs to number k mod 8 of a sum, so that its
// bits do not depend on how many nodes come at once.
class Slope {
  public:
    explicit Slope(long long steps) : middle_(static_cast<double>(steps) / 2) {}

    void begin(double first) { first_ = first; }
    void add(double x) {
        const std::size_t lane = static_cast<std::size_t>(nodes_) % in_lanes::count;
        const double change = x - first_;
        sum_[lane] += change, moment_[lane] += (static_cast<double>(nodes_) - middle_) * change;
        ++nodes_;
    }
    void add(NodeColumn x, std::size_t count) {
        std::size_t i = 0;
        for (; i < count && static_cast<std::size_t>(nodes_) % in_lanes::count != 0; ++i) add(x[i]);
        solve::in_vectors([&](auto vector) RATTLEBACK_LANES {
            using Eight = in_lanes::Eight<decltype(vector)>;
            constexpr double places[in_lanes::count] = {0, 1, 2, 3, 4, 5, 6, 7};
            const Eight first = first_, further = static_cast<double>(in_lanes::count);
            Eight place = Eight(places) + (static_cast<double>(nodes_) - middle_), sum(sum_), moment(moment_);
            for (; i + in_lanes::count <= count; i += in_lanes::count) {
                const Eight change = Eight(x + i) - first;
                sum = sum + change, moment = moment + place * change, place = place + further;
                nodes_ += in_lanes::count;
            }
            sum.store(sum_), moment.store(moment_);
        });
        for (; i < count; ++i) add(x[i]);
    }
    // Per time, of steps h.
    double value(double h) const {
        if (nodes_ < 2) return 0;
        const auto total = [](const double* x) {
            return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
        };
        const auto n = static_cast<double>(nodes_);
        const double mean = (n - 1) / 2 - middle_; // of k - middle
        return (total(moment_) - mean * total(sum_)) / (h * (n * (n * n - 1) / 12));
    }

  private:
    double middle_, first_ = 0;
    long long nodes_ = 0;
    double sum_[in_lanes::count] = {}, moment_[in_lanes::count] = {};
};

} // namespace rattleback
