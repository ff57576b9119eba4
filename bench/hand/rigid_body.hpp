// Bodies that turn about a point, by hand: the element is a unit quaternion, the unknown is the angular velocity w of a
// step, whose turn has the quaternion (s, e), e = (h/2) w, s = sqrt(1 - |e|^2) (Moser and Veselov).
//
//   Suslov     s I w + (h/2) w x I w = p - (h/2) lambda a                         then a reflection at the next node
//   heavy top  s I w + (h/2) w x I w - (h/2) F + h/(2 (1 + s)) F x e = p           F: the torque in the middle
//
// The momentum changes by h (I w x w + F). As elsewhere, starting value and rule of Newton's method and compensated
// sums are the library's. The matrix neglects what is of third order in h.
#pragma once

#include <array>
#include <cmath>

#include "hand/compensated.hpp"

namespace hand {

struct Triple {
    double x, y, z;
    friend Triple operator+(Triple a, Triple b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Triple operator-(Triple a, Triple b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Triple operator*(double s, Triple a) { return {s * a.x, s * a.y, s * a.z}; }
};
inline double dot(Triple a, Triple b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Triple cross(Triple a, Triple b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double largest(Triple a) { return larger(absolute(a.x), larger(absolute(a.y), absolute(a.z))); }

struct Columns3 { // a matrix
    Triple a, b, c;
    Triple operator*(Triple v) const { return v.x * a + v.y * b + v.z * c; }
    Columns3 inverse() const {
        const Triple bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
        const double over = 1 / dot(a, bc);
        return {over * Triple{bc.x, ca.x, ab.x}, over * Triple{bc.y, ca.y, ab.y}, over * Triple{bc.z, ca.z, ab.z}};
    }
};

class TurningBody {
  public:
    TurningBody(Columns3 inertia, double h) : I_(inertia), h_(h) {}

    void start(std::array<double, 4> q, Triple w) {
        for (std::size_t i = 0; i < 4; ++i) q_[i] = {q[i]};
        const Triple p = I_ * w;
        p_ = {{{p.x}, {p.y}, {p.z}}}, w_ = w, iterations = 0;
    }
    std::array<double, 7> state() const {
        return {q_[0].value, q_[1].value, q_[2].value, q_[3].value, p_[0].value, p_[1].value, p_[2].value};
    }
    long long iterations = 0;

  protected:
    Triple momentum() const { return {p_[0].value, p_[1].value, p_[2].value}; }
    void add(Triple d) { p_[0].add(d.x), p_[1].add(d.y), p_[2].add(d.z); }

    // q (s - 1, e), drawn back to length 1.
    void turn(Triple e) {
        const double u = dot(e, e), less = u / (1 + std::sqrt(1 - u));
        const double s = q_[0].value, a = q_[1].value, b = q_[2].value, c = q_[3].value;
        const double scale = (1 - (s * s + a * a + b * b + c * c)) / 2 - less;
        q_[0].add(scale * s - a * e.x - b * e.y - c * e.z);
        q_[1].add(scale * a + s * e.x + b * e.z - c * e.y);
        q_[2].add(scale * b + s * e.y + c * e.x - a * e.z);
        q_[3].add(scale * c + s * e.z + a * e.y - b * e.x);
    }

    // s I + (h/2) (hat(w) I - hat(I w)) - (h^2/4)/s (I w) w^T
    Columns3 matrix(Triple w, Triple Iw, double s) const {
        const double half = h_ / 2, outer = half * half / s;
        const auto column = [&](Triple i, Triple unit, double wi) {
            return s * i + half * (cross(w, i) + cross(unit, Iw)) - outer * wi * Iw;
        };
        return {column(I_.a, {1, 0, 0}, w.x), column(I_.b, {0, 1, 0}, w.y), column(I_.c, {0, 0, 1}, w.z)};
    }

    Columns3 I_;
    double h_;
    std::array<Compensated, 4> q_{};
    std::array<Compensated, 3> p_{};
    Triple w_{};
};

// The third component of the angular velocity is held at 0.
class Suslov : public TurningBody {
  public:
    Suslov(Columns3 inertia, double h) : TurningBody(inertia, h), inverse_(inertia.inverse()) {}

    void start(std::array<double, 4> q, Triple w) {
        TurningBody::start(q, w);
        const Triple torque = inverse_ * cross(I_ * w, w); // of the free body: its third component is taken away
        kick_ = h_ / 2 * torque.z / inverse_.c.z;
    }

    bool advance() {
        Triple p = momentum();
        p.z -= kick_;
        const double half = h_ / 2;
        Triple w = w_;
        Columns3 inverse{};
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++iterations;
            const Triple Iw = I_ * w;
            const double s = std::sqrt(1 - half * half * dot(w, w));
            if (rule.refresh()) inverse = matrix(w, Iw, s).inverse();
            const Triple d = inverse * (p - s * Iw - half * cross(w, Iw));
            w = w + d;
            if (!rule.done(largest(d) / largest(w))) continue;
            const Triple change = -h_ * cross(w, I_ * w);
            const double next = dot({inverse_.a.z, inverse_.b.z, inverse_.c.z}, p + change) / inverse_.c.z;
            add({change.x, change.y, change.z - kick_ - next});
            turn(half * w);
            kick_ = next, w_ = w;
            return true;
        }
        return false;
    }

  private:
    Columns3 inverse_;
    double kick_ = 0; // (h/2) lambda
};

// Its centre of mass lies on the third axis: V = weight R_33.
class HeavyTop : public TurningBody {
  public:
    HeavyTop(Columns3 inertia, double weight, double h) : TurningBody(inertia, h), weight_(weight) {}

    bool advance() {
        const Triple p = momentum();
        const double half = h_ / 2;
        Triple w = w_;
        Columns3 inverse{};
        NewtonRule rule;
        for (int i = 0; i < NewtonRule::most; ++i) {
            ++iterations;
            const Triple Iw = I_ * w, e = half * w;
            const double s = std::sqrt(1 - dot(e, e)), lever = h_ / (2 * (1 + s));
            const Triple up = vertical(e, s), F = torque(up);
            if (rule.refresh()) {
                Columns3 m = matrix(w, Iw, s);
                const auto with_torque = [&](Triple column, Triple unit) {
                    const Triple dF = half * torque(cross(up, unit));
                    return column - half * dF + lever * (cross(dF, e) + half * cross(F, unit));
                };
                m = {with_torque(m.a, {1, 0, 0}), with_torque(m.b, {0, 1, 0}), with_torque(m.c, {0, 0, 1})};
                inverse = m.inverse();
            }
            const Triple d = inverse * (p - s * Iw - half * cross(w, Iw) + half * F - lever * cross(F, e));
            w = w + d;
            if (!rule.done(largest(d) / largest(w))) continue;
            const Triple moved = torque(cross(up, half * d)); // the torque at the solution
            add(h_ * (F + moved - cross(w, I_ * w)));
            turn(half * w);
            w_ = w;
            return true;
        }
        return false;
    }

  private:
    Triple torque(Triple up) const { return {weight_ * up.y, -weight_ * up.x, 0}; }

    // The vertical seen from the body in the middle of the step: the third row of R, turned back by half the step.
    Triple vertical(Triple e, double s) const {
        const double n = 1 / std::sqrt(2 * (1 + s)), c = (1 + s) * n;
        const double x = n * e.x, y = n * e.y, z = n * e.z;
        const double s0 = q_[0].value, a0 = q_[1].value, b0 = q_[2].value, c0 = q_[3].value;
        const double t = s0 * c - a0 * x - b0 * y - c0 * z, a = s0 * x + a0 * c + b0 * z - c0 * y,
                     b = s0 * y + b0 * c + c0 * x - a0 * z, d = s0 * z + c0 * c + a0 * y - b0 * x;
        return {2 * (a * d - t * b), 2 * (b * d + t * a), 1 - 2 * (a * a + b * b)};
    }

    double weight_;
};

} // namespace hand
