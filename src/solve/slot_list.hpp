// Gather and scatter between the slots of a program and arrays, by runs of consecutive slots: those of a chain's
// unknowns are consecutive.
#pragma once

#include "kernel/program.hpp"
#include "solve/wide.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace rattleback::solve {

// Copies short runs in a loop: a call of memmove pays off for long ones only.
template <class T> T* copied(const T* from, std::uint32_t count, T* to) {
    if (count >= 32) return std::copy_n(from, count, to);
    for (std::uint32_t i = 0; i < count; ++i) to[i] = from[i];
    return to + count;
}

// Four accumulators, as in wide.hpp.
template <class T> T largest_magnitude(const T* x, std::size_t n) { // ignores NaN
    std::array<T, 4> most{};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t k = 0; k < 4; ++k) most[k] = std::max(most[k], real::abs(x[i + k]));
    for (; i < n; ++i) most[0] = std::max(most[0], real::abs(x[i]));
    return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

// A list of slots, stored as runs.
class SlotList {
  public:
    SlotList() = default;
    explicit SlotList(const std::vector<Slot>& slots) : count_(slots.size()) {
        for (Slot s : slots)
            if (!runs_.empty() && runs_.back().first + runs_.back().count == s)
                ++runs_.back().count;
            else
                runs_.push_back({s, 1});
    }
    std::size_t size() const { return count_; }
    struct Place { // a position in the list
        std::size_t run = 0;
        std::uint32_t in_run = 0;
    };
    Place place(std::size_t i) const {
        Place at;
        while (at.run < runs_.size() && i >= runs_[at.run].count) i -= runs_[at.run++].count;
        at.in_run = static_cast<std::uint32_t>(i);
        return at;
    }
    // All of them, or the next `count` from a position on, which is moved.
    template <class T> void gather(const T* slots, T* to) const {
        Place from;
        gather(slots, to, from, count_);
    }
    template <class T> void gather(const T* slots, T* to, Place& from, std::size_t count) const {
        for_runs(from, count, [&](Slot first, std::uint32_t length) { to = copied(slots + first, length, to); });
    }
    template <class T> void scatter(const T* from, T* slots) const {
        Place to;
        scatter(from, slots, to, count_);
    }
    template <class T> void scatter(const T* from, T* slots, Place& to, std::size_t count) const {
        for_runs(to, count, [&](Slot first, std::uint32_t length) {
            copied(from, length, slots + first);
            from += length;
        });
    }
    // f(first slot, place in the list, length) of the runs that hold `count` slots from `first` on.
    template <class F> void for_each_run(std::size_t first, std::size_t count, F&& f) const {
        Place at = place(first);
        std::size_t done = 0;
        for_runs(at, count, [&](Slot slot, std::uint32_t length) {
            f(slot, done, length);
            done += length;
        });
    }
    template <class T> bool all_finite(const T* slots) const {
        T sum = 0;
        bool finite = true;
        for (const Run& r : runs_)
            if (r.count < 32)
                for (std::uint32_t i = 0; i < r.count; ++i) sum += 0 * slots[r.first + i];
            else
                finite = solve::all_finite(slots + r.first, r.count) && finite;
        return finite && sum == T(0);
    }

  private:
    struct Run {
        Slot first;
        std::uint32_t count;
    };
    template <class F> void for_runs(Place& at, std::size_t count, F&& f) const {
        while (count > 0) {
            const Run& r = runs_[at.run];
            const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(count, r.count - at.in_run));
            f(r.first + at.in_run, length);
            count -= length, at.in_run += length;
            if (at.in_run == r.count) ++at.run, at.in_run = 0;
        }
    }

    std::vector<Run> runs_;
    std::size_t count_ = 0;
};

// Loop blocking: several passes over a long list are made piece by piece, so that a piece stays in the L1 cache;
// 100,000 numbers do not fit there, and the next cache is three times as slow.
template <class F> void in_pieces(std::size_t n, F&& f) { // f(first, count)
    constexpr std::size_t piece = 1024;
    for (std::size_t first = 0; first < n; first += piece) f(first, std::min(piece, n - first));
}

// A scatter of slots into an array of matrix values, stored as runs.
class Moves {
  public:
    Moves() = default;
    void add(Slot from, int to) { // places ascend
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
        for (const Run& r : runs_) copied(slots + r.from, r.count, to + r.to);
    }
    // The values that go to `count` places from `first` on: a pointer into the slots if they are consecutive there,
    // else to the copy, with zeros where nothing goes.
    template <class T> const T* window(const T* slots, int first, int count, T* copy) const {
        auto r =
            std::upper_bound(runs_.begin(), runs_.end(), first, [](int at, const Run& run) { return at < run.to; });
        if (r != runs_.begin()) --r;
        const auto end_of = [](const Run& run) { return run.to + static_cast<int>(run.count); };
        if (r != runs_.end() && r->to <= first && first + count <= end_of(*r)) return slots + r->from + (first - r->to);
        std::fill_n(copy, count, T(0));
        for (; r != runs_.end() && r->to < first + count; ++r) {
            const int from = std::max(first, r->to), to = std::min(first + count, end_of(*r));
            if (from < to) std::copy_n(slots + r->from + (from - r->to), to - from, copy + (from - first));
        }
        return copy;
    }

  private:
    struct Run {
        Slot from;
        std::uint32_t count;
        int to;
    };
    std::vector<Run> runs_;
};

} // namespace rattleback::solve
