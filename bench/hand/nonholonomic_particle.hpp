// The nonholonomic particle, L = |v|^2/2 - x^2 - y^2 with z' = y x', with nonholonomic RATTLE by hand.
//
//   w = p - k,   q_next = q + h w,   p_next = p - (k + k_next),   k = (h/2) (V_q(q) + mu(q)^T lambda),  mu = (-y, 0, 1)
//
// What is carried instead of lambda is the kick k, which serves both its steps. At q_next, (h/2) lambda is the part of
// w - (h/2) V_q along mu: one division. Sums are compensated as in the library.
//
// T is double, or a vector of GCC's: then each of its places is a trajectory.
#pragma once

#include <array>

#include "hand/compensated.hpp"

namespace hand {

template <class T> class NonholonomicParticle {
  public:
    explicit NonholonomicParticle(double h) : h_(h) {}

    // On the constraint; lambda is the continuous multiplier, from (z' - y x')' = 0.
    void start(const std::array<T, 3>& q, const std::array<T, 3>& v) {
        for (std::size_t i = 0; i < 3; ++i) q_[i] = {q[i], T{}}, p_[i] = {v[i], T{}};
        set_kick((2 * q[0] * q[1] - v[0] * v[1]) / (q[1] * q[1] + 1) * (h_ / 2));
    }

    void advance() {
        const std::array<T, 3> k = kick_;
        const T wx = p_[0].value - k[0], wy = p_[1].value - k[1], wz = p_[2].value - k[2];
        q_[0].add(h_ * wx), q_[1].add(h_ * wy), q_[2].add(h_ * wz);
        const T x = q_[0].value, y = q_[1].value;
        set_kick((wz - y * (wx - h_ * x)) / (y * y + 1));
        for (std::size_t i = 0; i < 3; ++i) p_[i].add(-(k[i] + kick_[i]));
    }

    std::array<T, 6> state() const {
        return {q_[0].value, q_[1].value, q_[2].value, p_[0].value, p_[1].value, p_[2].value};
    }

  private:
    void set_kick(T half_h_lambda) {
        kick_ = {h_ * q_[0].value - q_[1].value * half_h_lambda, h_ * q_[1].value, half_h_lambda};
    }

    double h_;
    std::array<CompensatedSum<T>, 3> q_{}, p_{};
    std::array<T, 3> kick_{};
};

} // namespace hand
