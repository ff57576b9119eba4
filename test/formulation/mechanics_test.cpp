// Lagrangians and Hamiltonians: the forms in which schemes see them say the same.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <random>

#include "formulation/general_hamiltonian.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

Model model_of(const std::string& coordinates, const std::string& mechanics, const std::string& initial) {
    return read_model(
        "coordinates = [" + coordinates + "]\n[mechanics]\n" + mechanics + "\n[initial]\n" + initial + "\n", "m.toml");
}

// find = solution of equations at the given values, then the results.
std::vector<quad> solved(const Model& model, const Vec& given, const std::vector<quad>& at, std::vector<Unknown> find,
                         std::vector<Equation> equations, const Vec& results) {
    SystemSolver<quad> solver(compile(System{model.graph, given, std::move(find), std::move(equations), results}));
    std::copy(at.begin(), at.end(), solver.given());
    Report report;
    EXPECT_TRUE(solver.solve(report)) << report.text();
    std::vector<quad> r;
    for (std::size_t i = 0; i < solver.result_count(); ++i) r.push_back(solver.result(i));
    return r;
}

double distance(const std::vector<quad>& a, const std::vector<quad>& b) {
    EXPECT_EQ(a.size(), b.size());
    quad worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, real::abs(a[i] - b[i]));
    return static_cast<double>(worst);
}

// The last q and v of a run in T.
template <class T> std::vector<T> end_of_run(const Model& model, const std::string& method, T h, int steps) {
    const Method m = build_method(model, parse_methods(method)[0]);
    Stepper<T> stepper(model, m);
    NodeReader<T> reader(model, m);
    Report report;
    EXPECT_TRUE(stepper.start(report)) << report.text();
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    EXPECT_TRUE(reader.read(stepper, stepper.t0() + static_cast<T>(steps) * h, report)) << report.text();
    std::vector<T> r = reader.node().q;
    r.insert(r.end(), reader.node().v.begin(), reader.node().v.end());
    return r;
}

// Not quadratic in v, depends on t, couples v to q, has a force of everything.
Model wild() {
    return model_of("\"x\", \"y\"",
                    "lagrangian = \"(x'^2 + y'^2*(1 + x^2))/2 + x'^4/12 + x'*y'*sin(x + t)/4 + y*x'*cos(t) - x^2*y^2/2 "
                    "- exp(y)/3 + x*cos(2*t)\"\n"
                    "force = { x = \"-0.1*x'^3 + y*t\", y = \"0.3*x*y' - x'\" }",
                    "t = 0.3\nq = [0.4, -0.2]\nv = [0.5, 0.6]");
}

// At any state: v from p returns to where p came from, and d/dt L_v with the second-order form's acceleration is the
// canonical form's p'.
TEST(Forms, CanonicalAndSecondOrderAgree) {
    const Model model = wild();
    const Mechanics sys(model);
    const FirstOrder canonical = sys.canonical(), second = sys.second_order();
    const Vec t = model.time_vec();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int k = 0; k < 20; ++k) {
        std::vector<quad> qv, time{any(random)};
        for (int i = 0; i < 4; ++i) qv.push_back(any(random));
        std::vector<quad> qvt = qv;
        qvt.push_back(time[0]);
        const std::vector<quad> p = solved(model, concat({model.q, model.v, t}), qvt, {}, {}, sys.momentum());
        // canonical: (q, p, t) -> (q', p') with v solved from p = L_v, starting from 0
        const auto c = solved(model, concat({canonical.x, t}), {qv[0], qv[1], p[0], p[1], time[0]}, {{canonical.y, {}}},
                              canonical.algebraic, canonical.rate);
        EXPECT_LE(distance({c[0], c[1]}, {qv[2], qv[3]}), 1e-32);
        // second order: (q, v, t) -> (v, a); the momentum's rate from a by a difference of L_v along the motion
        const auto s = solved(model, concat({second.x, t}), qvt, {{second.y, {}}}, second.algebraic, second.rate);
        EXPECT_LE(distance({s[0], s[1]}, {qv[2], qv[3]}), 1e-32);
        const quad e = static_cast<quad>(1e-10);
        std::vector<quad> plus, minus;
        for (int sign : {1, -1}) {
            std::vector<quad> moved = qvt;
            for (std::size_t i = 0; i < 4; ++i) moved[i] += sign * e * s[i];
            moved[4] += sign * e;
            (sign > 0 ? plus : minus) = solved(model, concat({model.q, model.v, t}), moved, {}, {}, sys.momentum());
        }
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_LE(static_cast<double>(real::abs((plus[i] - minus[i]) / (2 * e) - c[2 + i])), 1e-18) << k;
    }
}

