// The pendulum in Cartesian coordinates, |q| = l, with RATTLE by hand: both multipliers in closed form.
//
//   p' = p - (h/2) (V_q + Lambda q),   q_next = q + (h/m) p',   |q_next| = l
//   p_next = p' - (h/2) (V_q + Mu q_next),   q_next . p_next = 0
//
// With d = (h/m) (p - (h/2) V_q), a = q + d and s = (h^2/2m) Lambda, q_next = a - s q is a quadratic equation for s,
// whose smaller root is written so that it does not cancel. |a|^2 - l^2 takes the rounding of q into account, so that
// |q| = l does not drift; where only its size matters |q| is l, which saves the second division.
#pragma once

#include <array>
#include <cmath>

#include "hand/compensated.hpp"

namespace hand {

class CartesianPendulum {
  public:
    CartesianPendulum(double m, double l, double g, double h)
        : m_(m), half_weight_(h / 2 * m * g), h_over_m_(h / m), m_over_h_(m / h), l2_(l * l), per_l2_(1 / (l * l)) {}

    void start(std::array<double, 2> q, std::array<double, 2> v) {
        q_ = {{{q[0]}, {q[1]}}}, p_ = {{{m_ * v[0]}, {m_ * v[1]}}};
    }

    bool advance() {
        const double x = q_[0].value, y = q_[1].value;
        const double dx = h_over_m_ * p_[0].value, dy = h_over_m_ * (p_[1].value - half_weight_);
        const double ax = x + dx, ay = y + dy;
        const double c = (ax * ax - l2_) + ay * ay, b = ax * x + ay * y, D = b * b - l2_ * c;
        if (!(D > 0)) return false; // the step is longer than the rod can bend it
        const double s = c / (b + std::sqrt(D));
        q_[0].add(dx - s * x), q_[1].add(dy - s * y);

        const double first_x = m_over_h_ * s * x, first_y = m_over_h_ * s * y + half_weight_; // p - p'
        const double X = q_[0].value, Y = q_[1].value;
        const double ux = p_[0].value - first_x, uy = p_[1].value - (first_y + half_weight_);
        const double r = (ux * X + uy * Y) * per_l2_; // (h/2) Mu
        p_[0].add(-(first_x + r * X)), p_[1].add(-(first_y + half_weight_ + r * Y));
        return true;
    }

    std::array<double, 4> state() const { return {q_[0].value, q_[1].value, p_[0].value, p_[1].value}; }

  private:
    double m_, half_weight_, h_over_m_, m_over_h_, l2_, per_l2_;
    std::array<Compensated, 2> q_{}, p_{};
};

} // namespace hand
