// Periodic paths: closed forms, the structure of the monodromy matrix, and what is refused.
#include "problems.hpp"

#include <numbers>

namespace rattleback::boundary_test {
namespace {

std::string periodic(const std::string& mechanics, const std::string& time, const std::string& initial,
                     const std::string& coordinates = "\"x\"") {
    return "coordinates = [" + coordinates + "]\n[mechanics]\n" + mechanics +
           "\n[boundary]\nperiodic = true\ntime = " + time + "\n[initial]\n" + initial + "\n[run]\nuntil = 10\n";
}

// 4 K(sin(a/2)) = 2 pi / agm(1, cos(a/2)).
double pendulum_period(double amplitude) {
    double a = 1, b = std::cos(amplitude / 2);
    for (int i = 0; i < 8; ++i) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b), a = mean;
    }
    return 2 * std::numbers::pi / a;
}

const std::string pendulum = "lagrangian = \"x'^2/2 + cos(x)\"";

TEST(Periodic, PendulumHasThePeriodOfTheEllipticIntegral) {
    const Solution s = solved(periodic(pendulum, "\"free\"", "q = [2]\nv = [0]"));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().time, pendulum_period(2), 4e-14);
    EXPECT_NEAR(s.best().q0[0], 2, 1e-15);
    EXPECT_NEAR(s.orbit->energy, -std::cos(2.0), 1e-15);
    EXPECT_TRUE(s.orbit->is_stable);
    EXPECT_TRUE(s.note.empty()) << s.note;
    EXPECT_NEAR(s.run.t.back(), s.best().time, 1e-14);
}

TEST(Periodic, APeriodThatIsGivenHasItsAmplitude) {
    const Solution s = solved(periodic(pendulum, "8", "q = [2]\nv = [0]"));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_EQ(s.best().time, 8);
    EXPECT_NEAR(pendulum_period(std::acos(-s.orbit->energy)), 8, 2e-14);
}

// The rod as a constraint: the same orbit, and a monodromy matrix of the one direction that is allowed.
TEST(Periodic, OnAConstraint) {
    const std::string mechanics =
        "lagrangian = \"(x'^2 + y'^2)/2 - y\"\n[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]";
    const Solution s =
        solved(periodic(mechanics, "\"free\"", "q = [\"sin(2)\", \"-cos(2)\"]\nv = [0, 0]", "\"x\", \"y\""));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().time, pendulum_period(2), 4e-11);
    EXPECT_EQ(s.orbit->monodromy.rows, 2u);
    // One turn of the phase is free, a change of amplitude changes the period: a block of Jordan's form.
    EXPECT_NEAR(s.orbit->monodromy(0, 0) + s.orbit->monodromy(1, 1), 2, 1e-9);
    const double slope = (pendulum_period(2 + 1e-5) - pendulum_period(2 - 1e-5)) / 2e-5;
    EXPECT_NEAR(std::abs(s.orbit->monodromy(1, 0)), slope * std::pow(std::sin(2.0), 2) / std::sin(2.0), 1e-8);
}

TEST(Periodic, KeplersThirdLaw) {
    const Solution s = solved(periodic("hamiltonian = \"(p_x^2 + p_y^2)/2 - 1/hypot(x, y)\"", "7",
                                       "q = [1, 0]\np = [0, 1.1]", "\"x\", \"y\""));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what; // through orbits of other periods: 8.95 at first
    EXPECT_NEAR(s.orbit->energy, -std::pow(2 * std::numbers::pi / 7, 2.0 / 3) / 2, 1e-14);
    EXPECT_GT(s.starts, 1);
}

// x'' = -x - c x' + cos(w t): one orbit, which attracts all others by exp(-c T/2).
TEST(Periodic, DrivenAndDamped) {
    const double w = 1.5, c = 0.2, T = 2 * std::numbers::pi / w;
    const Solution s = solved(periodic("lagrangian = \"x'^2/2 - x^2/2\"\nforce = { x = \"cos(1.5*t) - 0.2*x'\" }",
                                       "\"2*pi/1.5\"", "q = [0]\nv = [0]"));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    const double a = 1 - w * w, size = a * a + c * c * w * w;
    EXPECT_NEAR(s.best().q0[0], a / size, 1e-13);
    EXPECT_NEAR(s.best().p0[0], c * w * w / size, 1e-13);
    for (const std::complex<double>& m : s.orbit->multipliers) EXPECT_NEAR(std::abs(m), std::exp(-c * T / 2), 1e-13);
    const double angle = 2 * std::numbers::pi - T * std::sqrt(1 - c * c / 4);
    EXPECT_NEAR(std::abs(std::arg(s.orbit->multipliers[0])), angle, 1e-12);
}

