// Eight nodes of a run side by side: arithmetic that templates share with one number, so that both have the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "expr/real_functions.hpp"

#include "solve/wide.hpp"

namespace rattleback {

// A value of consecutive nodes, one after the other in memory.
using NodeColumn = const double*;

} // namespace rattleback

namespace rattleback::in_lanes {

constexpr std::size_t count = 8;

// Body of a loop over nodes side by side, for solve::in_vectors: [&](auto vector) RATTLEBACK_LANES { ... }, where
// Eight<decltype(vector)> are the numbers of eight nodes.
#define RATTLEBACK_LANES __attribute__((always_inline))
#define RATTLEBACK_EACH_PART _Pragma("GCC unroll 4") for (std::size_t i = 0; i < parts; ++i)

// In as many vectors of the processor as that takes: all of it is inlined into what is compiled for them.
template <class Vector> class Eight {
    using V = typename Vector::Type;
    static constexpr std::size_t parts = count * sizeof(double) / sizeof(V);

  public:
    struct Mask {
        decltype(V() < V()) part[parts];
        [[gnu::always_inline]] friend inline Mask operator&(const Mask& x, const Mask& y) {
            Mask z;
            RATTLEBACK_EACH_PART z.part[i] = x.part[i] & y.part[i];
            return z;
        }
        [[gnu::always_inline]] friend inline bool all(const Mask& m) {
            auto both = m.part[0];
            for (std::size_t i = 1; i < parts; ++i) both &= m.part[i];
            bool every = true;
            for (std::size_t i = 0; i < count / parts; ++i) every = every && both[i] != 0;
            return every;
        }
    };

    Eight() = default;
    [[gnu::always_inline]] inline Eight(double x) { // NOLINT: numbers mix with it
        RATTLEBACK_EACH_PART part_[i] = x - V{};
    }
    [[gnu::always_inline]] inline explicit Eight(const double* from) { std::memcpy(&part_, from, sizeof part_); }
    [[gnu::always_inline]] inline void store(double* to) const { std::memcpy(to, &part_, sizeof part_); }

#define RATTLEBACK_BETWEEN(symbol)                                                                                     \
    [[gnu::always_inline]] friend inline Eight operator symbol(const Eight& x, const Eight& y) {                       \
        Eight z;                                                                                                       \
        RATTLEBACK_EACH_PART z.part_[i] = x.part_[i] symbol y.part_[i];                                                \
        return z;                                                                                                      \
    }
    RATTLEBACK_BETWEEN(+)
    RATTLEBACK_BETWEEN(-)
    RATTLEBACK_BETWEEN(*)
    RATTLEBACK_BETWEEN(/)
#undef RATTLEBACK_BETWEEN
    [[gnu::always_inline]] friend inline Mask operator<(const Eight& x, const Eight& y) {
        Mask z;
        RATTLEBACK_EACH_PART z.part[i] = x.part_[i] < y.part_[i];
        return z;
    }
    [[gnu::always_inline]] friend inline Eight select(const Mask& m, const Eight& x, const Eight& y) {
        Eight z;
        RATTLEBACK_EACH_PART z.part_[i] = m.part[i] ? x.part_[i] : y.part_[i];
        return z;
    }
    [[gnu::always_inline]] friend inline Eight larger(const Eight& x, const Eight& y) { return select(x < y, y, x); }
    [[gnu::always_inline]] friend inline Eight magnitude(const Eight& x) { return select(x < -1.0 * x, -1.0 * x, x); }
    [[gnu::always_inline]] friend inline Eight root(const Eight& x) {
        double numbers[count];
        x.store(numbers);
        for (double& n : numbers) n = std::sqrt(n);
        return Eight(numbers);
    }
    [[gnu::always_inline]] friend inline double largest(const Eight& x) {
        double numbers[count];
        x.store(numbers);
        return *std::max_element(numbers, numbers + count);
    }

  private:
    alignas(count * sizeof(double)) V part_[parts] = {};
};
#undef RATTLEBACK_EACH_PART

// The same of one number.
template <class T> T select(bool mask, const T& x, const T& y) { return mask ? x : y; }
inline double magnitude(double x) { return std::abs(x); }
inline quad magnitude(const quad& x) { return real::abs(x); }
template <class T> T root(const T& x) { return real::sqrt(x); }
template <class T> T larger(const T& x, const T& y) { return select(x < y, y, x); }

} // namespace rattleback::in_lanes
