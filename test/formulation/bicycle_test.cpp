// The Whipple bicycle against the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007): the nonlinear model,
// linearised about upright riding by exact derivatives, has their coefficients and their range of stable speeds.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <array>
#include <cmath>

#include "solve/implicit.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

// (lean'', steer'') as functions of x = (lean, steer, lean', steer'), at a given speed: 2 x 4.
class Linearised {
  public:
    Linearised() {
        for (const GalleryItem& item : gallery())
            if (item.name == "whipple_bicycle") model_.emplace(read_model(item.text, "bicycle.toml"));
        const Nonholonomic sys(*model_);
        const auto pick = [](const Vec& from, std::initializer_list<const char*> names) {
            Vec some;
            for (const char* name : names)
                for (std::size_t i = 0; i < from.size(); ++i)
                    if (from[i].name == name) some.push_back(from[i]);
            return some;
        };
        const Vec x = concat({pick(sys.q, {"lean", "steer"}), pick(sys.v, {"lean'", "steer'"})});
        const Vec others = concat({pick(sys.q, {"x", "y", "yaw", "rear", "front"}), pick(sys.v, {"rear'"})});
        const Vec rates = pick(sys.v, {"x'", "y'", "yaw'", "pitch'", "front'"});
        const Nonholonomic::Multiplier m = sys.multiplier();
        System system{model_->graph,
                      concat({x, others, model_->time_vec(), model_->parameter_vec()}),
                      {{pick(sys.q, {"pitch"}), {}}, {rates, {}}, {m.a, {}}, {m.lambda, {}}},
                      m.equations,
                      {}};
        system.equations.push_back(sys.g == zeros_like(sys.g));
        system.equations.push_back(sys.phi == zeros_like(sys.phi));
        system.results = Vec({m.a[3], m.a[5]});
        derivative_.emplace(system, std::vector{x});
    }

    Matrix<quad> at(quad speed) {
        std::vector<quad> given(10, 0), values;
        for (const Parameter& p : model_->parameters) {
            values.push_back(p.value);
            if (p.name == "rR") given.back() = -speed / p.value; // the rate of the rear wheel
        }
        given.push_back(0); // t
        given.insert(given.end(), values.begin(), values.end());
        std::vector<Matrix<quad>> d;
        Report report;
        EXPECT_TRUE(derivative_->at(given, d, report)) << report.text();
        return d[0];
    }

    // Of s^4 + e1 s^3 + e2 s^2 + e3 s + e4; stable where all are positive and so is e1 e2 e3 - e3^2 - e1^2 e4.
    std::array<quad, 5> characteristic(quad speed) {
        const Matrix<quad> m = at(speed);
        const auto a = [&](std::size_t i, std::size_t j) { return m(i, j); };
        const auto b = [&](std::size_t i, std::size_t j) { return m(i, j + 2); };
        return {1, -b(0, 0) - b(1, 1), b(0, 0) * b(1, 1) - b(0, 1) * b(1, 0) - a(0, 0) - a(1, 1),
                b(0, 0) * a(1, 1) + a(0, 0) * b(1, 1) - b(0, 1) * a(1, 0) - a(0, 1) * b(1, 0),
                a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0)};
    }

  private:
    std::optional<Model> model_;
    std::optional<solve::Implicit<quad>> derivative_;
};

template <class F> double root(F&& f, quad lo, quad hi) {
    const bool rising = f(lo) < 0;
    for (int i = 0; i < 60; ++i) {
        const quad middle = (lo + hi) / 2;
        ((f(middle) < 0) == rising ? lo : hi) = middle;
    }
    return static_cast<double>(lo);
}

TEST(Bicycle, HasTheCoefficientsOfTheBenchmark) {
    Linearised bicycle;
    for (const double v : {0.0, 3.0, 5.0}) {
        const double expected[2][4] = {{9.48977444677355, -0.891197738059089 * v * v - 0.571523173729245,
                                        -0.105522449805691 * v, -0.330515398992311 * v},
                                       {11.7194768719633, -1.97171508499972 * v * v + 30.9087533932407,
                                        3.67680523332152 * v, -3.08486552743311 * v}};
        const Matrix<quad> m = bicycle.at(v);
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                EXPECT_NEAR(static_cast<double>(m(i, j)), expected[i][j], 3e-13) << v << " " << i << " " << j;
    }
}

TEST(Bicycle, IsStableInTheRangeOfTheBenchmark) {
    Linearised bicycle;
    const auto weave = [&](quad v) {
        const auto e = bicycle.characteristic(v);
        return e[1] * e[2] * e[3] - e[3] * e[3] - e[1] * e[1] * e[4];
    };
    const auto capsize = [&](quad v) { return bicycle.characteristic(v)[4]; };
    EXPECT_NEAR(root(weave, 4, 5), 4.29238253634111, 5e-14);
    EXPECT_NEAR(root(capsize, 5.5, 6.5), 6.02426201538837, 5e-14);
    for (quad e : bicycle.characteristic(5)) EXPECT_GT(e, static_cast<quad>(0));
    EXPECT_GT(weave(5), static_cast<quad>(0));
}

// Seen in the nonlinear motion: a push dies out between the speeds, and not below.
TEST(Bicycle, RidesUprightInThatRangeOnly) {
    const auto ride = [](const char* speed, const char* push, double until) {
        for (const GalleryItem& item : gallery())
            if (item.name == "whipple_bicycle")
                return integrate(read_model(item.text, "m.toml", {.set = {{"V", speed}, {"W", push}}}),
                                 {.method = "nh_gauss:stages=2", .step = 0.01, .until = until});
        throw std::runtime_error("no bicycle");
    };
    const auto lean = [](const rattleback::Run& run) { return std::abs(run.q(run.q.rows() - 1, 3)); };
    const rattleback::Run steady = ride("4.6", "0.5", 10), slow = ride("4", "0.05", 10);
    EXPECT_LT(lean(steady), 0.01);
    EXPECT_LT(steady.energy_error_max() / steady.summary().energy_initial, 1e-10); // 1e-5 is asked for
    double largest = 0, first = 0;
    for (std::size_t k = 0; k < slow.q.rows(); ++k) {
        double& half = slow.t[k] < 5 ? first : largest;
        half = std::max(half, std::abs(slow.q(k, 3)));
    }
    EXPECT_GT(largest, 1.3 * first);
}

} // namespace
} // namespace rattleback
