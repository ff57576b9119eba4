// del on Q x Q, independently: L_d is written here by hand, its derivatives are differences in quad. Then
//   p0 = -D1 L_d(q0, q1) leads the program from q0 to q1,
//   the map (q0, q1) -> (q1, q2) preserves sum D12 L_d dq0 ^ dq1 (Marsden and West 2001, 1.3),
//   the momentum map -D1 L_d xi(q0) = D2 L_d xi(q1) is conserved.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>

#include "expr/real_functions.hpp"
#include "scheme/build.hpp"

namespace rattleback {
namespace {

using Point = std::vector<quad>;
using Action = quad (*)(const Point& q0, const Point& q1, quad h);

// A particle in the plane whose mass depends on the distance: invariant under rotations, not separable.
const std::string text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)*(1 + x^2 + y^2)/2 - (x^2 + y^2)/2 - (x^2 + y^2)^2/4"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [0.5, -0.2]
v = [0.3, 0.6]
)toml";
quad L(const Point& q, const Point& v) {
    const quad r2 = q[0] * q[0] + q[1] * q[1];
    return (v[0] * v[0] + v[1] * v[1]) * (1 + r2) / 2 - r2 / 2 - r2 * r2 / 4;
}

Point between(const Point& a, const Point& b, quad s) { return {(1 - s) * a[0] + s * b[0], (1 - s) * a[1] + s * b[1]}; }
Point slope(const Point& a, const Point& b, quad h) { return {(b[0] - a[0]) / h, (b[1] - a[1]) / h}; }
quad S_alpha(const Point& q0, const Point& q1, quad h, double alpha) {
    return h * L(between(q0, q1, static_cast<quad>(alpha)), slope(q0, q1, h));
}
quad midpoint(const Point& a, const Point& b, quad h) { return S_alpha(a, b, h, 0.5); }
quad quarter(const Point& a, const Point& b, quad h) { return S_alpha(a, b, h, 0.25); }
quad verlet(const Point& a, const Point& b, quad h) { return (S_alpha(a, b, h, 0) + S_alpha(a, b, h, 1)) / 2; }

// Partial gradient (which = 0: D1, 1: D2) by central differences.
Point D(Action Ld, const Point& q0, const Point& q1, quad h, int which) {
    const quad e = static_cast<quad>(1e-11);
    Point g;
    for (std::size_t i = 0; i < 2; ++i) {
        Point plus[2] = {q0, q1}, minus[2] = {q0, q1};
        plus[which][i] += e, minus[which][i] -= e;
        g.push_back((Ld(plus[0], plus[1], h) - Ld(minus[0], minus[1], h)) / (2 * e));
    }
    return g;
}
using Square = std::vector<Point>;
Square D12(Action Ld, const Point& q0, const Point& q1, quad h) {
    const quad e = static_cast<quad>(1e-8);
    Square m(2, Point(2));
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            for (int a : {-1, 1})
                for (int b : {-1, 1}) {
                    Point x = q0, y = q1;
                    x[i] += a * e, y[j] += b * e;
                    m[i][j] += a * b * Ld(x, y, h) / (4 * e * e);
                }
    return m;
}

struct Case {
    const char* method;
    Action Ld;
};
class QxQ : public testing::TestWithParam<Case> {
  protected:
    const Model model = read_model(text, "m.toml");
    const Method method = build_in_graph(model, parse_methods(GetParam().method)[0]);
    const Action Ld = GetParam().Ld;
    const quad h = static_cast<quad>(0.2);
    Stepper<quad> stepper{model, method};

