// Laws of single nonholonomic methods that no claim of the registry expresses.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "evidence/defects.hpp"
#include "laws/measure.hpp"
#include "run/compiled.hpp"
#include "scheme/build.hpp"

namespace rattleback::laws {
namespace {

Model from_gallery(const std::string& name, const LoadOptions& options = {}) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml", options);
    throw std::runtime_error(name);
}
Method method_of(const Model& model, const std::string& text) { return build_in_graph(model, parse_methods(text)[0]); }

struct End {
    std::vector<double> q, p;
};
double distance(const End& a, const End& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.q.size(); ++i)
        worst = std::max({worst, std::abs(a.q[i] - b.q[i]), std::abs(a.p[i] - b.p[i])});
    return worst;
}

// With constant M, SHAKE, RATTLE and the geometric integrator with the trapezoidal L_d are one method in three
// writings, and what start they have is part of it. After 1e3 steps: 1.6e-14 at most, SHAKE on the knife edge.
TEST(Leapfrogs, AreOneMethodInThreeWritings) {
    for (const char* system : {"nonholonomic_particle", "contact_oscillator", "knife_edge", "rolling_disk"}) {
        const Model model = from_gallery(system);
        const auto end = [&](const std::string& method) {
            const Summary s = integrate(model, {.method = method, .step = 0.02, .steps = 1000}).summary();
            return End{s.end["q"], s.end["p"]};
        };
        const End rattle = end("nh_rattle");
        EXPECT_LE(distance(end("nh_shake"), rattle), 3.3e-14) << system;
        EXPECT_LE(distance(end("gni:ld=verlet"), rattle), 1e-14) << system;
        const double plain = distance(end("gni:ld=verlet:start=plain"), rattle);
        EXPECT_TRUE(plain > 1e-6 || system == std::string("knife_edge")) << "which starts without a reaction";
    }
}

// gf_proj is not symmetric: Phi_-h Phi_h - id = O(h^4).
TEST(ProjectedGeneratingFunctions, AreSymmetricToFourthOrder) {
    for (const char* system : {"chaplygin_sleigh", "rolling_disk", "snakeboard"}) {
        const Model model = from_gallery(system);
        const auto defect = [&](const char* method, double h) {
            Report report;
            const auto d = symmetry_defect<quad>(compile(model, method), static_cast<quad>(h), 1, report);
            return d ? static_cast<double>(*d) : -1;
        };
        const double order = std::log2(defect("gf_proj", 0.02) / defect("gf_proj", 0.01));
        EXPECT_NEAR(order, 4, 0.05) << system; // 4.02, 4.00, 4.01
        EXPECT_LE(defect("gf", 0.02), 1e-32) << system << ": before the projection it is symmetric";
    }
}

// Largest |H(q, p_minus) - its first value|, p_minus = p - (h/2) A^T lambda, for the diagonal metric of the snakeboard.
double energy_before_the_reaction(const Model& model, const Method& method, int steps, double h) {
    const auto value = [&](const char* name) {
        for (const Parameter& p : model.parameters)
            if (p.name == name) return static_cast<double>(p.value);
        throw std::runtime_error(name);
    };
    const double m = value("m"), wheels = 2 * value("J1");
    const std::vector<double> mass{m, m, value("J") + wheels, value("J0"), wheels};
    // p+ = p + (h/2) A^T lambda is what a step arrives with, so p_minus = 2 p - p+.
    const CompiledMethod compiled = compile(model, method);
    const Formulas own = compiled.parts().copy_of_formulas();
    NodeReader<double> reader(node_system(own, expand(own.method.step.arrival)));
    Stepper<double> stepper(compiled);
    Report report;
    if (!stepper.start(report, h)) return -1;
    double first = 0, worst = 0;
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return -1;
        if (!reader.read(stepper, k * h, report)) return -1;
        double H = 0;
        for (std::size_t i = 0; i < mass.size(); ++i) {
            const double p = 2 * reader.node().p[i] - reader.node().extra[i];
            H += p * p / mass[i] / 2;
        }
        if (k == 0) first = H;
        worst = std::max(worst, std::abs(H - first) / first);
    }
    return worst;
}

// The theorem of Ferraro, Iglesias and Martin de Diego: with a bi-invariant metric the reflection keeps |p_minus|.
// The energy of the node, H(q, p), it does not keep.
TEST(GeometricIntegrator, KeepsTheEnergyOfPMinusWithoutAPotential) {
    const Model model = from_gallery("snakeboard", {.v = {{"phi", "0"}}});
    constexpr int steps = 10000;
    for (const char* method : {"gni", "gni:ld=verlet", "gni:start=plain", "nh_rattle"}) {
        const double worst = energy_before_the_reaction(model, method_of(model, method), steps, 0.02);
        EXPECT_GE(worst, 0) << method;
        EXPECT_LE(worst, 4 * Real<double>::epsilon * steps) << method;
        EXPECT_LE(worst, 3e-13) << method; // 1.5e-13
    }
    const double node = integrate(model, {.method = "gni", .step = 0.02, .steps = 1000}).energy_error_max();
    EXPECT_GT(node, 1e-7);
}

TEST(GeometricIntegrator, LosesItWithAPushInTheReflection) {
    const Model model = from_gallery("snakeboard", {.v = {{"phi", "0"}}});
    Method method = method_of(model, "gni"); // pm = pp - 2.001 d
    for (std::size_t i = 2 * model.q.size(); i < method.step.increment.size(); ++i)
        method.step.increment[i].value = 1.001 * method.step.increment[i].value;
    EXPECT_GT(energy_before_the_reaction(model, method, 1000, 0.02), 1e-8);
}

// Modin and Verdier: it is reversibility that keeps the energy, and the same motion with shifted momenta shows it. The
// tables of docs/nonholonomic.md, in short.
TEST(LongRuns, AreBoundedWhereTheMotionCanBeReversed) {
    const auto bounded = [](const char* system, const char* method) {
        const Model model = from_gallery(system);
        const auto drift = energy_drift(compile(model, method), *model.run.step, 20000);
        return drift && drift->bounded();
    };
    for (const char* method : {"gni", "nh_rattle", "dla", "gf", "gf_sym", "nh_gauss", "nh_gauss:stages=2"}) {
        EXPECT_TRUE(bounded("contact_oscillator", method)) << method;
        EXPECT_TRUE(bounded("pendulum_driven_cvt", method)) << method;
        EXPECT_FALSE(bounded("contact_oscillator_shifted", method)) << method;
    }
    for (const char* method : {"rk4", "projected", "baumgarte"}) EXPECT_FALSE(bounded("contact_oscillator", method));
    EXPECT_FALSE(bounded("pendulum_driven_cvt", "gf_proj")) << "the projection is not symmetric";
}

} // namespace
} // namespace rattleback::laws
