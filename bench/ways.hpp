// The problems of bench_stages and bench_peers as models, and ways to integrate them: by hand with stages on lanes, by
// the library, by Boost.odeint.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

// It copies steppers before their memory is used.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/numeric/odeint.hpp>

#include "hand/stage_problems.hpp"
#include "sides.hpp"

namespace bench {

inline const char* const pendulum = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[constraints]
holonomic = ["(x^2 + y^2 - 1)/2"]
[initial]
q = [1, 0]
v = [0, -2]
)toml";
inline const char* const particle = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
[constraints]
velocity = ["z' - y*x'"]
[initial]
q = [1, 0.5, 0]
v = [0.25, 1, 0.125]
)toml";
inline const char* const sleigh = R"toml(
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
inline const char* const vehicle = R"toml(
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

inline double error_of(const Values& x, const Values& exact) {
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

inline constexpr int repeats = 50; // of what is timed: a clock is not good enough for some microseconds

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

inline Way by_library(const Model& model, const std::string& method, const InitialData<double>& data, double T,
                      double first) {
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

// The outer solar system: masses and the start of the gallery's model, positions and then momenta.
struct SolarStart {
    hand::SolarSystem problem;
    std::array<double, 36> x{};
    InitialData<double> data;
    explicit SolarStart(const Model& model) : problem{parameter(model, "G"), {}} {
        data = {.q = numbers(model.q0), .v = numbers(model.v0)};
        for (std::size_t i = 0; i < 6; ++i) {
            problem.m[i] = parameter(model, "m" + std::to_string(i));
            for (std::size_t d = 0; d < 3; ++d)
                x[3 * i + d] = data.q[3 * i + d], x[18 + 3 * i + d] = problem.m[i] * data.v[3 * i + d];
        }
    }
};
inline Model outer_solar_system() {
    return load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/outer_solar_system.toml");
}

} // namespace bench
