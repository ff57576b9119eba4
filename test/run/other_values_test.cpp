// A run with other parameters, or from another start, than the file's has the bits of a batch's member with them: what
// formulas are divided by, and in which order, is chosen by what the file says.
#include <rattleback/batch.hpp>

#include "model/copy.hpp"
#include "run/initial.hpp"

#include <gtest/gtest.h>

namespace rattleback {
namespace {

// Masses whose sizes decide which velocity an equation gives.
const char* const coupled = R"toml(
name = "coupled"
coordinates = ["x", "y", "z"]
[parameters]
m = 1
c = 0.4
d = "c/2"
[mechanics]
lagrangian = "m*x'^2/2 + c*x'*y' + 0.7*y'^2 + d*y'*z' + z'^2 - x^2 - y^4 - cos(z)*y"
[initial]
q = ["0.3*m", 0.1, -0.2]
v = [0.2, -0.4, 0.5]
)toml";

// Five unknowns of which none goes: the order in which they are eliminated is chosen.
const char* const arm = R"toml(
name = "arm"
coordinates = ["a", "b", "c", "d", "e"]
[parameters]
m = 1
k = 0.2
[mechanics]
lagrangian = """m*a'^2 + b'^2 + (m + 0.1)*c'^2 + d'^2/m + e'^2 + k*a'*b'*cos(a - b) + a'*e'*cos(a - e)/2 + k*b'*c'*cos(b - c)
              + c'*d'*cos(c - d)/2 + k*d'*e'*cos(d - e) + k*b'*d'*sin(b + d) + cos(a) + cos(b) + cos(c) + cos(d) + cos(e)"""
[initial]
q = [0.3, 0.1, -0.2, 0.5, 1]
v = [0.2, -0.4, 0.5, 0.3, 0]
)toml";

// Its Newton matrix is sparse: it keeps the pivots of the first one that it meets.
const char* const ring = R"toml(
name = "ring"
coordinates = ["x[1..n]"]
[parameters]
n = 40
k = 3
h0 = 0.05
[mechanics]
lagrangian = """sum(i in 1..n: x[i]'^2/2 - k*x[i]^4/4) - sum(i in 1..n-1: (x[i+1] - x[i])^4)
              - k*(x[1] - x[n])^4 - 2*(x[7] - x[n-9])^4 - (x[3] - x[22])^4"""
[initial]
q = { "x[i]" = "sin(i)/k" }
v = { "x[i]" = "cos(3*i)" }
[run]
step = "h0"
)toml";

struct Case {
    std::string model; // of the gallery, or a text
    const char* method;
    LoadOptions other;
};

Model read(const std::string& model, const LoadOptions& options) {
    if (model.find('\n') != std::string::npos) return read_model(model, "own.toml", options);
    return load(RATTLEBACK_SOURCE_DIR "/models/" + model + ".toml", options);
}

std::vector<Case> cases() {
    const LoadOptions light{.set = {{"m", "0.001"}}}, heavy{.set = {{"m", "300"}, {"c", "-20"}}};
    const LoadOptions small{.set = {{"m", "0.1"}, {"k", "0"}}}, large{.set = {{"m", "50"}, {"k", "0.05"}}};
    const LoadOptions far{.set = {{"n", "44"}, {"k", "1e-3"}, {"h0", "0.3"}}, .q = {{"x[2]", "7"}}};
    return {{coupled, "midpoint", light},
            {coupled, "midpoint", heavy},
            {coupled, "gauss:stages=2", light},
            {coupled, "del:ld=verlet", light},
            {coupled, "rk4", heavy},
            {arm, "midpoint", small},
            {arm, "midpoint", large},
            {arm, "gauss:stages=2:iteration=auto", small},
            {arm, "gauss:stages=2:iteration=auto", large},
            {ring, "midpoint", far},
            {"double_pendulum", "gauss:stages=6:iteration=auto", {.set = {{"m1", "1e-3"}, {"l2", "5"}}}},
            {"double_pendulum", "midpoint", {.set = {{"m1", "1e-3"}, {"l2", "5"}}}},
            {"henon_heiles", "gauss:stages=3", {.set = {{"strength", "0"}}}},
            {"cartesian_double_pendulum", "rattle", {.set = {{"m1", "1e-3"}, {"m2", "20"}}}},
            {"rattleback", "nh_gauss:stages=2", {.set = {{"m", "40"}}}},
            {"rolling_disk", "nh_rattle", {.set = {{"m", "1e-4"}, {"J", "3"}}}},
            {"chaplygin_sleigh", "gni", {.set = {{"I", "1e-3"}, {"a", "4"}}}},
            {"vehicle_bowl", "midpoint", {.set = {{"L", "30"}, {"alpha", "1e-3"}}}},
            {"charged_particle", "midpoint", {.set = {{"m", "1e-3"}, {"k", "5"}}}},
            {"falling_cat", "gauss:stages=2", {.set = {{"m", "7"}, {"I", "1e-4"}}}},
            {"two_wheeled_robot", "nh_gauss:stages=1", {.set = {{"m", "1e-3"}, {"Iw", "4"}}}}};
}

