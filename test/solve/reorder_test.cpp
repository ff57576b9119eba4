// Systems that keep their order of equations and unknowns unless it meets pivots that vanish.
#include <gtest/gtest.h>

#include "solve/system.hpp"

namespace rattleback {
namespace {

// Two velocities with a mass or without, and two multipliers.
std::shared_ptr<const CompiledSystem> system_of_four(bool without_mass, bool reorder_refused) {
    const auto graph = std::make_shared<Graph>();
    Vec given({{"a", graph->symbol("a")}, {"b", graph->symbol("b")}, {"h", graph->symbol("h")}}), unknowns, left, right;
    for (const char* name : {"u", "v", "l", "m"}) unknowns.push_back({name, graph->symbol(name)});
    const Expr a = given[0].value, b = given[1].value, mass = without_mass ? Expr(0) : 2 + a * a;
    const Expr u = unknowns[0].value, v = unknowns[1].value, l = unknowns[2].value, m = unknowns[3].value;
    for (const Expr& row : {mass * u + a * l + b * m, mass * v - b * l + a * m, a * u - b * v + (1 + b * b) * m,
                            b * u + a * v + (1 + a * a) * l})
        left.push_back({"", row}), right.push_back({"", Expr(1)});
    return compile(System{.graph = graph,
                          .given = given,
                          .find = {{unknowns, {}}},
                          .equations = {{left, right}},
                          .results = unknowns,
                          .steady = 1,
                          .typical = {0.1},
                          .reorder_refused = reorder_refused},
                   false);
}

std::vector<std::string> order(const std::shared_ptr<const CompiledSystem>& system) {
    return system->blocks.at(0).names;
}

TEST(Order, IsKeptUnlessPivotsVanish) {
    const std::vector<std::string> given = {"u", "v", "l", "m"};
    EXPECT_EQ(order(system_of_four(false, true)), given);
    EXPECT_NE(order(system_of_four(true, true)), given);
}

} // namespace
} // namespace rattleback
