// Verdicts do not depend on the units of a model.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <map>

namespace rattleback {
namespace {

// A particle on a ring in a linear field, with lengths in units of `length` and masses of `mass`.
Model ring(const std::string& length, const std::string& mass) {
    return read_model("coordinates = [\"x\", \"y\"]\n[parameters]\nl = \"" + length + "\"\nm = \"" + mass +
                          "\"\n[mechanics]\nlagrangian = \"m/2*(x'^2 + y'^2) - m*x^2\"\n[constraints]\nholonomic = "
                          "[\"x^2 + y^2 - l^2\"]\n[symmetries]\nturn = { x = \"-y\", y = \"x\" }\n[initial]\nq = "
                          "[\"l*cos(0.5)\", \"l*sin(0.5)\"]\nv = [\"-l*sin(0.5)\", \"l*cos(0.5)\"]\n",
                      "m.toml");
}

std::map<std::string, std::string> verdicts(const Model& model, const char* method) {
    std::map<std::string, std::string> all;
    for (const MeasuredClaim& c : verify(model, parse_methods(method)[0], {.step = 0.05, .steps = 2000}).claims)
        all[c.name] = std::string(to_text(c.verdict)) + (c.in_quad ? *c.in_quad < 1e-24 ? ", kept" : ", not kept" : "");
    return all;
}

TEST(Scales, DoNotChangeVerdicts) {
    for (const char* method : {"rattle", "rk4"}) {
        const auto usual = verdicts(ring("1", "1"), method);
        EXPECT_EQ(usual.at("symplectic"), std::string(method) == "rk4" ? "pass, not kept" : "pass, kept") << method;
        for (const auto& [length, mass] : {std::pair("1e-10", "1e-26"), std::pair("1e11", "1e30")})
            for (const auto& [name, verdict] : verdicts(ring(length, mass), method)) {
                // The tangent map of badly scaled equations may be called singular: that is no verdict.
                const bool none = name == "symplectic" && verdict == "not applicable";
                EXPECT_EQ(none ? usual.at(name) : verdict, usual.at(name)) << method << ", " << name << ", " << length;
            }
    }
}

TEST(Scales, ForcesAndTimeLeaveEnergyWithoutAVerdict) {
    const Model damped =
        read_model("coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 - x^2/2\"\nforce = { x = "
                   "\"-x'/10\" }\n[initial]\nq = [1]\nv = [0]\n",
                   "m.toml");
    for (const char* method : {"midpoint", "rk4", "bdf2"})
        for (const MeasuredClaim& c : verify(damped, parse_methods(method)[0], {.step = 0.1, .steps = 200}).claims)
            if (c.name.starts_with("energy")) {
                EXPECT_EQ(c.verdict, MeasuredClaim::not_applicable) << method << " " << c.name;
                EXPECT_EQ(c.remark, "the motion itself does not conserve its energy: forces do work");
            }
}

} // namespace
} // namespace rattleback
