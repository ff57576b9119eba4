// The tangent map against differences of the steps themselves, in quad: 1e-22 is what central differences can show.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>

#include "expr/real_functions.hpp"

namespace rattleback {
namespace {

const std::string pendulum = R"toml(
coordinates = ["a", "b"]
[parameters]
m = 0.7
l = 0.8
g = 2
[definitions]
one = ["sin(a)", "-cos(a)"]
two = ["sin(a) + l*sin(b)", "-cos(a) - l*cos(b)"]
[mechanics]
lagrangian = "dot(one', one')/2 + m*dot(two', two')/2 - g*(one[2] + m*two[2]) + a*cos(g*t)"
force = { b = "-m*l*b'^3" }
[initial]
t = 0.3
q = [1.2, 0.7]
v = [0.3, -0.4]
)toml";
const std::string hamiltonian = R"toml(
coordinates = ["x", "y"]
[parameters]
k = 0.4
c = 2
[mechanics]
hamiltonian = "sqrt(c^2 + p_x^2 + p_y^2)*c + k*x^2*y^2 + x^2/2 + y^2 - k*x*p_y"
[initial]
q = [0.3, -0.4]
p = [0.5, 0.2]
)toml";
const std::string presymplectic = R"toml(
variables = ["x", "y", "l", "u", "v"]
[parameters]
k = 0.4
m = 1.3
[hamiltonian]
formula = "m*(x^2 + u^2)/2 + (y^2 + v^2)/2 + k*x^2*v^2 + (l + x)^2*m + k*l^4 - l*y*u"
structure = [[0, 0, 0, -1, 0.5], [0, 0, 0, 0.25, -1], [0, 0, 0, 0, 0], [1, -0.25, 0, 0, 0], [-0.5, 1, 0, 0, 0]]
[initial]
z = { x = 0.3, y = -0.2, u = 0.1, v = 0.4 }
)toml";

const quad e = static_cast<quad>(1e-11);

// d(state after `steps` steps)/d(something), one column at a time.
template <class Move> std::vector<quad> difference(Stepper<quad>& stepper, quad h, int steps, Move move) {
    const std::vector<quad> state = stepper.state(), hint = stepper.hint(), parameters = stepper.parameters();
    std::vector<quad> ends[2];
    for (int side : {0, 1}) {
        stepper.set_state(state), stepper.set_hint(hint), stepper.set_parameters(parameters);
        move(side == 0 ? -e : e);
        Report report;
        for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
        ends[side] = stepper.state();
    }
    stepper.set_state(state), stepper.set_hint(hint), stepper.set_parameters(parameters);
    for (std::size_t i = 0; i < state.size(); ++i) ends[1][i] = (ends[1][i] - ends[0][i]) / (2 * e);
    return ends[1];
}

struct Case {
    const char* name;
    const std::string* text;
    const char* method;
};
class Tangents : public testing::TestWithParam<Case> {};

TEST_P(Tangents, EqualDifferences) {
    const Model model = read_model(*GetParam().text, "m.toml");
    Method method = build_method(model, parse_methods(GetParam().method)[0]);
    method.controls_step = false;
    const quad h = static_cast<quad>(0.125);
    Stepper<quad> stepper(model, method);
    Tangent<quad> tangent(model, method);
    Report report;
    ASSERT_TRUE(stepper.start(report)) << report.text();
    std::vector<std::vector<quad>> by_state, by_parameter;
    for (std::size_t j = 0; j < stepper.state().size(); ++j)
        by_state.push_back(difference(stepper, h, 1, [&](quad d) {
            std::vector<quad> s = stepper.state();
            s[j] += d;
            stepper.set_state(s);
        }));
    for (std::size_t j = 0; j < stepper.parameters().size(); ++j)
        by_parameter.push_back(difference(stepper, h, 1, [&](quad d) {
            std::vector<quad> p = stepper.parameters();
            p[j] += d;
            stepper.set_parameters(p);
        }));
    Stepper<quad> plain(model, method);
    ASSERT_TRUE(plain.start(report) && plain.advance(0, h, report) && tangent.advance(stepper, 0, h, report));
    EXPECT_EQ(stepper.state(), plain.state()); // the tangent map takes the step itself, to the bit
    quad worst = 0, largest = 0;
    for (std::size_t i = 0; i < stepper.state().size(); ++i) {
        for (std::size_t j = 0; j < by_state.size(); ++j)
            worst = std::max(worst, real::abs(tangent.state()(i, j) - by_state[j][i]));
        for (std::size_t j = 0; j < by_parameter.size(); ++j) {
            worst = std::max(worst, real::abs(tangent.parameters()(i, j) - by_parameter[j][i]));
            largest = std::max(largest, real::abs(by_parameter[j][i]));
        }
    }
    EXPECT_LE(static_cast<double>(worst), 3e-22);  // 1.4e-22 measured
    EXPECT_GT(static_cast<double>(largest), 1e-3); // parameters do matter
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& [name, text] : {std::pair("pendulum", &pendulum), std::pair("hamiltonian", &hamiltonian),
                                     std::pair("presymplectic", &presymplectic)})
        for (const char* method : {"gauss:stages=1", "gauss:stages=3", "rk4", "dop853", "compose:order=6"})
            all.push_back({name, text, method});
    for (const char* method : {"del", "del:ld=verlet", "del:ld=alpha:alpha=1/3", "del:ld=galerkin:stages=3",
                               "compose:order=4:base=del:ld=verlet"})
        all.push_back({"pendulum", &pendulum, method});
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, Tangents, testing::ValuesIn(cases()), [](const auto& c) {
    std::string name = std::string(c.param.name) + "_" + c.param.method;
    std::replace_if(
        name.begin(), name.end(), [](char x) { return !std::isalnum(x); }, '_');
    return name;
});

