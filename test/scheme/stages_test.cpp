// Fixed-point iteration of stages: it finds what Newton's method finds, in the tape and on lanes with the same bits,
// keeps what the methods keep, and hands steps over to Newton's method where it does not contract.
#include <gtest/gtest.h>

#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <set>

#include "code/backend.hpp"
#include "run/compiled.hpp"
#include "solve/collocation.hpp"

namespace rattleback {
namespace {

struct Case {
    const char *name, *model, *method;
    double step, off; // largest difference from Newton's method after 100 steps: twice what was measured
};

const char* const henon = R"toml(coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + x^2 + y^2)/2 + x^2*y - y^3/3"
[initial]
q = [0.1, -0.2]
p = [0.3, 0.2]
)toml";
const char* const double_pendulum = R"toml(coordinates = ["a", "b"]
[mechanics]
lagrangian = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*cos(a) + cos(b)"
[initial]
q = [0.3, 0.5]
v = [0.1, -0.4]
)toml";
const char* const relativistic = R"toml(coordinates = ["x"]
[mechanics]
lagrangian = "-sqrt(1 - x'^2) - x^2/2"
[initial]
q = [0.7]
v = [0.2]
)toml";
const char* const driven = R"toml(coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - x^4/4 + x*cos(1.3*t)"
[initial]
q = [0.7]
v = [0.2]
)toml";
const char* const index_one = R"toml(variables = ["a", "b", "c"]
[hamiltonian]
formula = "(a^2 + b^2)/2 + a*c + c^2 + c^4/4"
structure = [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]
[initial]
z = { a = 0.4, b = 0.3 }
)toml";
const char* const in_a_bowl = R"toml(coordinates = ["x", "y", "z", "theta"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2 + theta'^2)/2 - z"
[constraints]
holonomic = ["z - (x^2 + y^2)/4"]
velocity = ["x'*sin(theta) - y'*cos(theta)"]
[initial]
q = [0.5, 0, 0.0625, 0]
v = [0.3, 0, 0.075, 0.8]
)toml";
const char* const sphere = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z - 0.3*x*y"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [0.6, 0, -0.8]
v = [0, 0.7, 0]
)toml";
const char* const sleigh = R"toml(coordinates = ["x", "y", "theta"]
[parameters]
a = 0.2
[mechanics]
lagrangian = "(x'^2 + y'^2 + (1 + a^2)*theta'^2)/2 + a*theta'*(y'*cos(theta) - x'*sin(theta))"
[constraints]
velocity = ["x'*sin(theta) - y'*cos(theta)"]
[initial]
q = [0, 0, 0]
v = [1, 0, 1.5]
)toml";
const char* const vehicle = R"toml(coordinates = ["x", "y", "theta", "phi"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + theta'^2 + phi'^2)/2"
[constraints]
velocity  = ["x'*sin(phi) - y'*cos(phi)", "x'*sin(theta) - y'*cos(theta) + 0.3*theta'"]
principle = "variational"
[initial]
q = [0, 0, 0.2, 0.7]
v = { x = "0.4*cos(0.7)", y = "0.4*sin(0.7)", theta = "0.4*sin(0.5)/0.3", phi = 0.3 }
lambda = [0.2, -0.1]
)toml";

