// Constraints that say the same more than once, that contradict each other, or whose rank changes on the way.
#include <gtest/gtest.h>

#include <cmath>
#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

Model particle(const std::string& holonomic, const std::string& initial, const std::string& potential = "z") {
    return read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + 2*y'^2 + z'^2)/2 - (" +
                          potential + ")\"\n[constraints]\nholonomic = " + holonomic + "\n[initial]\n" + initial + "\n",
                      "m.toml");
}

std::string complaint(const Model& model, const std::string& method = "rattle", bool project = false) {
    try {
        return integrate(model, {.method = method, .step = 0.1, .steps = 2, .project = project}).report().text();
    } catch (const std::exception& e) { return e.what(); }
}

Model bricard(bool whole) {
    for (const GalleryItem& item : gallery())
        if (item.name == "bricard") {
            std::string text = item.text;
            const std::string last = ", \"last[3]\"";
            const std::size_t at = text.find(last);
            EXPECT_NE(at, std::string::npos) << "the gallery has the over-determined form";
            if (!whole) text.erase(at, last.size());
            return read_model(text, "bricard.toml");
        }
    throw std::runtime_error("bricard");
}

const char* const sphere = "[\"x^2 + y^2 + z^2 - 1\", \"x - y\", \"x^3 - y^3\", \"(x - y)*exp(z)\"]";

// Every method that takes holonomic constraints steps as if only the independent ones had been given.
TEST(Redundant, ConstraintsChangeNoMotion) {
    const char* const start = "q = [\"sqrt(1/2)\", \"sqrt(1/2)\", 0]\nv = [0, 0, 0.5]";
    const Model all = particle(sphere, start), few = particle("[\"x^2 + y^2 + z^2 - 1\", \"x - y\"]", start);
    for (const char* method : {"rattle", "shake", "lobatto:stages=3", "del", "del:ld=verlet", "projected", "baumgarte",
                               "bdf2", "underlying", "underlying:project=yes", "dirac", "dirac_simplified",
                               "dirac_weak:stages=2", "state_space", "rk4", "dop853", "compose:order=4:base=rattle"}) {
        const auto a = integrate(all, {.method = method, .step = 0.02, .steps = 25});
        const auto b = integrate(few, {.method = method, .step = 0.02, .steps = 25});
        ASSERT_TRUE(a.report().ok()) << method << ": " << a.report().text();
        EXPECT_EQ(a.summary().end["q"], b.summary().end["q"]) << method;
        EXPECT_EQ(a.summary().end["v"], b.summary().end["v"]) << method;
        ASSERT_EQ(a.summary().warnings.size(), 1u);
        EXPECT_EQ(a.summary().warnings[0],
                  "redundant constraints: x^3 - y^3 = 0, (x - y)*exp(z) = 0 follow from the others; of all multipliers "
                  "with the same reaction the shortest are shown");
    }
}

// G^T lambda is the reaction; lambda is orthogonal to what G^T makes nothing of.
TEST(Redundant, MultipliersAreTheShortest) {
    const char* const start = "q = [\"sqrt(1/2)\", \"sqrt(1/2)\", 0]\nv = [0, 0, 0.5]";
    const auto all = integrate(particle(sphere, start), {.method = "rattle", .step = 0.02, .steps = 25});
    const auto few = integrate(particle("[\"x^2 + y^2 + z^2 - 1\", \"x - y\"]", start),
                               {.method = "rattle", .step = 0.02, .steps = 25});
    const std::vector<double> q = all.summary().end["q"], &l = all.summary().end["lambda"],
                              &r = few.summary().end["lambda"];
    ASSERT_EQ(l.size(), 4u);
    ASSERT_EQ(all.record.names("lambda").size(), 4u);
    const double weight[] = {1, 3 * q[0] * q[0], std::exp(q[2])}; // gradients along (1, -1, 0)
    double sum = 0, square = 0;
    for (int i = 0; i < 3; ++i) sum += weight[i] * l[1 + i], square += weight[i] * weight[i];
    EXPECT_NEAR(l[0], r[0], 4e-15);
    EXPECT_NEAR(sum, r[1], 4e-15) << "the same reaction";
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(l[1 + i], r[1] * weight[i] / square, 4e-15) << "a multiple of the weights";
}

