// Four nodes of a run side by side: arithmetic that a template shares with one number, so that both have the same bits.
#pragma once

#include <cmath>
#include <cstring>

#include <rattleback/real.hpp>

#include "run/measures.hpp"

namespace rattleback::in_lanes {

class Four {
  public:
    using Mask = decltype(Pair() < Pair());
    struct Masks {
        Mask half[2];
        friend Masks operator&(const Masks& x, const Masks& y) {
            return {{x.half[0] & y.half[0], x.half[1] & y.half[1]}};
        }
    };
    Four() = default;
    Four(double x) { half_[0] = half_[1] = Pair{x, x}; } // NOLINT: numbers mix with it
    explicit Four(const double* from) { std::memcpy(&half_, from, sizeof half_); }
    Four(Pair low, Pair high) : half_{low, high} {}
    double operator[](std::size_t i) const { return half_[i / 2][i % 2]; }

    friend Four operator+(const Four& x, const Four& y) { return {x.half_[0] + y.half_[0], x.half_[1] + y.half_[1]}; }
    friend Four operator-(const Four& x, const Four& y) { return {x.half_[0] - y.half_[0], x.half_[1] - y.half_[1]}; }
    friend Four operator*(const Four& x, const Four& y) { return {x.half_[0] * y.half_[0], x.half_[1] * y.half_[1]}; }
    friend Four operator/(const Four& x, const Four& y) { return {x.half_[0] / y.half_[0], x.half_[1] / y.half_[1]}; }
    friend Masks operator<(const Four& x, const Four& y) {
        return {{x.half_[0] < y.half_[0], x.half_[1] < y.half_[1]}};
    }
    friend Four select(const Masks& m, const Four& x, const Four& y) {
        return {m.half[0] ? x.half_[0] : y.half_[0], m.half[1] ? x.half_[1] : y.half_[1]};
    }
    friend Four magnitude(const Four& x) { return select(x < -1.0 * x, -1.0 * x, x); }
    friend Four root(const Four& x) {
        return {Pair{std::sqrt(x[0]), std::sqrt(x[1])}, Pair{std::sqrt(x[2]), std::sqrt(x[3])}};
    }
    friend bool all(const Masks& m) { return m.half[0][0] && m.half[0][1] && m.half[1][0] && m.half[1][1]; }
    friend double largest(const Four& x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

  private:
    Pair half_[2] = {};
};

// The same of one number.
template <class T> T select(bool mask, const T& x, const T& y) { return mask ? x : y; }
inline double magnitude(double x) { return std::abs(x); }
inline quad magnitude(const quad& x) { return real::abs(x); }
template <class T> T root(const T& x) { return real::sqrt(x); }
template <class N> N larger(const N& x, const N& y) { return select(x < y, y, x); }

} // namespace rattleback::in_lanes
