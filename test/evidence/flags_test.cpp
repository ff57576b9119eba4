// Growth vectors by numbers: power series along flows in place of formulas of brackets.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <numeric>

#include "evidence/distribution.hpp"
#include "evidence/jets.hpp"
#include "model/copy.hpp"

namespace rattleback {
namespace {

using Growth = std::vector<int>;

// Unit masses with these constraints.
Distribution distribution(const std::vector<std::string>& coordinates, const std::vector<std::string>& constraints,
                          const std::vector<double>& start) {
    std::string names, formulas, energy, q, v;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const std::string comma = i ? ", " : "";
        names += comma + "\"" + coordinates[i] + "\"", energy += (i ? " + " : "") + coordinates[i] + "'^2";
        q += comma + std::to_string(start[i]), v += comma + "0";
    }
    for (const std::string& c : constraints) formulas += (formulas.empty() ? "\"" : ", \"") + c + "\"";
    const Model model = deep_copy(read_model("coordinates = [" + names + "]\n[mechanics]\nlagrangian = \"(" + energy +
                                                 ")/2\"\n[constraints]\nvelocity = [" + formulas +
                                                 "]\n[initial]\nq = [" + q + "]\nv = [" + v + "]\n",
                                             "m.toml"));
    const Sample sample(model);
    return Distribution(sample, model.velocity);
}

// A car that pulls trailers: x and y of the last axle, the angles of all, the steering wheel.
Distribution car(int trailers, double bend) {
    std::vector<std::string> names{"x", "y"}, constraints;
    std::vector<double> start{0, 0};
    for (int i = 0; i <= trailers; ++i) names.push_back("a" + std::to_string(i)), start.push_back(bend * i);
    names.emplace_back("steer"), start.push_back(0.2);
    std::string vx = "x'", vy = "y'";
    for (int i = trailers; i >= 0; --i) {
        const std::string a = "a" + std::to_string(i);
        constraints.push_back("(" + vx + ")*sin(" + a + ") - (" + vy + ")*cos(" + a + ")");
        vx += " - sin(" + a + ")*" + a + "'", vy += " + cos(" + a + ")*" + a + "'";
    }
    constraints.push_back("(" + vx + ")*sin(a0 + steer) - (" + vy + ")*cos(a0 + steer)");
    return distribution(names, constraints, start);
}

Growth from_two_to(int n) {
    Growth g(static_cast<std::size_t>(n - 1));
    std::iota(g.begin(), g.end(), 2);
    return g;
}

TEST(Jets, SeriesAreThoseOfTheirFunctions) {
    const auto graph = new_graph();
    const Expr x = graph->symbol("x");
    const std::vector<Expr> formulas{fn::sin(x), fn::exp(x) / (1 + x * x), fn::sqrt(2 + x),       fn::atan(x),
                                     fn::tan(x), fn::log(3 + x),           pow(2 + x, Expr(-1.5))};
    const auto jets = JetFormulas::of(*graph, formulas);
    ASSERT_TRUE(jets);
    const JetSpace space({6}, 1);
    Jet at = constant(space, 0.3);
    at[1] = 1, at[space.begin(1)] = 1; // 0.3 + t, and the derivative by where it starts
    const std::vector<Jet> found = jets->at(space, {at});
    const auto value = [&](std::size_t i, double u) {
        const double all[] = {std::sin(u), std::exp(u) / (1 + u * u), std::sqrt(2 + u),     std::atan(u),
                              std::tan(u), std::log(3 + u),           std::pow(2 + u, -1.5)};
        return all[i];
    };
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        double sum = 0, power = 1;
        for (std::size_t k = 0; k <= 6; ++k, power *= 0.01) sum += found[i][k] * power;
        EXPECT_NEAR(sum, value(i, 0.31), 1e-13) << i;
        for (std::size_t k = 0; k < 6; ++k) // d/dx is d/dt here
            EXPECT_NEAR(found[i][space.begin(1) + k], static_cast<double>(k + 1) * found[i][k + 1], 1e-12) << i;
    }
    EXPECT_FALSE(JetFormulas::of(*graph, {fn::max(x, 2 * x)}));
}

TEST(Flags, OfKnownDistributions) {
    EXPECT_EQ(distribution({"x", "y", "z"}, {"z' - y*x'"}, {0, 0.5, 0}).generic, (Growth{2, 3}));
    EXPECT_EQ(distribution({"x", "y", "z", "w"}, {"z' - y*x'", "w' - z*x'"}, {0, 0.5, 0.2, 0}).growth,
              (Growth{2, 3, 4}));
    const Distribution cartan =
        distribution({"x", "y", "z", "u", "w"}, {"z' - x*y'", "u' - x^2*y'/2", "w' - x*y*y'"}, {0.1, 0.2, 0, 0, 0});
    EXPECT_EQ(cartan.generic, (Growth{2, 3, 5}));
    EXPECT_EQ(cartan.growth, (Growth{2, 3, 5}));
    EXPECT_EQ(distribution({"x", "y", "z"}, {"x*x' + y*y' + z*z'"}, {1, 0.2, 0.3}).growth, (Growth{2}));
}

// Where the start is singular the other points are not: the old way decides there.
TEST(Flags, OfMartinetAtItsSurface) {
    const Distribution martinet = distribution({"x", "y", "z"}, {"z' - y^2*x'"}, {0, 0, 0});
    EXPECT_TRUE(martinet.known);
    EXPECT_EQ(martinet.generic, (Growth{2, 3}));
    EXPECT_EQ(martinet.growth, (Growth{2, 2, 3}));
}

// Jean (1996): outside of right angles each bracket adds one dimension.
TEST(Flags, OfCarsWithTrailers) {
    for (int trailers : {0, 1, 3, 6, 9}) {
        const Distribution d = car(trailers, 0.1);
        EXPECT_TRUE(d.known) << trailers;
        EXPECT_EQ(d.generic, from_two_to(trailers + 4)) << trailers;
        EXPECT_EQ(d.growth, d.generic) << trailers;
    }
}

} // namespace
} // namespace rattleback
