// The discrete nonholonomic momentum equation: kept by the methods of discrete d'Alembert principles, visible in
// others, and broken by mutants.
#include <gtest/gtest.h>

#include <cmath>
#include <rattleback/rattleback.hpp>

#include "evidence/studies.hpp"
#include "run/momentum.hpp"
#include "scheme/build.hpp"

namespace rattleback {
namespace {

Model from_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml");
    throw std::runtime_error(name);
}
Method method_of(const Model& model, const std::string& text) { return build_in_graph(model, parse_methods(text)[0]); }

// The largest residual along a run, relative to the momenta; of the declared sections, or of all of g^q.
template <class T>
std::optional<T> momentum_equation_defect(const CompiledMethod& method, T h, int steps, Report& report) {
    const Formulas own = method.parts().copy_of_formulas();
    MomentumEquation<T> equation(own);
    if (equation.wanted().empty()) return {};
    Stepper<T> stepper(method);
    NodeReader<T> reader(node_system(own, equation.wanted()));
    if (!stepper.start(report, h)) return {};
    T size = 1, worst = 0;
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return {};
        if (!reader.read(stepper, stepper.t0() + static_cast<T>(k) * h, report)) return {};
        const NodeValues<T>& node = reader.node();
        equation.at_node(node.extra, node, stepper.t0() + static_cast<T>(k) * h);
        for (const T& J : node.momenta) size = std::max(size, real::abs(J));
    }
    const auto residuals = equation.largest_residuals();
    for (const auto& [name, residual] : residuals) worst = std::max(worst, residual);
    return residuals.empty() ? std::nullopt : std::optional(worst / size);
}

double defect(const Model& model, const Method& method) {
    Report report;
    return momentum_equation_defect<double>(compile(model, method), 0.05, 100, report).value_or(-1);
}

// With sections: the sleigh, the rolling disk. With all of g^q: the others.
const char* const systems[] = {"chaplygin_sleigh", "rolling_disk", "snakeboard", "falling_disk", "roller_racer"};

TEST(MomentumEquation, HoldsWhereConstraintsActAtNodes) {
    for (const char* name : systems) {
        const Model model = from_gallery(name);
        for (const char* method : {"gni", "gni:ld=verlet", "gni:start=plain", "nh_rattle", "nh_shake", "dla"}) {
            const double d = defect(model, method_of(model, method));
            EXPECT_GE(d, 0) << name << " " << method;
            EXPECT_LE(d, 9e-16) << name << " " << method; // 4.4e-16: gni, plain, on the sleigh
        }
    }
}

TEST(MomentumEquation, IsLeftByMethodsWhoseConstraintsActWithinTheStep) {
    for (const char* method : {"gf", "gf_proj", "nh_gauss", "rk4"}) {
        const Model model = from_gallery("chaplygin_sleigh");
        EXPECT_GT(defect(model, method_of(model, method)), 1e-5) << method;
    }
}

// A quarter of the residual for half the step, where momenta change by O(h): the equation is one of the motion itself.
TEST(MomentumEquation, IsApproachedByThemWithTheStep) {
    const Model model = from_gallery("chaplygin_sleigh");
    const Method method = method_of(model, "nh_gauss:stages=2");
    Report report;
    const auto coarse = momentum_equation_defect<quad>(compile(model, method), static_cast<quad>(0.02), 50, report);
    const auto fine = momentum_equation_defect<quad>(compile(model, method), static_cast<quad>(0.01), 100, report);
    ASSERT_TRUE(coarse && fine);
    EXPECT_NEAR(static_cast<double>(*coarse / *fine), 4, 0.2);
}

TEST(MomentumEquation, IsRoundOffInQuad) {
    const Model model = from_gallery("chaplygin_sleigh");
    Report report;
    const auto d = momentum_equation_defect<quad>(compile(model, "gni"), static_cast<quad>(0.05), 20, report);
    ASSERT_TRUE(d);
    EXPECT_LE(static_cast<double>(*d), 1e-32);
}

