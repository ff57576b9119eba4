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

} // namespace hand
