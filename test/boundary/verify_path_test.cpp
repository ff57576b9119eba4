// What verify says of paths: orders of cost, path and costates, and H along the path.
#include "problems.hpp"

#include "boundary/verify_path.hpp"

namespace rattleback::boundary_test {
namespace {

using boundary::PathVerification;
using boundary::verify_path;

const MeasuredClaim& claim(const PathVerification& of, const std::string& name) {
    return *std::find_if(of.claims.begin(), of.claims.end(), [&](const MeasuredClaim& c) { return c.name == name; });
}

TEST(VerifyPath, OrdersAreThoseOfTheMethod) {
    const Model model = read_model(swing_up, "problem.toml");
    struct Case {
        const char* method;
        double order;
    };
    for (const Case& c : {Case{"type2", 1}, Case{"type2_sym", 2}, Case{"gauss:stages=2", 4}}) {
        const PathVerification found = verify_path(model, c.method);
        for (const char* name : {"cost_order", "path_order", "costate_order", "hamiltonian_constant"}) {
            EXPECT_EQ(claim(found, name).verdict, MeasuredClaim::pass) << c.method << ", " << name;
            EXPECT_NEAR(claim(found, name).measured.value(), c.order, 0.25) << c.method << ", " << name;
        }
    }
}

// A claim that is too high does not hold.
TEST(VerifyPath, ATooHighOrderFails) {
    const Model model = read_model(swing_up, "problem.toml");
    const PathVerification found = verify_path(model, "type2", nullptr, 2);
    for (const char* name : {"cost_order", "path_order", "costate_order", "hamiltonian_constant"})
        EXPECT_EQ(claim(found, name).verdict, MeasuredClaim::fail) << name;
}

// All steps of a path together. The mutant: a method that is not.
TEST(VerifyPath, AllStepsTogetherAreSymplectic) {
    const Model model = read_model(swing_up, "problem.toml");
    for (const char* method : {"type2", "type2_sym", "gauss:stages=2", "compose:base=type2_sym:order=4",
                               "type2:quadrature=alpha:alpha=1/4", "type2:cost=trapezoid:dynamics=midpoint"}) {
        const PathVerification found = verify_path(model, method);
        EXPECT_EQ(claim(found, "symplectic_path").verdict, MeasuredClaim::pass) << method;
        EXPECT_LT(claim(found, "symplectic_path").measured.value(), 2e-15) << method; // 2e-17 to 9e-16
        EXPECT_EQ(claim(found, "legendre_clebsch").verdict, MeasuredClaim::pass) << method;
        EXPECT_EQ(claim(found, "legendre_clebsch").measured.value(), 1) << method;
    }
    const Solution s = find_path(model, {.method = "rk4", .steps = 40, .starts = 4});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_GT(boundary::path_defect(model, "rk4", s).value(), 5e-9); // 9.9e-9
}

TEST(VerifyPath, BeginsAsThePathDoes) {
    const Model model = read_model(double_integrator, "problem.toml");
    EXPECT_FALSE(model.has_start);
    const PathVerification found = verify_path(model, "gauss:stages=2");
    EXPECT_TRUE(found.model.has_start);
    EXPECT_NEAR(static_cast<double>(found.model.p0.at(0)), -12, 1e-11);
    EXPECT_EQ(claim(found, "cost_order").remark, "exact on this path, but for rounding");
}

TEST(VerifyPath, TimeAndEndsThatAreOutOfReach) {
    std::string driven = swing_up;
    driven.replace(driven.find("u - sin(theta)"), 14, "u - sin(theta)*(1 + t/9)");
    const PathVerification found = verify_path(read_model(driven, "problem.toml"), "gauss:stages=2");
    EXPECT_EQ(claim(found, "hamiltonian_constant").verdict, MeasuredClaim::not_applicable);
    EXPECT_EQ(claim(found, "cost_order").verdict, MeasuredClaim::pass);
    std::string stuck = double_integrator;
    stuck.replace(stuck.find("v = \"u\""), 7, "v = \"u^2\"");
    stuck.replace(stuck.find("x = 1"), 5, "x = -1");
    EXPECT_THROW(verify_path(read_model(stuck, "problem.toml"), "midpoint"), BadRun);
}

} // namespace
} // namespace rattleback::boundary_test
