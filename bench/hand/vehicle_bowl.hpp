// The two-wheeled vehicle in a bowl, constraints inside the action, with the implicit midpoint rule by hand.
//
//   H's Lagrangian: (x'^2 + y'^2 + alpha theta'^2 + beta phi'^2)/2 - V - lambda1 A1 - lambda2 (A2 + L theta')
//   A1 = x' sin phi - y' cos phi,  A2 = x' sin theta - y' cos theta;   V = -cos r,  r the distance of the middle
//
// The slopes of q and p are eliminated; six unknowns at the midpoint are left, with v = (x', y'):
//
//   v + (h/2) V_v + lambda1 (-sin phi, cos phi) + lambda2 (-sin theta, cos theta) = p_v
//   alpha theta' - L lambda2 + (h/2) (V_theta + lambda2 B2) = p_theta,       B2 = x' cos theta + y' sin theta
//   beta phi' + (h/2) lambda1 B1 = p_phi,                                    B1 = x' cos phi + y' sin phi
//   A1 = 0,  A2 + L theta' = 0
//
// Their Jacobian has pivots close to alpha and beta, then to the 2 x 2 unit matrix of v, and a regular 2 x 2 complement
// for the multipliers, whatever the vehicle does: no pivot is looked for. Starting values, Newton's rule and
// compensated sums are the library's; the forces at the solution come from those of the last iteration and their
// slopes.
#pragma once

#include <array>

#include "hand/compensated.hpp"
#include "hand/pair.hpp"

namespace hand {

// sin(r)/r and its derivative with respect to u = r^2, by their series: to 1e-17 for u < 1, the reach of the vehicle.
class Sinc {
  public:
    static double value_at(double u) {
        double sum = 0;
        for (int k = terms - 1; k >= 0; --k) sum = sum * u + c[static_cast<std::size_t>(k)];
        return sum;
    }
    static double slope_at(double u) {
        double sum = 0;
        for (int k = terms - 1; k >= 1; --k) sum = sum * u + k * c[static_cast<std::size_t>(k)];
        return sum;
    }

  private:
    static constexpr int terms = 10;
    static constexpr std::array<double, terms> c = [] {
        std::array<double, terms> x{};
        double term = 1;
        for (int k = 0; k < terms; ++k) {
            x[static_cast<std::size_t>(k)] = term;
            term /= -(2.0 * k + 2) * (2 * k + 3);
        }
        return x;
    }();
};

class VehicleMidpoint {
  public:
    VehicleMidpoint(double L, double alpha, double beta, double h)
        : L_(L), alpha_(alpha), beta_(beta), h_(h), half_(h / 2) {}

    void start(std::array<double, 4> q, std::array<double, 4> v) { // on the constraints, with lambda = 0
        const std::array<double, 4> p = {v[0], v[1], alpha_ * v[2], beta_ * v[3]};
        for (std::size_t i = 0; i < 4; ++i) q_[i] = {q[i]}, p_[i] = {p[i]};
        last_ = {{v[0], v[1]}, v[2], v[3], {0, 0}};
        iterations = 0;
    }

    bool advance() {
        Unknowns u = last_;
        Matrix matrix{};
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++iterations;
            const Stage s = at(u);
            if (rule.refresh()) matrix = linearise(s, u);
            const Unknowns d = matrix.solve(residual(s, u));
            u = {u.v + d.v, u.theta + d.theta, u.phi + d.phi, u.lambda + d.lambda};
            if (rule.done(d.largest() / u.largest())) {
                finish(s, matrix, u, d);
                return true;
            }
        }
        return false;
    }

    std::array<double, 8> state() const {
        return {q_[0].value, q_[1].value, q_[2].value, q_[3].value, p_[0].value, p_[1].value, p_[2].value, p_[3].value};
    }

    long long iterations = 0;

  private:
    // Rates of (x, y), theta and phi, and multipliers; also residuals, in the order of the equations above.
    struct Unknowns {
        Pair v;
        double theta, phi;
        Pair lambda;

        double largest() const {
            return larger(larger(hand::largest(v), hand::largest(lambda)), larger(absolute(theta), absolute(phi)));
        }
    };

    struct Stage {
        Pair along_phi, along_theta; // (cos, sin)
        Pair middle, arm;            // (X, Y), of the middle of the vehicle, and its derivative by theta
        double u, sinc, torque;      // X^2 + Y^2; sin(r)/r; (X, Y) . arm, so that V_theta = sinc torque
        double B1, B2;
    };

    static Pair right_of(Pair along) { return {along.b, -along.a}; }

    Stage at(const Unknowns& u) const {
        Stage s;
        __builtin_sincos(q_[2].value + half_ * u.theta, &s.along_theta.b, &s.along_theta.a);
        __builtin_sincos(q_[3].value + half_ * u.phi, &s.along_phi.b, &s.along_phi.a);
        const Pair q{q_[0].value, q_[1].value};
        s.middle = (q + half_ * u.v) - L_ / 2 * s.along_theta;
        s.arm = L_ / 2 * right_of(s.along_theta);
        s.u = dot(s.middle, s.middle), s.sinc = Sinc::value_at(s.u), s.torque = dot(s.middle, s.arm);
        s.B1 = dot(s.along_phi, u.v), s.B2 = dot(s.along_theta, u.v);
        return s;
    }

