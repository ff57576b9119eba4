// What high order costs: CPU time for a unit of simulated time at a global error of 1e-10 and of 1e-6, with stages on
// lanes in machine code, the same written by hand, Newton's method, and an explicit method of Boost.odeint; and what a
// step of the outer solar system takes, from two stages to ten.
//
//   bench_stages [WORD]                    WORD: only problems whose title begins so
#pragma GCC optimize("fp-contract=fast") // see sides.hpp

#include <cstdio>
#include <functional>
#include <string>

// It copies steppers before their memory is used.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/numeric/odeint.hpp>

#include "hand/stage_problems.hpp"
#include "sides.hpp"

namespace {

using namespace bench;

const char* const pendulum = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[constraints]
holonomic = ["(x^2 + y^2 - 1)/2"]
[initial]
q = [1, 0]
v = [0, -2]
)toml";
const char* const particle = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
[constraints]
velocity = ["z' - y*x'"]
[initial]
q = [1, 0.5, 0]
v = [0.25, 1, 0.125]
)toml";
const char* const sleigh = R"toml(
coordinates = ["x", "y", "theta"]
[parameters]
m = 1
I = 1
a = 0.2
[definitions]
centre = ["x + a*cos(theta)", "y + a*sin(theta)"]
[mechanics]
lagrangian = "m/2*dot(centre', centre') + I/2*theta'^2"
[constraints]
velocity = ["x'*sin(theta) - y'*cos(theta)"]
[initial]
q = [0, 0, 0]
v = [1, 0, 1.5]
)toml";
const char* const vehicle = R"toml(
coordinates = ["x", "y", "theta", "phi"]
[parameters]
L = 0.3
[mechanics]
lagrangian = "(x'^2 + y'^2 + theta'^2 + phi'^2)/2"
[constraints]
velocity  = ["x'*sin(phi) - y'*cos(phi)", "x'*sin(theta) - y'*cos(theta) + L*theta'"]
principle = "variational"
[initial]
q = [0.3, 0, 0, 1]
p = [0.5, 0.2, 1.09, 1]
)toml";

using Values = std::vector<double>;

double error_of(const Values& x, const Values& exact) {
    double most = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const double d = std::abs(x[i] - exact[i]);
        if (!(d <= most)) most = d;
    }
    return most;
}

// A way to get from 0 to T, the more work the larger `effort`. What is made before the first step is not counted.
struct Result {
    Values end;
    double seconds = 0, iterations = 0; // iterations: of a step
};
struct Way {
    std::string title;
    std::function<Result(double effort)> go;
    double first, factor; // efforts to try
    bool in_steps;        // that is what the effort counts; else it is one over the tolerance
};

void measure(const Way& way, const Values& exact, double T, double tolerance) {
    double effort = way.first, off = 1;
    Result result;
    for (int tries = 0; tries < 90 && !(off <= tolerance); ++tries) {
        if (tries > 0) effort *= way.factor;
        result = way.go(effort), off = error_of(result.end, exact);
    }
    if (!(off <= tolerance)) {
        std::printf("  %-36s %6.0e     never (%.0e)\n", way.title.c_str(), tolerance, off);
        return;
    }
    const double seconds = least_of(9, [&] { return way.go(effort).seconds; });
    std::printf("  %-36s %6.0e %9.3f us   error %.1e   ", way.title.c_str(), tolerance, 1e6 * seconds / T, off);
    if (way.in_steps)
        std::printf("%lld steps, %.1f iterations\n", static_cast<long long>(effort), result.iterations);
    else
        std::printf("tolerance %.0e\n", 1 / effort);
    std::fflush(stdout);
}

constexpr int repeats = 50; // of what is timed: a clock is not good enough for some microseconds

template <class Problem>
Result by_hand(const Problem& problem, const std::array<double, Problem::n>& x, double T, double effort) {
    const auto steps = static_cast<long long>(effort);
    hand::StageLanes<Problem> lanes(problem, T / static_cast<double>(steps));
    bool ran = true;
    Result result;
    result.seconds = cpu_seconds_of([&] {
                         for (int i = 0; i < repeats; ++i) {
                             lanes.start(x);
                             for (long long k = 0; k < steps && ran; ++k) ran = lanes.advance();
                         }
                     }) /
                     repeats;
    for (int k = 0; k < Problem::n; ++k) result.end.push_back(ran ? lanes.value(k) : NAN);
    result.iterations = static_cast<double>(lanes.iterations()) / static_cast<double>(steps);
    return result;
}

template <class Problem>
Result by_odeint(const Problem& problem, const std::array<double, Problem::n>& start, double T, double effort) {
    namespace ode = boost::numeric::odeint;
    using State = std::array<double, Problem::n>;
    const auto rate = [&](const State& at, State& k, double) { problem.rate(at, k); };
    State x;
    Result result;
    result.seconds = cpu_seconds_of([&] {
                         for (int i = 0; i < repeats; ++i) {
                             x = start;
                             const auto stepper =
                                 ode::make_controlled(1 / effort, 1 / effort, ode::runge_kutta_fehlberg78<State>());
                             ode::integrate_adaptive(stepper, rate, x, 0.0, T, 0.01);
                         }
                     }) /
                     repeats;
    result.end.assign(x.begin(), x.end());
    return result;
}

