// Two numbers, and 2 x 2 matrices: what hand-written eliminations are made of.
#pragma once

#include "hand/compensated.hpp"

namespace hand {

struct Pair {
    double a, b;
};

struct PairMatrix {
    double aa, ab, ba, bb;

    Pair operator*(Pair x) const { return {aa * x.a + ab * x.b, ba * x.a + bb * x.b}; }
    PairMatrix operator*(const PairMatrix& m) const {
        return {aa * m.aa + ab * m.ba, aa * m.ab + ab * m.bb, ba * m.aa + bb * m.ba, ba * m.ab + bb * m.bb};
    }
    PairMatrix operator+(const PairMatrix& m) const { return {aa + m.aa, ab + m.ab, ba + m.ba, bb + m.bb}; }
    PairMatrix operator-(const PairMatrix& m) const { return {aa - m.aa, ab - m.ab, ba - m.ba, bb - m.bb}; }
    PairMatrix inverse() const {
        const double r = 1 / (aa * bb - ab * ba);
        return {bb * r, -ab * r, -ba * r, aa * r};
    }
};
inline Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
inline Pair operator-(Pair x, Pair y) { return {x.a - y.a, x.b - y.b}; }
inline Pair operator*(double s, Pair x) { return {s * x.a, s * x.b}; }
inline PairMatrix operator*(double s, const PairMatrix& m) { return {s * m.aa, s * m.ab, s * m.ba, s * m.bb}; }
inline double dot(Pair x, Pair y) { return x.a * y.a + x.b * y.b; }
inline PairMatrix outer(Pair x, Pair y) { return {x.a * y.a, x.a * y.b, x.b * y.a, x.b * y.b}; }
inline double largest(Pair x) { return larger(absolute(x.a), absolute(x.b)); }

} // namespace hand
