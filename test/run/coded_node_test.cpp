// Nodes that machine code reads by itself, without the search for pivots on the tape.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "run/compiled.hpp"
#include "run/step_code.hpp"

namespace rattleback {
namespace {

// Engel's distribution has no kinetic energy along two coordinates, so pivots vanish in the order of the equations:
// every node was refused, and with it every call that takes many steps.
TEST(CodedNodes, AreReadWhereVelocitiesHaveNoMass) {
    const Model model = load(RATTLEBACK_SOURCE_DIR "/models/engel.toml");
    const CompiledMethod compiled = compile(model, "gauss:stages=2");
    const CompiledSystem& node = *compiled.parts().node().compiled;
    const StepCodeResult made = make_solve_code(node);
    if (!made.code) GTEST_SKIP() << made.why_not; // without a back end
    std::vector<double> given(node.given), results(node.results.size());
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = 0.3 + 0.1 * static_cast<double>(i);
    EXPECT_TRUE(made.code->solve(given.data(), results.data()));
}

} // namespace
} // namespace rattleback
