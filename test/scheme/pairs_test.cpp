// Lobatto's pairs by iteration: it finds what Newton's method finds, in double and in quad, on the tape and on lanes
// with the same bits, keeps what the method keeps, and hands steps over to Newton's method where it does not contract.
#include <gtest/gtest.h>

#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "code/backend.hpp"
#include "run/compiled.hpp"
#include "solve/pairs.hpp"

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
const char* const sphere = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z - 0.3*x*y"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [0.6, 0, -0.8]
v = [0, 0.7, 0]
)toml";
const char* const hamiltonian_sphere = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + p_z^2)/2 + z + 0.2*(x*p_y - y*p_x)"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [0.6, 0, -0.8]
p = [0, 0.58, 0]
)toml";
const char* const relativistic_circle = R"toml(coordinates = ["x", "y"]
[mechanics]
lagrangian = "-sqrt(1 - x'^2 - y'^2) - y/2"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0]
v = [0, 0.3]
)toml";
const char* const growing_circle = R"toml(coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - y"
force = { x = "-0.1*x'", y = "-0.1*y'" }
[constraints]
holonomic = ["sqrt(x^2 + y^2) - 1 - sin(t)/10"]
[initial]
q = [1, 0]
v = [0.1, 0.3]
)toml";

const Case cases[] = {{"Henon", henon, "lobatto:stages=6", 0.2, 4.5e-16},
                      {"Sphere", sphere, "lobatto:stages=8", 0.1, 7.2e-16},
                      {"SphereThree", sphere, "lobatto:stages=3", 0.1, 1.1e-15},
                      {"SphereTwelve", sphere, "lobatto:stages=12", 0.2, 9.2e-16},
                      {"HamiltonianSphere", hamiltonian_sphere, "lobatto:stages=5", 0.1, 8.9e-16},
                      {"RelativisticCircle", relativistic_circle, "lobatto:stages=4", 0.1, 9.8e-16},
                      {"GrowingCircle", growing_circle, "lobatto:stages=5", 0.1, 6.8e-16},
                      {"DoublePendulum", "cartesian_double_pendulum.toml", "lobatto:stages=6", 0.02, 4.5e-16},
                      {"SliderCrank", "slider_crank.toml", "lobatto:stages=4", 0.01, 1.1e-14},
                      {"Bricard", "bricard.toml", "lobatto:stages=5", 0.01, 4e-15},
                      {"Andrews", "andrews_squeezer.toml", "lobatto:stages=4", 1e-4, 6.2e-16}};

Model model_of(const Case& c) {
    const std::string model = c.model;
    if (!model.ends_with(".toml")) return read_model(model, "model.toml");
    const Model whole = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + model);
    const std::optional<Model> independent = with_independent_constraints(whole, false);
    return independent ? *independent : whole;
}

template <class T> std::vector<T> end_of(const CompiledMethod& method, double h, int steps, Report& report) {
    Stepper<T> stepper(method);
    EXPECT_TRUE(stepper.start(report, T(h))) << report.text();
    report.newton_iterations = report.newton_solves = 0;
    for (int k = 0; k < steps && report.ok(); ++k) stepper.advance(k, T(h), report);
    EXPECT_TRUE(report.ok()) << report.text();
    return stepper.state();
}
template <class T> double apart(const std::vector<T>& a, const std::vector<T>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, static_cast<double>(real::abs(a[i] - b[i]) / (1 + real::abs(b[i]))));
    return most;
}

class Pairs : public testing::TestWithParam<Case> {
  protected:
    const Case& at = GetParam();
    const Model model = model_of(at);
    const std::string fixed = std::string(at.method) + ":iteration=fixed";
};

// With more than 6 stages there is no such method to compare with; but every one has Newton's step beside it.
std::vector<double> by_newton(const CompiledMethod& compiled, double h, int steps) {
    const CompiledMethod::Parts& parts = compiled.parts();
    SystemSolver<double> solver(parts.step.compiled);
    Stepper<double> at(compiled);
    Report report;
    EXPECT_TRUE(at.start(report, h));
    std::vector<double> state = at.state(), low(state.size(), 0.0), hint = at.hint();
    for (int k = 0; k < steps; ++k) {
        double* const given = solver.given();
        std::copy(state.begin(), state.end(), given + parts.places.state);
        std::copy_n(hint.begin(), parts.newton_hints, given + parts.places.hint);
        given[parts.places.t] = at.t0() + k * h, given[parts.places.h] = h;
        std::copy(at.parameters().begin(), at.parameters().end(), given + parts.places.parameters);
        EXPECT_TRUE(solver.solve(report)) << report.text();
        for (std::size_t i = 0; i < state.size(); ++i) {
            const double increment = solver.result(parts.result_places.increment + i) + low[i],
                         sum = state[i] + increment, part = sum - state[i];
            low[i] = (state[i] - (sum - part)) + (increment - part), state[i] = sum;
        }
        solver.results(parts.result_places.hint, parts.newton_hints, hint.data());
    }
    return state;
}