// The period of Van der Pol's oscillator, known to many digits; the other multiplier is exp of the mean divergence.
TEST(Periodic, ALimitCycle) {
    const Solution s = solved(periodic("lagrangian = \"x'^2/2 - x^2/2\"\nforce = { x = \"(1 - x^2)*x'\" }", "\"free\"",
                                       "q = [2]\nv = [0.1]"));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().time, 6.6632868593231302, 2e-14);
    double divergence = 0;
    for (std::size_t k = 0; k + 1 < s.run.t.rows(); ++k)
        divergence += (1 - s.run.q[k] * s.run.q[k]) * s.best().time / static_cast<double>(s.steps);
    EXPECT_NEAR(std::abs(s.orbit->multipliers[0]), 1, 1e-10);
    EXPECT_NEAR(std::abs(s.orbit->multipliers[1]), std::exp(divergence), 1e-9);
    EXPECT_TRUE(s.orbit->is_stable);
}

Solution figure_eight(const LoadOptions& options = {}) {
    for (const GalleryItem& item : gallery())
        if (item.name == "figure_eight_orbit") return find_path(read_model(item.text, "figure_eight.toml", options));
    throw Error("figure_eight_orbit is not in the gallery");
}

TEST(Periodic, FigureEight) {
    const Solution s = figure_eight();
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_NEAR(s.best().time, 6.32591398292621, 4e-13); // Simo 2002
    EXPECT_TRUE(s.orbit->is_stable);
    EXPECT_NEAR(s.orbit->multipliers[0].real(), 1, 1e-5);
    int circling = 0;
    for (const std::complex<double>& m : s.orbit->multipliers) {
        const double turns = std::abs(std::arg(m)) / (2 * std::numbers::pi);
        if (turns < 1e-3) continue; // of conserved quantities
        ++circling;
        EXPECT_NEAR(std::abs(m), 1, 1e-10);
        EXPECT_LE(std::min(std::abs(turns - 0.008422724), std::abs(turns - 0.298092529)), 1e-9); // likewise
    }
    EXPECT_EQ(circling, 4);
}

// From two digits, an orbit that is scaled: the period goes like |E|^(-3/2).
TEST(Periodic, FigureEightFromARoughGuess) {
    LoadOptions rough;
    rough.set = {{"a", "0.97"}, {"b", "-0.24"}, {"vx", "-0.93"}, {"vy", "-0.86"}};
    const Solution exact = figure_eight(), s = figure_eight(rough);
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_GT(std::abs(s.orbit->energy - exact.orbit->energy), 1e-3);
    EXPECT_NEAR(s.best().time * std::pow(s.orbit->energy / exact.orbit->energy, 1.5), exact.best().time, 1e-12);
}

// M^T J M = J.
TEST(Periodic, TheMonodromyMatrixIsSymplectic) {
    const Matrix<double> m = figure_eight().orbit->monodromy;
    const std::size_t n = m.rows / 2;
    double off = 0;
    for (std::size_t i = 0; i < 2 * n; ++i)
        for (std::size_t j = 0; j < 2 * n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += m(k, i) * m(n + k, j) - m(n + k, i) * m(k, j);
            off = std::max(off, std::abs(sum - (j == i + n ? 1 : i == j + n ? -1 : 0)));
        }
    EXPECT_LE(off, 4e-12);
}

TEST(Periodic, AnOrbitThatGoesRoundTwiceSaysSo) {
    const Solution s = solved(periodic("lagrangian = \"x'^2/2 - x^2/2\"", "\"4*pi\"", "q = [1]\nv = [0]"));
    ASSERT_EQ(s.status, Solution::Status::solved) << s.what;
    EXPECT_EQ(s.note, "goes round 2 times: the shortest period is 6.283185307179586");
}

