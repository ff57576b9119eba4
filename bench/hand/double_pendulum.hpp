// The double pendulum as an expert writes it by hand: fixed size, every derivative on paper, nothing allocated.
//
//   L = I1 A^2/2 + I2 B^2/2 + k c A B + w1 cos a + w2 cos b,   A = a', B = b', c = cos(a - b), s = sin(a - b)
//   I1 = (m1 + m2) l1^2, I2 = m2 l2^2, k = m2 l1 l2, w1 = (m1 + m2) g l1, w2 = m2 g l2
//
// Both steps carry (q, p), have the stage velocities as their only unknowns, and take from the library its starting
// values, its simplified Newton iteration and its compensated sums: the same step, up to round-off. The cosine and sine
// of a - b come from those of a and b. The forces at the solution are not evaluated again: the last increment changes
// them by the Jacobian that is there, and what that neglects is what Newton neglects by stopping.
#pragma once

#include <array>
#include <cmath>

#include "hand/compensated.hpp"
#include "hand/pair.hpp"

namespace hand {

class DoublePendulum {
  public:
    DoublePendulum(double m1, double m2, double l1, double l2, double g)
        : I1((m1 + m2) * l1 * l1), I2(m2 * l2 * l2), k(m2 * l1 * l2), w1((m1 + m2) * g * l1), w2(m2 * g * l2) {}

    Pair momentum(Pair q, Pair v) const {
        const double kc = k * std::cos(q.a - q.b);
        return {I1 * v.a + kc * v.b, I2 * v.b + kc * v.a};
    }

    // L and its derivatives at one stage; f = L_q, p = L_v.
    struct Stage {
        double kc, ks, w1c, w2c; // k c, k s, w1 cos a, w2 cos b
        Pair v, p, f;
    };
    Stage at(Pair q, Pair v) const {
        double sin_a, cos_a, sin_b, cos_b;
        __builtin_sincos(q.a, &sin_a, &cos_a);
        __builtin_sincos(q.b, &sin_b, &cos_b);
        const double kc = k * (cos_a * cos_b + sin_a * sin_b), ks = k * (sin_a * cos_b - cos_a * sin_b);
        const double turn = ks * v.a * v.b;
        return {kc,
                ks,
                w1 * cos_a,
                w2 * cos_b,
                v,
                {I1 * v.a + kc * v.b, I2 * v.b + kc * v.a},
                {-turn - w1 * sin_a, turn - w2 * sin_b}};
    }

    double I1, I2, k, w1, w2;
};

// What a step carries.
struct PendulumState {
    std::array<Compensated, 2> q, p;
    long long iterations = 0;

    void start(Pair q0, Pair p0) { q = {{{q0.a}, {q0.b}}}, p = {{{p0.a}, {p0.b}}}, iterations = 0; }
};

// Implicit midpoint: p + (h/2) L_q(Q, V) = L_v(Q, V), Q = q + (h/2) V; then q += h V, p += h L_q(Q, V).
class PendulumMidpoint {
  public:
    PendulumMidpoint(const DoublePendulum& system, double h) : system_(system), h_(h) {}

    void start(Pair q, Pair v) {
        state_.start(q, system_.momentum(q, v));
        V_ = v;
    }
    const PendulumState& state() const { return state_; }

