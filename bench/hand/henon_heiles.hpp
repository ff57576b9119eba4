// Henon-Heiles with Stoermer-Verlet by hand: H = |p|^2/2 + (x^2 + y^2)/2 + x^2 y - y^3/3.
//
//   w = p - (h/2) grad V(q),   q_next = q + h w,   p_next = p - (h/2) (grad V(q) + grad V(q_next))
//
// The gradient at q_next serves the next step too. With compensated sums it is the library's step up to round-off;
// with plain ones it is what most people would write.
#pragma once

#include <array>

#include "hand/compensated.hpp"

namespace hand {

struct Plain {
    double value = 0;
    void add(double increment) { value += increment; }
};

template <class Number> class HenonHeilesVerlet {
  public:
    explicit HenonHeilesVerlet(double h) : h_(h) {}

    void start(std::array<double, 2> q, std::array<double, 2> p) {
        for (int i = 0; i < 2; ++i) q_[i] = {q[i]}, p_[i] = {p[i]};
        gradient_ = gradient();
    }

    void advance() {
        const double half = h_ / 2;
        for (int i = 0; i < 2; ++i) q_[i].add(h_ * (p_[i].value - half * gradient_[i]));
        const std::array<double, 2> next = gradient();
        for (int i = 0; i < 2; ++i) p_[i].add(-half * (gradient_[i] + next[i]));
        gradient_ = next;
    }

    std::array<double, 4> state() const { return {q_[0].value, q_[1].value, p_[0].value, p_[1].value}; }

  private:
    std::array<double, 2> gradient() const {
        const double x = q_[0].value, y = q_[1].value;
        return {x + 2 * x * y, y + x * x - y * y};
    }

    double h_;
    std::array<Number, 2> q_{}, p_{};
    std::array<double, 2> gradient_{};
};

// The same for many members, laid out so that the compiler makes vectors of them.
template <int members> class HenonHeilesMany {
  public:
    explicit HenonHeilesMany(double h) : h_(h) {}

    void start(int i, std::array<double, 2> q, std::array<double, 2> p) {
        x_[i] = q[0], y_[i] = q[1], px_[i] = p[0], py_[i] = p[1];
        low_x_[i] = low_y_[i] = low_px_[i] = low_py_[i] = 0;
        gx_[i] = x_[i] + 2 * x_[i] * y_[i], gy_[i] = y_[i] + x_[i] * x_[i] - y_[i] * y_[i];
    }

    void advance() {
        const double h = h_, half = h / 2;
        for (int i = 0; i < members; ++i) {
            add(x_[i], low_x_[i], h * (px_[i] - half * gx_[i]));
            add(y_[i], low_y_[i], h * (py_[i] - half * gy_[i]));
            const double gx = x_[i] + 2 * x_[i] * y_[i], gy = y_[i] + x_[i] * x_[i] - y_[i] * y_[i];
            add(px_[i], low_px_[i], -half * (gx_[i] + gx));
            add(py_[i], low_py_[i], -half * (gy_[i] + gy));
            gx_[i] = gx, gy_[i] = gy;
        }
    }

    std::array<double, 4> state(int i) const { return {x_[i], y_[i], px_[i], py_[i]}; }

  private:
    using Numbers = double[members];
    static void add(double& value, double& low, double increment) {
        const double full = increment + low, sum = value + full, part = sum - value;
        low = (value - (sum - part)) + (full - part);
        value = sum;
    }

    double h_;
    alignas(64) Numbers x_, y_, px_, py_, low_x_, low_y_, low_px_, low_py_, gx_, gy_;
};

} // namespace hand
