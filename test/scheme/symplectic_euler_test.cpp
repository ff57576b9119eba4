// The symplectic Euler method against what is known of it.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

namespace rattleback {
namespace {

Model read(const std::string& lagrangian) {
    return read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"" + lagrangian +
                          "\"\n[initial]\nq = [0.8]\nv = [0.3]\n",
                      "oscillator.toml");
}

// Hairer, Lubich and Wanner, I.1: on the oscillator it keeps p^2 + q^2 - h p q (p first) or + h p q (q first).
TEST(SymplecticEuler, KeepsTheModifiedEnergyOfTheOscillator) {
    for (const double sign : {-1.0, 1.0}) {
        const double h = 0.3;
        const auto run =
            integrate(read("x'^2/2 - x^2/2"),
                      {.method = sign < 0 ? "symplectic_euler" : "symplectic_euler:first=q", .step = h, .steps = 1000});
        ASSERT_TRUE(run.report().ok());
        double worst = 0;
        const auto kept = [&](std::size_t k) {
            const double q = run.q(k, 0), p = run.p(k, 0);
            return p * p + q * q + sign * h * p * q;
        };
        for (std::size_t k = 0; k < run.q.rows(); ++k) worst = std::max(worst, std::abs(kept(k) - kept(0)));
        EXPECT_LE(worst, 4e-15); // measured: 1.4e-15
        EXPECT_GT(run.energy_error_max(), 0.05);
    }
}

// Written by hand, for a pendulum: p1 = p0 - h sin(q0), q1 = q0 + h p1, and the other way round.
TEST(SymplecticEuler, IsTheKickAndTheDrift) {
    const double h = 0.1;
    for (const bool p_first : {true, false}) {
        const auto run = integrate(
            read("x'^2/2 + cos(x)"),
            {.method = p_first ? "symplectic_euler:first=p" : "symplectic_euler:first=q", .step = h, .steps = 50});
        double q = 0.8, p = 0.3;
        for (int k = 1; k <= 50; ++k) {
            if (!p_first) q += h * p;
            p -= h * std::sin(q);
            if (p_first) q += h * p;
            EXPECT_NEAR(run.q(static_cast<std::size_t>(k), 0), q, 2e-14);
            EXPECT_NEAR(run.p(static_cast<std::size_t>(k), 0), p, 2e-14);
        }
    }
}

TEST(SymplecticEuler, RefusesConstraintsAndOtherOrders) {
    const Model ring = read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n"
                                  "[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]\n[initial]\nq = [1, 0]\nv = [0, 1]\n",
                                  "ring.toml");
    EXPECT_THROW(build_method(ring, parse_methods("symplectic_euler")[0]), Unsuitable);
    EXPECT_THROW(build_method(read("x'^2/2"), parse_methods("symplectic_euler:first=r")[0]), BadMethod);
}

} // namespace
} // namespace rattleback
