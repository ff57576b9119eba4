// Laws of a step on Q x Q and of p_minus, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "evidence/defects.hpp"

namespace rattleback {
namespace {

MeasuredClaim law(const Model& model, const std::string& method, const std::string& name, double step = 0.1) {
    for (const MeasuredClaim& c : verify(model, parse_methods(method)[0], {.step = step, .steps = 100}).claims)
        if (c.name == name) return c;
    return {.name = "missing"};
}

Model oscillator(const std::string& mass) {
    return read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"" + mass +
                          "*x'^2/2 + y'^2/2 - 2*x^2 - y^2/2 - x*y\"\n[initial]\nq = [1, 0.2]\nv = [0, 0.3]\n",
                      "m.toml");
}

// L_d = h L at the midpoint has D12 L_d = -M/h - h K/4, for L = v.M v/2 - q.K q/2.
TEST(DiscreteLaws, OfAnOscillatorAreThoseOfTheClosedForm) {
    const Model model = oscillator("3");
    Report report;
    const double h = 0.1, a = -3 / h - h, b = -h / 4, c = -1 / h - h / 4;
    const auto d = generating_defect<double>(compile(model, "del"), h, 5, report);
    ASSERT_TRUE(d);
    EXPECT_NEAR(d->regularity, a * c - b * b, 1e-10);
    EXPECT_NEAR(d->smallest, a * c - b * b, 1e-10);
    EXPECT_LE(d->pairs, 2.4e-16); // 1.2e-16
    EXPECT_EQ(law(model, "del", "discrete_form").verdict, MeasuredClaim::pass);
}

// A mass that passes through 0: p0 no longer determines q1, and verify says so.
TEST(DiscreteLaws, SeeWhereRegularityIsLost) {
    const MeasuredClaim m = law(oscillator("(0.93 - t)"), "del", "regularity");
    EXPECT_EQ(m.verdict, MeasuredClaim::fail) << m.remark;
    EXPECT_NE(m.remark.find("changes its sign"), std::string::npos) << m.remark;
}

// The same number as the summary of a run has, which comes from another derivation.
TEST(DiscreteLaws, AgreeWithTheRunOnRegularity) {
    for (const GalleryItem& item : gallery())
        if (item.name == "snakeboard" || item.name == "knife_edge" || item.name == "appell_hamel")
            for (const char* method : {"gf", "gf_sym:alpha=1/4", "gf:ld=galerkin"}) {
                const Model model = read_model(item.text, item.name + ".toml");
                Report report;
                const auto d = generating_defect<double>(compile(model, method), 0.05, 6, report);
                const auto r = integrate(model, {.method = method, .step = 0.05, .steps = 6}).report().regularity;
                ASSERT_TRUE(d && r) << item.name << " " << method << report.text();
                EXPECT_NEAR(r->start / d->regularity, 1, 1e-11) << item.name << " " << method;
                EXPECT_NEAR(r->smallest / d->smallest, 1, 1e-11) << item.name << " " << method;
            }
}

// A bi-invariant metric is recognised in a user's model; a potential, a term linear in v and a metric that depends on q
// are not.
TEST(DiscreteLaws, RecogniseABiInvariantMetric) {
    const auto particle = [](const std::string& lagrangian, const std::string& constraint) {
        return read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"" + lagrangian +
                              "\"\n[constraints]\nvelocity = [\"" + constraint +
                              "\"]\n[initial]\nq = [0, 0.5, 0]\nv = [1, 1, 0.5]\n",
                          "m.toml");
    };
    const std::string kinetic = "(x'^2 + 2*y'^2 + z'^2 + 0.6*x'*y')/2", rolling = "z' - y*x'";
    for (const char* method : {"gni", "gni:ld=verlet", "nh_rattle", "gni:start=plain"}) {
        const MeasuredClaim kept = law(particle(kinetic, rolling), method, "energy_of_p_minus");
        EXPECT_EQ(kept.verdict, MeasuredClaim::pass) << method << *kept.in_quad;
        EXPECT_LE(*kept.measured, 1e-15) << method; // 4.7e-16
    }
    for (const auto& [lagrangian, constraint] :
         {std::pair(kinetic + " - x^4/4", rolling), std::pair(kinetic + " + y^3*z'", rolling),
          std::pair("(1 + y^2)*" + kinetic, rolling), std::pair(kinetic, std::string("z' - y*x' + 0.2*(y - 0.5)"))}) {
        const MeasuredClaim m = law(particle(lagrangian, constraint), "gni", "energy_of_p_minus");
        EXPECT_EQ(m.verdict, MeasuredClaim::not_applicable) << lagrangian << ", " << constraint;
        EXPECT_GT(*m.in_quad, 1e-8) << lagrangian << ", " << constraint;
    }
}

// The reflection at a node keeps a quadratic H, and only that.
TEST(DiscreteLaws, TakeTheEnergyOfAHamiltonianAtPMinus) {
    const auto particle = [](const std::string& hamiltonian) {
        return read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nhamiltonian = \"" + hamiltonian +
                              "\"\n[constraints]\nvelocity = [\"z' - y*x'\"]\n"
                              "[initial]\nq = [0, 0.5, 0]\nv = [0.4, 0.3, 0.2]\n",
                          "m.toml");
    };
    for (const char* method : {"gni", "nh_rattle", "nh_shake"}) {
        EXPECT_LE(*law(particle("(p_x^2 + 2*p_y^2 + p_z^2)/2"), method, "energy_of_p_minus").in_quad, 1e-32) << method;
        EXPECT_GT(*law(particle("(p_x^2 + p_y^2 + p_z^2)/2 + p_x^4/9"), method, "energy_of_p_minus").in_quad, 1e-8)
            << method;
    }
}

} // namespace
} // namespace rattleback