TEST(Periodic, WhatIsNotThereFails) {
    const auto fails = [](const std::string& text, const std::string& what, const std::string& remedy) {
        const Solution s = solved(text);
        EXPECT_EQ(s.status, Solution::Status::failed);
        EXPECT_EQ(s.what, what);
        EXPECT_EQ(s.remedy, remedy);
        EXPECT_TRUE(s.extremals.empty());
        EXPECT_FALSE(s.orbit.has_value());
    };
    fails(periodic(pendulum, "8", "q = [0]\nv = [0]"), "[initial] is at rest: every time is a period",
          "begin where something moves");
    fails(periodic("lagrangian = \"x'^2/2\"", "\"free\"", "q = [0]\nv = [1]"),
          "the motion from [initial] does not come near its start again",
          "try another [initial], a longer until in [run], or write time in [boundary]");
    fails(periodic("lagrangian = \"x'^2/2\"", "2", "q = [0]\nv = [1]"),
          "the path has shrunk to a point, an equilibrium, where every time is a period",
          "try another time, or time = \"free\"");
    volatile int stop = 1;
    const Solution s = solved(periodic(pendulum, "8", "q = [2]\nv = [0]"), {.interrupt = &stop});
    EXPECT_EQ(s.status, Solution::Status::interrupted);
    EXPECT_EQ(s.what, "interrupted before a path was found");
}

TEST(Periodic, WhatDoesNotFitIsRefused) {
    const auto refused = [](const std::string& text, const std::string& message) {
        try {
            solved(text);
            ADD_FAILURE() << "not refused: " << message;
        } catch (const Error& e) { EXPECT_EQ(e.what(), message); }
    };
    std::string text = double_integrator;
    text.replace(text.find("from"), std::string::npos,
                 "periodic = true\ntime = 1\n[initial]\nq = [0, 0]\np = [1, 0]\n");
    refused(text,
            "periodic paths of control problems are not supported; [boundary] from and to say where a path begins "
            "and ends");
    refused(periodic("lagrangian = \"(x'^2 + y'^2 + a'^2)/2\"\n[constraints]\nvelocity = [\"x'*sin(a) - y'*cos(a)\"]",
                     "1", "q = [0, 0, 0]\nv = [1, 0, 1]", "\"x\", \"y\", \"a\""),
            "periodic paths of nonholonomic motions are not supported: their methods do not carry (q, p)");
    refused(periodic("lagrangian = \"x'^2/2 - x^2/2 + x*cos(t)\"", "\"free\"", "q = [0]\nv = [1]"),
            "the model depends on t, so a periodic path takes the time of what drives it, or a multiple: write it as "
            "time in [boundary]");
    refused(periodic("lagrangian = \"x'^2/2 - x^2/2 + x*cos(t)\"", "6", "q = [0]\nv = [1]"),
            "the model depends on t, and not with the period 6: time in [boundary] must be the period of what drives "
            "it, or a multiple");
    text = periodic(pendulum, "8", "q = [2]\nv = [0]");
    text.replace(text.find("[initial]"), std::string::npos, "");
    refused(text, "a periodic path needs [initial]: a point near it, where the search begins");
    text = periodic(pendulum, "\"free\"", "q = [2]\nv = [0]");
    text.replace(text.find("[run]"), std::string::npos, "");
    refused(text, "a free period is looked for as long as [run] says: write until there, or time in [boundary]");
}

// Conditions at the ends speak of single members: paths of families are those of the same coordinates one by one.
TEST(Periodic, FamiliesBetweenTwoEnds) {
    const std::string ends = "[boundary]\nfrom = [0, 0]\nto = [1, 2]\ntime = 1\n";
    const Solution family = solved("coordinates = [\"x[1..2]\"]\n[mechanics]\nlagrangian = \"sum(i in 1..2: x[i]'^2/2) "
                                   "- (x[1] - x[2])^2/2\"\n" +
                                   ends);
    const Solution single =
        solved("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - (x - y)^2/2\"\n" + ends);
    ASSERT_EQ(family.status, Solution::Status::solved) << family.what;
    EXPECT_NEAR(family.best().cost, single.best().cost, 1e-14);
    EXPECT_LE(apart(family.best().p0, single.best().p0), 1e-13);
}

} // namespace
} // namespace rattleback::boundary_test
