// A chain of n rigid links, beads of mass m, with RATTLE by hand: the multipliers are the only unknowns, their matrices
// are tridiagonal.
//
//   q_next = q + (h/m) (p - (h/2) (V_q + G^T Lambda)),   |e_i| = l at the end,   e_i = q_i - q_(i-1)
//   p_next = p - (h/2) (2 V_q + G^T Lambda + G_next^T Mu),   G_next p_next = 0
//
// With s = (h^2/2m) Lambda bead i moves by -(s_i e_i - s_(i+1) e_(i+1)), and Newton's matrix for s is tridiagonal; with
// r = (h/2) Mu the second set of equations is linear, tridiagonal and symmetric. Both are solved without pivoting:
// twice l^2 on the diagonal, at most l^2 beside it. Starting values, Newton's rule and compensated sums are the
// library's.
//
// Arrays have an element before the first bead, at the fixed end, and one behind the last, where there is no link.
#pragma once

#include <cstddef>
#include <vector>

#include "hand/compensated.hpp"

namespace hand {

class Chain {
  public:
    Chain(std::size_t n, double m, double l, double g, double h)
        : n_(n), l2_(l * l), reach_(static_cast<double>(n) * l), m_(m), h_(h), h_over_m_(h / m), m_over_h_(m / h),
          half_weight_(h / 2 * m * g) {
        for (Numbers* a : {&x_,  &y_,  &px_, &py_, &low_x_, &low_y_, &low_px_, &low_py_, &ex_,    &ey_,  &fx_,    &fy_,
                           &dx_, &dy_, &nx_, &ny_, &s_,     &tx_,    &ty_,     &g_,      &below_, &per_, &above_, &ds_})
            a->assign(n + 2, 0);
    }

    void start(const std::vector<double>& q, const std::vector<double>& v) {
        for (std::size_t i = 1; i <= n_; ++i) {
            x_[i] = q[i - 1], y_[i] = q[n_ + i - 1], px_[i] = m_ * v[i - 1], py_[i] = m_ * v[n_ + i - 1];
            low_x_[i] = low_y_[i] = low_px_[i] = low_py_[i] = 0;
        }
        links(ex_, ey_);
        // The multiplier at rest or in motion: e . (change of acceleration along it) + |e'|^2 = 0; weight is (2/h)
        // half.
        for (std::size_t i = 1; i <= n_; ++i) {
            const double ux = (px_[i] - px_[i - 1]) / m_, uy = (py_[i] - py_[i - 1]) / m_;
            g_[i] = m_ * (ux * ux + uy * uy) - (i == 1 ? ey_[1] * half_weight_ * 2 / h_ : 0);
        }
        factor_symmetric();
        solve();
        for (std::size_t i = 1; i <= n_; ++i) s_[i] = h_ * h_over_m_ / 2 * ds_[i];
        iterations = 0;
    }

    bool advance() {
        for (std::size_t i = 1; i <= n_; ++i) dx_[i] = h_over_m_ * px_[i], dy_[i] = h_over_m_ * (py_[i] - half_weight_);
        for (std::size_t i = 1; i <= n_; ++i)
            fx_[i] = ex_[i] + (dx_[i] - dx_[i - 1]), fy_[i] = ey_[i] + (dy_[i] - dy_[i - 1]);
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++iterations;
            lengths();
            if (rule.refresh()) factor();
            solve();
            const double size = increment();
            if (rule.done(size, residual_is_noise())) {
                finish();
                return true;
            }
        }
        return false;
    }

    std::vector<double> state() const {
        std::vector<double> z;
        for (const Numbers* a : {&x_, &y_, &px_, &py_}) z.insert(z.end(), a->begin() + 1, a->end() - 1);
        return z;
    }

    long long iterations = 0;

  private:
    using Numbers = std::vector<double>;

    static void add(double& value, double& low, double increment) {
        const double full = increment + low, sum = value + full, part = sum - value;
        low = (value - (sum - part)) + (full - part);
        value = sum;
    }

