// The inputs make H least: of several roots of H_u = 0 the one with the least H, and H_uu > 0 along the path.
#include "problems.hpp"

#include "run/least_inputs.hpp"

namespace rattleback::boundary_test {
namespace {

// Newton's method of the test's own, on one unknown.
template <class F, class D> double root(F f, D slope, double x) {
    for (int i = 0; i < 60; ++i) x -= f(x) / slope(x);
    return x;
}

// H = (u^2 - 1)^2 + p u: 4 u (u^2 - 1) = -p.
double input_of(double p, double near) {
    return root([p](double u) { return 4 * u * (u * u - 1) + p; }, [](double u) { return 12 * u * u - 4; }, near);
}

std::string wells(const std::string& to) {
    return R"(coordinates = ["x"]
[control]
inputs = ["u"]
dynamics = { x = "u" }
cost = "(u^2 - 1)^2"
[boundary]
from = { x = 0 }
to = { x = )" +
           to + R"( }
time = 1
[initial]
q = [0]
p = [1]
[run]
method = "gauss"
step = 0.1
until = 1
)";
}

// p = 2 - t: H = (u^2 - 1)^2 + x + p u has its least value at u < 0 until t = 2, at u > 0 from then on.
const std::string swapping = R"(coordinates = ["x"]
[control]
inputs = ["u"]
dynamics = { x = "u" }
cost = "(u^2 - 1)^2 + x"
terminal_cost = "-2*x"
[boundary]
from = { x = 0 }
time = 4
[initial]
q = [0]
p = [2]
[run]
method = "gauss"
step = 0.1
until = 4
)";

// x = 3 u^4 - 2 u^2 along each root, since dt = -dp = (12 u^2 - 4) du.
double position(double t) {
    const auto F = [](double u) { return 3 * u * u * u * u - 2 * u * u; };
    const double u0 = input_of(2, -1.2);
    if (t < 2) return F(input_of(2 - t, -1.2)) - F(u0);
    return F(-1) - F(u0) + F(input_of(2 - t, 1.2)) - F(1);
}

// Of three roots 0.27, 0.84 and -1.107, the first is where Newton's method goes from 0, and H is largest there.
TEST(LeastInputs, ARunBeginsAtTheRootWithTheLeastH) {
    for (const char* method : {"gauss:stages=2", "midpoint", "type2", "type2_sym", "rk4", "dop853"}) {
        const rattleback::Run run = integrate(read_model(wells("1.2"), "wells.toml"), {.method = method});
        ASSERT_TRUE(run.report().ok()) << method << run.report().text();
        const double u = input_of(1, -1.1);
        for (std::size_t k = 0; k < run.t.rows(); ++k) EXPECT_NEAR(run["u"][k], u, 1e-14) << method;
        EXPECT_NEAR(run.q(run.q.rows() - 1, 0), u, 2e-14) << method;
        EXPECT_TRUE(run.summary().warnings.empty()) << method << run.summary().warnings[0];
    }
}

// The jump at t = 2 is inside a step: without two parts, x would be off by as much as a step.
TEST(LeastInputs, ARunJumpsWhereTheRootsSwap) {
    const Model model = read_model(swapping, "swap.toml");
    for (const RunOptions::Engine engine : {RunOptions::Engine::interpreted, RunOptions::Engine::compiled})
        for (const long long steps : {27, 31}) {
            const rattleback::Run run = integrate(model, {.method = "gauss:stages=3",
                                                          .step = 4.0 / static_cast<double>(steps),
                                                          .steps = steps,
                                                          .engine = engine});
            ASSERT_TRUE(run.report().ok()) << run.report().text();
            EXPECT_EQ(run.summary().note, "the inputs jump to another root of H_u = 0, where H is least, at t = 2");
            for (std::size_t k = 0; k < run.t.rows(); ++k)
                EXPECT_NEAR(run.q(k, 0), position(run.t[k]), 2e-12) << run.t[k]; // 7e-13
        }
    double errors[2];
    for (const int i : {0, 1}) {
        const long long steps = i == 0 ? 27 : 54;
        const rattleback::Run run =
            integrate(model, {.method = "gauss:stages=2", .step = 4.0 / static_cast<double>(steps), .steps = steps});
        const auto k = static_cast<std::size_t>(20 * (i + 1));
        errors[i] = std::abs(run.q(k, 0) - position(run.t[k]));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, 0.4);
}

