// Values of a program that are asked for together, copied run by run: those of a chain lie side by side.
#pragma once

#include <rattleback/kernel.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace rattleback::solve {

// Slots in a given order.
class SlotList {
  public:
    SlotList() = default;
    explicit SlotList(const std::vector<Slot>& slots) {
        for (Slot s : slots)
            if (!runs_.empty() && runs_.back().first + runs_.back().count == s)
                ++runs_.back().count;
            else
                runs_.push_back({s, 1});
    }
    template <class T> void gather(const T* slots, T* to) const {
        for (const Run& r : runs_) {
            const T* const from = slots + r.first;
            for (std::uint32_t i = 0; i < r.count; ++i) *to++ = from[i];
        }
    }
    template <class T> void scatter(const T* from, T* slots) const {
        for (const Run& r : runs_) {
            T* const to = slots + r.first;
            for (std::uint32_t i = 0; i < r.count; ++i) to[i] = *from++;
        }
    }

  private:
    struct Run {
        Slot first;
        std::uint32_t count;
    };
    std::vector<Run> runs_;
};

// Slots and the places of an array that they go to.
class Moves {
  public:
    Moves() = default;
    void add(Slot from, int to) {
        if (!runs_.empty()) {
            Run& r = runs_.back();
            if (from == r.from + r.count && to == r.to + static_cast<int>(r.count)) {
                ++r.count;
                return;
            }
        }
        runs_.push_back({from, 1, to});
    }
    template <class T> void operator()(const T* slots, T* to) const {
        for (const Run& r : runs_)
            for (std::uint32_t i = 0; i < r.count; ++i) to[r.to + static_cast<int>(i)] = slots[r.from + i];
    }

  private:
    struct Run {
        Slot from;
        std::uint32_t count;
        int to;
    };
    std::vector<Run> runs_;
};

// In four strands, since one would wait for itself.
template <class T> bool all_finite(const T* x, std::size_t n) { // NaN and Inf survive a sum of 0 * x
    std::array<T, 4> sum{};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += 0 * x[i + k];
    for (; i < n; ++i) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]) == T(0);
}
template <class T> T largest_magnitude(const T* x, std::size_t n) { // of those that are numbers
    std::array<T, 4> most{};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t k = 0; k < 4; ++k) most[k] = std::max(most[k], real::abs(x[i + k]));
    for (; i < n; ++i) most[0] = std::max(most[0], real::abs(x[i]));
    return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

} // namespace rattleback::solve
