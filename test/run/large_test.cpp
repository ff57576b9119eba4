// Chains so large that their formulas are rewritten for one site and copied for the others.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <numbers>

#include "run/stepper.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using Numbers = std::vector<long double>;

constexpr long double pi = std::numbers::pi_v<long double>;
constexpr int large = 30000;

// Springs between walls, and whatever holds each mass.
std::string chain(const std::string& hold) {
    return R"toml(
name = "chain"
coordinates = ["x[1..n]"]
[parameters]
n = 100
alpha = 0.25
k = 0.3
[definitions]
"x[0]" = "0"
"x[n+1]" = "0"
[mechanics]
kinetic = "sum(i in 1..n: x[i]'^2/2)"
potential = "sum(i in 1..n+1: (x[i] - x[i-1])^2/2 + alpha/3*(x[i] - x[i-1])^3) + )toml" +
           hold + R"toml("
[initial]
q = { "x[i]" = "sin(7*pi*i/(n+1))" }
v = { "x[i]" = "cos(3*pi*i/(n+1))" }
)toml";
}

struct Case {
    std::string hold;
    std::function<long double(int i, long double x)> slope; // of its potential
};
const Case cases[] = {
    {"sum(i in 1..n: k*x[i]^4/4)", [](int, long double x) { return 0.3L * x * x * x; }},
    // No two masses alike: nothing can be copied.
    {"sum(i in 1..n: k*i*x[i]^2/(2*n))", [](int i, long double x) { return 0.3L * i * x / large; }},
    // All alike but one.
    {"k*x[7]^4/4 + sum(i in 1..n: k*cos(x[i]))",
     [](int i, long double x) { return (i == 7 ? 0.3L * x * x * x : 0) - 0.3L * std::sin(x); }},
};

Numbers by_hand(const Case& c, int steps, long double h) {
    Numbers q(large + 2, 0), p(large + 2, 0), f(large + 2);
    for (int i = 1; i <= large; ++i)
        q[i] = std::sin(7 * pi * i / (large + 1)), p[i] = std::cos(3 * pi * i / (large + 1));
    const auto pull = [](long double s) { return s + 0.25L * s * s; };
    const auto kick = [&] {
        for (int i = 1; i <= large; ++i)
            p[i] += h / 2 * (pull(q[i + 1] - q[i]) - pull(q[i] - q[i - 1]) - c.slope(i, q[i]));
    };
    for (int k = 0; k < steps; ++k) {
        kick();
        for (int i = 1; i <= large; ++i) q[i] += h * p[i];
        kick();
    }
    q.erase(q.begin()), q.pop_back();
    return q;
}

TEST(Large, StepsAreThoseByHand) {
    for (const Case& c : cases) {
        const Model model = read_model(chain(c.hold), "chain", {.set = {{"n", std::to_string(large)}}});
        Stepper<double> stepper(model, build_method(model, parse_methods("del:ld=verlet")[0]));
        Report report;
        ASSERT_TRUE(stepper.start(report, 0.1)) << report.text();
        for (int k = 0; k < 3; ++k) ASSERT_TRUE(stepper.advance(k, 0.1, report)) << report.text();
        const Numbers expected = by_hand(c, 3, 0.1L);
        long double worst = 0;
        for (int i = 0; i < large; ++i) worst = std::max(worst, std::abs(stepper.state()[i] - expected[i]));
        EXPECT_LT(worst, 4.1e-16) << c.hold; // measured: 2.02e-16
    }
}

// A site takes as many operations in a long chain as in a short one.
TEST(Large, FormulasAreAsShortAsThoseOfShortChains) {
    for (const Case* c : {&cases[0], &cases[2]}) {
        const auto operands = [&](int n) {
            const Model model = read_model(chain(c->hold), "chain", {.set = {{"n", std::to_string(n)}}});
            Stepper<double> stepper(model, build_method(model, parse_methods("del:ld=verlet")[0]));
            return static_cast<double>(stepper.parts().solver().compiled().program.operands.size());
        };
        EXPECT_NEAR((operands(large) - operands(1000)) / (large - 1000), (operands(1000) - operands(500)) / 500, 0.01)
            << c->hold;
    }
}

// Sites that do not see each other are a block of Newton's method each. Sixteen times the sites took 60 times the time
// while each block had a table of all nodes of the graph; now 17 times.
TEST(Large, ManySmallBlocksAreCompiledInLinearTime) {
    const auto seconds = [](int n) {
        const std::string text = R"toml(
coordinates = ["x[1..n]"]
[parameters]
n = 10
[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2 - x[i]^4/4)"
[initial]
q = { "x[i]" = "0.5" }
v = { "x[i]" = "0.1" }
)toml";
        const Model model = read_model(text, "sites", {.set = {{"n", std::to_string(n)}}});
        const std::clock_t start = std::clock();
        compile(model, "gauss:stages=2");
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    const double few = std::min({seconds(2000), seconds(2000), seconds(2000)});
    EXPECT_LT(seconds(32000), 34 * few);
}

} // namespace
} // namespace rattleback