// Areas in the phase plane are kept by det D = 1, to round-off; rk4 shrinks them.
TEST(Areas, ArePreservedByTheTangentMap) {
    const Model model = read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2*(1 + x^2) + cos(x)\"\n"
                                   "[initial]\nq = [1]\nv = [0.5]\n",
                                   "m.toml");
    const auto defect = [&](const char* text) {
        const Method method = build_method(model, parse_methods(text)[0]);
        Stepper<quad> stepper(model, method);
        Tangent<quad> tangent(model, method);
        Report report;
        EXPECT_TRUE(stepper.start(report));
        quad worst = 0;
        for (int k = 0; k < 10; ++k) {
            EXPECT_TRUE(tangent.advance(stepper, k, static_cast<quad>(0.2), report));
            const Matrix<quad>& D = tangent.state();
            worst = std::max(worst, real::abs(D(0, 0) * D(1, 1) - D(0, 1) * D(1, 0) - 1));
        }
        return static_cast<double>(worst);
    };
    for (const char* text : {"gauss:stages=1", "gauss:stages=2", "del:ld=verlet", "compose:order=8"})
        EXPECT_LE(defect(text), 2e-33) << text;
    EXPECT_GT(defect("rk4"), 1e-5); // also because it carries v, not p
}

// An area, not its derivative: a polygon of 64 neighbours after 100 steps of the map has the area it began with, up to
// the curvature of its sides.
TEST(Areas, OfAPolygonStay) {
    const Model model = read_model("coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"p_x^2/2 - cos(x)\"\n"
                                   "[initial]\nq = [1]\np = [0]\n",
                                   "m.toml");
    const auto change = [&](const char* text) {
        const Method method = build_method(model, parse_methods(text)[0]);
        Stepper<double> stepper(model, method);
        Report report;
        EXPECT_TRUE(stepper.start(report));
        constexpr int n = 64;
        std::vector<std::vector<double>> before, after;
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * 3.14159265358979 * i / n;
            before.push_back({1 + 0.01 * std::cos(angle), 0.01 * std::sin(angle)});
            stepper.set_state(before.back());
            for (int k = 0; k < 100; ++k) EXPECT_TRUE(stepper.advance(k, 0.3, report));
            after.push_back(stepper.state());
        }
        const auto area = [](const std::vector<std::vector<double>>& p) {
            double sum = 0;
            for (std::size_t i = 0; i < p.size(); ++i) {
                const auto &a = p[i], &b = p[(i + 1) % p.size()];
                sum += (a[0] * b[1] - b[0] * a[1]) / 2;
            }
            return sum;
        };
        return std::abs(area(after) / area(before) - 1);
    };
    EXPECT_LE(change("midpoint"), 4e-6); // 2.0e-6, the curvature
    EXPECT_LE(change("gauss:stages=2"), 4e-6);
    EXPECT_GE(change("rk4"), 4e-4); // 5.7e-4
}

TEST(Defects, AreEmptyWhereTheyDoNotApply) {
    const Model model = read_model(hamiltonian, "m.toml"), general = read_model(presymplectic, "m.toml");
    Report report;
    const Method controlled = build_method(model, parse_methods("dop853")[0]);
    EXPECT_FALSE(symplectic_defect<double>(compile(model, controlled), 0.1, 3, report));
    EXPECT_FALSE(symmetry_defect<double>(compile(model, controlled), 0.1, 3, report));
    EXPECT_FALSE(reversibility_defect<double>(compile(model, controlled), 0.1, 3, report));
    const Method gauss = build_method(general, parse_methods("gauss")[0]);
    EXPECT_FALSE(reversibility_defect<double>(compile(general, gauss), 0.1, 3, report)); // z has no velocities to turn
    EXPECT_LE(symplectic_defect<double>(compile(general, gauss), 0.1, 3, report).value(), 1e-15);
    EXPECT_TRUE(report.ok());
    Method formless = gauss;
    formless.step.form.clear();
    EXPECT_FALSE(symplectic_defect<double>(compile(general, formless), 0.1, 3, report));
    EXPECT_FALSE(symmetry_defect<double>(compile(general, gauss), 1e6, 3, report)); // Newton fails: the report says so
    EXPECT_EQ(report.status, Report::newton_failed);
}

} // namespace
} // namespace rattleback