    Unknowns residual(const Stage& s, const Unknowns& u) const { // with the sign of the right-hand side
        const Pair p{p_[0].value, p_[1].value};
        const Pair side1 = right_of(s.along_phi), side2 = right_of(s.along_theta);
        return {(p - u.v) - half_ * s.sinc * s.middle + (u.lambda.a * side1 + u.lambda.b * side2),
                p_[2].value - alpha_ * u.theta + L_ * u.lambda.b - half_ * (s.sinc * s.torque + u.lambda.b * s.B2),
                p_[3].value - beta_ * u.phi - half_ * (u.lambda.a * s.B1),
                {-dot(side1, u.v), -dot(side2, u.v) - L_ * u.theta}};
    }

    // The Jacobian, eliminated: phi' and theta' first, then v, then lambda; and the slopes of the forces.
    struct Matrix {
        double per_phi, per_theta, phi_lambda, theta_lambda, constraint_theta; // 1/pivots; entries of their rows
        Pair phi_v, theta_v, v_theta;                                          // of row and of column
        PairMatrix v_inverse, v_lambda, lambda_v, lambda_inverse;              // what is left after that
        PairMatrix V_vv;                                                       // derivatives of V
        Pair V_vtheta;
        double V_thetatheta, phiphi; // with those of the constraints' forces

        Unknowns solve(const Unknowns& r) const {
            const double f = per_phi * r.phi, t = per_theta * r.theta;
            const Pair v = v_inverse * (r.v + f * phi_v - t * v_theta);
            const Pair l{r.lambda.a - phi_lambda * f, r.lambda.b - constraint_theta * t};
            const Pair lambda = lambda_inverse * (l - lambda_v * v), rates = v - v_inverse * (v_lambda * lambda);
            return {rates, t - per_theta * (dot(theta_v, rates) + theta_lambda * lambda.b),
                    f - per_phi * (dot(phi_v, rates) + phi_lambda * lambda.a), lambda};
        }
    };

    Matrix linearise(const Stage& s, const Unknowns& u) const {
        Matrix m;
        const double slope = 2 * Sinc::slope_at(s.u), square = half_ * half_;
        const Pair side1 = right_of(s.along_phi), side2 = right_of(s.along_theta);
        m.V_vv = slope * outer(s.middle, s.middle);
        m.V_vv.aa += s.sinc, m.V_vv.bb += s.sinc;
        m.V_vtheta = s.sinc * s.arm + slope * s.torque * s.middle;
        m.V_thetatheta = slope * s.torque * s.torque + s.sinc * (L_ / 2) * (L_ / 2 + dot(s.middle, s.along_theta)) -
                         u.lambda.b * dot(side2, u.v);
        m.phiphi = -u.lambda.a * dot(side1, u.v);

        const Pair force2 = half_ * u.lambda.b * s.along_theta, bend = square * m.V_vtheta;
        m.phi_v = half_ * u.lambda.a * s.along_phi; // the column is its negative
        m.theta_v = bend + force2, m.v_theta = bend - force2;
        m.phi_lambda = half_ * s.B1, m.theta_lambda = half_ * s.B2 - L_, m.constraint_theta = half_ * s.B2 + L_;
        m.per_phi = 1 / (beta_ + square * m.phiphi), m.per_theta = 1 / (alpha_ + square * m.V_thetatheta);

        const Pair f = m.per_phi * m.phi_v, t = m.per_theta * m.theta_v; // rows, divided by their pivots
        const double f_lambda = m.per_phi * m.phi_lambda, t_lambda = m.per_theta * m.theta_lambda;
        PairMatrix vv = square * m.V_vv + outer(m.phi_v, f) - outer(m.v_theta, t);
        vv.aa += 1, vv.bb += 1;
        m.v_inverse = vv.inverse();
        const Pair column1 = f_lambda * m.phi_v - side1, column2 = -t_lambda * m.v_theta - side2;
        m.v_lambda = {column1.a, column2.a, column1.b, column2.b};
        const Pair row1 = side1 - m.phi_lambda * f, row2 = side2 - m.constraint_theta * t;
        m.lambda_v = {row1.a, row1.b, row2.a, row2.b};
        const PairMatrix corner{-m.phi_lambda * f_lambda, 0, 0, -m.constraint_theta * t_lambda};
        m.lambda_inverse = (corner - m.lambda_v * (m.v_inverse * m.v_lambda)).inverse();
        return m;
    }

    void finish(const Stage& s, const Matrix& m, const Unknowns& u, const Unknowns& d) {
        const Pair dq = half_ * d.v;
        const double dtheta = half_ * d.theta, dphi = half_ * d.phi;
        const Unknowns old{u.v - d.v, u.theta - d.theta, u.phi - d.phi, u.lambda - d.lambda};
        const Pair force = s.sinc * s.middle + (m.V_vv * dq + dtheta * m.V_vtheta);
        const double torque =
            (s.sinc * s.torque + old.lambda.b * s.B2) +
            (dot(m.V_vtheta, dq) + m.V_thetatheta * dtheta + u.lambda.b * dot(s.along_theta, d.v) + s.B2 * d.lambda.b);
        const double steering =
            old.lambda.a * s.B1 + (m.phiphi * dphi + u.lambda.a * dot(s.along_phi, d.v) + s.B1 * d.lambda.a);
        q_[0].add(h_ * u.v.a), q_[1].add(h_ * u.v.b), q_[2].add(h_ * u.theta), q_[3].add(h_ * u.phi);
        p_[0].add(-h_ * force.a), p_[1].add(-h_ * force.b), p_[2].add(-h_ * torque), p_[3].add(-h_ * steering);
        last_ = u;
    }

    double L_, alpha_, beta_, h_, half_;
    std::array<Compensated, 4> q_{}, p_{};
    Unknowns last_{};
};

} // namespace hand