TEST(Redundant, BricardMovesInItsOverdeterminedForm) {
    const auto whole = integrate(bricard(true), {.method = "rattle", .step = 0.01, .until = 10.0});
    ASSERT_TRUE(whole.report().ok()) << whole.report().text();
    EXPECT_LT(*whole.summary().holonomic_max, 1e-10) << "measured 1.6e-15, with the constraint that was set aside";
    EXPECT_LT(whole.energy_error_max(), 0.02) << "IFToMM A04: an energy test";
    const auto four = integrate(bricard(false), {.method = "rattle", .step = 0.01, .until = 10.0});
    EXPECT_EQ(whole.summary().end["q"], four.summary().end["q"]);
    const auto shake = integrate(bricard(true), {.method = "shake", .step = 0.01, .until = 1.0});
    EXPECT_TRUE(shake.report().ok());
    EXPECT_LT(*shake.summary().holonomic_max, 1e-10);
}

TEST(Redundant, DoubleFourBarPassesItsSingularPositions) {
    for (const GalleryItem& item : gallery())
        if (item.name == "double_four_bar") {
            const auto run =
                integrate(read_model(item.text, "m.toml"), {.method = "rattle", .step = 0.002, .until = 10.0});
            EXPECT_TRUE(run.report().ok()) << run.report().text();
            EXPECT_LT(*run.summary().holonomic_max, 1e-10);
        }
}

TEST(Redundant, StartsAreProjected) {
    const Model model = particle(sphere, "q = [0.8, 0.7, 0.1]\nv = [0, 0, 0.5]");
    const auto run = integrate(model, {.method = "rattle", .step = 0.02, .steps = 5, .project = true});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_LT(*run.summary().holonomic_max, 1e-15);
}

TEST(Contradictory, ConstraintsAreNamedAndNoOthers) {
    EXPECT_EQ(
        complaint(particle("[\"z - x\", \"x^2 + y^2 - 1\", \"y\", \"x^2 + y^2 - 2\"]", "q = [1, 0, 1]\nv = [0, 0, 0]")),
        "contradictory constraints: no place was found near the start where x^2 + y^2 - 1 = 0, x^2 + y^2 - 2 = 0 "
        "hold together\n  none of them can be left out of this set; correct one");
    EXPECT_EQ(
        complaint(particle("[\"x - y\", \"y - z\", \"z - x - 1\"]", "q = [0, 0, 0]\nv = [0, 0, 0]"), "rattle", true),
        "contradictory constraints: no place was found near the start where x - y = 0, y - z = 0, z - x - 1 = 0 "
        "hold together\n  none of them can be left out of this set; correct one");
    EXPECT_EQ(
        complaint(particle("[\"x^2 + y^2 + 1\"]", "q = [1, 0, 0]\nv = [0, 0, 0]")),
        "contradictory constraints: no place was found near the start where x^2 + y^2 + 1 = 0 holds\n  correct it, "
        "or start elsewhere");
    EXPECT_EQ(
        complaint(particle("[\"z\", \"x - sin(t)\", \"x + y - t\", \"y\"]", "q = [0, 0, 0]\nv = [1, 0, 0]")),
        "contradictory constraints: x - sin(t) = 0, x + y - t = 0, y = 0 can be met together at the start, but not "
        "later\n  none of them can be left out of this set; correct one");
}

TEST(Redundant, APositionIsNotAConstraintThatFollows) {
    // A circle and its tangent: one place.
    EXPECT_EQ(
        complaint(particle("[\"x^2 + y^2 - 1\", \"x - 1\"]", "q = [1, 0, 0]\nv = [0, 0, 1]")),
        "dependent constraints: at the start the gradient of x - 1 is a combination of those of the others, but x - "
        "1 = 0 does not follow from them: a singular position\n  start elsewhere");
}

