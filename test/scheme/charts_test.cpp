// State-space forms: charts that change, one chart, one that is given, and the baseline that is not canonical.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "scheme/build.hpp"

#include <cmath>

namespace rattleback {
namespace {

const char* const bowl =
    "coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - "
    "9.81*z\"\n[constraints]\nholonomic = [\"(x^2 + y^2 + z^2 - 1)/2\"]\n[symmetries]\nvertical = { x "
    "= \"-y\", y = \"x\" }\n[initial]\nq = [0.8, 0, -0.6]\nv = [0, 1.2, 0]\n";
const char* const angles = "[parametrization]\ncoordinates = [\"a\", \"b\"]\nx = \"sin(a)*cos(b)\"\ny = "
                           "\"sin(a)*sin(b)\"\nz = \"-cos(a)\"\n";

Run run(const std::string& method, double until, const std::string& more = "", double step = 0.01) {
    return integrate(read_model(std::string(bowl) + more, "bowl.toml"),
                     {.method = method, .step = step, .until = until});
}

std::string complaint(const std::string& method, const std::string& more = "") {
    try {
        return run(method, 0.1, more).report().text();
    } catch (const std::exception& e) { return e.what(); }
}

TEST(Charts, AllFormsConvergeToTheSameMotion) {
    const auto exact = run("lobatto:stages=5", 1);
    for (const char* A : {"auto", "pivots", "x+y"})
        for (const char* form : {"canonical", "plain"}) {
            const std::string method = "state_space:stages=4:A=" + std::string(A) + ":form=" + form;
            const auto found = run(method, 1);
            ASSERT_TRUE(found.report().ok()) << method << found.report().text();
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_NEAR(found.summary().end["q"][i], exact.summary().end["q"][i], 2e-12) << method;
            EXPECT_LT(*found.summary().holonomic_max, 4e-16) << method;
        }
    const auto given = run("state_space:stages=4", 1, angles);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(given.summary().end["q"][i], exact.summary().end["q"][i], 2e-12);
        EXPECT_NEAR(given.summary().end["p"][i], exact.summary().end["p"][i], 2e-11);
    }
    EXPECT_NEAR(given.summary().end["lambda"][0], exact.summary().end["lambda"][0], 1e-10);
}

// Where one chart suffices one symplectic map is iterated: no drift. Charts that change drift.
TEST(Charts, OneMapDoesNotDrift) {
    const double one = std::abs(run("state_space:A=x+y", 200).summary().energy_drift_per_time),
                 given = std::abs(run("state_space", 200, angles).summary().energy_drift_per_time),
                 changing = std::abs(run("state_space:A=pivots", 200).summary().energy_drift_per_time);
    EXPECT_LT(one, 1e-7);
    EXPECT_LT(given, 1e-7);
    EXPECT_GT(changing, 1e-6);
}

TEST(Charts, AreLogged) {
    const auto found = run("state_space", 2);
    ASSERT_GE(found.summary().charts.size(), 2u);
    EXPECT_EQ(found.summary().charts[0].second, "y, z") << "x = 0.8 is the largest";
    EXPECT_EQ(found.summary().charts[1].second, "x, y");
    EXPECT_EQ(found.summary().chart_changes + 1, static_cast<long long>(found.summary().charts.size()));
    const auto one = run("state_space:A=fixed", 0.1);
    ASSERT_EQ(one.summary().charts.size(), 1u);
    EXPECT_EQ(one.summary().charts[0].second, "y, z");
}

// Where a chart ends the run ends; it does not go on somewhere else.
TEST(Charts, AFixedOneEndsAtItsEdge) {
    const auto found = run("state_space:A=fixed", 5);
    EXPECT_FALSE(found.report().ok());
    EXPECT_GT(found.summary().end["q"][0], 0);
    EXPECT_LT(found.summary().end["q"][0], 0.2) << "x follows from y and z as long as it is not 0";
}

TEST(Charts, SymplecticAndSymmetric) {
    const Model model = read_model(std::string(bowl) + angles, "bowl.toml");
    Report report;
    for (const char* text : {"state_space", "state_space:A=x+y:stages=2", "state_space:A=fixed"}) {
        const Method method = build_in_graph(model, parse_methods(text)[0]);
        EXPECT_LT(symplectic_defect<double>(compile(model, method), 0.05, 3, report).value_or(1), 1e-13) << text;
        EXPECT_LT(symmetry_defect<double>(compile(model, method), 0.05, 3, report).value_or(1), 1e-13) << text;
        EXPECT_LT(reversibility_defect<double>(compile(model, method), 0.05, 3, report).value_or(1), 1e-13) << text;
    }
    // The mutant: the same chart, theta = d'.
    Method plain = build_in_graph(model, parse_methods("state_space:A=x+y:form=plain")[0]);
    plain.step.form = {{plain.step.q, plain.step.p}};
    plain.step.manifold = concat({model.holonomic, Nonholonomic(model).phi});
    EXPECT_GT(symplectic_defect<double>(compile(model, plain), 0.05, 3, report).value_or(0), 1e-7);
}

TEST(Charts, WhatIsRefused) {
    EXPECT_EQ(complaint("state_space:A=q"),
              "option A=q: 'q' is no coordinate; A is auto, pivots, fixed, given, or coordinates like x+y");
    EXPECT_EQ(complaint("state_space:A=x"),
              "option A=x: 2 coordinates are needed, as many as the constraints leave free");
    EXPECT_EQ(complaint("state_space:A=given"), "option A=given needs a [parametrization] in the model");
    EXPECT_EQ(complaint("state_space:A=given:form=plain", angles),
              "option form=plain: A=given is canonical; A is auto, fixed or coordinates");
    EXPECT_EQ(
        complaint("state_space", "[parametrization]\ncoordinates = [\"a\", \"b\"]\nx = \"2*sin(a)*cos(b)\"\ny = "
                                 "\"sin(a)*sin(b)\"\nz = \"-cos(a)\"\n"),
        "the start is not on the given parametrization: no values of its coordinates were found that belong to q in "
        "[initial]\n  give some near them: start = { a = ... } in [parametrization]");
    EXPECT_EQ(complaint("state_space", "[parametrization]\ncoordinates = [\"a\", \"b\"]\nx = \"a\"\ny = \"b\"\nz = "
                                       "\"-0.6 + (a - 0.8)\"\n")
                  .substr(0, 60),
              "the given parametrization leaves the constraint (x^2 + y^2 +");
}

} // namespace
} // namespace rattleback
