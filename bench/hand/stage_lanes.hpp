// Gauss collocation with eight stages, one vector lane a stage, written by hand: fixed-point iteration of the slopes,
// all of them extrapolated from the last step, until the predicted contraction or round-off ends it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include <rattleback/operators.hpp>

#include "hand/compensated.hpp"

namespace hand {

constexpr int lanes = 8;
using Lanes = double __attribute__((vector_size(64)));
using Longs = std::int64_t __attribute__((vector_size(64)));

inline Lanes all(double x) { return Lanes{} + x; }
inline Lanes larger_of(Lanes x, Lanes y) { return x < y ? y : x; }
inline Lanes absolute(Lanes x) { return x < 0 ? -x : x; }
inline Lanes root(Lanes x) {
    Lanes y;
    for (int i = 0; i < lanes; ++i) y[i] = std::sqrt(x[i]); // one instruction
    return y;
}

// sin and cos of arguments up to 1e5: reduced to a quarter of pi, then by their series.
struct SineCosine {
    Lanes sine, cosine;
};
inline SineCosine sine_cosine(Lanes x) {
    const Lanes shift = all(0x1.8p52), k = x * 0.63661977236758134 + shift, n = k - shift;
    const Longs quarter = reinterpret_cast<Longs>(k);
    Lanes r = x - n * 0x1.921fb54400000p+0;
    r = (r - n * 0x1.0b4611a600000p-34) - n * 0x1.3198a2e037073p-69;
    const Lanes z = r * r;
    const Lanes s = r + r * z *
                            (-1.66666666666666324348e-01 +
                             z * (8.33333333332248946124e-03 +
                                  z * (-1.98412698298579493134e-04 +
                                       z * (2.75573137070700676789e-06 +
                                            z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    const Lanes c =
        1 - (0.5 * z - z * z *
                           (4.16666666666666019037e-02 +
                            z * (-1.38888888888741095749e-03 +
                                 z * (2.48015872894767294178e-05 +
                                      z * (-2.75573143513906633035e-07 +
                                           z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))));
    const Longs odd = -(quarter & 1), minus_s = (quarter & 2) << 62, minus_c = ((quarter + 1) & 2) << 62;
    const Lanes first = odd ? c : s, second = odd ? s : c;
    return {reinterpret_cast<Lanes>(reinterpret_cast<Longs>(first) ^ minus_s),
            reinterpret_cast<Lanes>(reinterpret_cast<Longs>(second) ^ minus_c)};
}

// Problem: n components, rate(x, k) on any number type.
template <class Problem> class StageLanes {
  public:
    static constexpr int n = Problem::n;
    StageLanes(const Problem& problem, double h) : problem_(problem), h_(h) {
        const auto t = rattleback::gauss(lanes);
        for (int i = 0; i < lanes; ++i) {
            weight_[i] = h * static_cast<double>(t.b[at(i)]);
            for (int j = 0; j < lanes; ++j) {
                mu_[at(j)][i] = static_cast<double>(t.a[at(i)][at(j)] / t.b[at(j)]);
                rattleback::quad ahead = t.b[at(i)] / t.b[at(j)];
                for (int k = 0; k < lanes; ++k)
                    if (k != j) ahead *= (1 + t.c[at(i)] - t.c[at(k)]) / (t.c[at(j)] - t.c[at(k)]);
                ahead_[at(j)][i] = static_cast<double>(ahead);
            }
        }
    }

    void start(const std::array<double, n>& x) {
        for (int k = 0; k < n; ++k) x_[at(k)] = {x[at(k)], 0}, L_[at(k)] = Lanes{};
        iterations_ = 0;
    }

    bool advance() {
        double last = NAN;
        std::array<double, n> factor{};
        for (int iteration = 0; iteration < 50; ++iteration) {
            ++iterations_;
            std::array<Lanes, n> X, slope;
            for (int k = 0; k < n; ++k) { X[at(k)] = x_[at(k)].value + weighted(mu_, L_[at(k)]); }
            problem_.rate(X, slope);
            Lanes worst{};
            for (int k = 0; k < n; ++k) {
                const Lanes next = weight_ * slope[at(k)];
                if (iteration == 0) factor[at(k)] = 1 / (std::fabs(x_[at(k)].value) + largest(absolute(next)) + 1e-300);
                worst = larger_of(worst, absolute(next - L_[at(k)]) * factor[at(k)]);
                L_[at(k)] = next;
            }
            const double d = largest(worst), contraction = d / last;
            last = d;
            if (d == 0 || (contraction < 0.5 && d * contraction * contraction < 1e-16) ||
                (contraction >= 0.5 && d < 1e-12)) {
                finish();
                return true;
            }
        }
        return false;
    }

    double value(int k) const { return x_[at(k)].value; }
    long long iterations() const { return iterations_; }

  private:
    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static double largest(Lanes x) {
        double most = x[0];
        for (int i = 1; i < lanes; ++i) most = most < x[i] ? x[i] : most;
        return most;
    }
    // sum_j weights_j x_j, each x_j spread over all lanes, from memory.
    static Lanes weighted(const std::array<Lanes, lanes>& weights, const Lanes& x) {
        const double* const of = reinterpret_cast<const double*>(&x);
        Lanes sum = weights[0] * of[0];
        for (int j = 1; j < lanes; ++j) sum += weights[at(j)] * of[j];
        return sum;
    }
    void finish() {
        for (int k = 0; k < n; ++k) {
            double sum = L_[at(k)][0];
            for (int j = 1; j < lanes; ++j) sum += L_[at(k)][j];
            x_[at(k)].add(sum);
            L_[at(k)] = weighted(ahead_, L_[at(k)]);
        }
    }

    Problem problem_;
    double h_;
    std::array<Lanes, lanes> mu_, ahead_;
    Lanes weight_;
    std::array<Compensated, n> x_;
    std::array<Lanes, n> L_;
    long long iterations_ = 0;
};

} // namespace hand