// Methods on (q, v), on (q, p) and on slopes of a discrete Lagrangian: one solution.
TEST(Forms, OfDifferentMethodsConvergeToOneSolution) {
    const Model model = wild();
    const auto reference = end_of_run<double>(model, "dop853:tol=1e-14", 1.0, 1);
    for (const char* method : {"gauss:stages=5", "compose:order=8:base=midpoint", "rk4"}) {
        const auto other = end_of_run<double>(model, method, 1.0 / 256, 256);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(other[i], reference[i], method[0] == 'r' ? 1e-10 : 2e-14) << method;
    }
}

struct Pair {
    std::string coordinates, lagrangian, hamiltonian, initial;
};

// A Hamiltonian in closed form and the Lagrangian whose Legendre transform it is: the same trajectory to round-off,
// although for the Lagrangian v is solved with the stages and for the Hamiltonian it is a formula.
TEST(Legendre, NeedsNoClosedForm) {
    const Pair pairs[] = {
        {"\"x\", \"y\"", "-4*sqrt(1 - (x'^2 + y'^2)/4) + 1/hypot(x, y)", "2*sqrt(4 + p_x^2 + p_y^2) - 1/hypot(x, y)",
         "q = [1, 0.2]\nv = [0.1, 0.9]"},
        {"\"x\"", "cosh(x') - x^2/2 - x^4/4", "p_x*log(p_x + sqrt(1 + p_x^2)) - sqrt(1 + p_x^2) + x^2/2 + x^4/4",
         "q = [0.6]\nv = [0.4]"},
        {"\"x\"", "exp(x' - x)*(2 + cos(t)) - x^2", "p_x*(log(p_x/(2 + cos(t))) + x) - p_x + x^2",
         "t = 0.2\nq = [0.3]\np = [2.5]"},
        {"\"x\", \"y\"", "x'^2/2 + x'*y'/2 + y'^2*(1 + x^2)/2 + y*x' - y^4",
         "((1 + x^2)*(p_x - y)^2 - (p_x - y)*p_y + p_y^2)/(2*(3/4 + x^2)) + y^4", "q = [0.3, 0.5]\nv = [0.2, -0.4]"},
    };
    for (const Pair& p : pairs) {
        const Model L = model_of(p.coordinates, "lagrangian = \"" + p.lagrangian + "\"", p.initial),
                    H = model_of(p.coordinates, "hamiltonian = \"" + p.hamiltonian + "\"", p.initial);
        for (const char* method : {"gauss:stages=1", "gauss:stages=3", "compose:order=4"})
            EXPECT_LE(distance(end_of_run<quad>(L, method, static_cast<quad>(0.1), 10),
                               end_of_run<quad>(H, method, static_cast<quad>(0.1), 10)),
                      4e-33)
                << p.lagrangian << method;
        const auto a = end_of_run<double>(L, "gauss:stages=2", 0.1, 10),
                   b = end_of_run<double>(H, "gauss:stages=2", 0.1, 10);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-15) << p.lagrangian;
    }
}

// Where a Hamiltonian is given with v, p is searched: first at 0, here outside of the domain of H.
TEST(Legendre, MomentaAreSearchedFromSeveralPlaces) {
    const Model model = model_of("\"x\"", "hamiltonian = \"p_x*log(p_x) - p_x + x^2\"", "q = [0.3]\nv = [0.1]");
    const auto run = integrate(model, {.method = "gauss", .step = 0.1, .steps = 0});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_NEAR(run.p(0, 0), std::exp(0.1), 4e-16); // v = log(p)
    // v = p/sqrt(1 + p^2) is never 2
    const Model none = model_of("\"x\"", "hamiltonian = \"sqrt(1 + p_x^2) + x^2\"", "q = [0.3]\nv = [2]");
    const auto failed = integrate(none, {.method = "gauss", .step = 0.1, .steps = 0});
    EXPECT_FALSE(failed.report().ok());
    EXPECT_EQ(failed.report().remedy, "no momenta were found that belong to these velocities; give p in [initial]");
}

