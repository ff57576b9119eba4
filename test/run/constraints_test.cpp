// Constraints that cannot be met, that say the same, or that come to say the same.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

Model particle(const std::string& constraints, const std::string& initial) {
    return read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n"
                      "[constraints]\n" +
                          constraints + "\n[initial]\n" + initial + "\n",
                      "m.toml");
}

Model from_gallery(const std::string& name, const LoadOptions& options = {}) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml", options);
    throw std::runtime_error(name);
}

std::string complaint(const Model& model, const std::string& method) {
    try {
        return integrate(model, {.method = method, .step = 0.1, .steps = 2}).report().text();
    } catch (const std::exception& e) { return e.what(); }
}

TEST(Constraints, ThatSayTheSameAreNamed) {
    const Model velocity =
        particle("velocity = [\"x' - y'\", \"z' - x'\", \"2*y' - 2*z'\"]", "q = [0, 0, 0]\nv = [1, 1, 1]");
    for (const char* method : {"nh_rattle", "gni", "gf", "dla", "nh_gauss", "rk4", "dop853", "baumgarte"})
        EXPECT_EQ(complaint(velocity, method), "dependent constraints: at the start 2*y' - 2*z' = 0 follows from the "
                                               "others\n  leave it out, or start elsewhere")
            << method;
    // One of each kind, the same surface.
    const Model both = particle("velocity = [\"x' - y'\"]\nholonomic = [\"x - y\"]", "q = [1, 1, 0]\nv = [1, 1, 1]");
    EXPECT_EQ(
        complaint(both, "nh_rattle"),
        "dependent constraints: at the start x - y = 0 follows from the others\n  leave it out, or start elsewhere");
}

// Admissible, since phi_v has full rank, but not compatible: det(A M^-1 A^T) = 1 - 1.
TEST(Constraints, ThatTheMetricDoesNotHoldUpAreNamed) {
    const Model model =
        read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 - y'^2 + "
                   "z'^2)/2\"\n[constraints]\nvelocity = [\"z' - x*y'\", \"x' + y'\"]\n[initial]\nq = [0, 0, "
                   "0]\nv = [1, -1, 0]\n",
                   "m.toml");
    for (const char* method : {"nh_rattle", "gni", "gf", "dla", "nh_gauss", "rk4", "baumgarte"})
        EXPECT_EQ(complaint(model, method),
                  "incompatible constraints: A M^-1 A^T is singular at the start, by x' + y' = "
                  "0\n  the kinetic energy vanishes on what the constraints take away; change "
                  "it, or start elsewhere")
            << method;
}

TEST(Constraints, ThatTheStartMissesAreNamedWithTheirResidual) {
    EXPECT_EQ(complaint(particle("velocity = [\"x' - y'\", \"z' - y*x'\"]", "q = [0, 1, 0]\nv = [1, 1, 0.5]"), "gni"),
              "the initial data are off the constraint z' - y*x' = 0: the residual is -0.5, 0.5 of its largest term\n"
              "  correct them, or use --project to move them onto the constraints");
    const Model moving = particle("holonomic = [\"x - t\"]", "q = [0, 0, 0]\nv = [0, 0, 0]");
    EXPECT_EQ(complaint(moving, "rattle"), "the initial data are off the constraint the rate of x - t = 0: the "
                                           "residual is -1, 1 of its largest term\n"
                                           "  correct them, or use --project to move them onto the constraints");
}

TEST(Constraints, AreReachedByProjection) {
    const Model model =
        particle("velocity = [\"z' - y*x'\"]\nholonomic = [\"x^2 + y^2 - 1\"]", "q = [0.9, 0.5, 0]\nv = [1, 0.4, 0]");
    const auto run = integrate(model, {.method = "nh_rattle", .step = 0.1, .steps = 0, .project = true});
    const std::vector<double> q = run.summary().end["q"], &v = run.summary().end["v"];
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1], 1, 4e-16);
    EXPECT_NEAR(q[0] / q[1], 0.9 / 0.5, 1e-14) << "the nearest place is straight ahead";
    EXPECT_NEAR(q[0] * v[0] + q[1] * v[1], 0, 4e-16);
    EXPECT_NEAR(v[2] - q[1] * v[0], 0, 4e-16);
}

