// Members that read their neighbours' formulas, stage after stage, have templates that grow exponentially: such steps
// are derived with their members written out, and give what the model with single coordinates gives.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

constexpr int n = 2;

std::string family() {
    return R"toml(
coordinates = ["x", "y", "theta[0..n+1]"]
[parameters]
n = 2
[definitions]
"theta[-1]" = "0"
"speed[i]" = "u^0.5*exp(sum(j in 1..n+1: if(j <= i, log(cos(theta[j-1] - theta[j])), 0)))"
[control]
inputs = ["u", "w"]
dynamics = { x = "u*cos(theta[0])", y = "u*sin(theta[0])", "theta[0]" = "w", "theta[i]" = "speed[i-1]*sin(theta[i-1] - theta[i])" }
cost = "(u^2 + w^2)/2"
[initial]
q = { x = 0, y = 0, "theta[i]" = "0.1*i" }
p = { x = -2, y = -3, "theta[i]" = "1 - i" }
)toml";
}

std::string theta(int i) { return "theta" + std::to_string(i); }

std::string singles() {
    std::string names = R"("x", "y")", rates = R"toml(x = "u*cos(theta0)", y = "u*sin(theta0)", theta0 = "w")toml";
    std::string q = "x = 0, y = 0", p = "x = -2, y = -3", turned = "0";
    for (int i = 0; i <= n + 1; ++i) {
        names += ", \"" + theta(i) + '"';
        q += ", " + theta(i) + " = 0." + std::to_string(i), p += ", " + theta(i) + " = " + std::to_string(1 - i);
        if (i == 0) continue;
        const std::string bend = theta(i - 1) + " - " + theta(i);
        rates += ", " + theta(i) + " = \"u^0.5*exp(" + turned + ")*sin(" + bend + ")\"";
        turned += " + log(cos(" + bend + "))";
    }
    return "coordinates = [" + names + "]\n[control]\ninputs = [\"u\", \"w\"]\ndynamics = { " + rates +
           " }\ncost = \"(u^2 + w^2)/2\"\n[initial]\nq = { " + q + " }\np = { " + p + " }\n";
}

class NestedFamilies : public testing::TestWithParam<const char*> {};

TEST_P(NestedFamilies, GiveWhatSingleCoordinatesGive) {
    const RunOptions options{.method = GetParam(), .step = 0.01, .steps = 3};
    const rattleback::Run rolled = integrate(read_model(family(), "family"), options),
                          single = integrate(read_model(singles(), "singles"), options);
    ASSERT_TRUE(rolled.report().ok()) << rolled.report().text();
    ASSERT_TRUE(single.report().ok()) << single.report().text();
    for (const char* group : {"q", "p", "u"})
        for (std::size_t k = 0; k <= 3; ++k)
            for (std::size_t i = 0; i < (*group == 'u' ? 2 : n + 4); ++i)
                EXPECT_NEAR(rolled[group](k, i), single[group](k, i), 2e-14) << group << ' ' << k << ' ' << i;
}

INSTANTIATE_TEST_SUITE_P(Explicit, NestedFamilies, testing::Values("rk4", "dop853"));

} // namespace
} // namespace rattleback