// Beyond |u| = 1 the cost is its own convex hull, and u = 1.2 is the minimum. Within, cheaper inputs lie on both sides:
// a path that changes between them ever faster costs ever less, and there is no minimum.
TEST(LeastInputs, SolveTakesTheMinimumOfHAndSaysWhereThereIsNone) {
    const Solution one = solved(wells("1.2"));
    ASSERT_EQ(one.status, Solution::Status::solved);
    EXPECT_EQ(one.best().verdict, Extremal::Verdict::minimum);
    EXPECT_NEAR(one.best().cost, 0.44 * 0.44, 1e-15);
    EXPECT_NEAR(one.best().p0[0], -4 * 1.2 * 0.44, 1e-14);
    ASSERT_TRUE(one.best().inputs.has_value());
    EXPECT_NEAR(one.best().inputs->smallest, 12 * 1.44 - 4, 1e-13);
    EXPECT_TRUE(one.best().inputs->holds());
    const Solution none = solved(wells("0.8"), {.steps = 40, .starts = 20});
    ASSERT_EQ(none.status, Solution::Status::solved);
    for (const Extremal& e : none.extremals) {
        EXPECT_EQ(e.verdict, Extremal::Verdict::stationary);
        ASSERT_TRUE(e.inputs.has_value());
        EXPECT_FALSE(e.inputs->holds());
    }
    // With u = 0.8 all the time: H is lower at the root of the other well.
    const auto all = std::find_if(none.extremals.begin(), none.extremals.end(),
                                  [](const Extremal& e) { return std::abs(e.cost - 0.36 * 0.36) < 1e-12; });
    ASSERT_NE(all, none.extremals.end());
    const double p = 4 * 0.8 * 0.36, u = input_of(p, -1.1);
    const auto H = [p](double v) { return (v * v - 1) * (v * v - 1) + p * v; };
    EXPECT_NEAR(all->inputs->lower_by, H(0.8) - H(u), 1e-12);
    EXPECT_NEAR(all->inputs->inputs.at(0), u, 1e-12);
}

TEST(LeastInputs, SolveLetsTheInputsJump) {
    const Solution s = solved(swapping, {.method = "gauss:stages=2", .steps = 80, .starts = 20});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum);
    EXPECT_NEAR(s.best().p0[0], 2, 1e-13);
    EXPECT_NEAR(s.u_first.at(0), input_of(2 - 4.0 / 80 * (0.5 - std::sqrt(3.0) / 6), -1.2), 1e-12);
    // The integral of (u^2 - 1)^2 + x - 2 x', by Gauss's rule on both sides of the jump.
    double cost = 0;
    const int pieces = 400;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < pieces; ++k)
            for (const double place : {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)}) {
                const double t = 2 * side + 2 * (k + place) / pieces, u = input_of(2 - t, side ? 1.2 : -1.2);
                cost += (place == 0.5 ? 4 : 2.5) / 9 * 2 / pieces * ((u * u - 1) * (u * u - 1) + position(t) - 2 * u);
            }
    EXPECT_NEAR(s.best().cost, cost, 2e-10); // 1e-10
    for (const Extremal& e : s.extremals)
        EXPECT_FALSE(e.cost < s.best().cost - 1e-6 && e.verdict == Extremal::Verdict::minimum) << e.cost;
}

// H_uu = diag(1, 1 - t), with w = 0 on the path.
// With a free time H is 0 along the path: how much lower it gets with other inputs is relative to its terms. A ship
// that steers by its heading needs T with |end - wind T| = T; the time of the other root is negative, and is no path.
TEST(LeastInputs, AFreeTimeIsNoReasonToDoubtThem) {
    const std::string text = R"-(coordinates = ["x", "y"]
[control]
inputs = ["heading"]
dynamics = { x = "cos(heading) + WIND", y = "sin(heading)" }
cost = "1"
[boundary]
from = { x = 0, y = 0 }
to = { x = -1, y = 1 }
time = "free"
)-";
    const auto with_wind = [&](const std::string& wind) {
        return std::string(text).replace(text.find("WIND"), 4, wind);
    };
    const std::vector<std::pair<std::string, double>> winds{
        {"3/10", (0.6 + std::sqrt(0.36 + 4 * 0.91 * 2)) / 1.82},
        {"3*y/10", 1.5859358765118978}}; // of SciPy, see test/oracle/optimal.py
    for (const auto& [wind, time] : winds) {
        const Solution s = solved(with_wind(wind), {.starts = 12});
        ASSERT_EQ(s.status, Solution::Status::solved);
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum) << wind;
        EXPECT_FALSE(s.best().inputs->lower);
        EXPECT_NEAR(s.best().cost, time, 1e-13);
        for (const Extremal& e : s.extremals) EXPECT_GT(e.time, 0);
    }
}

