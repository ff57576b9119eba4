// lambda^h of McLachlan, Modin, Verdier and Wilkins (2014, Prop. 6), shown beside lambda: against the multiplier of the
// holonomically constrained Hamiltonian system without lambda, written by hand.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

const std::string variational = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
holonomic = ["(x^2 + y^2 + (z - 0.1*sin(t))^2 - 1)/2"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[initial]
q = [0.8, 0, -0.6]
v = [0.3, -0.625, 0.5]
lambda = [0.5]
)toml";
const std::string reduced = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + p_z^2 - (p_z - y*p_x + x*p_y)^2/(1 + x^2 + y^2))/2 + z"
[constraints]
holonomic = ["(x^2 + y^2 + (z - 0.1*sin(t))^2 - 1)/2"]
[initial]
q = [0.8, 0, -0.6]
p = [0.3, -1.025, 0]
)toml";

// The largest difference of the two over a run.
double difference(const std::string& one, const std::string& other, const char* method) {
    const RunOptions options{.method = method, .step = 0.05, .until = 2.0};
    const Run a = integrate(read_model(one, "a.toml"), options), b = integrate(read_model(other, "b.toml"), options);
    EXPECT_TRUE(a.report().ok() && b.report().ok()) << a.report().text() << b.report().text();
    double worst = 0;
    for (std::size_t k = 0; k < a.t.size(); ++k)
        worst = std::max(worst, std::abs(a["lambda_h"](k, 0) - b.lambda(k, 0)));
    return worst;
}

TEST(HolonomicMultipliers, AreThoseOfTheSystemWithoutTheOthers) {
    std::string heavier = reduced;
    heavier.replace(heavier.find("/2 + z"), 6, "/2 + 1.0001*z");
    for (const char* method : {"lobatto:stages=2", "lobatto:stages=3"}) {
        EXPECT_LE(difference(variational, reduced, method), 2.3e-15) << method; // 1.1e-15
        EXPECT_GT(difference(variational, heavier, method), 1e-5) << method;
    }
}

TEST(HolonomicMultipliers, HaveAColumnOfTheirOwn) {
    const auto run =
        integrate(read_model(variational, "a.toml"), {.method = "rattle_midpoint", .step = 0.05, .steps = 1});
    EXPECT_TRUE(run.record.column("lambda_h_1"));
    EXPECT_TRUE(run.record.column("lambda_1"));
    EXPECT_FALSE(run.record.column("lambda_2"));
}

} // namespace
} // namespace rattleback
