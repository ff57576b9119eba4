// The necessary conditions of the discrete problem (de Leon, Martin de Diego and Santamaria 2004, section 3), with
// derivatives written by hand:
//     q_{k+1} = q_k + h Gamma(q_k, u_k),   p_k = p_{k+1} + h (L_q + p_{k+1} Gamma_q)(q_k, u_k),
//     (L_u + p_{k+1} Gamma_u)(q_k, u_k) = 0,   p_N = phi_q where the end is free.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

// A unicycle that pays for its place, too.
const std::string uphill = R"-(coordinates = ["x", "y", "theta"]
[control]
inputs   = ["v", "w"]
dynamics = { x = "v*cos(theta)", y = "v*sin(theta) + x^2/4", theta = "w" }
cost     = "(v^2 + w^2)/2 + v*w/4 + y^2/3"
)-";
struct Uphill {
    static std::vector<double> inputs(std::span<const double> q, std::span<const double> p) {
        const double a = -(p[0] * std::cos(q[2]) + p[1] * std::sin(q[2])), b = -p[2]; // v + w/4 = a, v/4 + w = b
        return {(a - b / 4) / (15.0 / 16), (b - a / 4) / (15.0 / 16)};
    }
    static std::vector<double> rates(std::span<const double> q, std::span<const double> p) { // H_p, H_q
        const auto u = inputs(q, p);
        const double c = std::cos(q[2]), s = std::sin(q[2]);
        return {u[0] * c,     u[0] * s + q[0] * q[0] / 4,  u[1], p[1] * q[0] / 2,
                2 * q[1] / 3, u[0] * (p[1] * c - p[0] * s)};
    }
    static double cost(std::span<const double> q, const std::vector<double>& u) {
        return (u[0] * u[0] + u[1] * u[1]) / 2 + u[0] * u[1] / 4 + q[1] * q[1] / 3;
    }
};

double largest_residual(const Run& run, double h) {
    double worst = 0;
    for (std::size_t k = 0; k + 1 < run.t.rows(); ++k) {
        const auto rates = Uphill::rates(run.q.row(k), run.p.row(k + 1));
        for (std::size_t i = 0; i < 3; ++i) {
            worst = std::max(worst, std::abs(run.q(k + 1, i) - run.q(k, i) - h * rates[i]));
            worst = std::max(worst, std::abs(run.p(k, i) - run.p(k + 1, i) - h * rates[3 + i]));
        }
    }
    return worst;
}

double discrete_cost(const Run& run, double h) {
    double sum = 0;
    for (std::size_t k = 0; k + 1 < run.t.rows(); ++k)
        sum += h * Uphill::cost(run.q.row(k), Uphill::inputs(run.q.row(k), run.p.row(k + 1)));
    return sum;
}

TEST(Conditions, OfEveryStepBetweenFixedEnds) {
    const Solution s = solved(uphill + "[boundary]\nfrom = [0, 0, 0.2]\nto = [1, 0.5, -0.3]\ntime = 2\n",
                              {.method = "type2", .steps = 40});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_LE(largest_residual(s.run, 2.0 / 40), 1e-13);
    EXPECT_NEAR(s.best().cost, discrete_cost(s.run, 2.0 / 40), 1e-13);
    EXPECT_LE(apart(s.best().q, {1, 0.5, -0.3}), 1e-14);
    EXPECT_LE(apart(s.u_first, Uphill::inputs(s.run.q.row(0), s.run.p.row(1))), 1e-13);
    EXPECT_LE(apart(s.u_last, Uphill::inputs(s.run.q.row(39), s.run.p.row(40))), 1e-13);
}