TEST(Legendre, ALossAlongThePathHasItsTime) {
    const std::string text = R"(coordinates = ["x", "y"]
[control]
inputs = ["u", "w"]
dynamics = { x = "u", y = "w" }
cost = "u^2/2 + (1 - t)*w^2/2"
[boundary]
from = { x = 0 }
to = { x = 1 }
time = 1.53
[initial]
q = [0, 0]
p = [1, 0]
[run]
method = "gauss"
step = 0.17
until = 1.53
)";
    const Solution s = solved(text, {.steps = 40, .starts = 4});
    ASSERT_EQ(s.status, Solution::Status::solved);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::stationary);
    ASSERT_TRUE(s.best().inputs.has_value() && s.best().inputs->lost.has_value());
    EXPECT_NEAR(*s.best().inputs->lost, 1, 1e-12);
    EXPECT_NEAR(s.best().inputs->smallest, -0.53, 1e-12);
    EXPECT_EQ(s.best().inputs->time, 1.53);
    const rattleback::Run run = integrate(read_model(text, "loss.toml"), {});
    ASSERT_EQ(run.summary().warnings.size(), 1u);
    EXPECT_EQ(run.summary().warnings[0],
              "stationary, not a minimum: the smallest eigenvalue of H_uu passes through 0 at t = 1, and is -0.53 at "
              "t = 1.53, where a minimum needs H_uu > 0 (Legendre and Clebsch)");
}

TEST(Legendre, ARunThatMakesHLargestIsWarnedOf) {
    std::string text = wells("1");
    text.replace(text.find("(u^2 - 1)^2"), 11, "-u^2/2");
    const rattleback::Run run = integrate(read_model(text, "largest.toml"), {});
    ASSERT_EQ(run.summary().warnings.size(), 1u);
    EXPECT_EQ(run.summary().warnings[0], "stationary, not a minimum: H_uu is -1 at t = 0, where a minimum needs H_uu "
                                         "> 0 (Legendre and Clebsch)");
    text.replace(text.find("-u^2/2"), 6, "u^3/3 + x");
    text.replace(text.find("p = [1]"), 7, "p = [-1]");
    const rattleback::Run falls = integrate(read_model(text, "falls.toml"), {});
    ASSERT_EQ(falls.summary().warnings.size(), 1u);
    EXPECT_EQ(falls.summary().warnings[0],
              "H has no least value: it falls without end as an input grows, at t = 0.1; a "
              "local minimum of H is followed");
    EXPECT_NEAR(falls["u"][falls.t.rows() - 1], std::sqrt(2.0), 1e-14); // p = -1 - t
}

// One coordinate and two inputs with wells of their own, at 1 and at -2: hints of a method must not be mixed up.
TEST(LeastInputs, HintsOfSeveralInputsKeepTheirPlaces) {
    const std::string text = R"(coordinates = ["x"]
[control]
inputs = ["u", "w"]
dynamics = { x = "u + w" }
cost = "(u^2 - 1)^2 - u/2 + (w^2 - 4)^2/8 + w/2"
[boundary]
from = { x = 0 }
to = { x = -1 }
time = 1
)";
    const auto places = [&](const std::string& method) { // of the hint: the input there, or -
        std::string all;
        const Model model = read_model(text, "problem.toml");
        for (const auto& each : inputs_in_hint(build_method(model, parse_methods(method)[0]).step))
            all += each ? std::to_string(*each) : "-";
        return all;
    };
    EXPECT_EQ(places("type2"), "-01");
    EXPECT_EQ(places("type2_sym"), "--0101");
    EXPECT_EQ(places("gauss:stages=3"), "010101");
    const auto first = [](double u) { return 4 * u * (u * u - 1) - 0.5; };
    const auto second = [](double w) { return w * (w * w - 4) / 2 + 0.5; };
    const double u = root([&](double x) { return first(x) - second(-1 - x); },
                          [](double x) { return 12 * x * x - 4 + (3 * (1 + x) * (1 + x) - 4) / 2; }, 1.05);
    for (const char* method : {"type2", "type2_sym", "gauss:stages=2"}) {
        const Solution s = solved(text, {.method = method, .steps = 20, .starts = 8});
        ASSERT_EQ(s.status, Solution::Status::solved) << method;
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum) << method;
        EXPECT_NEAR(s.best().p0[0], -first(u), 1e-12) << method;
        for (const std::vector<double>& at : {s.u_first, s.u_last}) {
            EXPECT_NEAR(at.at(0), u, 1e-12) << method;
            EXPECT_NEAR(at.at(1), -1 - u, 1e-12) << method;
        }
    }
}

} // namespace
} // namespace rattleback::boundary_test
