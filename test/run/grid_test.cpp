// How many steps, and of which size.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "run/grid.hpp"

namespace rattleback {
namespace {

Model oscillator(const std::string& t0, const std::string& run) {
    return read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\nt = " + t0 +
                          "\nq = [1]\nv = [0]\n[run]\n" + run,
                      "m.toml");
}

struct Row {
    const char *t0, *run; // of the model
    std::optional<double> step, until;
    std::optional<long long> steps;
    double h;
    long long count;
    bool shortened;
};

class Grids : public testing::TestWithParam<Row> {};
TEST_P(Grids, AreMade) {
    const Row& r = GetParam();
    const Grid g = make_grid(oscillator(r.t0, r.run), {.step = r.step, .until = r.until, .steps = r.steps});
    EXPECT_EQ(g.h, r.h);
    EXPECT_EQ(g.steps, r.count);
    EXPECT_EQ(g.shortened, r.shortened);
}
const Row rows[] = {
    // the model's own, and the options before it
    {"0", "step = 0.1\nsteps = 7\n", {}, {}, {}, 0.1, 7, false},
    {"0", "step = 0.1\nuntil = 2\n", {}, {}, {}, 0.1, 20, false},
    {"0", "step = 0.1\nuntil = 2\n", 0.5, {}, {}, 0.5, 4, false},
    {"0", "step = 0.1\nuntil = 2\n", {}, 1.0, {}, 0.1, 10, false},
    {"0", "step = 0.1\nuntil = 2\n", {}, {}, 3, 0.1, 3, false},
    {"0", "step = 0.1\nsteps = 7\n", {}, 1.0, {}, 0.1, 10, false},
    // until counts from t = 0, not from the start
    {"1.5", "step = 0.1\n", {}, 2.0, {}, 0.1, 5, false},
    {"-1", "step = 0.25\n", {}, 0.0, {}, 0.25, 4, false},
    // 0.3/0.1 = 2.9999999999999996: three steps, not shortened
    {"0", "", 0.1, 0.3, {}, 0.1, 3, false},
    {"0", "", 0.1, 1000000.0, {}, 0.1, 10000000, false},
    // the step is shortened, never lengthened, to divide the interval
    {"0", "", 0.3, 1.0, {}, 0.25, 4, true},
    {"0", "", 5.0, 1.0, {}, 1.0, 1, true},
    {"0", "", 0.1, 0.3000001, {}, 0.3000001 / 4, 4, true},
    // backwards
    {"0", "", -0.5, -2.0, {}, -0.5, 4, false},
    {"3", "", -0.4, 2.0, {}, -1.0 / 3, 3, true},
    {"0", "", -0.5, {}, 4, -0.5, 4, false},
    // nothing to do
    {"0", "", 0.1, 0.0, {}, 0.1, 0, false},
    {"2", "", 0.1, 2.0, {}, 0.1, 0, false},
    {"0", "", 0.1, {}, 0, 0.1, 0, false},
};
INSTANTIATE_TEST_SUITE_P(All, Grids, testing::ValuesIn(rows));

TEST(Grids, RefuseWhatMakesNoSense) {
    const Model bare = oscillator("0", "");
    const auto refusal = [&](const RunOptions& options) -> std::string {
        try {
            make_grid(bare, options);
            return "";
        } catch (const BadRun& e) { return e.what(); }
    };
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refusal({.steps = 3}), "no step is given: use --step STEP, or step in [run]");
    EXPECT_EQ(refusal({.step = 0.1}), "no end is given: use --steps N or --until T, or steps or until in [run]");
    EXPECT_EQ(refusal({.step = 0.0, .steps = 3}), "the step must be a finite number other than 0");
    EXPECT_EQ(refusal({.step = nan, .steps = 3}), "the step must be a finite number other than 0");
    EXPECT_EQ(refusal({.step = inf, .steps = 3}), "the step must be a finite number other than 0");
    EXPECT_EQ(refusal({.step = 0.1, .until = 1.0, .steps = 3}), "--steps and --until cannot be given together");
    EXPECT_EQ(refusal({.step = 0.1, .steps = -1}), "the number of steps must not be negative");
    EXPECT_EQ(refusal({.step = 0.1, .until = nan}), "--until must be a finite number");
    EXPECT_EQ(refusal({.step = 0.1, .until = inf}), "--until must be a finite number");
    EXPECT_EQ(refusal({.step = 0.1, .until = -1.0}), "the step 0.1 leads away from the end -1");
    EXPECT_EQ(refusal({.step = -0.1, .until = 1.0}), "the step -0.1 leads away from the end 1");
    EXPECT_EQ(refusal({.step = 1e-16, .until = 1.0}), "that is more than 9e15 steps");
    EXPECT_EQ(refusal({.step = 0.1, .steps = 3, .every = 0}), "--every must be at least 1");
}

// However close to the start or to a multiple of the step: no end is missed.
TEST(Grids, EndWhereTheyShould) {
    const Grid tiny = make_grid(oscillator("0", ""), {.step = 1.0, .until = 1e-10});
    EXPECT_EQ(tiny.steps, 1);
    EXPECT_EQ(tiny.h, 1e-10);
    EXPECT_TRUE(tiny.shortened);
    const Grid beyond = make_grid(oscillator("0", ""), {.step = 0.1, .until = 1000000.0009});
    EXPECT_EQ(beyond.steps, 10000001);
    EXPECT_NEAR(beyond.h * static_cast<double>(beyond.steps), 1000000.0009, 2e-10);
    EXPECT_TRUE(beyond.shortened);
    // digits that a computation lost are no reason for a step more, but the end is still reached
    const Grid close = make_grid(oscillator("0", ""), {.step = 0.1, .until = 1000.0000000003});
    EXPECT_EQ(close.steps, 10000);
    EXPECT_EQ(close.h, 1000.0000000003 / 10000);
    EXPECT_FALSE(close.shortened);
    const auto run = integrate(oscillator("0", "method = \"midpoint\"\n"), {.step = 0.1, .until = 0.3});
    EXPECT_EQ(run.t.back(), 0.3); // 3 * 0.1 is 0.30000000000000004
    EXPECT_EQ(run.summary().t_end, 0.3);
}

TEST(Summaries, SayThatTheStepWasShortened) {
    const Model model = oscillator("0", "method = \"midpoint\"\n");
    const auto run = integrate(model, {.step = 0.3, .until = 1.0});
    EXPECT_EQ(run.summary().note, "the step was shortened to 0.25 to divide the interval");
    EXPECT_EQ(run.summary().step, 0.25);
    EXPECT_EQ(run.t.values(), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    EXPECT_EQ(integrate(model, {.step = 0.25, .until = 1.0}).summary().note, "");
}

TEST(Runs, NeedOneMethod) {
    const auto refusal = [](const std::string& method) -> std::string {
        const Model model = oscillator("0", "");
        try {
            integrate(model, {.method = method, .step = 0.1, .steps = 1});
            return "";
        } catch (const BadRun& e) { return e.what(); }
    };
    EXPECT_EQ(refusal(""), "no method is given: use -m METHOD, or method in [run]");
    EXPECT_EQ(refusal("rk4,midpoint"), "one method is needed here, not 2");
}

} // namespace
} // namespace rattleback