    bool advance() {
        const Pair q{state_.q[0].value, state_.q[1].value}, p{state_.p[0].value, state_.p[1].value};
        const double half = h_ / 2;
        Pair V = V_;
        PairMatrix inverse{}, slope{}; // of the residual; of the force, with respect to V
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++state_.iterations;
            const auto s = system_.at({q.a + half * V.a, q.b + half * V.b}, V);
            if (rule.refresh()) {
                const double sA = s.ks * V.a, sB = s.ks * V.b, bend = half * s.kc * V.a * V.b;
                const double aa = bend + half * s.w1c, bb = bend + half * s.w2c; // -h/2 L_qq
                slope = {-sB - aa, bend - sA, sB + bend, sA - bb};
                const double odd = half * (sA + sB); // h/2 (L_vq - L_qv)
                inverse = PairMatrix{system_.I1 + half * aa, s.kc + odd - half * bend, s.kc - odd - half * bend,
                                     system_.I2 + half * bb}
                              .inverse();
            }
            const Pair d = inverse * Pair{p.a + half * s.f.a - s.p.a, p.b + half * s.f.b - s.p.b};
            V = {V.a + d.a, V.b + d.b};
            if (rule.done(largest(d) / largest(V))) {
                const Pair df = slope * d;
                state_.q[0].add(h_ * V.a), state_.q[1].add(h_ * V.b);
                state_.p[0].add(h_ * (s.f.a + df.a)), state_.p[1].add(h_ * (s.f.b + df.b));
                V_ = V;
                return true;
            }
        }
        return false;
    }

  private:
    DoublePendulum system_;
    double h_;
    PendulumState state_;
    Pair V_{};
};

