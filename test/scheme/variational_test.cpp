// Methods for constraints inside the action, beside second derivations: multipliers eliminated by hand, one method as a
// special case of another. What Propositions 3 and 4 of McLachlan, Modin, Verdier and Wilkins say of stages and nodes.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "laws/models/vehicle.hpp"
#include "run/compiled.hpp"
#include "scheme/build.hpp"
#include "solve/system.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

// One model twice: with multipliers, and as the Hamiltonian H~(q, p) that is left when they are eliminated,
// (p . M^-1 p - w . S^-1 w)/2 + V with w = G M^-1 p, S = G M^-1 G^T.
struct Pair {
    std::string name, with, without;
};
const Pair pairs[] = {
    {"Heisenberg", R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)/2 - x^2*z^2 - z^4/4"
[constraints]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[initial]
q = [0.4, 0.1, 0.2]
p = [0.3, 0.5, -0.2]
)toml",
     R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + p_z^2 - (p_z - y*p_x + x*p_y)^2/(1 + x^2 + y^2))/2 + (x^2 + y^2)/2 + x^2*z^2 + z^4/4"
[initial]
q = [0.4, 0.1, 0.2]
p = [0.3, 0.5, -0.2]
)toml"},
    {"vehicle", vehicle_equations() + R"toml([initial]
q = [0.1, 0.2, 0.3, 0.8]
p = [0.5, 0.3, 0.4, 0.2]
)toml",
     R"toml(
coordinates = ["x", "y", "th", "ph"]
[definitions]
w1 = "p_x*sin(ph) - p_y*cos(ph)"
w2 = "p_x*sin(th) - p_y*cos(th) + 0.5*p_th/1.2"
s12 = "cos(th - ph)"
s22 = "1 + 0.25/1.2"
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + p_th^2/1.2 + p_ph^2/0.8 - (s22*w1^2 - 2*s12*w1*w2 + w2^2)/(s22 - s12^2))/2 + cos(y)"
[initial]
q = [0.1, 0.2, 0.3, 0.8]
p = [0.5, 0.3, 0.4, 0.2]
)toml"},
};

Method method_of(const Model& model, const std::string& text) { return build_in_graph(model, parse_methods(text)[0]); }

// Carried states after some steps.
template <class T> std::vector<T> end_of(const Model& model, const Method& method, T h, int steps) {
    Stepper<T> stepper(model, method);
    Report report;
    EXPECT_TRUE(stepper.start(report, h)) << report.text();
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    return stepper.state();
}

template <class T> double distance(const std::vector<T>& a, const std::vector<T>& b) {
    EXPECT_EQ(a.size(), b.size());
    T worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, real::abs(a[i] - b[i]));
    return static_cast<double>(worst);
}

// Proposition 4: eliminating the multipliers and applying a method commute.
TEST(Elimination, CommutesWithTheMethod) {
    std::vector<std::string> texts{"midpoint"};
    for (int s = 1; s <= 6; ++s) texts.push_back("gauss:stages=" + std::to_string(s));
    for (int s = 2; s <= 6; ++s) texts.push_back("lobatto:stages=" + std::to_string(s));
    for (const auto& [name, with, without] : pairs) {
        const Model a = read_model(with, "with.toml"), b = read_model(without, "without.toml");
        for (const std::string& text : texts) {
            const Method of_a = method_of(a, text), of_b = method_of(b, text);
            // measured: 4.4e-16, 9.6e-35
            EXPECT_LE(distance(end_of<double>(a, of_a, 0.1, 20), end_of<double>(b, of_b, 0.1, 20)), 9e-16) << text;
            EXPECT_LE(distance(end_of<quad>(a, of_a, 0.1, 5), end_of<quad>(b, of_b, 0.1, 5)), 2e-34) << name << text;
        }
    }
}

TEST(Partitioned, WithGaussNodesIsGauss) {
    for (const auto& [name, with, without] : pairs)
        for (int s = 1; s <= 4; ++s) {
            const Model model = read_model(with, "with.toml");
            const std::string stages = ":stages=" + std::to_string(s);
            const auto a = end_of<quad>(model, method_of(model, "gauss" + stages), 0.1, 5);
            const auto b = end_of<quad>(model, method_of(model, "partitioned:multipliers=gauss" + stages), 0.1, 5);
            EXPECT_LE(distance(a, b), 2e-34) << name << s;
        }
}

// The method the paper compares with is the midpoint rule, where the discrete Lagrangian is that of the midpoint.
TEST(DiscreteVakonomic, WithTheMidpointIsTheMidpointRule) {
    for (const auto& [name, with, without] : pairs) {
        const Model model = read_model(with, "with.toml");
        const auto a = end_of<quad>(model, method_of(model, "midpoint"), 0.1, 5);
        EXPECT_LE(distance(a, end_of<quad>(model, method_of(model, "dvak"), 0.1, 5)), 2e-34) << name;
        EXPECT_GE(distance(a, end_of<quad>(model, method_of(model, "dvak:ld=verlet"), 0.1, 5)), 1e-5) << name;
    }
}

