// One model under two principles: where they must coincide, where they must not, and the size of what parts them.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "evidence/studies.hpp"

namespace rattleback {
namespace {

Model on_ellipsoid(const std::string& constraint) {
    Model model = read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\n"
                             "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - z - x*y/2\"\n[constraints]\nvelocity = [\"" +
                                 constraint + "\"]\n[initial]\nq = [1, 0, 0.5]\nv = [1, 0, -1]\n",
                             "m.toml");
    model.lambda0 = {static_cast<quad>(0.7)};
    return model;
}
Model from_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml");
    throw std::runtime_error(name);
}
PrinciplesStudy study(const Model& model, double step, double until, const std::string& method = "") {
    return compare_principles(model, {.method = method, .step = step, .until = until});
}

TEST(Principles, CoincideForIntegrableConstraints) {
    for (const char* factor : {"1", "(2 + sin(z))", "exp(x*y)"}) {
        const PrinciplesStudy s = study(on_ellipsoid(factor + std::string("*(x*x' + y*y' + 2*z*z')")), 0.02, 5);
        EXPECT_EQ(s.verdict, PrinciplesStudy::coincide) << factor;
        EXPECT_TRUE(s.integrable);
        EXPECT_FALSE(s.part);
        EXPECT_LE(*s.force_max, 2.3e-14) << factor; // measured: 1.13e-14
    }
}

// A mutant: what is integrable up to 1e-3 is not integrable.
TEST(Principles, PartWhereIntegrabilityIsMissedALittle) {
    const PrinciplesStudy s = study(on_ellipsoid("x*x' + y*y' + 2*z*z' + 0.001*(x*y' - y*x')"), 0.02, 5);
    EXPECT_EQ(s.verdict, PrinciplesStudy::differ);
    EXPECT_FALSE(s.integrable);
    EXPECT_GT(*s.force_max, 1e-4);
    EXPECT_TRUE(s.part && *s.part < 0.2);
}

// phi = z' + x y' - y x': the multiplier is a charge in the field 2, so the force is 2 |lambda| |v|.
TEST(Principles, DifferByAMagneticForceInHeisenbergsExample) {
    const PrinciplesStudy s = study(from_gallery("heisenberg"), 0.1, 10);
    EXPECT_EQ(s.verdict, PrinciplesStudy::differ);
    EXPECT_NEAR(*s.force_start, 2 * std::sqrt(0.1), 1e-15);
    EXPECT_EQ(s.integrability, "nonholonomic: growth vector (2, 3)");
    EXPECT_EQ(s.nonholonomic.summary().method, "nh_gauss:stages=3");
    EXPECT_EQ(s.variational.summary().method, "gauss:stages=3");
}

TEST(Principles, AgreeOnMotionsOnWhichTheMultiplierIsIdle) {
    const PrinciplesStudy s = study(from_gallery("vehicle_line"), 0.1, 5);
    EXPECT_EQ(s.verdict, PrinciplesStudy::coincide);
    EXPECT_FALSE(s.integrable);
}

TEST(Principles, AreNotToldApartWhereErrorsHideIt) {
    EXPECT_EQ(study(from_gallery("vehicle_circle"), 0.05, 200).verdict, PrinciplesStudy::undecided);
}

TEST(Principles, UseTheMethodsThatFit) {
    const PrinciplesStudy s = study(from_gallery("heisenberg"), 0.1, 1, "midpoint,gf,nh_rattle");
    EXPECT_EQ(s.nonholonomic.summary().method, "gf");
    EXPECT_EQ(s.variational.summary().method, "midpoint");
    Model tow = from_gallery("sleigh_with_tow"); // with a holonomic constraint beside
    tow.lambda0 = {0};
    EXPECT_EQ(study(tow, 0.01, 0.1).variational.summary().method, "lobatto:stages=4");
}

std::string refusal(const Model& model, const std::string& method) {
    try {
        study(model, 0.1, 1, method);
        return "";
    } catch (const std::exception& e) { return e.what(); }
}

TEST(Principles, RefuseWhatTheyCannotCompare) {
    EXPECT_EQ(refusal(from_gallery("pendulum"), ""),
              "two principles make a difference to velocity constraints; this model has none");
    EXPECT_EQ(refusal(from_gallery("rolling_disk"), ""),
              "the variational motion needs multipliers to start with, 2 numbers: they are part of its initial data\n"
              "  give them: --lambda 0,0");
    EXPECT_EQ(refusal(from_gallery("heisenberg"), "midpoint"),
              "none of the methods takes the nonholonomic form of this model\n  method 'midpoint' takes models without "
              "constraints; this model has nonholonomic constraints: try nh_gauss or gni");
}

} // namespace
} // namespace rattleback