const Case cases[] = {{"Henon", henon, "gauss:stages=8", 0.2, 2.8e-16},
                      {"HenonThree", henon, "gauss:stages=3", 0.1, 2.4e-16},
                      {"HenonTen", henon, "gauss:stages=10", 0.2, 1.4e-16},
                      {"HenonSixteen", henon, "gauss:stages=16", 0.2, 1e-15},
                      {"HenonComposed", henon, "compose:base=gauss:order=6", 0.1, 1.1e-16},
                      {"DoublePendulum", double_pendulum, "gauss:stages=6", 0.1, 2.2e-16},
                      {"Relativistic", relativistic, "gauss:stages=4", 0.1, 1.6e-15},
                      {"Driven", driven, "gauss:stages=5", 0.1, 8.9e-16},
                      {"IndexOne", index_one, "gauss:stages=4", 0.1, 1.1e-15},
                      {"Sphere", sphere, "dirac_weak:stages=8", 0.1, 5.6e-16},
                      {"SphereUnderlying", sphere, "underlying:stages=4:project=yes", 0.1, 2e-15},
                      {"KnifeInABowl", in_a_bowl, "nh_gauss:stages=4", 0.1, 3.6e-15},
                      {"Sleigh", sleigh, "nh_gauss:stages=8", 0.1, 1.8e-15},
                      {"SleighOne", sleigh, "nh_gauss", 0.1, 8.9e-15},
                      {"Vehicle", vehicle, "gauss:stages=8", 0.05, 1.1e-14},
                      // coordinates on groups: the charts change many times
                      {"HeavyTop", "heavy_top.toml", "gauss:stages=6", 0.2, 4.1e-14},
                      {"HeavyTopTwo", "heavy_top.toml", "gauss:stages=2", 0.1, 1.7e-14},
                      {"HeavyTopComposed", "heavy_top.toml", "compose:base=gauss:order=6", 0.1, 1.9e-14},
                      {"ChaplyginBall", "chaplygin_ball.toml", "nh_gauss:stages=4", 0.1, 3.5e-14},
                      {"Suslov", "suslov.toml", "nh_gauss:stages=6", 0.2, 2e-15},
                      {"Veselova", "veselova.toml", "nh_gauss:stages=3", 0.1, 3.9e-15},
                      {"SleighOnGroup", "sleigh_on_group.toml", "nh_gauss:stages=8", 0.1, 7.2e-15},
                      {"BallJointWeak", "ball_joint.toml", "dirac_weak:stages=5", 0.05, 4.3e-15},
                      {"BallJointUnderlying", "ball_joint.toml", "underlying:stages=3:project=yes", 0.05, 9e-15}};

Model gallery(const std::string& file) { return load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + file); }

class Stages : public testing::TestWithParam<Case> {
  protected:
    const Case& at = GetParam();
    const Model model =
        std::string(at.model).ends_with(".toml") ? gallery(at.model) : read_model(at.model, "model.toml");
    const std::string fixed = std::string(at.method) + ":iteration=fixed";
    const std::string by_newton = std::string(at.method) + ":iteration=newton";
};

template <class T> std::vector<T> end_of(const CompiledMethod& method, double h, int steps, Report& report) {
    Stepper<T> stepper(method);
    EXPECT_TRUE(stepper.start(report, T(h))) << report.text();
    report.newton_iterations = report.newton_solves = 0;
    for (int k = 0; k < steps && report.ok(); ++k) stepper.advance(k, T(h), report);
    EXPECT_TRUE(report.ok()) << report.text();
    return stepper.state();
}

TEST_P(Stages, AreWhatNewtonsMethodFinds) {
    Report first, second;
    const auto newton = end_of<double>(compile(model, by_newton), at.step, 100, first),
               stages = end_of<double>(compile(model, fixed), at.step, 100, second);
    double off = 0;
    for (std::size_t i = 0; i < newton.size(); ++i) off = std::max(off, std::abs(newton[i] - stages[i]));
    EXPECT_LE(off, at.off);
    EXPECT_LE(second.newton_iterations, 25 * second.newton_solves); // it contracts: Newton's method took no step
    EXPECT_GE(second.newton_iterations, 3 * second.newton_solves);
}

TEST_P(Stages, HaveTheBitsOfTheTapeOnLanes) {
    if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    const CompiledMethod method = compile(model, fixed);
    Batch tape(method, 3, {.machine_code = false}), lanes(method, 3);
    ASSERT_EQ(lanes.lanes(), 1) << lanes.why_on_tape(); // the others are stages
    for (Batch* batch : {&tape, &lanes}) {
        for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(batch->start(i));
        batch->advance(0, 70, at.step), batch->advance(70, 30, at.step);
    }
    Report report;
    const auto alone = end_of<double>(method, at.step, 100, report);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(tape.state(i), lanes.state(i));
        EXPECT_EQ(tape.report(i).newton_iterations, lanes.report(i).newton_iterations);
        EXPECT_EQ(tape.state(i), alone);
    }
}

TEST_P(Stages, KeepWhatTheMethodKeeps) {
    if (at.model == std::string("ball_joint.toml")) GTEST_SKIP() << "tangent maps of two bodies take a minute";
    const Verification found = verify(model, parse_methods(fixed)[0], {.step = at.step});
    EXPECT_TRUE(found.holds());
}