TEST(MomentumEquation, BreaksUnderMutants) {
    const Model sleigh = from_gallery("chaplygin_sleigh");
    Method forgets = method_of(sleigh, "gni"); // the reaction at the node in which a step arrives
    forgets.step.arrival = {};
    EXPECT_GT(defect(sleigh, forgets), 1e-4);
    Model bent = sleigh; // a section that the constraints do not allow
    bent.sections[0].coefficients[0].second = bent.sections[0].coefficients[0].second + Expr(1e-3);
    EXPECT_GT(defect(bent, method_of(bent, "gni")), 1e-6);
    Model pulled = sleigh; // a motion with a force that the measured model does not know
    pulled.force = Expr(-1e-6) * pulled.v;
    EXPECT_GT(defect(sleigh, method_of(pulled, "gni")), 1e-9);
}

TEST(MomentumEquation, IsSilentWhereItSaysNothing) {
    const Model knife = from_gallery("heisenberg"); // constraints inside the action
    EXPECT_EQ(defect(knife, method_of(knife, "gauss")), -1);
    const Model sleigh = from_gallery("chaplygin_sleigh"); // nodes between the nodes
    EXPECT_EQ(defect(sleigh, method_of(sleigh, "compose:base=gni")), -1);
}

// Forces along the symmetries add their work.
TEST(MomentumEquation, KnowsForces) {
    Model pulled = from_gallery("chaplygin_sleigh");
    pulled.force = Expr(-0.1) * pulled.v;
    for (const Model& model : {pulled, from_gallery("snakeboard_torques"), from_gallery("roller_racer")})
        for (const char* method : {"gni", "gni:ld=verlet", "nh_rattle", "nh_shake", "dla"}) {
            const double d = defect(model, method_of(model, method));
            EXPECT_GE(d, 0) << model.name << " " << method;
            EXPECT_LE(d, 9.8e-16) << model.name << " " << method; // 4.9e-16
        }
    Model other = pulled; // whose work is not that of the force
    other.force = Expr(-0.1001) * pulled.v;
    EXPECT_GT(defect(other, method_of(pulled, "gni")), 1e-7);
}

// At each node J_section is its combination of the symmetries' momenta.
TEST(Sections, HaveMomentumMapsAmongTheColumns) {
    const auto run = integrate(from_gallery("chaplygin_sleigh"), {.method = "gni", .step = 0.02, .until = 1.0});
    ASSERT_EQ(run.record.names("momenta").size(), 5u);
    EXPECT_EQ(run.record.names("momenta")[3], "forward");
    for (std::size_t k = 0; k < run.t.size(); ++k) {
        const double theta = run.q(k, 2),
                     J = run["momenta"](k, 0) * std::cos(theta) + run["momenta"](k, 1) * std::sin(theta);
        EXPECT_NEAR(run["momenta"](k, 3), J, 4e-15);
    }
    const auto& residuals = run.summary().momentum_equation_max;
    ASSERT_EQ(residuals.size(), 2u);
    EXPECT_EQ(residuals[0].first, "forward");
    EXPECT_TRUE(run.summary().horizontal.empty());
    const auto disk = integrate(from_gallery("rolling_disk"), {.method = "gni", .step = 0.02, .until = 1.0});
    EXPECT_EQ(disk.summary().horizontal, std::vector<std::string>{"turn"});
}

TEST(Sections, AreLookedAtByCheck) {
    Model sleigh = from_gallery("chaplygin_sleigh");
    const auto facts = [&](const std::string& key) {
        std::string all;
        for (const auto& [name, words] : inspect(sleigh).facts)
            if (name == key) all += words + "\n";
        return all;
    };
    EXPECT_EQ(facts("section"), "forward: the constraints allow it; its momentum equation holds\n"
                                "turn: the constraints allow it; its momentum equation holds\n");
    sleigh.sections[0].coefficients[0].second = Expr(2);
    EXPECT_EQ(facts("section"), "forward: the constraints do NOT allow it\n"
                                "turn: the constraints allow it; its momentum equation holds\n");
    EXPECT_EQ(inspect(sleigh).warnings.back(),
              "'forward' is declared a section, but the constraints do not allow its direction: its momentum equation "
              "does not hold");
    const auto run = integrate(sleigh, {.method = "gni", .step = 0.02, .steps = 2});
    EXPECT_EQ(run.summary().note,
              "the momentum equation need not hold: the constraints do not allow section 'forward'");
    sleigh.sections.clear();
    EXPECT_EQ(facts("allowed symmetries"), "a space g^q of dimension 2 of 3 at the start\n");
}

} // namespace
} // namespace rattleback