    void links(Numbers& ex, Numbers& ey) const {
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) ex[i] = x_[i] - x_[i - 1], ey[i] = y_[i] - y_[i - 1];
    }

    void pulls() { // t_i = s_i e_i
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) tx_[i] = s_[i] * ex_[i], ty_[i] = s_[i] * ey_[i];
    }

    // The links at the end of the step, for s, and by how much (|e|^2 - l^2)/2 they are too long.
    void lengths() {
        pulls();
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            nx_[i] = fx_[i] - (2 * tx_[i] - tx_[i + 1] - tx_[i - 1]);
            ny_[i] = fy_[i] - (2 * ty_[i] - ty_[i + 1] - ty_[i - 1]);
            g_[i] = ((nx_[i] * nx_[i] - l2_) + ny_[i] * ny_[i]) / 2;
        }
        nx_[1] += tx_[1], ny_[1] += ty_[1]; // its other end is fixed
        g_[1] = ((nx_[1] * nx_[1] - l2_) + ny_[1] * ny_[1]) / 2;
    }

    // -d lengths / ds = lower, diagonal, upper, as L U: below_ = lower / last pivot, per_ = 1 / pivot, above_ = upper /
    // pivot.
    void factor() {
        double upper = 0;
        for (std::size_t i = 1; i <= n_; ++i) {
            const double diagonal = nx_[i] * ex_[i] + ny_[i] * ey_[i];
            below_[i] = -(nx_[i] * ex_[i - 1] + ny_[i] * ey_[i - 1]) * per_[i - 1];
            per_[i] = 1 / ((i == 1 ? 1 : 2) * diagonal - below_[i] * upper);
            upper = -(nx_[i] * ex_[i + 1] + ny_[i] * ey_[i + 1]);
            above_[i] = upper * per_[i];
        }
    }

    // The same for the velocities, from the links ex_, ey_ of length l.
    void factor_symmetric() {
        for (std::size_t i = 1; i <= n_; ++i) {
            const double lower = -(ex_[i] * ex_[i - 1] + ey_[i] * ey_[i - 1]);
            below_[i] = lower * per_[i - 1];
            per_[i] = 1 / ((i == 1 ? 1 : 2) * l2_ - below_[i] * lower);
            above_[i - 1] = below_[i];
        }
        above_[n_] = 0;
    }

    void solve() {
        double y = 0, x = 0;
        for (std::size_t i = 1; i <= n_; ++i) ds_[i] = y = g_[i] - below_[i] * y;
        for (std::size_t i = n_; i >= 1; --i) ds_[i] = x = per_[i] * ds_[i] - above_[i] * x;
    }

    // Short steps have small multipliers, which stagnate at increments that are not small beside them.
    bool residual_is_noise() const {
        double largest = 0;
        for (std::size_t i = 1; i <= n_; ++i) largest = larger(largest, absolute(g_[i]));
        return largest <= 64 * std::numeric_limits<double>::epsilon() * reach_;
    }

    double increment() { // added, and its size relative to the largest multiplier
        double largest = 0, scale = 0;
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            s_[i] += ds_[i];
            largest = larger(largest, absolute(ds_[i])), scale = larger(scale, absolute(s_[i]));
        }
        return largest / scale;
    }

    void finish() {
        pulls();
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            const double bx = tx_[i] - tx_[i + 1], by = ty_[i] - ty_[i + 1];
            add(x_[i], low_x_[i], dx_[i] - bx), add(y_[i], low_y_[i], dy_[i] - by);
            dx_[i] = -m_over_h_ * bx, dy_[i] = -m_over_h_ * by - 2 * half_weight_; // of the momenta, but for Mu
        }
        links(ex_, ey_);
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            const double ux = (px_[i] + dx_[i]) - (px_[i - 1] + dx_[i - 1]);
            const double uy = (py_[i] + dy_[i]) - (py_[i - 1] + dy_[i - 1]);
            g_[i] = ex_[i] * ux + ey_[i] * uy;
        }
        factor_symmetric();
        solve();
#pragma GCC ivdep
        for (std::size_t i = 1; i <= n_; ++i) {
            add(px_[i], low_px_[i], dx_[i] - (ds_[i] * ex_[i] - ds_[i + 1] * ex_[i + 1]));
            add(py_[i], low_py_[i], dy_[i] - (ds_[i] * ey_[i] - ds_[i + 1] * ey_[i + 1]));
        }
    }

    std::size_t n_;
    double l2_, reach_, m_, h_, h_over_m_, m_over_h_, half_weight_;
    Numbers x_, y_, px_, py_, low_x_, low_y_, low_px_, low_py_;
    Numbers ex_, ey_, fx_, fy_, nx_, ny_; // links: now; without multipliers; at the end
    Numbers dx_, dy_, s_, tx_, ty_;       // increments without multipliers; multipliers; their pulls
    Numbers g_, below_, per_, above_, ds_;
};

} // namespace hand
