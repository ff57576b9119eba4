// Stiff systems by the simplified Newton method on stages: it finds what Newton's method finds in few iterations, on
// the tape and on lanes with the same bits, keeps what the methods keep, and hands steps over where it does not
// contract.
#include <gtest/gtest.h>
#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "code/backend.hpp"
#include "run/compiled.hpp"
#include "solve/collocation.hpp"
#include "solve/kronecker.hpp"

namespace rattleback {
namespace {

struct Case {
    const char *name, *model, *method;
    double step, off;  // largest error after 100 steps, of the solution in quad: twice what was measured
    double iterations; // of a step, at most; fixed-point iteration does not contract
};

const char* const stiff_spring = R"toml(coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 50^2*y^2/2 - x^4/4 - x^2*y/10"
[initial]
q = [1, 0.01]
v = [0, 0.5]
)toml";
const char* const relaxation = R"toml(coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - x^2/2 + x*cos(0.3*t)"
force = { x = "100*(1 - x^2)*x'" }
[initial]
q = [2]
v = [0]
)toml";
const char* const springs = R"toml(coordinates = ["x", "y", "u", "v"]
[parameters]
k = 1e5
[mechanics]
lagrangian = "(x'^2 + y'^2 + u'^2 + v'^2)/2 - k*(sqrt(x^2 + y^2) - 1)^2/2 - k*(sqrt((u - x)^2 + (v - y)^2) - 1)^2/2 - 9.81*(y + v)"
[initial]
q = [1, 0, 1, -1]
v = [0, -0.3, 0.4, -0.3]
)toml";
const char* const stiff_knife = R"toml(coordinates = ["x", "y", "theta", "s"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + theta'^2 + s'^2)/2 - 1e5*(s - x^2)^2/2 - x^2 - y^2"
[constraints]
velocity = ["x'*sin(theta) - y'*cos(theta)"]
[initial]
q = [0.5, 0, 0, 0.25]
v = [0.3, 0, 0.8, 0.3]
)toml";
const char* const diatomic = R"toml(coordinates = ["x[1..n]"]
[parameters]
n = 10
[definitions]
"x[0]"    = "0"
"x[n+1]"  = "0"
"d[i]"    = "x[i+1] - x[i]"
[mechanics]
kinetic   = "sum(i in 1..n: x[i]'^2)/2"
potential = "sum(i in 0..n: (1e4*sin(pi*i/2)^2 + 1)*d[i]^2/2 + d[i]^4/4)"
[initial]
q = { "x[i]" = "sin(pi*i/(n + 1))/10" }
v = { "x[i]" = "cos(3*i)/10" }
)toml";
const char* const on_sphere = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z - 1e4*x^2*y^2"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [0.6, 0, -0.8]
v = [0, 0.1, 0]
)toml";
const char* const index_one = R"toml(variables = ["a", "b", "c"]
[hamiltonian]
formula = "(1e4*a^2 + b^2)/2 + a*c + c^2 + c^4/4"
structure = [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]
[initial]
z = { a = 0.4, b = 0.3 }
)toml";
// Held upright by a stiff spring, it turns by 40 rad in 100 steps: charts change.
const char* const stiff_top = R"toml(coordinates = ["R in SO(3)"]
[definitions]
tip = "R*[0, 0, 1]"
[mechanics]
kinetic = "(body(R)[1]^2 + body(R)[2]^2)/2 + body(R)[3]^2/4"
potential = "-1e4*tip[3]"
[initial]
q = { R = [1, 0, 0, 0, 1, 0, 0, 0, 1] }
v = { R = [0.5, 0, 8] }
)toml";

const Case cases[] = {{"StiffSpring", stiff_spring, "gauss:stages=4", 0.1, 7e-15, 8},
                      {"StiffSpringSixteen", stiff_spring, "gauss:stages=16", 0.5, 2.8e-15, 10},
                      {"StiffSpringTen", stiff_spring, "gauss:stages=10", 0.2, 6.3e-15, 9},
                      {"Relaxation", relaxation, "gauss:stages=3", 0.02, 2.3e-16, 6},
                      {"Springs", springs, "gauss:stages=4", 0.01, 6.5e-13, 9},
                      {"SpringsEight", springs, "gauss:stages=8", 0.02, 1e-12, 14},
                      {"StiffKnife", stiff_knife, "nh_gauss:stages=4", 0.02, 1.1e-12, 11},
                      {"Diatomic", diatomic, "gauss:stages=6", 0.1, 2.4e-14, 8},
                      {"OnSphere", on_sphere, "dirac_weak:stages=4", 0.02, 3.7e-16, 9},
                      {"IndexOne", index_one, "gauss:stages=5", 0.1, 1.8e-13, 7},
                      {"StiffTop", stiff_top, "gauss:stages=2", 0.05, 2.2e-14, 14}};

class Kronecker : public testing::TestWithParam<Case> {
  protected:
    const Case& at = GetParam();
    const Model model = read_model(at.model, "model.toml");
    const std::string kronecker = std::string(at.method) + ":iteration=kronecker";
    const std::string by_newton = std::string(at.method) + ":iteration=newton";
};

template <class T> std::vector<double> end_of(const CompiledMethod& method, double h, int steps, Report& report) {
    Stepper<T> stepper(method);
    EXPECT_TRUE(stepper.start(report, T(h))) << report.text();
    report.newton_iterations = report.newton_solves = 0;
    for (int k = 0; k < steps && report.ok(); ++k) stepper.advance(k, T(h), report);
    EXPECT_TRUE(report.ok()) << report.text();
    return {stepper.state().begin(), stepper.state().end()};
}
double apart(const std::vector<double>& x, const std::vector<double>& y) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
    return most;
}

TEST_P(Kronecker, FindsWhatNewtonsMethodFinds) {
    Report exact, first, second;
    const auto in_quad = end_of<quad>(compile(model, by_newton), at.step, 100, exact),
               newton = end_of<double>(compile(model, by_newton), at.step, 100, first),
               stages = end_of<double>(compile(model, kronecker), at.step, 100, second);
    EXPECT_LE(apart(in_quad, stages), at.off) << "Newton's method: " << apart(in_quad, newton);
    EXPECT_EQ(second.newton_solves, 100); // Newton's method took no step
    EXPECT_LE(second.newton_iterations, at.iterations * 100);
}

TEST_P(Kronecker, HasTheBitsOfTheTapeOnLanes) {
    if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    const CompiledMethod method = compile(model, kronecker);
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

TEST_P(Kronecker, FindsInQuadWhatNewtonsMethodFinds) {
    Report first, second;
    const auto newton = end_of<quad>(compile(model, by_newton), at.step, 10, first),
               stages = end_of<quad>(compile(model, kronecker), at.step, 10, second);
    EXPECT_LE(apart(newton, stages), 1e-16);
    EXPECT_EQ(second.newton_solves, 10);
}

TEST_P(Kronecker, KeepsWhatTheMethodKeeps) {
    if (model.q.count() > 4) GTEST_SKIP() << "20 components of the state take a minute";
    const Verification found = verify(model, parse_methods(kronecker)[0], {.step = at.step});
    EXPECT_TRUE(found.holds());
}

INSTANTIATE_TEST_SUITE_P(All, Kronecker, testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

} // namespace
} // namespace rattleback