INSTANTIATE_TEST_SUITE_P(All, Stages, testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

// Frequencies times steps of 0.4 and 40: where the slopes do not contract, Newton's method takes the steps.
TEST(FixedPoint, LeavesToNewtonWhereItDoesNotContract) {
    const Model model = read_model(R"toml(coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - 50*x^2 - x^4"
[initial]
q = [0.7]
v = [0.2]
)toml",
                                   "stiff.toml");
    for (double h : {0.04, 4.0}) {
        Report first, second;
        const auto newton = end_of<double>(compile(model, "gauss:stages=3:iteration=newton"), h, 50, first),
                   fixed = end_of<double>(compile(model, "gauss:stages=3:iteration=fixed"), h, 50, second);
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(newton[i], fixed[i], 1e-12) << h;
        EXPECT_EQ(h > 1, second.newton_iterations <= first.newton_iterations + 10) << h;
        if (!code::backend()) continue;
        const CompiledMethod method = compile(model, "gauss:stages=3:iteration=fixed");
        Batch lanes(method, 1);
        ASSERT_TRUE(lanes.start(0));
        lanes.advance(0, 50, h);
        EXPECT_EQ(lanes.state(0), fixed) << h;
    }
}

// A step in which the sleigh turns by more than a right angle: where the stages begin is found, too, from the first
// step on. With the advance kept while it is looked for, Newton's method takes the first two steps.
TEST(FixedPoint, FindsWhereStagesBeginInLongSteps) {
    const Model model = read_model(sleigh, "sleigh.toml");
    for (int steps : {16, 10}) {
        Report first, second;
        const double h = 20.0 / steps;
        const auto newton = end_of<double>(compile(model, "nh_gauss:stages=8:iteration=newton"), h, steps, first),
                   fixed = end_of<double>(compile(model, "nh_gauss:stages=8:iteration=fixed"), h, steps, second);
        for (std::size_t i = 0; i < newton.size(); ++i) EXPECT_NEAR(newton[i], fixed[i], 4e-14) << h;
        EXPECT_EQ(second.newton_solves, steps);
        EXPECT_GE(second.newton_iterations, 8 * steps); // of Newton's method it would be 8 at most
        EXPECT_LE(second.newton_iterations, 24 * steps);
    }
}

// Slopes are carried into a new chart: with those of the last step in the old one it would take twice as many.
TEST(FixedPoint, GoesOnWhereChartsChange) {
    for (const auto& [file, method] : {std::pair("heavy_top.toml", "gauss:stages=8:iteration=fixed"),
                                       std::pair("suslov.toml", "nh_gauss:stages=8:iteration=fixed")}) {
        Report report;
        end_of<double>(compile(gallery(file), method), 0.1, 200, report);
        EXPECT_LE(report.newton_iterations, 7 * report.newton_solves) << file;
    }
}

// Where a step turns a body by pi, Newton's method takes it and reports it.
TEST(FixedPoint, LeavesTurnsByPiToNewton) {
    const auto text = [](const char* iteration) {
        const std::string method = std::string("gauss:stages=3:iteration=") + iteration;
        return integrate(gallery("heavy_top.toml"), {.method = method, .step = 2, .steps = 10}).report().text();
    };
    EXPECT_NE(text("fixed"), "");
    EXPECT_EQ(text("fixed"), text("newton"));
}

