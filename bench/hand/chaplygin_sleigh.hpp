// The Chaplygin sleigh with the geometric nonholonomic integrator (L_d of the midpoint) by hand.
//
//   L = (m/2) (x'^2 + y'^2) + m a theta' (y' cos - x' sin) + (J/2) theta'^2,   J = I + m a^2;   x' sin - y' cos = 0
//
// The step from p_minus = p - (h/2) mu^T lambda: L_v(Q, w) - (h/2) L_q(Q, w) = p_minus with Q = q + (h/2) w. Its first
// two equations give w_x and w_y, and what is left is one equation for the turning rate w at Theta = theta + (h/2) w:
//
//   I w + a (A + (h/2) w B) = p_minus_theta,   A = py cos - px sin,   B = px cos + py sin   (of p_minus, at Theta)
//
// with the derivative I + (h^2/4) a w A. Then theta's momentum changes by -h a w B and the blade at q_next takes
// r = (h/2) lambda = (m a/J) p_theta - A away, in closed form. As elsewhere, starting value and rule of Newton's method
// and compensated sums are the library's, and B at the solution comes from the last increment.
#pragma once

#include <array>

#include "hand/compensated.hpp"

namespace hand {

class SleighGni {
  public:
    SleighGni(double m, double I, double a, double h)
        : I_(I), a_(a), h_(h), per_m_(1 / m), arm_(m * a / (I + m * a * a)), m_(m), J_(I + m * a * a) {}

    // On the constraint; lambda is the continuous multiplier.
    void start(std::array<double, 3> q, std::array<double, 3> v) {
        double s, c;
        __builtin_sincos(q[2], &s, &c);
        const double p[] = {m_ * (v[0] - a_ * s * v[2]), m_ * (v[1] + a_ * c * v[2]),
                            m_ * a_ * (c * v[1] - s * v[0]) + J_ * v[2]};
        for (std::size_t i = 0; i < 3; ++i) q_[i] = {q[i]}, p_[i] = {p[i]};
        const double r = h_ / 2 * m_ * I_ / J_ * (c * v[0] + s * v[1]) * v[2];
        kick_x_ = r * s, kick_y_ = -r * c;
        w_ = v[2];
        iterations = 0;
    }

    bool advance() {
        const double px = p_[0].value - kick_x_, py = p_[1].value - kick_y_, pt = p_[2].value, half = h_ / 2;
        double w = w_, inverse = 0;
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++iterations;
            double s, c;
            __builtin_sincos(q_[2].value + half * w, &s, &c);
            const double A = py * c - px * s, B = px * c + py * s;
            if (rule.refresh()) inverse = 1 / (I_ + half * half * a_ * w * A);
            const double d = inverse * (pt - I_ * w - a_ * (A + half * w * B));
            w += d;
            if (rule.done(absolute(d) / absolute(w))) {
                const double turn = half * d; // the last change of Theta
                finish(px, py, w, s + turn * c, c - turn * s, B + turn * A);
                return true;
            }
        }
        return false;
    }

    std::array<double, 6> state() const {
        return {q_[0].value, q_[1].value, q_[2].value, p_[0].value, p_[1].value, p_[2].value};
    }

    long long iterations = 0;

  private:
    void finish(double px, double py, double w, double s, double c, double B) {
        const double aw = a_ * w, turned = -h_ * aw * B;
        q_[0].add(h_ * (px * per_m_ + aw * s)), q_[1].add(h_ * (py * per_m_ - aw * c)), q_[2].add(h_ * w);
        double s1, c1;
        __builtin_sincos(q_[2].value, &s1, &c1);
        const double r = arm_ * (p_[2].value + turned) - (py * c1 - px * s1);
        const double next_x = r * s1, next_y = -r * c1;
        p_[0].add(-(kick_x_ + next_x)), p_[1].add(-(kick_y_ + next_y)), p_[2].add(turned);
        kick_x_ = next_x, kick_y_ = next_y, w_ = w;
    }

    double I_, a_, h_, per_m_, arm_, m_, J_;
    std::array<Compensated, 3> q_{}, p_{};
    double kick_x_ = 0, kick_y_ = 0, w_ = 0; // (h/2) mu^T lambda; the last turning rate
};

} // namespace hand