// p_N = phi_q where the end is free, p_N = phi_q + nu c_q where it lies on a set; p_0 = 0 where the start is free.
TEST(Conditions, OfFreeAndMixedEnds) {
    const std::string terminal = "terminal_cost = \"2*(x - 1)^2 + y^2*theta\"\n[boundary]\ntime = 1\n";
    const auto slope = [](std::span<const double> q) {
        return std::vector<double>{4 * (q[0] - 1), 2 * q[1] * q[2], q[1] * q[1]};
    };
    const SolveOptions options{.method = "type2", .steps = 25};
    const double h = 1.0 / 25;
    const auto last = [](const Table& of) { return of.row(of.rows() - 1); };

    Solution s = solved(uphill + terminal + "from = [0, 0.4, 0.2]\nto = {}\n", options);
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_LE(largest_residual(s.run, h), 1e-13);
    EXPECT_LE(apart(s.best().p, slope(last(s.run.q))), 1e-13);
    const double x = s.best().q[0], y = s.best().q[1], theta = s.best().q[2];
    EXPECT_NEAR(s.best().cost, discrete_cost(s.run, h) + 2 * (x - 1) * (x - 1) + y * y * theta, 1e-13);

    s = solved(uphill + terminal + "from = [0, 0.4, 0.2]\nto = { y = 1 }\n", options);
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_LE(largest_residual(s.run, h), 1e-13);
    EXPECT_NEAR(s.best().q[1], 1, 1e-14);
    EXPECT_NEAR(s.best().p[0], slope(last(s.run.q))[0], 1e-13);
    EXPECT_NEAR(s.best().p[2], slope(last(s.run.q))[2], 1e-13);

    s = solved(uphill + terminal + "from = { x = 0, theta = 0.2 }\nto = [\"x^2 + y^2 - 1\", \"theta - x\"]\n", options);
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_LE(largest_residual(s.run, h), 1e-13);
    EXPECT_NEAR(s.best().p0[1], 0, 1e-13); // y is free at the start
    const auto q = last(s.run.q);
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1], 1, 1e-13);
    EXPECT_NEAR(q[2], q[0], 1e-13);
    // p - phi_q is a combination of (2 x, 2 y, 0) and (-1, 0, 1): normal to the tangent (y, -x, y).
    const auto rest = slope(q);
    EXPECT_NEAR((s.best().p[0] - rest[0]) * q[1] - (s.best().p[1] - rest[1]) * q[0] + (s.best().p[2] - rest[2]) * q[1],
                0, 1e-12);
}

// Theorem 3.2 and Prop. 3.3: with the end free and the terminal cost p_N . q the cost is S(q_0, p_N), the generating
// function of the second kind of all steps together, or of the flow: S_q = p_0 and S_p = q_N.
TEST(Conditions, CostsAreGeneratingFunctions) {
    const auto path = [](const std::string& method, const std::vector<double>& x) {
        const auto number = [&](std::size_t i) { return "(" + real::to_text(x[i]) + ")"; };
        return solved(uphill + "terminal_cost = \"" + number(3) + "*x + " + number(4) + "*y + " + number(5) +
                          "*theta\"\n[boundary]\nfrom = { x = \"" + number(0) + "\", y = \"" + number(1) +
                          "\", theta = \"" + number(2) + "\" }\ntime = 1\n",
                      {.method = method, .steps = 12, .starts = 1});
    };
    const std::vector<double> here = {0.1, 0.2, 0.3, -0.6, 0.4, 0.2};
    for (const char* method : {"type2", "gauss:stages=4"}) {
        const Solution s = path(method, here);
        ASSERT_EQ(s.status, Solution::Status::solved);
        std::vector<double> slope;
        for (std::size_t i = 0; i < 6; ++i) {
            std::vector<double> below = here, above = here;
            below[i] -= 1e-4, above[i] += 1e-4;
            slope.push_back((path(method, above).best().cost - path(method, below).best().cost) / 2e-4);
        }
        EXPECT_LE(apart({slope.begin(), slope.begin() + 3}, s.best().p0), 2e-8) << method;
        EXPECT_LE(apart({slope.begin() + 3, slope.end()}, s.best().q), 2e-8) << method;
        EXPECT_GT(std::abs(s.best().p0[2] - 0.2), 0.01); // p and q have moved
    }
}

// Half a step of type2 and half a step of its adjoint: p_h = p_0 - (h/2) H_q(q_0, p_h) and so on.
TEST(Conditions, OfSymmetricSteps) {
    const Solution s = solved(uphill + "[boundary]\nfrom = [0, 0, 0.2]\nto = [1, 0.5, -0.3]\ntime = 2\n",
                              {.method = "type2_sym", .steps = 40});
    ASSERT_EQ(s.status, Solution::Status::solved);
    const double half = 1.0 / 40;
    for (std::size_t k = 0; k < 40; ++k) {
        std::vector<double> p(s.run.p.row(k).begin(), s.run.p.row(k).end()), next = p; // p_h, by iteration
        for (int i = 0; i < 60; ++i) {
            const auto rates = Uphill::rates(s.run.q.row(k), next);
            for (std::size_t c = 0; c < 3; ++c) next[c] = p[c] - half * rates[3 + c];
        }
        const auto first = Uphill::rates(s.run.q.row(k), next), second = Uphill::rates(s.run.q.row(k + 1), next);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(s.run.q(k + 1, c) - s.run.q(k, c), half * (first[c] + second[c]), 1e-13);
            EXPECT_NEAR(s.run.p(k + 1, c), next[c] - half * second[3 + c], 1e-13);
        }
    }
}

} // namespace
} // namespace rattleback::boundary_test
