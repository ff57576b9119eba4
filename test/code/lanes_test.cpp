// Machine code against the tape: the same bits, on every number of lanes.
#include <gtest/gtest.h>
#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include "code/backend.hpp"
#include "laws/models.hpp"

namespace rattleback {
namespace {

const char* const methods[] = {
    "midpoint", "gauss:stages=1",  "gauss:stages=2", "gauss:stages=3", "del:ld=verlet", "del:ld=galerkin:stages=2",
    "rk4",      "compose:order=4", "compose:order=6"};
constexpr code::Shape shapes[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {1, 3}, {4, 2}, {8, 4}};

std::optional<Method> build(const Model& model, const char* text) {
    try {
        return build_method(model, parse_methods(text)[0]);
    } catch (const Unsuitable&) { return {}; }
}

// Members with initial data of their own: the model's, moved a little, the last ones a lot.
std::vector<double> moved(const std::vector<quad>& x, std::size_t member) {
    std::vector<double> y;
    for (quad v : x) y.push_back(static_cast<double>(v) * (1 + 0.01 * static_cast<double>(member * member)));
    return y;
}

class Lanes : public testing::Test {
  protected:
    void SetUp() override {
        if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    }
};

TEST_F(Lanes, GiveTheBitsOfTheTape) {
    int compared = 0, turn = 0;
    for (const laws::TestModel& test : laws::models())
        for (const char* text : methods) {
            const Model model = test.read();
            const auto method = build(model, text);
            if (!method || model.constrained()) continue; // moved states would leave the constraints
            const double h = test.step / 2;
            constexpr std::size_t members = 11;
            std::vector<std::vector<double>> expected;
            std::vector<Report> reports;
            const auto run = [&](Batch& batch) {
                for (std::size_t i = 0; i < members; ++i) {
                    if (model.kind == Model::general)
                        batch.start(i, {.z = moved(model.z0, i)}, static_cast<double>(model.t0));
                    else if (model.v0.empty())
                        batch.start(i, {.q = moved(model.q0, i), .p = moved(model.p0, i)},
                                    static_cast<double>(model.t0));
                    else
                        batch.start(i, {.q = moved(model.q0, i), .v = moved(model.v0, i)},
                                    static_cast<double>(model.t0));
                }
                batch.advance(0, 100, h), batch.advance(100, 57, h);
            };
            Batch tape(model, *method, members, {.machine_code = false});
            run(tape);
            Stepper<double> alone(model, *method); // the first member's data are the model's
            Report report;
            ASSERT_TRUE(alone.start(report)) << report.text();
            for (int k = 0; k < 157 && report.ok(); ++k) alone.advance(k, h, report);
            ASSERT_EQ(alone.state(), tape.state(0)) << test.name << " " << text;
            // One lane always, the other shapes in turn: compiling is what takes the time here.
            for (const code::Shape& shape : {shapes[0], shapes[1 + static_cast<std::size_t>(turn++) % 6]}) {
                Batch batch(model, *method, members, {.width = shape.width, .groups = shape.groups});
                if (batch.lanes() == 0) {
                    EXPECT_EQ(batch.why_on_tape(), "the step is too large") << test.name << " " << text;
                    break;
                }
                run(batch);
                for (std::size_t i = 0; i < members; ++i) {
                    ASSERT_EQ(tape.state(i), batch.state(i))
                        << test.name << " " << text << ", member " << i << ", " << shape.width << " x " << shape.groups;
                    ASSERT_EQ(tape.report(i).text(), batch.report(i).text());
                    ASSERT_EQ(tape.report(i).newton_iterations, batch.report(i).newton_iterations);
                    ASSERT_EQ(tape.report(i).newton_solves, batch.report(i).newton_solves);
                    ++compared;
                }
            }
        }
    EXPECT_GT(compared, 500);
}

// Long steps are compiled in parts.
TEST_F(Lanes, LongStepsHaveTheBitsOfTheTape) {
    const Model model = load(RATTLEBACK_SOURCE_DIR "/models/fput.toml", {.set = {{"n", "150"}}});
    for (const char* text : {"del:ld=verlet", "rk4", "compose:order=4:base=del:ld=verlet"}) {
        const auto method = build(model, text);
        ASSERT_TRUE(method) << text;
        Batch tape(model, *method, 2, {.machine_code = false}), code(model, *method, 2, {.width = 1, .groups = 1});
        ASSERT_EQ(code.lanes(), 1) << code.why_on_tape();
        for (Batch* batch : {&tape, &code}) {
            for (std::size_t i = 0; i < 2; ++i)
                batch->start(i, {.q = moved(model.q0, i), .v = moved(model.v0, i)}, static_cast<double>(model.t0));
            batch->advance(0, 70, 0.05), batch->advance(70, 30, 0.05);
        }
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(tape.state(i), code.state(i)) << text;
    }
}

// A whole run, with its nodes: on the tape, in machine code from the start, and changing over on the way.
TEST_F(Lanes, RunsHaveTheSameBitsOnEveryEngine) {
    using Engine = RunOptions::Engine;
    for (const char* text : {"midpoint", "gauss:stages=2", "compose:order=4", "rk4"}) {
        const Model model = laws::models()[0].read();
        const auto run = [&](Engine engine) {
            return integrate(model, {.method = text, .step = 0.01, .steps = 60000, .every = 100, .engine = engine});
        };
        const auto tape = run(Engine::interpreted), code = run(Engine::compiled), both = run(Engine::automatic);
        ASSERT_TRUE(tape.report().ok()) << tape.report().text();
        EXPECT_EQ(code.summary().note, "") << text;
        for (const auto* other : {&code, &both}) {
            ASSERT_EQ(tape.q.rows(), other->q.rows());
            for (std::size_t i = 0; i < tape.q.rows(); ++i)
                for (std::size_t j = 0; j < tape.q.columns(); ++j) {
                    ASSERT_EQ(tape.q(i, j), other->q(i, j)) << text << " " << i;
                    ASSERT_EQ(tape.v(i, j), other->v(i, j)) << text << " " << i;
                }
            EXPECT_EQ(tape.energy(), other->energy());
            EXPECT_EQ(tape.summary().energy_error_max, other->summary().energy_error_max);
            EXPECT_EQ(tape.summary().newton_iterations_mean, other->summary().newton_iterations_mean);
        }
    }
}

// A lane that fails leaves with the tape's report and keeps the state it had; its neighbours go on as if alone.
TEST_F(Lanes, AFailingLaneLeavesWithItsReport) {
    const Model model = read_model(R"toml( # Henon and Heiles: from far away it escapes to infinity
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3"
[initial]
q = [0, 0.1]
v = [0.4, 0.05]
)toml",
                                   "henon_heiles.toml");
    for (const char* text : {"midpoint", "del:ld=verlet"}) {
        const Method method = *build(model, text);
        constexpr std::size_t members = 6;
        Batch tape(model, method, members, {.machine_code = false}),
            lanes(model, method, members, {.width = 4, .groups = 1});
        for (Batch* batch : {&tape, &lanes}) {
            for (std::size_t i = 0; i < members; ++i) {
                InitialData<double> data{.q = moved(model.q0, 1), .v = moved(model.v0, 1)};
                if (i == 1 || i == 4) data.q[1] = 3 + static_cast<double>(i); // in two vectors
                ASSERT_TRUE(batch->start(i, data, 0));
            }
            batch->advance(0, 300, 0.05);
        }
        for (std::size_t i = 0; i < members; ++i) {
            EXPECT_EQ(lanes.report(i).ok(), i != 1 && i != 4) << text << " " << i << ": " << lanes.report(i).text();
            EXPECT_EQ(tape.report(i).text(), lanes.report(i).text());
            EXPECT_EQ(tape.state(i), lanes.state(i)) << text << " " << i;
        }
        EXPECT_EQ(lanes.state(0), lanes.state(5)); // which have the same start and other neighbours
    }
}

// A method that chooses its own steps, and takes some of them back, has its formulas in machine code.
TEST_F(Lanes, ControlledStepsHaveTheBitsOfTheTape) {
    using Engine = RunOptions::Engine;
    const Model model = load(RATTLEBACK_SOURCE_DIR "/models/arenstorf.toml");
    const auto tape = integrate(model, {.engine = Engine::interpreted}),
               code = integrate(model, {.engine = Engine::compiled});
    ASSERT_TRUE(tape.report().ok()) << tape.report().text();
    EXPECT_EQ(code.summary().note, "");
    EXPECT_EQ(tape.summary().end["q"], code.summary().end["q"]);
    EXPECT_EQ(tape.energy(), code.energy());
}

TEST_F(Lanes, StartFromDataThatFit) {
    const Model model = laws::models()[0].read();
    Batch batch(model, *build(model, "midpoint"), 1);
    const auto complaint = [&](const InitialData<double>& data, const std::vector<double>& parameters = {}) {
        try {
            batch.start(0, data, 0, parameters);
        } catch (const BadRun& e) { return std::string(e.what()); }
        return std::string();
    };
    EXPECT_EQ(complaint({.q = {1, 2}, .v = {0, 0}}), "");
    EXPECT_EQ(complaint({.q = {1, 2}, .p = {0, 0}}), "");
    EXPECT_EQ(complaint({.q = {1}, .v = {0, 0}}), "initial data: q has 1 numbers, and the model has 2");
    EXPECT_EQ(complaint({.q = {1, 2}}), "initial data: v has 0 numbers, and the model has 2");
    EXPECT_EQ(complaint({.q = {1, 2}, .p = {0, 0, 0}}), "initial data: p has 3 numbers, and the model has 2");
    EXPECT_EQ(complaint({.q = {1, 2}, .v = {0, 0}}, {1}), "there are values for 1 parameters, and the model has 0");
}

TEST_F(Lanes, AreAsManyAsVectorsHave) {
    const Model model = laws::models()[0].read();
    const Method method = *build(model, "midpoint");
    const auto complaint = [&](int width, int groups) -> std::string {
        try {
            Batch(model, method, 3, {.width = width, .groups = groups});
        } catch (const BadRun& e) { return e.what(); }
        return {};
    };
    EXPECT_EQ(complaint(3, 1), "a batch has vectors of 1, 2, 4 or 8 lanes (0: its choice), not 3");
    EXPECT_EQ(complaint(-1, 1), "a batch has vectors of 1, 2, 4 or 8 lanes (0: its choice), not -1");
    EXPECT_EQ(complaint(2, 5), "a batch has 1 to 4 vectors side by side (0: its choice), not 5");
    EXPECT_EQ(complaint(2, -1), "a batch has 1 to 4 vectors side by side (0: its choice), not -1");
}

} // namespace
} // namespace rattleback
