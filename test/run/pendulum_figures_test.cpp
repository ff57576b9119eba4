// Figures 1 to 6 of Leimkuhler and Reich 1994: the Cartesian pendulum, m = l = 1.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

Model pendulum(double g, double v = -2) {
    return read_model(
        "coordinates = [\"x\", \"y\"]\n[parameters]\ng = " + std::to_string(g) + "\nv = " + std::to_string(v) +
            "\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - g*y\"\n[constraints]\nholonomic = [\"(x^2 + y^2 "
            "- 1)/2\"]\n[observables]\nphi = \"(x^2 + y^2 - 1)/2\"\npsi = \"x*p_x + y*p_y\"\n[initial]\nq = "
            "[1, 0]\nv = [0, \"v\"]\n",
        "pendulum.toml");
}

struct Figure {
    Run run;
    double energy, phi, psi; // the largest errors
};

Figure figure(double g, const std::string& method, double step, double until) {
    Figure f{integrate(pendulum(g), {.method = method, .step = step, .until = until}), 0, 0, 0};
    f.energy = f.run.energy_error_max();
    for (std::size_t k = 0; k < f.run["observables"].rows(); ++k)
        f.phi = std::max(f.phi, std::abs(f.run["observables"](k, 0))),
        f.psi = std::max(f.psi, std::abs(f.run["observables"](k, 1)));
    return f;
}

void expect_two_digits(double found, double expected) { EXPECT_NEAR(found, expected, 0.05 * expected); }

TEST(Figure, OneBdf2LosesTheEnergy) {
    const std::pair<double, std::vector<double>> cases[] = {{0, {0.49661, 0.49631, 0.49571, 0.49451}},
                                                            {1, {0.48040, 0.47124, 0.47549, 0.44329}},
                                                            {10, {-1.59021, -3.0809, -4.76708, -6.60144}}};
    for (const auto& [g, energies] : cases) {
        const auto run = integrate(pendulum(g, -1), {.method = "bdf2", .step = 0.05, .until = 40.0});
        std::size_t i = 0;
        for (std::size_t k : {100u, 200u, 400u, 800u}) EXPECT_NEAR(run.energy()[k], energies[i++], 1e-4) << "g = " << g;
    }
}

TEST(Figure, TwoChartsLetTheEnergyDrift) {
    const std::pair<double, std::vector<double>> cases[] = {{0, {-5.5e-4, -8.2e-4, -1.29e-3, -1.61e-3, -2.04e-3}},
                                                            {1, {-5.3e-4, -1.15e-3, -1.83e-3, -2.16e-3, -2.55e-3}}};
    for (const auto& [g, drifts] : cases) {
        const Figure f = figure(g, "state_space", 0.01, 100);
        for (std::size_t i = 0; i < drifts.size(); ++i)
            EXPECT_NEAR(f.run.energy()[2000 * (i + 1)] - f.run.energy()[0], drifts[i], 1e-5) << "g = " << g;
        EXPECT_LT(f.phi, 4e-16);
        EXPECT_GT(f.run.summary().chart_changes, 100) << "four a turn";
        EXPECT_EQ(f.run.summary().charts[0].second, "y");
        EXPECT_EQ(f.run.summary().charts[1].second, "x");
    }
}

TEST(Figure, ThreeDiracIsACentre) {
    const double expected[][5] = {{0, 0.1, 0.0388, 0.00990, 0.0198},
                                  {0, 0.05, 0.00993, 0.00249, 0.00499},
                                  {1, 0.1, 0.0628, 0.0118, 0.0238},
                                  {1, 0.05, 0.0161, 0.0030, 0.0062}};
    for (const auto& [g, h, energy, phi, psi] : expected) {
        const Figure f = figure(g, "dirac", h, 100);
        expect_two_digits(f.energy, energy), expect_two_digits(f.phi, phi), expect_two_digits(f.psi, psi);
    }
}

TEST(Figure, FourTheSimplifiedFormBlowsUp) {
    const double expected[][5] = {{0, 5.3e-3, 1.3e-3, 5.5e-3, 2.38}, {1, 2.3e-2, 3.6e-3, 1.8e-2, 2.19}};
    for (const auto& [g, energy, phi, psi, end] : expected) {
        const Figure f = figure(g, "dirac_simplified", 0.01, 1);
        expect_two_digits(f.energy, energy), expect_two_digits(f.phi, phi), expect_two_digits(f.psi, psi);
        const Figure longer = figure(g, "dirac_simplified", 0.01, 5);
        EXPECT_FALSE(longer.run.report().ok());
        EXPECT_NEAR(longer.run.t.back(), end, 0.02) << "g = " << g;
    }
}

TEST(Figure, FiveTheStandardFormDrifts) {
    const Figure still = figure(0, "underlying", 0.1, 100), falling = figure(1, "underlying", 0.1, 100);
    EXPECT_LT(std::max({still.energy, still.phi, still.psi}), 3e-12) << "measured 1.4e-12";
    expect_two_digits(falling.energy, 0.0140), expect_two_digits(falling.phi, 0.00253);
    EXPECT_LT(falling.psi, 2e-14) << "a strong invariant, quadratic";
    expect_two_digits(figure(1, "rattle", 0.1, 100).energy, 0.01391);
    expect_two_digits(figure(1, "lobatto:stages=3", 0.1, 100).energy, 4.874e-6);
}

TEST(Figure, SixTheWeakFormKeepsEverything) {
    for (double g : {0.0, 1.0})
        for (const char* method : {"dirac_weak", "dirac_weak:correct=no", "dirac_weak:stages=4"}) {
            const Figure f = figure(g, method, 0.1, 100);
            const bool corrected = std::string_view(method).find("correct=no") == std::string_view::npos;
            EXPECT_LT(std::max({f.energy, f.phi, f.psi}), corrected ? 1e-14 : 2.3e-14) << method << ", g = " << g;
        }
}

} // namespace
} // namespace rattleback