std::vector<double> values(const Model& model) {
    std::vector<double> all;
    for (const Parameter& p : model.parameters) all.push_back(static_cast<double>(p.value));
    return all;
}

// The options that a batch cannot follow.
LoadOptions of_structure(const Model& model, const LoadOptions& options) {
    LoadOptions structure;
    for (const auto& set : options.set)
        if (std::count(model.structure_parameters.begin(), model.structure_parameters.end(), set.first))
            structure.set.push_back(set);
    return structure;
}

TEST(OtherValues, HaveTheBitsOfAMemberWithThem) {
    for (const Case& c : cases()) {
        const Model other = read(c.model, c.other), own = read(c.model, of_structure(other, c.other));
        const auto spec = parse_methods(c.method)[0];
        const std::string what = own.name + " " + c.method;
        Stepper<double> alone(other, build_method(other, spec));
        const double h = other.run.step.value_or(0.05) / 8;
        Report report;
        InitialData<double> start;
        ASSERT_TRUE(complete_initial_data(other, start, report) && alone.start(report)) << what << report.text();
        for (int k = 0; k < 20; ++k) ASSERT_TRUE(alone.advance(k, h, report)) << what << report.text();
        for (int width : {0, 1, 2, 4, 8}) {
            Batch batch(own, build_method(own, spec), 3, {.machine_code = width > 0, .width = width});
            ASSERT_TRUE(batch.start(0) && batch.start(2));
            ASSERT_TRUE(batch.start(1, start, static_cast<double>(other.t0), values(other)));
            batch.advance(0, 20, h);
            EXPECT_EQ(batch.state(1), alone.state()) << what << " " << width;
        }
    }
}

// Where the file's own values leave nothing to divide by, pivots are looked for in every step.
TEST(OtherValues, MayBeUsableWhereTheFilesAreNot) {
    const char* const text = R"toml(
coordinates = ["x", "y"]
[parameters]
m = 0
[mechanics]
lagrangian = "m*x'^2/2 + 2*m*x'*y' + 3*m*y'^2 - x^2/2 - y^4/4"
[initial]
q = ["1/m", 0.1]
v = [0.2, -0.4]
)toml";
    const Model model = read_model(text, "weightless.toml", {.set = {{"m", "2"}}}); // as it is, 1/m is no number
    EXPECT_EQ(model.parameters[0].typical, 2);
    EXPECT_FALSE(model.typical_start);
    Model changed = model;
    changed.parameters[0].typical = 0;
    for (const char* text_of_method : {"midpoint", "del:ld=verlet"}) {
        const Method method = build_method(model, parse_methods(text_of_method)[0]);
        Stepper<double> usual(model, method), other(changed, method);
        Report report;
        ASSERT_TRUE(usual.start(report) && other.start(report)) << report.text();
        for (int k = 0; k < 20; ++k)
            ASSERT_TRUE(usual.advance(k, 0.05, report) && other.advance(k, 0.05, report)) << report.text();
        for (std::size_t i = 0; i < usual.state().size(); ++i)
            EXPECT_NEAR(usual.state()[i], other.state()[i], 1e-14) << text_of_method;
    }
}

