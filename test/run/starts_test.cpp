// Which initial data count as being on the constraints: 1e-9 of the size of what these add up, in any units.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "expr/real_functions.hpp"

namespace rattleback {
namespace {

std::string number(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
}

std::string complaint(const std::string& text, const std::string& method) {
    try {
        const Model model = read_model(text, "m.toml");
        const Run run = integrate(model, {.method = method, .step = 1e-3, .steps = 0});
        return run.report().ok() ? "" : run.report().text();
    } catch (const std::exception& e) { return e.what(); }
}

// A circle, or the slope that it prescribes for velocities; the start is off by `error` of the length.
std::string circle(double length, double factor, double error, double error_of_v = 0) {
    const std::string f = number(factor), l = number(length);
    return "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n[constraints]\nholonomic = "
           "[\"" +
           f + "*(x^2 + y^2 - " + l + "^2)\"]\n[initial]\nq = [" + number(0.6 * length) + ", " +
           number(0.8 * length * (1 + error)) + "]\nv = [" + number(-0.8 * length * (1 + error_of_v)) + ", " +
           number(0.6 * length) + "]\n";
}

TEST(Starts, AreOnAHolonomicConstraintInAnyUnits) {
    for (const double length : {1e-10, 1.0, 1.5e11})
        for (const double factor : {1e-20, 1.0, 1e20}) {
            const std::string what = number(length) + " " + number(factor);
            EXPECT_EQ(complaint(circle(length, factor, 0), "rattle"), "") << what;
            EXPECT_EQ(complaint(circle(length, factor, 5e-10), "rattle"), "") << what;
            for (const double error : {1e-8, 1e-6, 0.1})
                EXPECT_EQ(complaint(circle(length, factor, error), "rattle").substr(0, 39),
                          "the initial data are off the constraint")
                    << what;
            EXPECT_EQ(complaint(circle(length, factor, 0, 1e-6), "rattle").substr(0, 52),
                      "the initial data are off the constraint the rate of ")
                << what;
        }
}

TEST(Starts, SayResidualAndSizeOfTheTerms) {
    EXPECT_EQ(complaint("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n[constraints]\n"
                        "holonomic = [\"x^2+y^2-1e-20\"]\n[initial]\nq = [6e-11, 9e-11]\nv = [0, 0]\n",
                        "rattle"),
              "the initial data are off the constraint x^2+y^2-1e-20 = 0: the residual is 1.7e-21, 0.17 of its largest "
              "term\n  correct them, or use --project to move them onto the constraints");
}

std::string sleigh(const std::string& q, const std::string& v) {
    return "coordinates = [\"x\", \"y\", \"th\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + "
           "th'^2)/2\"\n[constraints]\n"
           "velocity = [\"x'*sin(th) - y'*cos(th)\"]\n[initial]\nq = " +
           q + "\nv = " + v + "\n";
}

// Where all terms vanish but for round-off, the numbers beside say what round-off is.
TEST(Starts, AreOnAVelocityConstraint) {
    EXPECT_EQ(complaint(sleigh("[0, 0, 0]", "[1, 6e-17, 0]"), "nh_rattle"), "");
    EXPECT_EQ(complaint(sleigh("[0, 0, 3.141592653589793]", "[1, 0, 0]"), "nh_rattle"), "");
    EXPECT_EQ(complaint(sleigh("[0, 0, 3.14159265359]", "[1, 0, 0]"), "nh_rattle"), "");
    EXPECT_EQ(complaint(sleigh("[0, 0, 0.3]", "[1e-7, 1e-9, 0]"), "nh_rattle"),
              "the initial data are off the constraint x'*sin(th) - y'*cos(th) = 0: the residual is 2.86e-08, 0.286 of "
              "its largest term\n  correct them, or use --project to move them onto the constraints");
    EXPECT_NE(complaint(sleigh("[0, 0, 0]", "[1, 1e-8, 0]"), "nh_rattle"), "");
}

TEST(Starts, AreOnPhaseConstraints) {
    const auto phase = [](const std::string& p) {
        return "coordinates = [\"x\", \"y\"]\n[mechanics]\nhamiltonian = \"(x^2 + y^2)/2\"\n[constraints]\n"
               "phase = [\"p_x + y/2\", \"p_y - x/2\"]\n[initial]\nq = [6e-11, 8e-11]\np = " +
               p + "\n";
    };
    EXPECT_EQ(complaint(phase("[-4e-11, 3e-11]"), "dirac"), "");
    EXPECT_EQ(
        complaint(phase("[-4e-11, 3.1e-11]"), "dirac"),
        "the initial data are off the constraint p_y - x/2 = 0: the residual is 1e-12, 0.0323 of its largest term\n"
        "  correct them, or use --project to move them onto the constraints");
    const auto general = [](const std::string& z) {
        return "variables = [\"x\", \"y\", \"u\", \"w\"]\n[hamiltonian]\nformula = \"(x^2 + y^2 + u^2 + w^2)/2\"\n"
               "structure = [[0, 0, -1, 0], [0, 0, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]]\n"
               "[constraints]\nphase = [\"x - 2*y\", \"u - w/3\"]\n[initial]\nz = " +
               z + "\n";
    };
    EXPECT_EQ(complaint(general("[6e-11, 3e-11, 1e-11, 3e-11]"), "dirac"), "");
    EXPECT_EQ(complaint(general("[6e-11, 3e-11, 1e-11, 4e-11]"), "dirac"),
              "the initial data are off the constraint u - w/3 = 0: the residual is -3.33e-12, 0.25 of its largest "
              "term\n  correct z");
}

// In double a start is what the user wrote; where more digits are measured, it is on the constraints to all of them.
template <class T> T residual(const Model& model, T& moved) {
    Stepper<T> stepper(model, build_method(model, parse_methods("rattle")[0]));
    Report report;
    EXPECT_TRUE(stepper.start(report)) << report.text();
    const T x = stepper.state()[0], y = stepper.state()[1];
    moved = real::abs(x - static_cast<T>(model.q0[0])) + real::abs(y - static_cast<T>(model.q0[1]));
    return real::abs(x * x + y * y - 1);
}

TEST(Starts, InDecimalsAreCompletedInQuad) {
    const Model model = read_model(
        "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n[constraints]\nholonomic "
        "= [\"x^2 + y^2 - 1\"]\n[initial]\nq = [0.70710678, 0.7071067822]\nv = [0, 0]\n",
        "m.toml");
    double moved = 0;
    EXPECT_GT(residual<double>(model, moved), 1e-10);
    EXPECT_EQ(moved, 0);
    quad moved_in_quad = 0;
    EXPECT_LE(static_cast<double>(residual<quad>(model, moved_in_quad)), 4e-34);
    EXPECT_LE(static_cast<double>(moved_in_quad), 1e-9);
    EXPECT_GT(static_cast<double>(moved_in_quad), 1e-11);
}

} // namespace
} // namespace rattleback
