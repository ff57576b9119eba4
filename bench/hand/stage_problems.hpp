// Right-hand sides as one would write them by hand, for doubles and for vectors of them: multipliers are solved for on
// paper.
#pragma once

#include "hand/stage_lanes.hpp"

namespace hand {

inline std::array<double, 2> sine_and_cosine(double x) { return {std::sin(x), std::cos(x)}; }
inline std::array<Lanes, 2> sine_and_cosine(Lanes x) {
    const SineCosine both = sine_cosine(x);
    return {both.sine, both.cosine};
}
inline double root(double x) { return std::sqrt(x); }

// The pendulum in Cartesian coordinates, weak Dirac form: (x, y, p_x, p_y), mass and length 1.
struct CartesianPendulum {
    static constexpr int n = 4;
    double g;
    template <class N> void rate(const std::array<N, n>& x, std::array<N, n>& k) const {
        const N square = x[0] * x[0] + x[1] * x[1], eta = -(x[0] * x[2] + x[1] * x[3]) / square,
                mu = (x[2] * x[2] + x[3] * x[3] - g * x[1]) / square;
        k[0] = x[2] + eta * x[0], k[1] = x[3] + eta * x[1];
        k[2] = -mu * x[0] - eta * x[2], k[3] = -g - mu * x[1] - eta * x[3];
    }
};

// z' = y x', V = x^2 + y^2: (x, y, z, p_x, p_y, p_z).
struct NonholonomicParticle {
    static constexpr int n = 6;
    template <class N> void rate(const std::array<N, n>& x, std::array<N, n>& k) const {
        const N lambda = (2 * x[0] * x[1] - x[3] * x[4]) / (1 + x[1] * x[1]);
        k[0] = x[3], k[1] = x[4], k[2] = x[5];
        k[3] = lambda * x[1] - 2 * x[0], k[4] = -2 * x[1], k[5] = -lambda;
    }
};

// The Chaplygin sleigh, mass and inertia 1: (x, y, theta, p_x, p_y, p_theta).
struct Sleigh {
    static constexpr int n = 6;
    double a;
    template <class N> void rate(const std::array<N, n>& x, std::array<N, n>& k) const {
        const auto [s, c] = sine_and_cosine(x[2]);
        const N omega = x[5] + a * (s * x[3] - c * x[4]), u = x[3] + a * s * omega, v = x[4] - a * c * omega;
        const N along = c * u + s * v, lambda = omega * along / (1 + a * a);
        k[0] = u, k[1] = v, k[2] = omega;
        k[3] = -lambda * s, k[4] = lambda * c, k[5] = -a * omega * along;
    }
};

// The two-wheeled vehicle as a variational problem: (x, y, theta, phi, p_x, p_y, p_theta, p_phi).
struct Vehicle {
    static constexpr int n = 8;
    double length;
    template <class N> void rate(const std::array<N, n>& x, std::array<N, n>& k) const {
        const auto [s, c] = sine_and_cosine(x[2]);
        const auto [sf, cf] = sine_and_cosine(x[3]);
        const N b1 = sf * x[4] - cf * x[5], b2 = s * x[4] - c * x[5] + length * x[6], mixed = s * sf + c * cf;
        const double own = 1 + length * length;
        const N over = 1 / (own - mixed * mixed);
        const N l1 = (mixed * b2 - own * b1) * over, l2 = (mixed * b1 - b2) * over;
        const N u = x[4] + sf * l1 + s * l2, v = x[5] - cf * l1 - c * l2;
        k[0] = u, k[1] = v, k[2] = x[6] + length * l2, k[3] = x[7];
        k[4] = k[5] = 0 * u;
        k[6] = -l2 * (u * c + v * s), k[7] = -l1 * (u * cf + v * sf);
    }
};

// Six bodies: positions, then momenta.
struct SolarSystem {
    static constexpr int bodies = 6, n = 36;
    double G;
    std::array<double, bodies> m;
    template <class N> void rate(const std::array<N, n>& x, std::array<N, n>& k) const {
        constexpr std::size_t p = 18;
        for (std::size_t i = 0; i < bodies; ++i)
            for (std::size_t d = 0; d < 3; ++d)
                k[3 * i + d] = x[p + 3 * i + d] * (1 / m[i]), k[p + 3 * i + d] = 0 * x[0];
        for (std::size_t i = 0; i < bodies; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                std::array<N, 3> r;
                for (std::size_t d = 0; d < 3; ++d) r[d] = x[3 * i + d] - x[3 * j + d];
                const N square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2],
                        f = (G * m[i] * m[j]) / (square * root(square));
                for (std::size_t d = 0; d < 3; ++d) {
                    k[p + 3 * i + d] -= f * r[d];
                    k[p + 3 * j + d] += f * r[d];
                }
            }
    }
};

} // namespace hand
