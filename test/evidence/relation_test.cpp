// The relation (z0, z1) of the midpoint rule beyond index 1 against closed forms and a step of its own.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "evidence/relation.hpp"
#include "evidence/studies.hpp"

namespace rattleback {
namespace {

Model general(const std::string& variables, const std::string& H, const std::string& structure, const std::string& z) {
    return read_model("variables = [" + variables + "]\n[hamiltonian]\nformula = \"" + H +
                          "\"\nstructure = " + structure + "\n[initial]\nz = " + z + "\n",
                      "m.toml");
}
const char* const one_multiplier = "[[0, -1, 0], [1, 0, 0], [0, 0, 0]]";

Model pendulum() {
    return general("\"x\", \"y\", \"u\", \"v\", \"l\"", "(u^2 + v^2)/2 + y + l*(x^2 + y^2 - 1)/2",
                   "[[0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]",
                   "[1, 0, 0, -0.5, 0.25]");
}

// H = p^2/2 + x^2/2 + x l: x = 0 in the middle makes x1 = -x0, so p = -2 x0/h there, and p1 = -4 x0/h - p0.
TEST(Relations, OfAHolonomicConstraintJumpByFourOverTheStep) {
    const Model model = general("\"x\", \"p\", \"l\"", "p^2/2 + x^2/2 + x*l", one_multiplier, "[0, 0, 0]");
    for (const double h : {0.1, 1e-3, 1e-4}) {
        const auto found = midpoint_relation(model, {0, 0, 0}, static_cast<quad>(h));
        ASSERT_TRUE(found);
        EXPECT_NEAR(static_cast<double>(found->jump) * h / 4, 1, 1e-15) << h;
        EXPECT_LE(static_cast<double>(found->form), 1e-34) << h;
    }
}

// Of index 1 the jump is that of a motion: J z' = grad H linearized, h times the eliminated H_zz, which is (1.16, 2) on
// its diagonal for H = x^2/2 + y^2 + l^2/2 - 0.4 x l.
TEST(Relations, OfIndex1JumpByTheStep) {
    const Model model = general("\"x\", \"y\", \"l\"", "x^2/2 + y^2 + l^2/2 - 0.4*x*l", one_multiplier, "[1, 0, 0.4]");
    const auto found = midpoint_relation(model, {1, 0, 0.4}, static_cast<quad>(1e-4));
    ASSERT_TRUE(found);
    EXPECT_NEAR(static_cast<double>(found->jump) / 2e-4, 1, 1e-7);
}

TEST(Relations, AreKeptByTheMidpointRuleAlone) {
    for (const Model& model : {pendulum(), general("\"x\", \"y\", \"l\"", "x^2/2 + y^2 + l^2/2 - 0.4*x*l + x*y*l",
                                                   one_multiplier, "[1, 0, 0.4]")}) {
        const std::vector<double> start(model.z0.begin(), model.z0.end());
        EXPECT_LE(midpoint_relation(model, start, 0.1).value().form, 5e-16); // 2.4e-16
        EXPECT_LE(static_cast<double>(midpoint_relation(model, start, static_cast<quad>(0.1)).value().form), 1e-33);
        // The mutant has 0.6 of z1 in its middle.
        EXPECT_GE(midpoint_relation(model, start, 0.1, 0.6).value().form, 1e-4);
    }
}

TEST(Relations, AreToldByCheckAndVerify) {
    const auto told = [](Model model) {
        std::string words;
        for (const auto& [name, fact] : inspect(model).facts)
            if (name == "midpoint relation") words = fact;
        model.any_index = true;
        for (const MeasuredClaim& c : verify(model, parse_methods("midpoint")[0], {.step = 0.1, .steps = 100}).claims)
            if (c.name == "presymplectic") words += " | " + std::string(to_text(c.verdict)) + ": " + c.remark;
        return words;
    };
    const std::string still = "J = 0: z1 = 2 z* - z0 where grad H(z*) = 0, for any z0 and any step";
    EXPECT_EQ(told(general("\"x\", \"y\"", "(x - 1)^2/2 + y^2", "[[0, 0], [0, 0]]", "[1, 0]")),
              "of (z0, z1), changes dz ^ J dz by 0; " + still + " | pass: dz1 ^ J dz1 = dz0 ^ J dz0; " + still);
    const std::string jumps =
        "J d(z1 - z0)/dz0 is 4e+03 at a step of 1e-3 and 4e+04 at 1e-4: no approximation of a motion";
    const std::string found = told(pendulum());
    EXPECT_NE(found.find("; " + jumps + " | pass: dz1 ^ J dz1 = dz0 ^ J dz0; " + jumps), std::string::npos) << found;
    EXPECT_EQ(told(general("\"x\", \"p\", \"l\"", "p^2/2 + x*l^2/2", one_multiplier, "[0, 1, 0]")),
              "z0 does not determine z1 | not applicable: z0 does not determine z1");
}

} // namespace
} // namespace rattleback
