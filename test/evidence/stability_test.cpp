// Residuals beside the constraint set, as sections 3.3 to 3.5 of Leimkuhler and Reich 1994 have them.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "evidence/linear.hpp"
#include "evidence/studies.hpp"

namespace rattleback {
namespace {

Model pendulum(double g) {
    return read_model(
        "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - " + std::to_string(g) +
            "*y\"\n[constraints]\nholonomic = [\"(x^2 + y^2 - 1)/2\"]\n[initial]\nq = [1, 0]\nv = [0, -2]\n",
        "m.toml");
}

const StabilityStudy::Formulation& of(const StabilityStudy& study, const std::string& method) {
    for (const StabilityStudy::Formulation& f : study.formulations)
        if (f.method == method) return f;
    throw std::runtime_error(method);
}

const std::vector<std::string> family{"underlying", "dirac", "dirac_simplified", "dirac_weak"};

// Section 3.4: phi' = -+ psi, psi' = 4 |p|^2 phi, |p| = 2.
TEST(Stability, OfThePendulumWithoutGravity) {
    const StabilityStudy study = study_stability(pendulum(0), family, 0.01, 200);
    EXPECT_EQ(of(study, "dirac").verdict(), "centre");
    EXPECT_NEAR(of(study, "dirac").frequency, 4, 1e-9) << "2 |p|";
    EXPECT_LT(of(study, "dirac").factor, 4) << "bounded";
    EXPECT_EQ(of(study, "dirac_simplified").verdict(), "saddle");
    EXPECT_NEAR(of(study, "dirac_simplified").growth, 4, 1e-9) << "e^{2 |p| t}";
    EXPECT_NEAR(std::log(of(study, "dirac_simplified").factor), 8, 0.7) << "after two units of time";
    EXPECT_EQ(of(study, "underlying").verdict(), "neutral, with linear growth");
    EXPECT_EQ(of(study, "dirac_weak").verdict(), "neutral");
    EXPECT_NEAR(of(study, "dirac_weak").factor, 1, 1e-9);
}

TEST(Stability, OfThePendulumWithGravity) {
    const StabilityStudy study = study_stability(pendulum(1), family, 0.01, 100);
    EXPECT_EQ(of(study, "dirac").verdict(), "centre");
    EXPECT_EQ(of(study, "dirac_simplified").verdict(), "saddle");
    EXPECT_EQ(of(study, "underlying").verdict(), "neutral, with linear growth");
    EXPECT_EQ(of(study, "dirac_weak").verdict(), "neutral");
}

// (20)-(23): r' = -+ s, s' = B r; 3.5: r' = 0, s' = 0 and r' = s, s' = 0. B = F'' on the normal (1, 2)/sqrt(5).
TEST(Stability, OfLinearConstraints) {
    const Model model =
        read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - x^2 - x*y "
                   "- 2*y^2\"\n[constraints]\nholonomic = [\"x + 2*y\"]\n[initial]\nq = [2, -1]\nv = "
                   "[0, 0]\n",
                   "m.toml");
    std::vector<std::string> all = family;
    all.push_back("dirac_linear");
    const StabilityStudy study = study_stability(model, all, 0.05, 100);
    const double B = (2.0 * 1 + 1 * 2 * 2 + 4 * 4) / 5;
    EXPECT_EQ(of(study, "dirac").verdict(), "centre");
    EXPECT_NEAR(of(study, "dirac").frequency, std::sqrt(B), 1e-9);
    EXPECT_EQ(of(study, "dirac_simplified").verdict(), "saddle");
    EXPECT_NEAR(of(study, "dirac_simplified").growth, std::sqrt(B), 1e-9);
    EXPECT_EQ(of(study, "dirac_weak").verdict(), "neutral");
    EXPECT_EQ(of(study, "underlying").verdict(), "neutral, with linear growth");
    EXPECT_EQ(of(study, "dirac_linear").verdict(), "neutral, with linear growth");
}

// The alpha of section 3.2 pulls towards g = 0 where it is negative.
TEST(Stability, OfTheAlphaFamily) {
    const StabilityStudy study =
        study_stability(pendulum(0), {"dirac_weak:alpha=-2", "dirac_weak:alpha=1", "dirac:alpha=-1"}, 0.01, 100);
    EXPECT_EQ(study.formulations[0].verdict(), "sink");
    EXPECT_EQ(study.formulations[1].verdict(), "saddle");
    EXPECT_NEAR(study.formulations[1].growth, 1, 1e-6);
    EXPECT_EQ(study.formulations[2].centre, 101) << "alpha moves both eigenvalues, which stay a pair";
}

TEST(Eigenvalues, OfMatricesThatAreNotSymmetric) {
    Dense m(3, 3);
    m.entries = {0, -2, 0, 2, 0, 0, 1, 5, -3};
    double sum = 0, turning = 0, smallest = 0;
    for (const auto& e : eigenvalues(m))
        sum += e.real(), turning = std::max(turning, e.imag()), smallest = std::min(smallest, e.real());
    EXPECT_NEAR(sum, -3, 1e-13);
    EXPECT_NEAR(turning, 2, 1e-13);
    EXPECT_NEAR(smallest, -3, 1e-13);
    // The companion matrix of (s - 1)(s - 2)(s - 3)(s - 4)
    Dense companion(4, 4);
    companion.entries = {10, -35, 50, -24, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double product = 1;
    for (const auto& e : eigenvalues(companion)) {
        product *= e.real();
        EXPECT_NEAR(e.real(), std::round(e.real()), 1e-11);
        EXPECT_NEAR(e.imag(), 0, 1e-11);
    }
    EXPECT_NEAR(product, 24, 1e-10);
}

} // namespace
} // namespace rattleback
