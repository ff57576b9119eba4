// Phase constraints and J z' = grad H of index 3 in the long run, and the order of methods there.
#include <gtest/gtest.h>

#include "laws/measure.hpp"

namespace rattleback::laws {
namespace {

std::vector<TestModel> chains() {
    std::vector<TestModel> all = phase_models();
    all.push_back(pendulum_of_index_3());
    return all;
}
LongRun measured(std::size_t model, const char* method) {
    const TestModel test = chains()[model];
    const Model m = test.read();
    return long_run(m, build_method(m, parse_methods(method)[0]), test.step, 40000);
}

struct Expected {
    std::size_t model;
    const char* method;
    double energy, constraint; // twice what was measured; constraint: a bound that does not grow, 0 where it grows
};
const Expected all_expected[] = {
    {0, "dirac", 3.6e-4, 0},
    {0, "dirac:stages=2", 1.1e-7, 0},
    {0, "dirac_weak", 3.6e-4, 0},
    {0, "dirac_weak:stages=2", 1.1e-7, 0},
    {1, "dirac_weak", 4.6e-3, 7e-16},
    {1, "dirac_weak:stages=2", 7.2e-7, 5e-16},
    {2, "dirac", 6.3e-4, 3e-3},
    {2, "dirac:stages=2", 2.3e-7, 1.2e-6},
    {2, "dirac_weak", 9.3e-5, 1e-15},
    {2, "dirac_weak:stages=2", 2.9e-8, 8e-16},
    {3, "dirac_weak", 2.4e-3, 1.8e-15},
    {3, "dirac_weak:stages=2", 3.1e-7, 1.6e-15},
};

// 40,000 steps. The energy error of all of them is that of the first half, to 1.1e-3 of it. So is the distance from the
// constraints, but for the drift across a field, where it grows in proportion to the time.
TEST(LongRuns, OfDiracsEquationsKeepTheEnergyWithinBounds) {
    for (const auto& [model, method, energy, constraint] : all_expected) {
        const LongRun seen = measured(model, method);
        const std::string what = chains()[model].name + ", " + method;
        EXPECT_EQ(seen.steps, 40000) << what;
        EXPECT_LE(seen.energy[1], energy) << what;
        EXPECT_LE(seen.energy[1], 1.0022 * seen.energy[0]) << what;
        if (constraint > 0)
            EXPECT_LE(seen.constraint[1], constraint) << what;
        else
            EXPECT_NEAR(seen.constraint[1] / seen.constraint[0], 2, 0.01) << what; // a march, not an instability
    }
}

// Off a chain of four levels Hamilton's equations of H + mu . phi lead away from it: from errors of 1e-3 a step within
// 255 steps, and 6262 at index 3. The weak form stays: see above.
TEST(LongRuns, OfDiracsHamiltonianLeaveAChainOfFourLevels) {
    for (const std::size_t model : {1u, 3u}) {
        const LongRun seen = measured(model, "dirac");
        EXPECT_LT(seen.steps, 10000) << chains()[model].name;
        EXPECT_GT(seen.constraint[1], 1) << chains()[model].name;
    }
}

// The other phase models are among those of Orders.AreWhatIsClaimed.
TEST(Orders, OfDiracsEquationsHoldAtIndex3) {
    const TestModel test = pendulum_of_index_3();
    const Model model = test.read();
    EXPECT_THROW(integrate(model, {.method = "dop853", .step = 0.1, .steps = 1}), Unsuitable) << "the usual reference";
    const std::vector<quad> exact = exact_end(model, test.until);
    for (const char* id : {"dirac", "dirac_weak"})
        for (const int stages : {1, 2, 3}) {
            const Method method = build_method(model, parse_methods(id + (":stages=" + std::to_string(stages)))[0]);
            const OrderStudy study = observed_order(
                compile(model, method), {.until = test.until, .coarsest = 8, .most_halvings = 3, .exact = exact});
            EXPECT_NEAR(study.order, 2 * stages, 0.02) << id << testing::PrintToString(study.orders);
        }
}

} // namespace
} // namespace rattleback::laws
