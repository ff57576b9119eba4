// Mutants of methods on phase constraints: the order and the long run notice what breaks them.
#include <gtest/gtest.h>

#include "laws/measure.hpp"
#include "scheme/build.hpp"

namespace rattleback::laws {
namespace {

// What a step adds, enlarged: consistent no more, and neither symplectic nor symmetric.
Method enlarged(const Model& model, const char* name, double by) {
    Method method = build_in_graph(model, parse_methods(name)[0]);
    method.step.increment = Expr(1 + by) * method.step.increment;
    return method;
}

std::vector<TestModel> chains() {
    std::vector<TestModel> all = phase_models();
    all.push_back(pendulum_of_index_3());
    return all;
}

TEST(PhaseMutants, LoseTheirOrder) {
    for (const TestModel& test : chains())
        for (const char* name : {"dirac", "dirac_weak:stages=2"}) {
            const Model model = test.read();
            const auto order = [&](double by) {
                return observed_order(
                           compile(model, enlarged(model, name, by)),
                           {.until = test.until, .coarsest = 8, .most_halvings = 3, .exact = exact_end_of(test, model)})
                    .order;
            };
            EXPECT_GE(order(0), 1.9) << test.name << name;
            EXPECT_LE(order(1e-3), 0.5) << test.name << name;
        }
}

TEST(PhaseMutants, LoseTheirEnergyInTheLongRun) {
    for (const TestModel& test : chains()) {
        const Model model = test.read();
        const auto grows = [&](double by) {
            const LongRun seen = long_run(model, enlarged(model, "dirac_weak:stages=2", by), test.step, 10000);
            return seen.energy[1] / seen.energy[0];
        };
        EXPECT_LE(grows(0), 1.001) << test.name;
        EXPECT_GE(grows(1e-5), 1.5) << test.name;
    }
}

} // namespace
} // namespace rattleback::laws
