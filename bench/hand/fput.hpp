// The FPUT chain of n unit masses between walls, by hand: V = sum of s^2/2 + alpha s^3/3 over the n + 1 springs.
//
// Verlet's step keeps the forces for the next one. The midpoint rule is solved for the mean velocities,
//
//   w = p + (h/2) F(q + (h/2) w),   q_next = q + h w,   p_next = p + 2 (w - p),
//
// by Newton's method; its matrix is tridiagonal and, for steps that make sense, dominated by its diagonal, so that
// nothing is pivoted. Starting values, Newton's rule and compensated sums are the library's.
//
// Arrays have an element before the first mass and one behind the last, for the walls.
#pragma once

#include <cstddef>
#include <vector>

#include "hand/compensated.hpp"

namespace hand {

class Fput {
  public:
    Fput(double alpha, double h) : alpha_(alpha), h_(h) {}

    void start(const std::vector<double>& q, const std::vector<double>& p) {
        n_ = q.size();
        for (Numbers* a : {&q_, &p_, &low_q_, &low_p_, &f_, &w_, &r_, &slope_, &below_, &per_, &d_})
            a->assign(n_ + 2, 0);
        for (std::size_t i = 1; i <= n_; ++i) q_[i] = q[i - 1], w_[i] = p_[i] = p[i - 1];
        forces(q_.data(), f_.data(), 0, q_.data());
    }

    void verlet() {
        double *const q = q_.data(), *const p = p_.data(), *const f = f_.data();
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            w_[i] = p[i] + h_ / 2 * f[i];
            add(q[i], low_q_[i], h_ * w_[i]);
        }
        double left = q[1] * (1 + alpha_ * q[1]);
        // Old and new forces, each used once: in one pass.
        for (std::size_t i = 1; i <= n_; ++i) {
            const double s = q[i + 1] - q[i], right = s * (1 + alpha_ * s), force = right - left;
            add(p[i], low_p_[i], h_ / 2 * (f[i] + force));
            f[i] = force, left = right;
        }
    }

    bool midpoint() {
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            residual();
            if (rule.refresh()) factor();
            if (rule.done(increment())) {
                finish();
                return true;
            }
        }
        return false;
    }

    const std::vector<double>& positions() const { return q_; } // with the walls

  private:
    using Numbers = std::vector<double>;

    static void add(double& value, double& low, double increment) {
        const double full = increment + low, sum = value + full, part = sum - value;
        low = (value - (sum - part)) + (full - part);
        value = sum;
    }

    // f = F(q + c w).
    void forces(const double* q, double* f, double c, const double* w) const {
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            const double x = q[i] + c * w[i];
            const double left = x - (q[i - 1] + c * w[i - 1]), right = (q[i + 1] + c * w[i + 1]) - x;
            f[i] = right * (1 + alpha_ * right) - left * (1 + alpha_ * left);
        }
    }

    // What is missing in w, and the springs' stiffness with it: slope_[i] of the one left of mass i.
    void residual() {
        const double *const q = q_.data(), *const p = p_.data(), *const w = w_.data(), c = h_ / 2;
        double *const r = r_.data(), *const slope = slope_.data();
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            const double x = q[i] + c * w[i];
            const double left = x - (q[i - 1] + c * w[i - 1]), right = (q[i + 1] + c * w[i + 1]) - x;
            r[i] = (p[i] - w[i]) + c * (right * (1 + alpha_ * right) - left * (1 + alpha_ * left));
            slope[i] = c * c * (1 + 2 * alpha_ * left);
        }
        slope[n_ + 1] = c * c * (1 - 2 * alpha_ * (q[n_] + c * w[n_]));
    }

    // 1 + slopes on the diagonal, -slope beside it, as L D L^T: below_ = lower / last pivot, per_ = 1 / pivot.
    void factor() {
        for (std::size_t i = 1; i <= n_; ++i) {
            const double lower = i == 1 ? 0 : -slope_[i];
            below_[i] = lower * per_[i - 1];
            per_[i] = 1 / ((1 + (slope_[i] + slope_[i + 1])) - below_[i] * lower);
        }
        below_[n_ + 1] = 0;
    }

    double increment() { // added, and its size relative to the largest velocity
        double y = 0, x = 0, largest = 0, scale = 0;
        for (std::size_t i = 1; i <= n_; ++i) d_[i] = y = r_[i] - below_[i] * y;
        for (std::size_t i = n_; i >= 1; --i) {
            x = per_[i] * d_[i] - below_[i + 1] * x;
            w_[i] += x;
            largest = larger(largest, absolute(x)), scale = larger(scale, absolute(w_[i]));
        }
        return largest / scale;
    }

    void finish() {
        double *const q = q_.data(), *const p = p_.data(), *const w = w_.data();
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            add(q[i], low_q_[i], h_ * w[i]);
            add(p[i], low_p_[i], 2 * (w[i] - p[i]));
            w[i] = p[i]; // to start with
        }
    }

    std::size_t n_ = 0;
    double alpha_, h_;
    Numbers q_, p_, low_q_, low_p_, f_, w_, r_, slope_, below_, per_, d_;
};

} // namespace hand
