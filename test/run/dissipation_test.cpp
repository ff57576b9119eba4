// Rayleigh's dissipation function: the force -dR/dv.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

namespace rattleback {
namespace {

Model read(const std::string& mechanics) {
    return read_model("coordinates = [\"x\", \"y\"]\n[parameters]\nc = 0.2\n[mechanics]\n"
                      "lagrangian = \"(x'^2 + y'^2)/2 - (x^2 + 4*y^2)/2\"\n" +
                          mechanics + "\n[initial]\nq = [1, 0.5]\nv = [0, 0.1]\n",
                      "damped.toml");
}

TEST(Dissipation, IsTheForceThatOneWouldWrite) {
    for (const auto& [R, F] :
         {std::pair("dissipation = \"c/2*(x'^2 + y'^2)\"", "force = { x = \"-c*x'\", y = \"-c*y'\" }"),
          std::pair("dissipation = \"c/2*(x' - y')^2\"", "force = { x = \"-c*(x' - y')\", y = \"c*(x' - y')\" }"),
          std::pair("force = { x = \"sin(t)\" }\ndissipation = \"c/3*abs(x')^3\"",
                    "force = { x = \"sin(t) - c*abs(x')*x'\" }")}) {
        const RunOptions options{.method = "gauss:stages=2", .step = 0.05, .steps = 200};
        const auto by_function = integrate(read(R), options), by_force = integrate(read(F), options);
        ASSERT_TRUE(by_function.report().ok());
        for (std::size_t k = 0; k < by_force.q.rows(); ++k)
            for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(by_function.q(k, i), by_force.q(k, i), 2e-15) << R; // 7e-16
    }
}

// x'' = -x - c x': the closed form.
TEST(Dissipation, DampsAnOscillator) {
    const auto run =
        integrate(read("dissipation = \"c/2*x'^2\""), {.method = "gauss:stages=4", .step = 0.1, .until = 10});
    const double c = 0.2, w = std::sqrt(1 - c * c / 4), t = 10;
    const double x = std::exp(-c * t / 2) * (std::cos(w * t) + c / (2 * w) * std::sin(w * t));
    EXPECT_NEAR(run.summary().end["q"][0], x, 6e-14); // measured: 2.7e-14
}

} // namespace
} // namespace rattleback