// Residuals of the constraint at what the step solved for, along a run.
double worst_at_stages(const Model& model, const Step& step, const Vec& residuals, double h, int steps) {
    const Method method{.id = "test", .step = step, .order = 1};
    Stepper<double> stepper(model, method);
    const Vec scalars({{"t", step.t}, {"h", step.h}});
    SystemSolver<double> solver(
        compile(System{step.graph, concat({step.state, step.hint, scalars}), step.find, step.equations, residuals}));
    Report report;
    EXPECT_TRUE(stepper.start(report, h));
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
        double* to = std::copy(stepper.state().begin(), stepper.state().end(), solver.given());
        to = std::copy(stepper.hint().begin(), stepper.hint().end(), to);
        *to++ = k * h, *to = h;
        EXPECT_TRUE(solver.solve(report)) << report.text();
        for (std::size_t i = 0; i < solver.result_count(); ++i) worst = std::max(worst, std::abs(solver.result(i)));
        EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    }
    return worst;
}

// Corollary 5: the constraint holds at the stages and, with the multiplier of the node, at the nodes.
// Measured: 2.5e-15.
TEST(VelocityConstraints, HoldAtStagesAndNodes) {
    for (const auto& [name, with, without] : pairs)
        for (int s = 1; s <= 6; ++s) {
            const Model model = read_model(with, "with.toml");
            const Tableau rk = gauss(s);
            std::vector<Vec> K;
            const Step step = runge_kutta_step(model, rk, &K);
            Vec residuals;
            for (std::size_t i = 0; i < K.size(); ++i) {
                Vec Q = model.q;
                for (std::size_t j = 0; j < K.size(); ++j)
                    Q = Q + (step.h * Expr(rk.a[i][j])) * first_components(K[j], Q.size());
                residuals =
                    concat({residuals, Mechanics(model).at(model.velocity, {Q, first_components(K[i], Q.size()),
                                                                            model.t + Expr(rk.c[i]) * step.h})});
            }
            EXPECT_LE(worst_at_stages(model, step, residuals, 0.1, 200), 5e-15) << name << s;
            const auto run = integrate(
                model, {.method = "gauss:stages=" + std::to_string(s), .step = 0.1, .steps = 200, .every = 200});
            ASSERT_TRUE(run.report().ok());
            EXPECT_LE(*run.summary().constraint_max, 5e-15) << name << s;
        }
}

constexpr const char* on_sphere = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
holonomic = ["(x^2 + y^2 + z^2 - 1)/2"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[initial]
q = [0.8, 0, -0.6]
v = [0.3, -0.5, 0.4]
lambda = [0.5]
)toml";

// Proposition 7 and its compositions: positions on the sphere, velocities along it.
TEST(RattleAroundMidpoint, KeepsHolonomicAndHiddenConstraints) {
    for (const char* text : {"rattle_midpoint", "compose:base=rattle_midpoint:order=4", "lobatto:stages=3"}) {
        const Model model = read_model(on_sphere, "sphere.toml");
        const CompiledMethod method = compile(model, text);
        const Formulas own = method.parts().copy_of_formulas();
        const Vec rate = derivative_along(own.model.holonomic, own.model.q, own.model.v);
        Stepper<double> stepper(method);
        NodeReader<double> reader(node_system(own, expand(rate)));
        Report report;
        ASSERT_TRUE(stepper.start(report, 0.01));
        double g = 0, hidden = 0, phi = 0;
        for (int k = 0; k < 100; ++k) {
            ASSERT_TRUE(stepper.advance(k, 0.01, report) && reader.read(stepper, 0, report)) << report.text();
            g = std::max(g, reader.node().holonomic_residual), phi = std::max(phi, reader.node().velocity_residual);
            hidden = std::max(hidden, std::abs(reader.node().extra[0]));
        }
        EXPECT_LE(std::max({g, hidden, phi}), 1e-14) << text;
    }
}

TEST(RattleAroundMidpoint, ReachesOrderFourByComposition) {
    const Model model = read_model(on_sphere, "sphere.toml");
    for (const auto& [text, order] :
         {std::pair("rattle_midpoint", 2), std::pair("compose:base=rattle_midpoint:order=4", 4)}) {
        const OrderStudy study =
            observed_order(compile(model, text), {.until = 0.4, .coarsest = 16, .most_halvings = 3});
        EXPECT_NEAR(study.order, order, 0.05) << text << testing::PrintToString(study.orders);
    }
}

} // namespace
} // namespace rattleback