// What is divided by for typical masses may vanish for others, for a member of a batch as for a run of its own.
// Measured: 1.1e-16 at most; if it were divided by, 3.3e-6 with m = 1e-12, and no step at all with m = 0.
TEST(OtherValues, AreNotDividedByWhereTheyAreSmall) {
    for (const char* method_text : {"midpoint", "gauss:stages=2", "del:ld=verlet", "rk4", "dop853"})
        for (const char* m : {"0", "1e-12", "-1e-5"}) {
            const std::string what = std::string(method_text) + " m = " + m;
            const Model light = read(coupled, {.set = {{"m", m}}}), own = read(coupled, {});
            const Method method = build_method(light, parse_methods(method_text)[0]);
            Stepper<double> alone(light, method);
            Stepper<quad> exact(light, method);
            Report report;
            ASSERT_TRUE(alone.start(report) && exact.start(report));
            for (int k = 0; k < 20; ++k)
                ASSERT_TRUE(alone.advance(k, 0x1p-7, report) && exact.advance(k, 0x1p-7, report)) << report.text();
            for (std::size_t i = 0; i < alone.state().size(); ++i)
                EXPECT_NEAR(alone.state()[i], static_cast<double>(exact.state()[i]), 2.3e-16) << what;
            InitialData<double> start;
            ASSERT_TRUE(complete_initial_data(light, start, report));
            for (const Model* model : {&own, &light})
                for (const bool code : {false, true}) {
                    Batch batch(*model, build_method(*model, parse_methods(method_text)[0]), 4, {.machine_code = code});
                    for (std::size_t i : {0u, 2u, 3u}) ASSERT_TRUE(batch.start(i, start, 0, values(own)));
                    ASSERT_TRUE(batch.start(1, start, 0, values(light)));
                    batch.advance(0, 20, 0x1p-7);
                    EXPECT_EQ(batch.state(1), alone.state()) << what;
                    Stepper<double> usual(own, build_method(own, parse_methods(method_text)[0]));
                    ASSERT_TRUE(usual.start(start, 0, report));
                    for (int k = 0; k < 20; ++k) ASSERT_TRUE(usual.advance(k, 0x1p-7, report));
                    EXPECT_EQ(batch.state(3), usual.state()) << what;
                }
        }
}

// Of constraints that say something twice those are kept that the file's values would keep.
TEST(OtherValues, KeepTheSameConstraints) {
    const char* const text = R"toml(
coordinates = ["x", "y", "z", "w"]
[parameters]
k = 0.1
[mechanics]
lagrangian = "(x'^2 + y'^2 + 2*z'^2 + w'^2)/2 - x^4/4 - z^2 - w^2/2 - z*w"
[constraints]
holonomic = ["x - z + k*y", "x - z", "y"]
[initial]
q = [0.4, 0, 0.4, -0.2]
v = [0.1, 0, 0.1, 0.3]
)toml";
    const auto kept = [](const Model& m) {
        const std::optional<Model> independent = with_independent_constraints(m);
        return independent ? expanded_names(independent->holonomic) : std::vector<std::string>{};
    };
    Model strong = read_model(text, "twice.toml", {.set = {{"k", "20"}}});
    EXPECT_EQ(kept(read_model(text, "twice.toml")), (std::vector<std::string>{"x - z + k*y", "y"}));
    EXPECT_EQ(kept(strong), (std::vector<std::string>{"x - z + k*y", "y"}));
    strong.parameters[0].typical = 20;
    EXPECT_EQ(kept(strong), (std::vector<std::string>{"x - z + k*y", "x - z"}));
    strong = read_model(text, "twice.toml", {.set = {{"k", "0"}}}); // "y" is the only one that has y in it
    EXPECT_EQ(kept(strong), (std::vector<std::string>{"x - z + k*y", "y"}));
}

// Bounds of families and sums have been read with numbers: a member cannot have others.
TEST(OtherValues, OfTheStructureAreNoMembersOfABatch) {
    const char* const text = R"toml(
coordinates = ["x[1..2*n]"]
[parameters]
half = 3
n = "half + 1"
last = 5
k = "1/n"
[mechanics]
lagrangian = "sum(i in 1..2*n: x[i]'^2/2) - k*sum(i in 1..last: x[i]^2)"
[initial]
q = { "x[i]" = "1/i" }
v = { "x[i]" = "sum(j in 1..k*n: 1/j)" }
)toml";
    const Model model = read_model(text, "bounds.toml");
    EXPECT_EQ(model.structure_parameters, (std::vector<std::string>{"half", "n", "last"}));
    Stepper<double> stepper(model, build_method(model, parse_methods("midpoint")[0]));
    stepper.set_parameters({3, 4, 5, 7});
    try {
        stepper.set_parameters({3, 4, 6, 0.25});
        FAIL();
    } catch (const BadRun& e) {
        EXPECT_STREQ(e.what(), "the parameter 'last' is part of the structure, which is fixed once the model is read\n"
                               "  read the model again with another value: --set last=VALUE, or LoadOptions::set");
    }
    const Model longer = read_model(text, "bounds.toml", {.set = {{"half", "4"}, {"k", "2"}}, .q = {{"x[1]", "9"}}});
    EXPECT_EQ(longer.q.count(), 10);
    EXPECT_EQ(longer.parameters[3].value, 2);
    EXPECT_EQ(longer.parameters[3].typical, 1 / static_cast<quad>(5)); // of the length that was asked for
    EXPECT_EQ(longer.q0[0], 9);
    ASSERT_TRUE(longer.typical_start);
    EXPECT_EQ(longer.typical_start->q0[0], 1);
}

} // namespace
} // namespace rattleback