Way by_library(const Model& model, const std::string& method, const InitialData<double>& data, double T, double first) {
    const BatchOptions alone{.width = 1, .groups = 1};
    const auto batch = std::make_shared<Batch>(compile(model, method), repeats, alone);
    if (batch->lanes() == 0) std::printf("  %s: %s\n", method.c_str(), batch->why_on_tape().c_str());
    const auto go = [=](double effort) {
        const auto steps = static_cast<long long>(effort);
        for (std::size_t i = 0; i < repeats; ++i) batch->start(i, data, 0);
        Result result;
        result.seconds = cpu_seconds_of([&] { batch->advance(0, steps, T / static_cast<double>(steps)); }) / repeats;
        const Report& report = batch->report(0);
        result.iterations = static_cast<double>(report.newton_iterations) / static_cast<double>(steps);
        result.end = report.ok() ? batch->state(0) : Values(100, NAN);
        return result;
    };
    return {method, go, first, 1.05, true};
}

template <class Problem>
void compare(const char* title, const Problem& problem, const std::array<double, Problem::n>& x, const char* text,
             double T, const std::vector<std::string>& methods, double fine) {
    std::printf("%s\n", title);
    const Values exact = by_hand(problem, x, T, fine).end;
    const Model model = read_model(text, "model.toml");
    constexpr std::size_t half = Problem::n / 2;
    const InitialData<double> data{.q = Values(x.begin(), x.begin() + half), .p = Values(x.begin() + half, x.end())};
    for (double tolerance : {1e-10, 1e-6}) {
        measure({"by hand, 8 stages on lanes", [&](double effort) { return by_hand(problem, x, T, effort); }, T / 2,
                 1.05, true},
                exact, T, tolerance);
        for (const std::string& method : methods)
            measure(by_library(model, method, data, T, T / 2), exact, T, tolerance);
        measure({"odeint, Runge-Kutta-Fehlberg 7(8)", [&](double effort) { return by_odeint(problem, x, T, effort); },
                 0.1 / tolerance, 1.5, false},
                exact, T, tolerance);
    }
}

void solar_system() {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/outer_solar_system.toml");
    hand::SolarSystem problem{parameter(model, "G"), {}};
    std::array<double, 36> x{};
    const auto q = numbers(model.q0), v = numbers(model.v0);
    for (std::size_t i = 0; i < 6; ++i) {
        problem.m[i] = parameter(model, std::string(1, 'm').append(std::to_string(i)).c_str());
        for (std::size_t d = 0; d < 3; ++d)
            x[3 * i + d] = q[3 * i + d], x[18 + 3 * i + d] = problem.m[i] * v[3 * i + d];
    }
    constexpr double steps = 100, T = 100 * steps;
    std::printf("outer solar system, h = 100: a step\n");
    const auto show = [&](const Way& way, double other) {
        const double seconds = least_of(9, [&] { return way.go(steps).seconds; });
        std::printf("  %-36s %9.3f us   %.1f iterations   ratio %.2f\n", way.title.c_str(), 1e6 * seconds / steps,
                    way.go(steps).iterations, other > 0 ? seconds / other : 1);
        std::fflush(stdout);
        return seconds;
    };
    const double hand = show(
        {"by hand, 8 stages on lanes", [&](double effort) { return by_hand(problem, x, T, effort); }, 1, 1, true}, 0);
    const InitialData<double> data{.q = q, .v = v};
    for (const char* method :
         {"gauss:stages=8:iteration=fixed", "gauss:stages=2:iteration=fixed", "gauss:stages=3:iteration=fixed",
          "gauss:stages=4:iteration=fixed", "gauss:stages=5:iteration=fixed", "gauss:stages=6:iteration=fixed",
          "gauss:stages=10:iteration=fixed"})
        show(by_library(model, method, data, T, 1), hand);
}

} // namespace

int main(int argc, char** argv) {
    const std::string word = argc > 1 ? argv[1] : "";
    const auto wanted = [&](const char* title) { return std::string(title).starts_with(word); };
    if (wanted("S1"))
        compare("S1 pendulum in Cartesian coordinates, T = 100", hand::CartesianPendulum{9.81}, {1, 0, 0, -2}, pendulum,
                100, {"dirac_weak:stages=8:iteration=fixed", "dirac_weak:stages=4:iteration=fixed"}, 4000);
    if (wanted("S2"))
        compare("S2 nonholonomic particle, T = 100", hand::NonholonomicParticle{}, {1, 0.5, 0, 0.25, 1, 0.125},
                particle, 100, {"nh_gauss:stages=8:iteration=fixed", "nh_gauss:stages=5"}, 2000);
    if (wanted("S3"))
        compare("S3 Chaplygin sleigh, T = 20", hand::Sleigh{0.2}, {0, 0, 0, 1, 0.3, 1.56}, sleigh, 20,
                {"nh_gauss:stages=8:iteration=fixed", "nh_gauss:stages=3"}, 400);
    if (wanted("S4"))
        compare("S4 vehicle, variational, T = 20", hand::Vehicle{0.3}, {0.3, 0, 0, 1, 0.5, 0.2, 1.09, 1}, vehicle, 20,
                {"gauss:stages=8:iteration=fixed", "gauss:stages=4:iteration=fixed"}, 4000);
    if (wanted("outer")) solar_system();
    return 0;
}
