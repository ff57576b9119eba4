// What `compare` says of methods: errors where there is a reference, and advice that is no accident.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>

#include "evidence/advice.hpp"

namespace rattleback {
namespace {

Comparison compared(const Model& model, const char* methods, const RunOptions& options) {
    return compare(model, parse_methods(methods), options);
}

Model oscillator(const std::string& more = {}) {
    return read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 - x^2/2\"\n" + more +
                          "\n[initial]\nq = [1]\nv = [0]\n",
                      "m.toml");
}

Model of_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name);
    throw std::runtime_error("no model " + name);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Comparisons, CostsAreReadBetweenMeasurements) {
    Comparison all;
    all.floor = 1e-12, all.ceiling = 0.1;
    ComparedMethod m{rattleback::Run(), {}, 0, {}, {}, {}, 0};
    m.work_cost = {1, 2, 4}, m.work_error = {1e-2, 1e-4, 1e-6};
    EXPECT_NEAR(*cost_of(m, 1e-4, all), 2, 1e-12);
    EXPECT_NEAR(*cost_of(m, 1e-3, all), std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(*cost_of(m, 1e-8, all), 8, 1e-12) << "on the continuation";
    EXPECT_NEAR(*cost_of(m, 0.05, all), 1, 1e-12) << "the coarsest is better than asked for";
    m.work_error = {1e-2, 1e-4, 1e-4};
    EXPECT_FALSE(cost_of(m, 1e-5, all)) << "it does not get better";
    m.work_error = {1, 2, 0.5};
    EXPECT_FALSE(cost_of(m, 1e-2, all)) << "it does not follow the motion";
}

// The midpoint rule turns by 2 atan(h/2) a step: the errors in closed form, also where coarser steps do not divide the
// number of steps.
TEST(Comparisons, ErrorsAreThoseAtTheEnd) {
    const Comparison all = compared(oscillator(), "midpoint", {.step = 0.1, .steps = 21});
    ASSERT_TRUE(all.resolved());
    EXPECT_EQ(all.ranked_until, all.t_end);
    const ComparedMethod& m = all.methods.at(0);
    ASSERT_EQ(m.work_error.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        const double n = std::round(2.1 / m.work_steps[i]), angle = n * 2 * std::atan(2.1 / n / 2);
        EXPECT_NEAR(n * m.work_steps[i], 2.1, 1e-14);
        const double error =
            std::max(std::abs(std::cos(angle) - std::cos(2.1)), std::abs(std::sin(angle) - std::sin(2.1)));
        EXPECT_NEAR(m.work_error[i] / error, 1, 1e-6) << n;
    }
    EXPECT_NEAR(*m.error, m.work_error[2], 1e-12);
}

TEST(Comparisons, AChaoticMotionHasErrorsWhileTheReferenceHolds) {
    const Comparison all =
        compared(of_gallery("double_pendulum"), "rk4,midpoint,gauss:stages=2", {.step = 0.01, .until = 300});
    EXPECT_FALSE(all.resolved());
    EXPECT_GT(all.holds_until, 50);
    EXPECT_LT(all.holds_until, 280);
    EXPECT_LT(all.reference_error, 1e-3);
    EXPECT_LE(all.ranked_until, all.holds_until);
    EXPECT_FALSE(all.short_runs.empty());
    EXPECT_FALSE(has(all.short_runs, "midpoint")) << "its errors are as large as the motion";
    EXPECT_EQ(all.long_runs, std::vector<std::string>{"gauss:stages=2"}) << "rk4 keeps nothing";
}

TEST(Comparisons, TheSameMethodTwiceIsATie) {
    const Comparison all = compared(of_gallery("pendulum"), "midpoint,gauss:stages=1,rk4", {.step = 0.02, .until = 10});
    EXPECT_EQ(has(all.short_runs, "midpoint"), has(all.short_runs, "gauss:stages=1"));
    EXPECT_EQ(all.long_runs, (std::vector<std::string>{"midpoint", "gauss:stages=1"}));
}

// rk4 keeps momenta that are linear in the state, which bounds no error; the structure of the flow does.
TEST(Comparisons, LongRunsAreForMethodsThatKeepTheStructure) {
    const Comparison all = compared(of_gallery("outer_solar_system"), "rattle,rk4", {.step = 50.0, .steps = 200});
    EXPECT_EQ(all.long_runs, std::vector<std::string>{"rattle"});
    EXPECT_EQ(compared(of_gallery("outer_solar_system"), "rk4", {.step = 50.0, .steps = 100}).long_runs,
              std::vector<std::string>{"rk4"});
    const Comparison none = compared(oscillator(), "dop853", {.step = 0.1, .steps = 20});
    EXPECT_TRUE(none.long_runs.empty());
    EXPECT_NE(none.recommendation.find("For long runs: none of these keeps anything"), std::string::npos);
}

// CPU seconds of a step: those of a thousand steps and of a hundred thousand, although to begin takes as long as
// thousands.
TEST(Comparisons, CostsAreThoseOfTheStepsAlone) {
    const auto cost = [](long long steps) {
        return compared(oscillator(), "midpoint,rk4", {.step = 0.01, .steps = steps}).methods;
    };
    const auto few = cost(1000), many = cost(100'000);
    for (std::size_t i = 0; i < few.size(); ++i) {
        EXPECT_LT(few[i].seconds_per_time, 2 * many[i].seconds_per_time);
        EXPECT_GT(few[i].seconds_per_time, many[i].seconds_per_time / 2);
        EXPECT_GT(few[i].seconds_start, 100 * few[i].seconds_per_time * 0.01);
    }
}

// They leave the domain of the potential at t = 3: the cost is measured of the steps before, warm, as for others.
TEST(Comparisons, MethodsThatEndEarlyHaveTheirCost) {
    const Model model = read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 + sqrt(3 - x)/10\"\n"
                                   "[initial]\nq = [0]\nv = [1]\n",
                                   "edge.toml");
    const auto early = compared(model, "midpoint,gauss:stages=2", {.step = 0.01, .steps = 1000}).methods;
    const auto whole = compared(model, "midpoint,gauss:stages=2", {.step = 0.01, .steps = 250}).methods;
    for (std::size_t i = 0; i < early.size(); ++i) {
        ASSERT_FALSE(early[i].run.report().ok());
        ASSERT_TRUE(whole[i].run.report().ok());
        EXPECT_LT(early[i].seconds_per_time, 2 * whole[i].seconds_per_time);
        EXPECT_GT(early[i].seconds_per_time, whole[i].seconds_per_time / 2);
        EXPECT_GT(early[i].seconds_start, 0);
    }
}

TEST(Comparisons, SayWhatIsConserved) {
    EXPECT_TRUE(compared(oscillator(), "rk4", {.step = 0.1, .steps = 8}).energy_conserved);
    EXPECT_FALSE(compared(oscillator("force = { x = \"-x'/10\" }"), "rk4", {.step = 0.1, .steps = 8}).energy_conserved);
}

// With steps that follow nothing there is no ranking, and no number that pretends to be one.
TEST(Comparisons, StepsThatFollowNothingAreNotRanked) {
    const Comparison all = compared(oscillator(), "midpoint,rk4", {.step = 40.0, .steps = 8});
    EXPECT_TRUE(all.short_runs.empty());
    EXPECT_NE(all.recommendation.find("none of these follows the motion; take a smaller step"), std::string::npos);
    EXPECT_EQ(all.long_runs, std::vector<std::string>{"midpoint"});
}

} // namespace
} // namespace rattleback