// Two formulas that are the same to the left of x = 0, and part there.
TEST(Redundant, ARankThatChangesEndsTheRunBefore) {
    const Model model =
        particle("[\"y*(y - max(x, 0)^3 - 1) + x\", \"y*(y - 1) + x\"]", "q = [-2, 2, 0]\nv = [0.9, -0.3, 0]", "0");
    const auto run = integrate(model, {.method = "rattle", .step = 0.05, .until = 20.0});
    EXPECT_EQ(run.report().status, Report::singular);
    EXPECT_NE(run.report().what.find("the rank of the constraints changes before t = "), std::string::npos)
        << run.report().text();
    EXPECT_NE(run.report().what.find("y*(y - 1) + x = 0 no longer follows from the others"), std::string::npos);
    const double x = run.q(run.q.rows() - 1, 0), y = run.q(run.q.rows() - 1, 1);
    EXPECT_NEAR(y * (y - 1) + x, 0, 1e-7) << "the last state still was regular";
}

// One constraint given twice in the same words is as good as one and its multiple.
TEST(Redundant, ConstraintsMayBeGivenTwice) {
    const char* const start = "q = [0.6, 0, 0.8]\nv = [0.4, 0.5, -0.3]";
    const Model twice = particle("[\"x^2 + y^2 + z^2 - 1\", \"x^2 + y^2 + z^2 - 1\"]", start),
                once = particle("[\"x^2 + y^2 + z^2 - 1\"]", start);
    for (const char* method : {"rattle", "shake", "lobatto:stages=3", "del", "projected", "baumgarte", "bdf2", "dirac",
                               "underlying", "state_space", "rk4", "dop853"}) {
        const auto a = integrate(twice, {.method = method, .step = 0.02, .steps = 25});
        const auto b = integrate(once, {.method = method, .step = 0.02, .steps = 25});
        ASSERT_TRUE(a.report().ok()) << method << ": " << a.report().text();
        EXPECT_EQ(a.summary().end["q"], b.summary().end["q"]) << method;
        ASSERT_EQ(a.summary().end["lambda"].size(), 2u);
        EXPECT_NEAR(a.summary().end["lambda"][0], b.summary().end["lambda"][0] / 2, 1e-12) << method;
        EXPECT_NEAR(a.summary().end["lambda"][0], a.summary().end["lambda"][1], 1e-12) << method;
    }
}

// RATTLE solves for one rod by a formula with a product of four gradients: divided by 1e80 the circle is left by 3e-5,
// by 1e90 its radius is 0.91 after ten steps.
TEST(Holonomic, ConstraintsOfUnusualSizeAreRefused) {
    const auto circle = [](const std::string& size) {
        return particle("[\"(x^2 + y^2 + z^2 - 1)/" + size + "\"]", "q = [0.6, 0, 0.8]\nv = [0.4, 0.5, -0.3]");
    };
    const auto end = [&](const std::string& size) {
        return integrate(circle(size), {.method = "rattle", .step = 0.1, .steps = 10}).summary().end["q"];
    };
    for (const char* size : {"1e59", "1e-59"})
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(end(size)[i], end("1")[i], 1e-15) << size;
    EXPECT_EQ(complaint(circle("1e61"), "rattle"),
              "a constraint of unusual size: the gradient of (x^2 + y^2 + z^2 - 1)/1e61 is 1.6e-61 at the start\n"
              "  multiply it by 1e61: it says the same, and its products can be computed");
    EXPECT_EQ(complaint(circle("1e-160"), "lobatto"),
              "a constraint of unusual size: the gradient of (x^2 + y^2 + z^2 - 1)/1e-160 is 1.6e+160 at the start\n"
              "  multiply it by 1e-160: it says the same, and its products can be computed");
}

TEST(Redundant, VelocityConstraintsGivenTwiceAreNamed) {
    const auto sleigh = [](const std::string& second) {
        return read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n[constraints]\n"
                          "velocity = [\"y' - x*x'\", \"" +
                              second + "\"]\n[initial]\nq = [0, 0]\nv = [1, 0]\n",
                          "m.toml");
    };
    for (const char* method : {"gni", "gf", "rk4"})
        EXPECT_EQ(complaint(sleigh("y' - x*x'"), method),
                  "dependent constraints: at the start y' - x*x' (no. 2) = 0 follows from the others\n"
                  "  leave it out, or start elsewhere")
            << method;
    EXPECT_EQ(complaint(sleigh("2*(y' - x*x')"), "gni"),
              "dependent constraints: at the start 2*(y' - x*x') = 0 follows from the others\n"
              "  leave it out, or start elsewhere");
}

} // namespace
} // namespace rattleback