TEST(Constraints, InsideTheActionNeedTheirMultipliers) {
    EXPECT_EQ(
        complaint(particle("velocity = [\"z' - y*x'\"]\nprinciple = \"variational\"", "q = [0, 1, 0]\nv = [1, 1, 1]"),
                  "gauss"),
        "a variational problem that starts from velocities needs the multipliers too: they are part of the "
        "initial data, 1 number\n  write lambda = [...] in [initial], or start from momenta p");
}

// Momenta determine the multipliers: what is given beside them is checked.
TEST(Constraints, InsideTheActionTakeMultipliersFromMomenta) {
    const auto start = [](const std::string& data) {
        return particle("velocity = [\"z' - y*x' + x*y'\"]\nprinciple = \"variational\"", "q = [0, 0, 0]\n" + data);
    };
    // The data of the paper's section 6: p = M v - lambda g, g = (-y, x, 1), so that lambda = -p_z.
    const auto run = integrate(start("p = [0.1, 0.3, 1]"), {.method = "midpoint", .step = 0.1, .steps = 0});
    EXPECT_EQ(run.summary().end["v"], (std::vector<double>{0.1, 0.3, 0}));
    EXPECT_EQ(run.summary().end["lambda"], std::vector<double>{-1});
    const auto same =
        integrate(start("v = [0.1, 0.3, 0]\nlambda = [-1]"), {.method = "midpoint", .step = 0.1, .steps = 0});
    EXPECT_EQ(same.summary().end["p"], (std::vector<double>{0.1, 0.3, 1}));
    EXPECT_EQ(complaint(start("p = [0.1, 0.3, 1]\nlambda = [-1]"), "midpoint"), "finished");
    EXPECT_EQ(complaint(start("p = [0.1, 0.3, 1]\nlambda = [1]"), "midpoint"),
              "the initial momenta determine lambda_1 = -1, not 1\n  leave lambda out of [initial], or start from "
              "velocities v");
}

// The wheels of the snakeboard pass the position square to the board at t = 4 (pi/2 - 0.3), both axles then say the
// same.
TEST(Constraints, ThatBecomeDependentEndTheRunBefore) {
    const Model model = from_gallery("snakeboard");
    for (const char* method : {"gni", "nh_rattle", "gf", "dla", "nh_gauss", "baumgarte"}) {
        const auto run = integrate(model, {.method = method, .step = 0.02, .until = 8.0});
        EXPECT_EQ(run.report().status, Report::singular);
        EXPECT_EQ(run.report().text(),
                  "the constraints become dependent before t = 5.1000000000000005: x'*sin(theta - phi) - y'*cos(theta "
                  "- phi) - r*theta'*cos(phi) = 0\n  in step 255, at t = 5.08\n  the last state before that is kept; "
                  "start behind it, or choose other constraints")
            << method;
        EXPECT_NEAR(run.t.back(), 5.08, 1e-14) << method;
        EXPECT_NEAR(run.q(run.q.rows() - 1, 4), 1.57, 1e-12) << "phi, the last regular one";
        EXPECT_LT(run.energy_error_max(), 1e-3) << method;
    }
    const auto controlled = integrate(model, {.method = "dop853", .step = 0.02, .until = 8.0});
    EXPECT_EQ(controlled.report().remedy, "the constraints are nearly dependent there: x'*sin(theta - phi) - "
                                          "y'*cos(theta - phi) - r*theta'*cos(phi) = 0");
}

TEST(Constraints, ThatAreDependentAtTheStartAreNamed) {
    const Model square =
        from_gallery("snakeboard", {.q = {{"phi", "pi/2"}}, .v = {{"theta", "0"}, {"x", "0"}, {"y", "0"}}});
    for (const char* method : {"gni", "nh_rattle", "nh_shake", "gf", "dla", "nh_gauss", "rk4"})
        EXPECT_EQ(
            complaint(square, method),
            "dependent constraints: at the start x'*sin(theta - phi) - y'*cos(theta - phi) - r*theta'*cos(phi) = 0 "
            "follows from the others\n  leave it out, or start elsewhere")
            << method;
}

// Turning fast is not becoming dependent.
TEST(Constraints, ThatTurnDoNotEndTheRun) {
    const auto disk = integrate(from_gallery("rolling_disk"), {.method = "gni", .step = 0.5, .until = 50.0});
    EXPECT_TRUE(disk.report().ok()) << disk.report().text();
    const auto car = integrate(from_gallery("car_with_trailer"), {.method = "gf_proj", .step = 0.1, .until = 5.0});
    EXPECT_TRUE(car.report().ok()) << car.report().text();
}

} // namespace
} // namespace rattleback
