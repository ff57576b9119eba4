// Pairs of coefficients that violate the conditions in src/scheme/methods/partitioned.cpp and lobatto.cpp: the order
// may stay, the two-form does not.
#include <gtest/gtest.h>

#include "laws/measure.hpp"
#include "scheme/build.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::laws {
namespace {

const TestModel& heisenberg() {
    return *std::find_if(models().begin(), models().end(),
                         [](const TestModel& t) { return t.name == "Heisenberg with a potential"; });
}

double symplectic(const Model& model, const Method& method) {
    return measure(Property::symplectic, heisenberg(), model, method).value_or(1);
}
double order(const Model& model, const Method& method) {
    return observed_order(compile(model, method), {.until = heisenberg().until, .coarsest = 8, .most_halvings = 3})
        .order;
}

// b_i a^_ij + b_j a_ji = b_i b_j
TEST(ViolatingPairs, LobattoThreeAForPositionsAndMomenta) {
    const Model model = heisenberg().read();
    const Method right = build_in_graph(model, parse_methods("lobatto:stages=3")[0]);
    const Method wrong{.id = "mutant", .step = runge_kutta_step(model, lobatto_a(3)), .order = 4};
    EXPECT_LE(symplectic(model, right), 1e-14);
    EXPECT_GE(symplectic(model, wrong), 1e-7);
    EXPECT_NEAR(order(model, wrong), 4, 0.1);
}

// b_j w^_jk = d_k w_kj: reactions act at the nodes of Lobatto, constraints are met at those of Gauss.
TEST(ViolatingPairs, ConstraintsAtOtherNodesThanTheirReactions) {
    const Model model = heisenberg().read();
    const auto method = [&](const char* text) { return build_in_graph(model, parse_methods(text)[0]); };
    const Method right = method("partitioned:stages=3"), other = method("partitioned:stages=3:multipliers=gauss");
    Method wrong = right;
    const std::size_t n = wrong.step.equations.size();
    ASSERT_EQ(other.step.equations.size(), n);
    for (std::size_t k = n - 3; k < n; ++k) wrong.step.equations[k] = other.step.equations[k];
    EXPECT_LE(symplectic(model, right), 1e-14);
    EXPECT_LE(symplectic(model, other), 1e-14);
    EXPECT_GE(symplectic(model, wrong), 1e-7);
    EXPECT_NEAR(order(model, wrong), 4, 0.1);
}

} // namespace
} // namespace rattleback::laws