    // The program's points after q0 from p0 = -D1 L_d(q0, q1).
    std::vector<Point> points(const Point& q0, const Point& q1, int count) {
        const Point d = D(Ld, q0, q1, h, 0);
        stepper.set_state({q0[0], q0[1], -d[0], -d[1]});
        std::vector<Point> all{q0};
        Report report;
        for (int k = 0; k < count; ++k) {
            EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
            all.push_back({stepper.state()[0], stepper.state()[1]});
        }
        return all;
    }
    void SetUp() override {
        Report report;
        ASSERT_TRUE(stepper.start(report)); // sets the guesses of Newton
    }
    const Point a{static_cast<quad>(0.5), static_cast<quad>(-0.2)},
        b{static_cast<quad>(0.57), static_cast<quad>(-0.06)};
};
double size(quad x) { return static_cast<double>(real::abs(x)); }

TEST_P(QxQ, MomentaAreDerivativesOfTheDiscreteLagrangian) {
    const auto q = points(a, b, 2);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LE(size(q[1][i] - b[i]), 1e-21);
    const Point D1 = D(Ld, q[1], q[2], h, 0), D2 = D(Ld, q[0], q[1], h, 1), end = D(Ld, q[1], q[2], h, 1);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LE(size(D1[i] + D2[i]), 1e-20); // the discrete Euler-Lagrange equations
        EXPECT_LE(size(stepper.state()[2 + i] - end[i]), 1e-20);
    }
}

TEST_P(QxQ, TheTwoFormIsPreserved) {
    const quad e = static_cast<quad>(1e-7);
    const Point c = points(a, b, 2)[2];
    Square P(2, Point(2)), Q = P; // dq2 = P dq0 + Q dq1
    for (std::size_t j = 0; j < 2; ++j)
        for (int sign : {1, -1}) {
            Point x = a, y = b;
            x[j] += sign * e, y[j] += sign * e;
            const Point by0 = points(x, b, 2)[2], by1 = points(a, y, 2)[2];
            for (std::size_t i = 0; i < 2; ++i) {
                P[i][j] += sign * by0[i] / (2 * e);
                Q[i][j] += sign * by1[i] / (2 * e);
            }
        }
    const Square A = D12(Ld, a, b, h), B = D12(Ld, b, c, h);
    const auto product = [&](const Square& m, std::size_t i, std::size_t k) {
        return B[i][0] * m[0][k] + B[i][1] * m[1][k];
    };
    // sum B dq1 ^ dq2 = sum (B P)_ik dq1_i ^ dq0_k + (B Q)_ik dq1_i ^ dq1_k
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 2; ++k) EXPECT_LE(size(-product(P, i, k) - A[k][i]), 1e-13);
    EXPECT_LE(size(product(Q, 0, 1) - product(Q, 1, 0)), 1e-13);
    EXPECT_GT(size(A[0][0]), 1); // about -m/h; differences are good to 4e-14
}

TEST_P(QxQ, TheMomentumMapIsConserved) {
    const auto q = points(a, b, 6);
    const auto xi = [](const Point& x) { return Point{-x[1], x[0]}; };
    quad first = 0;
    for (std::size_t k = 0; k + 1 < q.size(); ++k) {
        const Point D1 = D(Ld, q[k], q[k + 1], h, 0), D2 = D(Ld, q[k], q[k + 1], h, 1), x = xi(q[k]), y = xi(q[k + 1]);
        const quad minus = -(D1[0] * x[0] + D1[1] * x[1]), plus = D2[0] * y[0] + D2[1] * y[1];
        if (k == 0) first = minus;
        EXPECT_LE(size(minus - first), 1e-20);
        EXPECT_LE(size(plus - first), 1e-20);
    }
}

INSTANTIATE_TEST_SUITE_P(All, QxQ,
                         testing::Values(Case{"del", midpoint}, Case{"del:ld=alpha:alpha=1/4", quarter},
                                         Case{"del:ld=verlet", verlet}, Case{"del:ld=sym_alpha:alpha=1/2", midpoint},
                                         Case{"del:ld=galerkin:stages=1", midpoint}),
                         [](const auto& c) {
                             std::string name = c.param.method;
                             std::replace_if(
                                 name.begin(), name.end(), [](char x) { return !std::isalnum(x); }, '_');
                             return name;
                         });

} // namespace
} // namespace rattleback
