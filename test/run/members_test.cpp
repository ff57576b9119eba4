// Members of a batch: each has parameters and a time of its own, and the bits of a run of its own.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "code/backend.hpp"
#include "run/compiled.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

constexpr int steps = 200;

struct Member {
    double x, v, t0, drive;
};
constexpr Member members[] = {{1, 0, 0, 0.3}, {1, 0, 1, 0.3}, {0.5, 0.2, -3, 0.3}, {1, 0, 1, 0.7}, {1, 0, 0, 0.3}};

Model driven() {
    return read_model("coordinates = [\"x\"]\n[parameters]\nF = 0.3\n[mechanics]\n"
                      "lagrangian = \"x'^2/2 + x^2/2 - x^4/4 + F*x*cos(1.4*t)\"\n[initial]\nq = [1]\nv = [0]\n",
                      "driven.toml");
}

std::vector<double> alone(const CompiledMethod& method, const Member& m) {
    Stepper<double> stepper(method);
    stepper.set_parameters({m.drive});
    Report report;
    EXPECT_TRUE(stepper.start({.q = {m.x}, .v = {m.v}}, m.t0, report));
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, 0.05, report)) << report.text();
    return stepper.state();
}

TEST(Members, HaveTimesAndParametersOfTheirOwn) {
    for (const char* text : {"midpoint", "del:ld=verlet", "compose:base=del:ld=verlet:order=4", "gauss:stages=2"}) {
        const CompiledMethod method = compile(driven(), text);
        for (const BatchOptions options : {BatchOptions{false}, {true, 1, 1}, {true, 2, 1}, {true, 4, 2}}) {
            if (options.machine_code && !code::backend()) continue;
            Batch batch(method, std::size(members), options);
            for (std::size_t i = 0; i < std::size(members); ++i)
                ASSERT_TRUE(
                    batch.start(i, {.q = {members[i].x}, .v = {members[i].v}}, members[i].t0, {members[i].drive}));
            batch.advance(0, 150, 0.05), batch.advance(150, steps - 150, 0.05);
            for (std::size_t i = 0; i < std::size(members); ++i)
                EXPECT_EQ(batch.state(i), alone(method, members[i])) << text << " " << options.width << " " << i;
            EXPECT_NE(batch.state(0), batch.state(1));
            EXPECT_EQ(batch.state(0), batch.state(4));
        }
    }
}

// A stepper is a state: a copy goes its own way from there, and shares all that does not change.
TEST(Members, AreCopied) {
    Stepper<double> first(compile(driven(), "gauss:stages=2"));
    Report report;
    ASSERT_TRUE(first.start(report, 0.05) && first.advance(0, 0.05, report));
    Stepper<double> second(first);
    EXPECT_EQ(&first.compiled().parts(), &second.compiled().parts());
    for (int k = 1; k < 20; ++k) ASSERT_TRUE(first.advance(k, 0.05, report));
    EXPECT_NE(first.state(), second.state());
    for (int k = 1; k < 20; ++k) ASSERT_TRUE(second.advance(k, 0.05, report));
    EXPECT_EQ(first.state(), second.state());
    EXPECT_EQ(first.low(), second.low());
}

TEST(Models, WithoutVelocitiesAndMomentaAreRefused) {
    Model model;
    const Expr x = add_coordinate(model, "x");
    model.function = pow(velocity(model, "x"), 2) / 2 - pow(x, 2) / 2;
    model.q0 = {1}, model.t0 = 7;
    const RunOptions options{.method = "midpoint", .step = 0.1, .steps = 1};
    try {
        integrate(model, options);
        FAIL();
    } catch (const BadRun& e) {
        EXPECT_STREQ(e.what(), "the model has neither initial velocities nor momenta: set v0 or p0, 1 number");
    }
    model.v0 = {1, 2};
    try {
        integrate(model, options);
        FAIL();
    } catch (const BadRun& e) { EXPECT_STREQ(e.what(), "initial data: v has 2 numbers, and the model has 1"); }
    model.v0 = {0};
    EXPECT_TRUE(integrate(model, options).report().ok());
}

// A scheme of the caller's own: explicit Euler's method.
Scheme euler() {
    return {.id = "euler",
            .title = "explicit Euler",
            .cite = "",
            .takes = "unconstrained models",
            .options = {},
            .order = [](const Options&) { return 1; },
            .claims = [](const Options&) { return std::vector<Claim>{}; },
            .build =
                [](const Model& model, const Options&) {
                    return Method{.id = "euler", .step = runge_kutta_step(model, {{{0}}, {1}, {0}}), .order = 1};
                }};
}

TEST(Schemes, OfTheCallersOwnAreMethodsLikeOthers) {
    const Model model = driven();
    const auto run = integrate(model, euler(), {.step = 0.1, .steps = 1});
    EXPECT_DOUBLE_EQ(run.q(1, 0), 1);
    EXPECT_DOUBLE_EQ(run.v(1, 0), 0.1 * 0.3);
    EXPECT_THROW(integrate(model, {.method = "euler", .step = 0.1, .steps = 1}), BadMethod);
    register_scheme(euler());
    EXPECT_EQ(integrate(model, {.method = "euler", .step = 0.1, .steps = 1}).v(1, 0), run.v(1, 0));
    EXPECT_THROW(register_scheme(euler()), BadMethod);
    Scheme other = euler();
    other.id = "Euler's";
    EXPECT_THROW(register_scheme(other), BadMethod);
    const Model two = read_model("coordinates = [\"u\", \"w\"]\n[mechanics]\nlagrangian = \"u'^2/2 + w'^2/2\"\n"
                                 "[initial]\nq = [0, 0]\nv = [1, 1]\n",
                                 "two.toml");
    try {
        compile(model, build_method(two, parse_methods("midpoint")[0]));
        FAIL();
    } catch (const BadRun& e) {
        EXPECT_STREQ(e.what(),
                     "the method was built for another model: its nodes have 2 coordinates, this model has 1");
    }
    const Method built = build_method(model, parse_methods("euler")[0]);
    EXPECT_EQ(integrate(model, built, {.step = 0.1, .steps = 1}).v(1, 0), run.v(1, 0));
}

} // namespace
} // namespace rattleback