// With a tolerance iterations end sooner, at states that are off by about as much in every step: 1.33 times the sum of
// all steps at most, since motions carry errors on.
class Tolerances : public testing::TestWithParam<Case> {};
TEST_P(Tolerances, EndIterationsSooner) {
    const Case& at = GetParam();
    const Model model = read_model(at.model, "model.toml");
    const std::string fixed = std::string(at.method) + ":iteration=fixed";
    Report all;
    const auto exact = end_of<double>(compile(model, fixed), at.step, 100, all);
    for (double tolerance : {1e-14, 1e-9}) {
        const std::string method = fixed + ":iteration_tol=" + (tolerance < 1e-12 ? "1e-14" : "1e-9");
        Report fewer;
        const CompiledMethod compiled = compile(model, method);
        const auto end = end_of<double>(compiled, at.step, 100, fewer);
        double off = 0;
        for (std::size_t i = 0; i < end.size(); ++i) off = std::max(off, std::abs(end[i] - exact[i]));
        EXPECT_LE(off, 2.7 * 100 * tolerance * at.step + at.off) << method;
        EXPECT_LE(fewer.newton_iterations, all.newton_iterations - (tolerance < 1e-12 ? 100 : 250)) << method;
        if (!code::backend()) continue;
        Batch lanes(compiled, 1);
        ASSERT_TRUE(lanes.start(0));
        lanes.advance(0, 100, at.step);
        EXPECT_EQ(lanes.state(0), end) << method;
    }
    // What holds at nodes holds to round-off.
    const auto run = integrate(model, {.method = fixed + ":iteration_tol=1e-9", .step = at.step, .steps = 100});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_LE(run.summary().constraint_max.value_or(0), 2.4e-14);
    EXPECT_LE(run.summary().holonomic_max.value_or(0), 2.4e-14);
}
std::vector<Case> named(const std::set<std::string>& names) {
    std::vector<Case> all;
    for (const Case& c : cases)
        if (names.contains(c.name)) all.push_back(c);
    EXPECT_EQ(all.size(), names.size());
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, Tolerances,
                         testing::ValuesIn(named({"Henon", "DoublePendulum", "Driven", "IndexOne", "Sphere",
                                                  "KnifeInABowl", "Sleigh", "SleighOne", "Vehicle"})),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(FixedPoint, ClaimsNothingOfMotionsWithATolerance) {
    const Options strict(std::map<std::string, std::string>{{"iteration", "fixed"}});
    const Options loose(std::map<std::string, std::string>{{"iteration", "fixed"}, {"iteration_tol", "1e-12"}});
    for (const char* id : {"gauss", "nh_gauss", "dirac_weak", "underlying"}) {
        const auto all = find_scheme(id).claims(strict), kept = find_scheme(id).claims(loose);
        ASSERT_EQ(all.size(), kept.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool at_nodes =
                all[i].property == Property::constraint_exact || all[i].property == Property::holonomic_exact;
            const bool changed = all[i].answer == Answer::yes && !at_nodes;
            EXPECT_EQ(kept[i].answer, changed ? Answer::unknown : all[i].answer) << id;
        }
    }
}

TEST(FixedPoint, ReportsWhatNewtonsMethodReports) {
    const Model model = read_model(R"toml(coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - log(x)"
[initial]
q = [0.1]
v = [-1]
)toml",
                                   "log.toml");
    const auto text = [&](const char* method) {
        return integrate(model, {.method = method, .step = 0.05, .steps = 10}).report().text();
    };
    EXPECT_EQ(text("gauss:stages=3"), text("gauss:stages=3:iteration=fixed"));
}

TEST(FixedPoint, SaysWhatItDoesNotTake) {
    const auto message = [](const char* text, const char* method) -> std::string {
        try {
            (void)compile(read_model(text, "model.toml"), method);
        } catch (const Error& e) { return e.what(); }
        return "";
    };
    EXPECT_NE(message(sphere, "state_space:iteration=fixed").find("iteration=fixed needs "), std::string::npos);
    EXPECT_NE(message(sphere, "state_space:iteration=fixed").find("; iteration=newton takes this model"),
              std::string::npos);
    EXPECT_EQ(message(henon, "gauss:iteration=fixe"),
              "option iteration=fixe is not known; choose one of newton, fixed, kronecker, auto, functional");
    EXPECT_EQ(message(henon, "gauss:iteration=newton:iteration_tol=1e-12"),
              "option iteration_tol belongs to iterations of stages: it needs iteration=fixed or auto");
    EXPECT_EQ(message(sleigh, "nh_gauss:iteration=fixed:iteration_tol=0.1"),
              "option iteration_tol=0.1: a number from 0 to 1e-4 is needed");
    const CompiledMethod fixed = compile(read_model(henon, "model.toml"), "gauss:iteration=fixed");
    EXPECT_THROW((void)export_c(fixed, "step"), Unsuitable);
}

bool is_on_stages(const Model& model, const std::string& method) {
    return compile(model, method + ":iteration=auto").parts().stages != nullptr;
}
std::string chosen(const Model& model, const std::string& method) {
    const auto stages = compile(model, method + ":iteration=auto").parts().stages;
    return !stages ? "newton" : stages->kronecker ? "kronecker" : "fixed";
}

