// Method and step for an accuracy: that it is reached, that the choice is the same anywhere, and what is refused.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "run/accuracy.hpp"
#include "run/effort.hpp"

namespace rattleback {
namespace {

Model in_gallery(const std::string& name) {
    return load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + name + ".toml");
}

// The end in long double, by Dormand and Prince's method with steps of its own: no code or coefficient of what is
// picked takes part.
std::vector<double> reference_end(const Model& model, double until, const std::string& tolerance = "1e-16") {
    constexpr int nodes = 16;
    const CompiledMethod compiled = compile(model, "dop853:tol=" + tolerance);
    Stepper<long double> stepper(compiled);
    NodeReader<long double> reader(compiled);
    Report report;
    const auto h = (static_cast<long double>(until) - static_cast<long double>(model.t0)) / nodes;
    EXPECT_TRUE(stepper.start(report, h)) << report.text();
    for (int k = 0; k < nodes; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    EXPECT_TRUE(reader.read(stepper, static_cast<long double>(until), report));
    std::vector<double> end;
    for (const auto& part : {reader.node().q, reader.node().v, reader.node().z})
        for (long double x : part) end.push_back(static_cast<double>(x));
    return end;
}

std::vector<double> end_of(const Run& run) {
    std::vector<double> all;
    for (const char* group : {"q", "v", "z"})
        for (double x : run.summary().end[group]) all.push_back(x);
    return all;
}

// Of every component, relative to its largest value on the way.
double error_of(const Run& run, const std::vector<double>& exact) {
    std::vector<double> sizes;
    for (const char* group : {"q", "v", "z"}) {
        const Table& table = run[group];
        double largest = 0;
        std::vector<double> of(table.rows() ? table.row(0).size() : 0);
        for (std::size_t k = 0; k < table.rows(); ++k)
            for (std::size_t i = 0; i < of.size(); ++i)
                of[i] = std::max(of[i], std::abs(table.row(k)[i])), largest = std::max(largest, of[i]);
        for (double size : of) sizes.push_back(std::max(size, 1e-3 * largest));
    }
    const std::vector<double> end = end_of(run);
    double worst = 0;
    for (std::size_t i = 0; i < end.size(); ++i)
        if (sizes[i] > 0) worst = std::max(worst, std::abs(end[i] - exact.at(i)) / sizes[i]);
    return worst;
}

struct Case {
    const char* model;
    double until; // the span on which the accuracy is meaningful
};
class Accuracies : public testing::TestWithParam<Case> {};
TEST_P(Accuracies, AreReached) {
    const Model model = in_gallery(GetParam().model);
    for (double asked : {1e-6, 1e-9}) {
        const auto run = integrate(model, {.until = GetParam().until, .accuracy = asked});
        ASSERT_TRUE(run.report().ok()) << run.report().text();
        ASSERT_TRUE(run.summary().accuracy);
        const Accuracy& a = *run.summary().accuracy;
        EXPECT_TRUE(a.reached());
        EXPECT_EQ(run.summary().t_end, GetParam().until);
        const double error = error_of(run, reference_end(model, GetParam().until));
        EXPECT_LE(error, asked) << run.summary().method;
        // The estimate is one: no larger error was found, but for what both runs share.
        EXPECT_LE(error, 2 * a.estimated + 1e-13) << run.summary().method << " estimated " << a.estimated;
    }
}
INSTANTIATE_TEST_SUITE_P(Gallery, Accuracies,
                         testing::Values(Case{"pendulum", 20}, Case{"henon_heiles", 50}, Case{"kepler", 20},
                                         Case{"cartesian_pendulum", 20}, Case{"nonholonomic_particle", 30},
                                         Case{"chaplygin_sleigh", 10}, Case{"vehicle_bowl", 20}, Case{"heisenberg", 20},
                                         Case{"point_vortices", 50}, Case{"duffing_driven", 30},
                                         Case{"stiff_spring", 5}, Case{"arenstorf", 17}, Case{"car_axis", 1}),
                         [](const auto& given) { return std::string(given.param.model); });

// Two runs share the rounding of data and parameters: half the step does not show it. Where motions multiply it by 1e5,
// as here, a third run with other last digits does.
TEST(Accuracy, RoundingOfTheDataIsNoticed) {
    for (const auto& [name, asked] : {std::pair{"arenstorf", 1e-11}, std::pair{"water_molecule", 1e-9}}) {
        const Model model = in_gallery(name);
        const auto run = integrate(model, {.accuracy = asked});
        const Accuracy& a = *run.summary().accuracy;
        const double error = error_of(run, reference_end(model, run.summary().t_end, "1e-19"));
        EXPECT_LE(error, 2 * a.estimated) << name;
        // What half the step shows is less, but for the water molecule, where rounding happens to cancel until the end.
        EXPECT_TRUE(error > 2 * (a.estimated - a.rounding) || asked > 1e-10) << name << ": " << error;
        EXPECT_FALSE(a.reached()) << name;
        ASSERT_FALSE(run.summary().warnings.empty());
        EXPECT_NE(run.summary().warnings.back().find("the last digits of data and parameters"), std::string::npos);
    }
}

TEST(Accuracy, TheChoiceDoesNotDependOnTheEngine) {
    const Model model = in_gallery("henon_heiles");
    const auto tape = integrate(model, {.accuracy = 1e-10, .engine = RunOptions::Engine::interpreted}),
               code = integrate(model, {.accuracy = 1e-10, .engine = RunOptions::Engine::compiled});
    EXPECT_EQ(tape.summary().method, code.summary().method);
    EXPECT_EQ(tape.summary().step, code.summary().step);
    EXPECT_EQ(tape.summary().accuracy->estimated, code.summary().accuracy->estimated);
    EXPECT_EQ(tape.summary().accuracy->why, code.summary().accuracy->why);
    EXPECT_EQ(end_of(tape), end_of(code));
}

// Iterations of stages may leave a quarter of the accuracy in all steps, which the method that is named says; not where
// there are so many steps that this is less than round-off.
TEST(Accuracy, IterationsLeaveWhatTheAccuracyLets) {
    const Model model = in_gallery("henon_heiles");
    const auto run = integrate(model, {.until = 50, .accuracy = 1e-9}),
               strict = integrate(model, {.until = 50, .accuracy = 1e-14});
    const std::string& method = run.summary().method;
    const std::size_t at = method.find(":iteration_tol=");
    ASSERT_NE(at, std::string::npos) << method;
    EXPECT_LE(std::stod(method.substr(at + 15)) * static_cast<double>(run.summary().steps), 0.25 * 1e-9);
    EXPECT_NE(run.summary().accuracy->why.find("iterations leave a quarter of the accuracy"), std::string::npos);
    EXPECT_EQ(strict.summary().method.find("iteration_tol"), std::string::npos) << strict.summary().method;
    const auto again = integrate(model, {.method = method, .step = run.summary().step, .until = 50});
    EXPECT_EQ(end_of(again), end_of(run));
    const auto given = integrate(model, {.method = "gauss:stages=4:iteration=fixed", .until = 50, .accuracy = 1e-9});
    EXPECT_EQ(given.summary().method, "gauss:stages=4:iteration=fixed");
}

TEST(Accuracy, CostsAreCountedInTheProgram) {
    const Model model = in_gallery("kepler");
    const Effort few(compile(model, "gauss:stages=2:iteration=fixed")),
        more(compile(model, "gauss:stages=8:iteration=fixed")),
        newton(compile(model, "gauss:stages=8:iteration=newton"));
    EXPECT_LT(few.of_step(5), more.of_step(5));
    EXPECT_LT(more.of_step(10), more.of_step(11));
    EXPECT_LT(more.of_step(15), newton.of_step(5)); // no matrix of 32 rows is factored
}

TEST(Accuracy, AMethodMayBeGivenWithOrWithoutStages) {
    const Model model = in_gallery("pendulum");
    const auto open = integrate(model, {.method = "gauss", .accuracy = 1e-9}),
               closed = integrate(model, {.method = "gauss:stages=3", .accuracy = 1e-9}),
               second = integrate(model, {.method = "midpoint", .accuracy = 1e-4});
    EXPECT_TRUE(open.summary().method.starts_with("gauss:stages=")) << open.summary().method;
    EXPECT_TRUE(closed.summary().method.starts_with("gauss:stages=3")) << closed.summary().method;
    EXPECT_EQ(second.summary().method, "midpoint");
    for (const auto* run : {&open, &closed, &second}) EXPECT_TRUE(run->summary().accuracy->reached());
    EXPECT_GT(closed.summary().steps, open.summary().steps);
}

TEST(Accuracy, ChaosIsSaidWhereItBegins) {
    Model model = in_gallery("duffing_driven");
    const auto run = integrate(model, {.until = 400, .accuracy = 1e-9});
    ASSERT_TRUE(run.report().ok());
    const Accuracy& a = *run.summary().accuracy;
    EXPECT_FALSE(a.reached());
    EXPECT_GT(a.holds_until, 20);
    EXPECT_LT(a.holds_until, 200);
    // It does hold until there.
    const auto until =
        integrate(model, {.method = run.summary().method, .step = run.summary().step, .until = a.holds_until});
    EXPECT_LE(error_of(until, reference_end(model, until.summary().t_end)), 2e-9);
    ASSERT_FALSE(run.summary().warnings.empty());
    EXPECT_NE(run.summary().warnings.back().find("is not reached: it holds up to t = "), std::string::npos);
}

// Trial runs over a part of the span would hide it: they are stopped by their budget instead.
TEST(Accuracy, ChaosIsNotHiddenByShorterTrials) {
    const auto run = integrate(in_gallery("duffing_driven"), {.until = 300, .accuracy = 1e-9});
    EXPECT_FALSE(run.summary().accuracy->reached());
    EXPECT_EQ(run.summary().accuracy->until, 300);
}

TEST(Accuracy, NoStepPassesACollision) { // two bodies that fall onto each other
    const Model model = read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 + 1/x\"\n[initial]\n"
                                   "q = [1]\nv = [0]\n",
                                   "fall.toml");
    const auto run = integrate(model, {.until = 2, .accuracy = 1e-8});
    EXPECT_TRUE(!run.report().ok() || !run.summary().accuracy->reached());
    EXPECT_LT(run.summary().accuracy->holds_until, 1.12); // pi/sqrt(8): the collision
    const auto before = integrate(model, {.until = 1, .accuracy = 1e-8});
    EXPECT_TRUE(before.report().ok() && before.summary().accuracy->reached());
    EXPECT_LE(error_of(before, reference_end(model, 1)), 1e-8);
}

TEST(Accuracy, BackwardsToo) {
    const Model model = in_gallery("pendulum");
    const auto run = integrate(model, {.until = -5, .accuracy = 1e-9});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_LT(run.summary().step, 0);
    EXPECT_LE(error_of(run, reference_end(model, -5)), 1e-9);
}

struct Refusal {
    RunOptions options;
    const char* words;
};
TEST(Accuracy, WhatContradictsItIsRefused) {
    const Model model = in_gallery("pendulum");
    const Refusal all[] = {
        {{.step = 0.1, .accuracy = 1e-9}, "--accuracy chooses the step: leave out --step"},
        {{.steps = 10, .accuracy = 1e-9}, "give the end of the run as --until T"},
        {{.tolerance = 1e-9, .accuracy = 1e-9}, "leave out --tol"},
        {{.accuracy = 0}, "--accuracy must lie between 1e-15, near the last digit of a number, and 1"},
        {{.accuracy = -1e-9}, "--accuracy must lie between 1e-15, near the last digit of a number, and 1"},
        {{.accuracy = NAN}, "--accuracy must lie between 1e-15, near the last digit of a number, and 1"},
        {{.accuracy = 1e-30}, "--accuracy must lie between 1e-15, near the last digit of a number, and 1"},
        {{.until = 0, .accuracy = 1e-9}, "--until must be a finite number, and not the start"},
        {{.method = "dop853", .accuracy = 1e-9}, "dop853 controls its own: use --tol with it"},
        {{.method = "gauss,midpoint", .accuracy = 1e-9}, "one method, or none"},
    };
    for (const Refusal& r : all) {
        try {
            integrate(model, r.options);
            ADD_FAILURE() << r.words;
        } catch (const BadRun& e) { EXPECT_NE(std::string(e.what()).find(r.words), std::string::npos) << e.what(); }
    }
    Model endless = in_gallery("pendulum");
    endless.run = {};
    EXPECT_THROW(integrate(endless, {.accuracy = 1e-9}), BadRun);
    EXPECT_THROW(integrate(model, {.method = "underlying", .accuracy = 1e-9}), Unsuitable);
}

} // namespace
} // namespace rattleback
