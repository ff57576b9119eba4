// What the hand-written steps share: the compensated sum and the rule by which Newton stops, both those of the library.
#pragma once

#include <limits>

namespace hand {

// value + low is the number; low is what rounding took from value (Knuth's two-sum, as in src/run/stepper.cpp).
// T: double, or a vector of them.
template <class T> struct CompensatedSum {
    T value{}, low{};

    void add(T increment) {
        const T full = increment + low, sum = value + full, part = sum - value;
        low = (value - (sum - part)) + (full - part);
        value = sum;
    }
};
using Compensated = CompensatedSum<double>;

inline double larger(double x, double y) { return x > y ? x : y; }
inline double absolute(double x) { return __builtin_fabs(x); }

// Decides after each increment, given its size relative to the largest unknown (src/solve/newton.cpp): stop when the
// contraction predicts that what is left cannot add up, or when round-off no longer lets it fall; renew the matrix
// unless `patience` more iterations with this one will do.
class NewtonRule {
  public:
    static constexpr int most = 50;
    explicit NewtonRule(int patience = 1) : patience_(patience) {}

    bool refresh() const { return refresh_; }
    bool done(double increment, bool noise = false) { // noise: the residual is no more than round-off
        constexpr double eps = std::numeric_limits<double>::epsilon();
        constexpr double tiny = eps / 4, left_over = eps / 4096, small = 3.6669e-11; // eps^(2/3)
        if (increment <= tiny) return true;
        if (last_ > 0) {
            const double contraction = increment / last_;
            if (contraction < 0.5 ? contraction * increment <= left_over : (increment <= small || noise)) return true;
            double left = contraction * increment;
            for (int i = 0; i < patience_; ++i) left *= contraction;
            refresh_ = left > left_over;
        } else {
            refresh_ = increment > 0.25;
        }
        last_ = increment;
        return false;
    }

  private:
    int patience_;
    double last_ = 0;
    bool refresh_ = true;
};

} // namespace hand
