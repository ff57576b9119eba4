// Functional iteration, which section 2 of Leimkuhler and Reich (1994) takes for Gauss methods on the state-space form:
// it finds what Newton's method finds, contracts as the equations say, and says where it does not converge.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

namespace rattleback {
namespace {

const std::string oscillator = R"toml(coordinates = ["x"]
[parameters]
w = 2
[mechanics]
lagrangian = "x'^2/2 - w^2*x^2/2"
[initial]
q = [1]
v = [0.3]
)toml";
const std::string henon = R"toml(coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + x^2 + y^2)/2 + x^2*y - y^3/3"
[initial]
q = [0.1, -0.2]
p = [0.3, 0.2]
)toml";
const std::string sphere = R"toml(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z - 0.3*x*y"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [0.6, 0, -0.8]
v = [0, 0.7, 0]
)toml";

// Iterations a step, over a few steps.
template <class T> double iterations(const CompiledMethod& method, double h) {
    Stepper<T> stepper(method);
    Report report;
    EXPECT_TRUE(stepper.start(report, T(h)));
    const long long before = report.newton_iterations;
    constexpr int steps = 40;
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, T(h), report)) << report.text();
    return static_cast<double>(report.newton_iterations - before) / steps;
}

// Of the midpoint rule v = p - (h/2) w^2 (x + (h/2) v) each iteration leaves (w h/2)^2 of the error: in quad it takes
// as many more than in double as that needs for the digits that quad has more.
TEST(FunctionalIteration, ContractsWithTheSquareOfTheStep) {
    const Model model = read_model(oscillator, "oscillator.toml");
    const CompiledMethod method = compile(model, "gauss:iteration=functional");
    const double digits = std::log10(static_cast<double>(Real<double>::epsilon / Real<quad>::epsilon));
    for (double h : {0.05, 0.1, 0.2, 0.4}) {
        const double more = iterations<quad>(method, h) - iterations<double>(method, h);
        EXPECT_NEAR(std::pow(10, -digits / more), h * h, 0.1 * h * h) << h; // 0.051
    }
    EXPECT_EQ(iterations<double>(compile(model, "gauss"), 0.4), 0); // solved outright
}

TEST(FunctionalIteration, FindsWhatNewtonsMethodFinds) {
    const auto end = [](const std::string& text, const std::string& method) {
        const auto run = integrate(read_model(text, "model.toml"), {.method = method, .step = 0.05, .steps = 100});
        EXPECT_TRUE(run.report().ok()) << method << run.report().text();
        const auto q = run.summary().end["q"], p = run.summary().end["p"];
        std::vector<double> all(q.begin(), q.end());
        all.insert(all.end(), p.begin(), p.end());
        all.push_back(run.summary().newton_iterations_mean);
        return all;
    };
    for (const auto& [text, method] :
         {std::pair(oscillator, "gauss"), std::pair(henon, "gauss:stages=3"), std::pair(sphere, "state_space"),
          std::pair(sphere, "state_space:stages=2"), std::pair(sphere, "state_space:A=fixed"),
          std::pair(sphere, "state_space:form=plain"), std::pair(sphere, "underlying:stages=2"),
          std::pair(sphere, "underlying:project=yes"), std::pair(sphere, "dirac:stages=2"),
          std::pair(sphere, "dirac_simplified"), std::pair(sphere, "dirac_weak")}) {
        const auto newton = end(text, method), functional = end(text, method + std::string(":iteration=functional"));
        double off = 0;
        for (std::size_t i = 0; i + 1 < newton.size(); ++i) off = std::max(off, std::abs(newton[i] - functional[i]));
        // 4.4e-16; of what grows by itself, 3.3e-14
        EXPECT_LE(off, std::string(method) == "dirac_simplified" ? 7e-14 : 9e-16) << method;
        EXPECT_GT(functional.back(), newton.back()) << method;
    }
}

TEST(FunctionalIteration, KeepsWhatTheMethodKeeps) {
    const Model model = read_model(henon, "henon.toml");
    const Verification found = verify(model, parse_methods("gauss:stages=2:iteration=functional")[0], {.step = 0.1});
    EXPECT_TRUE(found.holds());
    EXPECT_NEAR(found.order.order, 4, 0.1);
}

// (w h/2)^2 = 1.21 is no contraction; 0.9 is one that would take more iterations than it is given.
TEST(FunctionalIteration, SaysWhereItDoesNotConverge) {
    const Model model = read_model(oscillator, "oscillator.toml");
    for (double h : {1.1, 0.95}) {
        const auto run = integrate(model, {.method = "gauss:iteration=functional", .step = h, .steps = 10});
        EXPECT_EQ(run.report().status, Report::newton_failed);
        EXPECT_EQ(run.report().step, 1);
        const std::string text = run.report().text();
        EXPECT_NE(text.find("functional iteration did not converge (last relative increment "), std::string::npos)
            << text;
        EXPECT_NE(text.find("unknown stage 1 of x'"), std::string::npos) << text;
        EXPECT_NE(text.find("try a smaller step, or iteration=newton"), std::string::npos) << text;
    }
    // (w h/2)^2 = 0.72: increments are small long before their sum is.
    const auto slow = integrate(model, {.method = "gauss:iteration=functional", .step = 0.85, .steps = 10});
    const auto exact = integrate(model, {.method = "gauss", .step = 0.85, .steps = 10});
    ASSERT_TRUE(slow.report().ok());
    EXPECT_NEAR(slow.summary().end["q"][0], exact.summary().end["q"][0], 1e-14);
    EXPECT_THROW((void)compile(model, "gauss:iteration=picard"), BadMethod);
    EXPECT_THROW((void)export_c(compile(model, "gauss:iteration=functional"), "step"), Unsuitable);
}

// The tape iterates, machine code evaluates: the bits are those of the tape alone.
TEST(FunctionalIteration, HasTheBitsOfTheTape) {
    const Model model = read_model(henon, "henon.toml");
    RunOptions options{.method = "gauss:stages=2:iteration=functional", .step = 0.1, .steps = 50};
    options.engine = RunOptions::Engine::interpreted;
    const auto tape = integrate(model, options);
    options.engine = RunOptions::Engine::compiled;
    const auto code = integrate(model, options);
    for (const char* group : {"q", "p"})
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(tape.summary().end[group][i], code.summary().end[group][i]);
}

} // namespace
} // namespace rattleback