// Two-stage Gauss: L_v(Q_i, V_i) = p + h sum_j a_ij F_j, F_i = L_q(Q_i, V_i), Q_i = q + h sum_j a_ij V_j. The four
// unknowns are eliminated stage by stage: two inverses of 2 x 2 matrices, the second of the Schur complement.
class PendulumGauss2 {
  public:
    PendulumGauss2(const DoublePendulum& system, double h) : system_(system), h_(h) {
        const double r = std::sqrt(3.0) / 6;
        const double a[2][2] = {{0.25, 0.25 - r}, {0.25 + r, 0.25}};
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                ha_[i][j] = h * a[i][j];
                for (int m = 0; m < 2; ++m) haa_[i][j][m] = h * h * a[i][m] * a[m][j];
            }
        const double c[2] = {0.5 - r, 0.5 + r};
        for (int i = 0; i < 2; ++i) { // the line through the stages, continued by one step
            ahead_[i][0] = (1 + c[i] - c[1]) / (c[0] - c[1]);
            ahead_[i][1] = (1 + c[i] - c[0]) / (c[1] - c[0]);
        }
    }

    void start(Pair q, Pair v) {
        state_.start(q, system_.momentum(q, v));
        V_ = {v, v};
    }
    const PendulumState& state() const { return state_; }

    bool advance() {
        const Pair q{state_.q[0].value, state_.q[1].value}, p{state_.p[0].value, state_.p[1].value};
        std::array<Pair, 2> V = V_;
        Matrix matrix{};
        NewtonRule rule(2);
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++state_.iterations;
            const std::array<DoublePendulum::Stage, 2> s = {
                system_.at({q.a + mix(0, V[0].a, V[1].a), q.b + mix(0, V[0].b, V[1].b)}, V[0]),
                system_.at({q.a + mix(1, V[0].a, V[1].a), q.b + mix(1, V[0].b, V[1].b)}, V[1])};
            if (rule.refresh()) matrix = linearise(s);
            const std::array<Pair, 2> d = matrix.solve(residual(0, p, s), residual(1, p, s));
            for (int j = 0; j < 2; ++j) V[j] = {V[j].a + d[j].a, V[j].b + d[j].b};
            if (rule.done(larger(largest(d[0]), largest(d[1])) / larger(largest(V[0]), largest(V[1])))) {
                finish(V, matrix, s, d);
                return true;
            }
        }
        return false;
    }

  private:
    using Stages = std::array<DoublePendulum::Stage, 2>;

    // The Jacobian [A B; C D] as A^-1, A^-1 B, C, S^-1 with S = D - C A^-1 B, and what the forces' slopes are made of.
    struct Matrix {
        PairMatrix A_inverse, A_inverse_B, C, S_inverse;
        std::array<double, 2> sA, sB, aa, bend, bb; // of each stage: k s A, k s B, -L_aa, L_ab, -L_bb

        std::array<Pair, 2> solve(Pair r1, Pair r2) const {
            const Pair y = A_inverse * r1, x2 = S_inverse * (r2 - C * y);
            return {y - A_inverse_B * x2, x2};
        }
    };

    double mix(int i, double first, double second) const { return ha_[i][0] * first + ha_[i][1] * second; }

    Pair residual(int i, Pair p, const Stages& s) const { // with the sign of the right-hand side
        return {p.a + mix(i, s[0].f.a, s[1].f.a) - s[i].p.a, p.b + mix(i, s[0].f.b, s[1].f.b) - s[i].p.b};
    }

    // d residual_i / d V_j = delta_ij L_vv + h a_ij (L_vq at i - L_qv at j) - h^2 sum_m a_im a_mj L_qq at m
    PairMatrix block(int i, int j, const Matrix& m) const {
        const double h = ha_[i][j], h0 = haa_[i][j][0], h1 = haa_[i][j][1];
        const double bend = h0 * m.bend[0] + h1 * m.bend[1];
        return {h * (m.sB[j] - m.sB[i]) + (h0 * m.aa[0] + h1 * m.aa[1]), h * (m.sB[i] + m.sA[j]) - bend,
                -h * (m.sA[i] + m.sB[j]) - bend, h * (m.sA[i] - m.sA[j]) + (h0 * m.bb[0] + h1 * m.bb[1])};
    }
    PairMatrix diagonal(int i, const Matrix& m, double kc) const {
        const double h0 = haa_[i][i][0], h1 = haa_[i][i][1], odd = ha_[i][i] * (m.sA[i] + m.sB[i]);
        const double even = kc - (h0 * m.bend[0] + h1 * m.bend[1]);
        return {system_.I1 + (h0 * m.aa[0] + h1 * m.aa[1]), even + odd, even - odd,
                system_.I2 + (h0 * m.bb[0] + h1 * m.bb[1])};
    }

    Matrix linearise(const Stages& s) const {
        Matrix m;
        for (int i = 0; i < 2; ++i) {
            m.sA[i] = s[i].ks * s[i].v.a, m.sB[i] = s[i].ks * s[i].v.b;
            m.bend[i] = s[i].kc * s[i].v.a * s[i].v.b;
            m.aa[i] = m.bend[i] + s[i].w1c, m.bb[i] = m.bend[i] + s[i].w2c;
        }
        m.A_inverse = diagonal(0, m, s[0].kc).inverse();
        m.A_inverse_B = m.A_inverse * block(0, 1, m);
        m.C = block(1, 0, m);
        m.S_inverse = (diagonal(1, m, s[1].kc) - m.C * m.A_inverse_B).inverse();
        return m;
    }

    void finish(const std::array<Pair, 2>& V, const Matrix& m, const Stages& s, const std::array<Pair, 2>& d) {
        Pair force{0, 0};
        for (int i = 0; i < 2; ++i) { // F_i + L_qv dV_i + L_qq dQ_i
            const Pair dq{mix(i, d[0].a, d[1].a), mix(i, d[0].b, d[1].b)};
            const double turn = m.sB[i] * d[i].a + m.sA[i] * d[i].b;
            force.a += s[i].f.a + (m.bend[i] * dq.b - m.aa[i] * dq.a - turn);
            force.b += s[i].f.b + (m.bend[i] * dq.a - m.bb[i] * dq.b + turn);
        }
        const double half = h_ / 2;
        state_.q[0].add(half * (V[0].a + V[1].a)), state_.q[1].add(half * (V[0].b + V[1].b));
        state_.p[0].add(half * force.a), state_.p[1].add(half * force.b);
        for (int i = 0; i < 2; ++i)
            V_[i] = {ahead_[i][0] * V[0].a + ahead_[i][1] * V[1].a, ahead_[i][0] * V[0].b + ahead_[i][1] * V[1].b};
    }

    DoublePendulum system_;
    double h_, ha_[2][2], haa_[2][2][2], ahead_[2][2]; // h a_ij; h^2 a_im a_mj; the extrapolation
    PendulumState state_;
    std::array<Pair, 2> V_{};
};

} // namespace hand
