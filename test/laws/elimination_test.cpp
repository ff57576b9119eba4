// Elimination of the multipliers commutes with discretisation (McLachlan, Modin, Verdier and Wilkins 2014, section 2):
// a Runge-Kutta method on an index-1 system takes the steps that it takes on the ODE without multipliers. The ODEs are
// written by hand: H(q, p, lambda(q, p)) with lambda = -(G M^-1 G^T)^-1 G M^-1 p of Prop. 1, or with lambda from
// H_lambda = 0.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

namespace rattleback::laws {
namespace {

std::string heisenberg(const std::string& constraint) {
    return "coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\n"
           "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x^2 - 0.3*z^4 - y\"\n"
           "[constraints]\nprinciple = \"variational\"\nvelocity = [\"" +
           constraint + "\"]\n[initial]\nq = [0.3, -0.2, 0.1]\np = [0.4, 0.3, 0.8]\n";
}
const std::string heisenberg_reduced =
    "coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\n"
    "hamiltonian = \"(p_x^2 + p_y^2 + p_z^2 - (p_z - y*p_x + x*p_y)^2/(1 + x^2 + y^2))/2 + x^2 + 0.3*z^4 + y\"\n"
    "[initial]\nq = [0.3, -0.2, 0.1]\np = [0.4, 0.3, 0.8]\n";

const std::string with_multiplier = "variables = [\"x\", \"a\", \"l\"]\n[hamiltonian]\n"
                                    "formula = \"a^2/2 + x^4/4 + l^2*(2 + sin(x))/2 - l*(a + x)\"\n"
                                    "structure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n"
                                    "[initial]\nz = { x = 0.7, a = 0.2 }\n";
const std::string without_multiplier = "variables = [\"x\", \"a\"]\n[hamiltonian]\n"
                                       "formula = \"a^2/2 + x^4/4 - (a + x)^2/(2*(2 + sin(x)))\"\n"
                                       "structure = [[0, -1], [1, 0]]\n[initial]\nz = [0.7, 0.2]\n";

// Largest difference in (q, p), or in the first two variables, after 30 steps.
double difference(const std::string& one, const std::string& other, const std::string& method) {
    const RunOptions options{.method = method, .step = 0.1, .steps = 30};
    const Run a = integrate(read_model(one, "a.toml"), options), b = integrate(read_model(other, "b.toml"), options);
    EXPECT_TRUE(a.report().ok() && b.report().ok()) << a.report().text() << b.report().text();
    double worst = 0;
    const auto compare = [&](const char* group, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            worst = std::max(worst, std::abs(a.summary().end[group][i] - b.summary().end[group][i]));
    };
    if (a.z.columns() > 0) {
        compare("z", 2);
    } else {
        compare("q", 3);
        compare("p", 3);
    }
    return worst;
}

TEST(Elimination, CommutesWithDiscretisation) {
    for (const char* method : {"midpoint", "gauss:stages=2", "gauss:stages=3", "rk4"}) {
        EXPECT_LE(difference(heisenberg("z' - y*x' + x*y'"), heisenberg_reduced, method), 9e-16) << method; // 4.5e-16
        EXPECT_LE(difference(with_multiplier, without_multiplier, method), 2.3e-16) << method;              // 0
    }
}

// What would not be the same: another constraint, another method on one side.
TEST(Elimination, BreaksUnderMutants) {
    EXPECT_GT(difference(heisenberg("z' - y*x' + 1.000001*x*y'"), heisenberg_reduced, "gauss:stages=2"), 1e-8);
    const RunOptions rough{.method = "midpoint", .step = 0.1, .steps = 30},
        fine{.method = "gauss:stages=2", .step = 0.1, .steps = 30};
    const double x = integrate(read_model(heisenberg("z' - y*x' + x*y'"), "a.toml"), rough).summary().end["q"][0],
                 y = integrate(read_model(heisenberg_reduced, "b.toml"), fine).summary().end["q"][0];
    EXPECT_GT(std::abs(x - y), 1e-5);
}

} // namespace
} // namespace rattleback::laws