// Forces see the velocity, whichever function is given.
TEST(Forces, AreTheSameForLagrangianAndHamiltonian) {
    const std::string force = "\nforce = { x = \"-0.2*x'^3 - 0.1*y\", y = \"0.3*x*y'*cos(t)\" }",
                      initial = "t = 1\nq = [0.3, 0.5]\nv = [0.2, -0.4]";
    const Model L = model_of("\"x\", \"y\"", "lagrangian = \"x'^2/2 + y'^2*(1 + x^2)/2 - y^4\"" + force, initial),
                H = model_of("\"x\", \"y\"", "hamiltonian = \"p_x^2/2 + p_y^2/(2*(1 + x^2)) + y^4\"" + force, initial);
    for (const char* method : {"gauss:stages=2", "midpoint"})
        EXPECT_LE(distance(end_of_run<quad>(L, method, static_cast<quad>(0.1), 10),
                           end_of_run<quad>(H, method, static_cast<quad>(0.1), 10)),
                  4e-33)
            << method;
}

// Caldirola and Kanai: friction as a force, and as a Lagrangian that grows with time.
TEST(Forces, FrictionEqualsATimeDependentLagrangian) {
    const std::string initial = "t = 0.5\nq = [0.8]\nv = [0.3]";
    const Model force =
                    model_of("\"x\"", "lagrangian = \"x'^2/2 - x^2/2 - x^4/4\"\nforce = { x = \"-0.3*x'\" }", initial),
                time = model_of("\"x\"", "lagrangian = \"exp(0.3*t)*(x'^2/2 - x^2/2 - x^4/4)\"", initial);
    for (const char* method : {"dop853:tol=1e-14", "gauss:stages=5"}) {
        const auto a = end_of_run<double>(force, method, 0.05, 40), b = end_of_run<double>(time, method, 0.05, 40);
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(a[i], b[i], 1e-14) << method;
    }
}

// A total derivative d/dt f(t, q) changes p and nothing else; Gauss methods and del with a quadratic f do not notice.
TEST(Lagrangians, AreUniqueUpToATotalDerivative) {
    const std::string initial = "t = 0.5\nq = [0.8]\nv = [0.3]", plain = "x'^2/2 - x^4/4 - x*cos(t)";
    const Model one = model_of("\"x\"", "lagrangian = \"" + plain + "\"", initial),
                two = model_of("\"x\"", "lagrangian = \"" + plain + " + x*x' + t*x' + x\"",
                               initial); // d/dt (x^2/2 + x t)
    for (const char* method : {"gauss:stages=2", "del", "del:ld=galerkin:stages=2"})
        EXPECT_LE(distance(end_of_run<quad>(one, method, static_cast<quad>(0.1), 10),
                           end_of_run<quad>(two, method, static_cast<quad>(0.1), 10)),
                  1e-32)
            << method;
}

TEST(Start, MomentaAndVelocitiesDetermineEachOther) {
    const Model by_v = wild();
    const auto run = [](const Model& m) { return integrate(m, {.method = "gauss", .step = 0.1, .steps = 0}); };
    const auto first = run(by_v);
    Model by_p = wild();
    by_p.v0.clear();
    for (double p : first.summary().end["p"]) by_p.p0.push_back(p);
    const auto second = run(by_p);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(second.summary().end["v"][i], first.summary().end["v"][i], 2e-16);
        EXPECT_EQ(second.summary().end["p"][i], first.summary().end["p"][i]);
        EXPECT_EQ(second.summary().end["q"][i], first.summary().end["q"][i]);
    }
    EXPECT_NEAR(second.summary().energy_initial, first.summary().energy_initial, 4e-16);
    EXPECT_EQ(first.t[0], 0.3);
}

TEST(Mechanics, RefusesAGeneralHamiltonian) {
    const Model general = read_model("variables = [\"x\", \"y\"]\n[hamiltonian]\nformula = \"x^2 + y^4\"\n"
                                     "structure = [[0, -1], [1, 0]]\n[initial]\nz = [1, 0]\n",
                                     "m.toml");
    try {
        Mechanics sys(general);
        FAIL();
    } catch (const Unsuitable& e) {
        EXPECT_STREQ(e.what(), "this method needs a Lagrangian or a Hamiltonian of (q, p)");
    }
    try {
        GeneralHamiltonian sys(wild());
        FAIL();
    } catch (const Unsuitable& e) { EXPECT_STREQ(e.what(), "this method needs a general Hamiltonian model"); }
}

} // namespace
} // namespace rattleback