TEST(ChosenIteration, IsOnStagesWhereNewtonsMatricesAreLarge) {
    const Model solar = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/outer_solar_system.toml");
    EXPECT_TRUE(is_on_stages(solar, "gauss:stages=2"));
    EXPECT_FALSE(is_on_stages(solar, "gauss")); // one stage leaves a lane empty
    EXPECT_EQ(compile(solar, "gauss:stages=2:iteration=newton").parts().stages, nullptr);
    const Model small = read_model(henon, "model.toml");
    EXPECT_FALSE(is_on_stages(small, "gauss:stages=4")); // 8 unknowns: Newton's step is one function
    EXPECT_TRUE(is_on_stages(small, "gauss:stages=5"));
    EXPECT_TRUE(is_on_stages(read_model(sleigh, "model.toml"), "nh_gauss:stages=4"));     // whose matrices are sparse
    EXPECT_FALSE(is_on_stages(read_model(sphere, "model.toml"), "state_space:stages=6")); // which has other stages
    EXPECT_TRUE(is_on_stages(gallery("heavy_top.toml"), "gauss:stages=6"));
    EXPECT_FALSE(is_on_stages(gallery("appell_hamel.toml"), "nh_gauss:stages=2")); // 12 unknowns, eliminated at once
    EXPECT_TRUE(export_c(compile(small, "gauss:stages=4:iteration=auto"), "step").source.size() > 1000);
    EXPECT_THROW((void)export_c(compile(small, "gauss:stages=5:iteration=auto"), "step"), Unsuitable);
    Report first, second;
    EXPECT_EQ(end_of<double>(compile(solar, "gauss:stages=2:iteration=auto"), 100, 20, first),
              end_of<double>(compile(solar, "gauss:stages=2:iteration=fixed"), 100, 20, second));
}

TEST(ChosenIteration, IsTakenWhereNoneIsAskedFor) {
    const std::pair<const char*, const char*> methods[] = {{"outer_solar_system", "gauss:stages=3"},
                                                           {"chaplygin_sleigh", "nh_gauss:stages=4"},
                                                           {"cartesian_pendulum", "dirac:stages=4"},
                                                           {"cartesian_pendulum", "dirac_weak:stages=4"},
                                                           {"cartesian_pendulum", "underlying:stages=4"}};
    for (const auto& [file, name] : methods) {
        const Model model = gallery(std::string(file) + ".toml");
        const std::string method = name;
        const auto end = [&](const std::string& with) {
            Report report;
            return end_of<double>(compile(model, with), static_cast<double>(model.run.step.value_or(0.05)), 20, report);
        };
        EXPECT_NE(compile(model, method).parts().stages, nullptr) << file << " " << name;
        EXPECT_EQ(compile(model, method).method().text, method);
        EXPECT_EQ(end(method), end(method + ":iteration=auto")) << file << " " << name;
        EXPECT_NE(end(method), end(method + ":iteration=newton")) << file << " " << name;
    }
}

// At rest the first iteration moves momenta alone and the second positions alone; nothing has contracted by then.
TEST(FixedPoint, DoesNotEndWhereOneKindIsAtRest) {
    const Model model = gallery("roller_racer.toml");
    Report first, second;
    const auto newton = end_of<double>(compile(model, "nh_gauss:stages=4:iteration=newton"), 0.02, 1, first),
               fixed = end_of<double>(compile(model, "nh_gauss:stages=4:iteration=fixed"), 0.02, 1, second);
    for (std::size_t i = 0; i < newton.size(); ++i) EXPECT_NEAR(newton[i], fixed[i], 1e-17); // was off by 1.2e-8
}

// The model's own step and start decide, whatever a run asks for.
TEST(ChosenIteration, IsOnStagesWhereTheyContract) {
    const auto stiff = [](const char* k, const LoadOptions& other = {}) {
        const std::string text = std::string("coordinates = [\"x\"]\n[parameters]\nk = ") + k + R"toml(
[mechanics]
lagrangian = "x'^2/2 - k*x^2/2 - x^4"
[initial]
q = [0.7]
v = [0.2]
[run]
step = 0.04
)toml";
        return read_model(text, "stiff.toml", other);
    };
    EXPECT_EQ(chosen(stiff("1"), "gauss:stages=9"), "fixed");
    EXPECT_EQ(chosen(stiff("1e6"), "gauss:stages=9"), "kronecker");
    EXPECT_EQ(chosen(stiff("1e6"), "gauss:stages=3"), "newton"); // 6 unknowns
    EXPECT_EQ(chosen(stiff("1", {.set = {{"k", "1e6"}}}), "gauss:stages=9"), "fixed");
    EXPECT_EQ(chosen(stiff("1e6", {.set = {{"k", "1"}}}), "gauss:stages=9"), "kronecker");
}

} // namespace
} // namespace rattleback