TEST_P(Pairs, AreWhatNewtonsMethodFinds) {
    const CompiledMethod method = compile(model, fixed);
    Report report;
    const auto stages = end_of<double>(method, at.step, 100, report);
    EXPECT_LE(apart(stages, by_newton(method, at.step, 100)), at.off);
    EXPECT_LE(report.newton_iterations, 25 * report.newton_solves); // it contracts: Newton's method took no step
    EXPECT_GE(report.newton_iterations, 4 * report.newton_solves);
}

TEST_P(Pairs, HaveTheBitsOfTheTapeOnLanes) {
    if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    const CompiledMethod method = compile(model, fixed);
    Batch tape(method, 2, {.machine_code = false}), lanes(method, 2);
    ASSERT_EQ(lanes.lanes(), 1) << lanes.why_on_tape(); // the others are stages
    for (Batch* batch : {&tape, &lanes}) {
        for (std::size_t i = 0; i < 2; ++i) ASSERT_TRUE(batch->start(i));
        batch->advance(0, 70, at.step), batch->advance(70, 30, at.step);
    }
    Report report;
    const auto alone = end_of<double>(method, at.step, 100, report);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(tape.state(i), lanes.state(i));
        EXPECT_EQ(tape.report(i).newton_iterations, lanes.report(i).newton_iterations);
        EXPECT_EQ(tape.state(i), alone);
    }
}

TEST_P(Pairs, KeepWhatTheMethodKeeps) {
    if (at.model == std::string("bricard.toml") || at.model == std::string("andrews_squeezer.toml"))
        GTEST_SKIP() << "tangent maps of linkages take a minute";
    const Verification found = verify(model, parse_methods(fixed)[0], {.step = at.step});
    EXPECT_TRUE(found.holds());
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(PairsInQuad, AreWhatNewtonsMethodFinds) {
    for (const char* model : {sphere, hamiltonian_sphere, growing_circle}) {
        Report first, second;
        const Model read = read_model(model, "model.toml");
        const auto newton = end_of<quad>(compile(read, "lobatto:stages=4"), 0.1, 10, first),
                   stages = end_of<quad>(compile(read, "lobatto:stages=4:iteration=fixed"), 0.1, 10, second);
        EXPECT_LE(apart(newton, stages), 1.9e-34);
        EXPECT_LE(second.newton_iterations, 45 * second.newton_solves);
        EXPECT_GE(second.newton_iterations, 10 * second.newton_solves);
    }
}

// The error falls with h^(2s - 2).
TEST(PairsInQuad, HaveTheirOrder) {
    const Model model = read_model(sphere, "sphere.toml");
    Report report;
    const auto exact = end_of<quad>(compile(model, "lobatto:stages=8:iteration=fixed"), 0.05, 20, report);
    for (int s : {3, 4, 5}) {
        const CompiledMethod method = compile(model, "lobatto:stages=" + std::to_string(s) + ":iteration=fixed");
        const double coarse = apart(end_of<quad>(method, 0.1, 10, report), exact),
                     fine = apart(end_of<quad>(method, 0.05, 20, report), exact);
        EXPECT_NEAR(std::log2(coarse / fine), 2 * s - 2, 0.1) << s;
    }
}

// Frequencies times the longer step are 6: multipliers contract, forces do not.
TEST(PairsInStiffSystems, AreLeftToNewton) {
    const Model model = read_model(R"toml(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - 100*(x - 0.5)^2 - 100*z^2"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [0.6, 0.8, 0.1]
v = [0.4, -0.3, 0]
)toml",
                                   "stiff.toml");
    for (double h : {0.02, 0.4}) {
        Report first, second;
        const auto newton = end_of<double>(compile(model, "lobatto:stages=4"), h, 20, first),
                   stages = end_of<double>(compile(model, "lobatto:stages=4:iteration=fixed"), h, 20, second);
        EXPECT_LE(apart(newton, stages), 1e-11) << h;
        EXPECT_EQ(h > 0.1, second.newton_iterations <= first.newton_iterations + 20) << h;
        if (!code::backend()) continue;
        Batch lanes(compile(model, "lobatto:stages=4:iteration=fixed"), 1);
        ASSERT_TRUE(lanes.start(0));
        lanes.advance(0, 20, h);
        EXPECT_EQ(lanes.state(0), stages) << h;
    }
}

TEST(PairsByIteration, SayWhatTheyDoNotTake) {
    const auto message = [](const char* text, const char* method) -> std::string {
        try {
            (void)compile(read_model(text, "model.toml"), method);
        } catch (const Error& e) { return e.what(); }
        return "";
    };
    EXPECT_EQ(message(sphere, "lobatto:stages=3:iteration=fixed"), "");
    EXPECT_NE(message(sphere, "lobatto:iteration=fixed").find("; iteration=newton takes this model"),
              std::string::npos);
    EXPECT_NE(message(sphere, "lobatto:stages=7").find("2 to 6"), std::string::npos)
        << message(sphere, "lobatto:stages=7");
    EXPECT_THROW((void)export_c(compile(read_model(sphere, "sphere.toml"), "lobatto:stages=3:iteration=fixed"), "step"),
                 Unsuitable);
}

} // namespace
} // namespace rattleback
