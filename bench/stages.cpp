// What high order costs: CPU time for a unit of simulated time at a global error of 1e-10 and of 1e-6, with stages on
// lanes in machine code, the same written by hand, Newton's method, and an explicit method of Boost.odeint; and what a
// step of the outer solar system takes, from two stages to ten; and what a step of stiff systems takes.
//
//   bench_stages [WORD]                    WORD: only problems whose title begins so
#pragma GCC optimize("fp-contract=fast")    // see sides.hpp
#pragma GCC diagnostic ignored "-Wrestrict" // of std::string at -O3, a false alarm

#include <cstdio>
#include <string>

#include "ways.hpp"

namespace {

using namespace bench;

void measure(const Way& way, const Values& exact, double T, double tolerance) {
    double effort = way.first, off = 1;
    Result result;
    for (int tries = 0; tries < 90 && !(off <= tolerance); ++tries) {
        if (tries > 0) effort *= way.factor;
        result = way.go(effort), off = error_of(result.end, exact);
    }
    if (!(off <= tolerance)) {
        std::printf("  %-54s %6.0e     never (%.0e)\n", way.title.c_str(), tolerance, off);
        return;
    }
    const double seconds = least_of(9, [&] { return way.go(effort).seconds; });
    std::printf("  %-54s %6.0e %9.3f us   error %.1e   ", way.title.c_str(), tolerance, 1e6 * seconds / T, off);
    if (way.in_steps)
        std::printf("%lld steps, %.1f iterations\n", static_cast<long long>(effort), result.iterations);
    else
        std::printf("tolerance %.0e\n", 1 / effort);
    std::fflush(stdout);
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
    const Model model = outer_solar_system();
    const SolarStart start(model);
    constexpr double steps = 100, T = 100 * steps;
    std::printf("outer solar system, h = 100: a step\n");
    const auto show = [&](const Way& way, double other) {
        const double seconds = least_of(9, [&] { return way.go(steps).seconds; });
        std::printf("  %-54s %9.3f us   %.1f iterations   ratio %.2f\n", way.title.c_str(), 1e6 * seconds / steps,
                    way.go(steps).iterations, other > 0 ? seconds / other : 1);
        std::fflush(stdout);
        return seconds;
    };
    const double hand = show({"by hand, 8 stages on lanes",
                              [&](double effort) { return by_hand(start.problem, start.x, T, effort); }, 1, 1, true},
                             0);
    for (const char* method :
         {"gauss:stages=8:iteration=fixed:iteration_tol=1e-13", "gauss:stages=8:iteration=fixed",
          "gauss:stages=2:iteration=fixed", "gauss:stages=3:iteration=fixed", "gauss:stages=4:iteration=fixed",
          "gauss:stages=5:iteration=fixed", "gauss:stages=6:iteration=fixed", "gauss:stages=10:iteration=fixed"})
        show(by_library(model, method, start.data, T, 1), hand);
}

const char* const spring_pendulum = R"toml(
coordinates = ["x", "y", "u", "v"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + u'^2 + v'^2)/2 - 1e5*(sqrt(x^2 + y^2) - 1)^2/2 - 1e5*(sqrt((u - x)^2 + (v - y)^2) - 1)^2/2 - 9.81*(y + v)"
[initial]
q = [1, 0, 1, -1]
v = [0, -0.3, 0.4, -0.3]
)toml";
const char* const stiff_knife = R"toml(
coordinates = ["x", "y", "theta", "s"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + theta'^2 + s'^2)/2 - 1e5*(s - x^2)^2/2 - x^2 - y^2"
[constraints]
velocity = ["x'*sin(theta) - y'*cos(theta)"]
[initial]
q = [0.5, 0, 0, 0.25]
v = [0.3, 0, 0.8, 0.3]
)toml";
const char* const diatomic = R"toml(
coordinates = ["x[1..n]"]
[parameters]
n = 10
[definitions]
"x[0]"    = "0"
"x[n+1]"  = "0"
"d[i]"    = "x[i+1] - x[i]"
[mechanics]
kinetic   = "sum(i in 1..n: x[i]'^2)/2"
potential = "sum(i in 0..n: (1e4*sin(pi*i/2)^2 + 1)*d[i]^2/2 + d[i]^4/4)"
[initial]
q = { "x[i]" = "sin(pi*i/(n + 1))/10" }
v = { "x[i]" = "cos(3*i)/10" }
)toml";

void stiff(const char* title, const Model& model, const char* method, double h) {
    constexpr long long steps = 200;
    std::printf("%s, h = %g: us a step (iterations)\n  stages        newton         fixed     kronecker\n", title, h);
    for (int s : {2, 3, 4, 5, 6, 8, 10}) {
        std::printf("  %6d", s);
        for (const char* iteration : {"newton", "fixed", "kronecker"}) {
            Batch batch(model,
                        build_method(model, parse_methods(std::string(method) + ":stages=" + std::to_string(s) +
                                                          ":iteration=" + iteration)[0]),
                        1);
            const double seconds = least_of(5, [&] {
                batch.start(0);
                return cpu_seconds_of([&] { batch.advance(0, steps, h); });
            });
            const Report& r = batch.report(0);
            if (r.ok())
                std::printf(" %8.2f (%.1f)", 1e6 * seconds / static_cast<double>(steps),
                            static_cast<double>(r.newton_iterations) / static_cast<double>(r.newton_solves));
            else
                std::printf("       stopped");
            std::fflush(stdout);
        }
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string word = argc > 1 ? argv[1] : "";
    const auto wanted = [&](const char* title) { return std::string(title).starts_with(word); };
    if (wanted("S1"))
        compare("S1 pendulum in Cartesian coordinates, T = 100", hand::CartesianPendulum{9.81}, {1, 0, 0, -2}, pendulum,
                100, {"dirac_weak:stages=8:iteration=fixed:iteration_tol=1e-13", "dirac_weak:stages=8:iteration=fixed"},
                4000);
    if (wanted("S2"))
        compare("S2 nonholonomic particle, T = 100", hand::NonholonomicParticle{}, {1, 0.5, 0, 0.25, 1, 0.125},
                particle, 100,
                {"nh_gauss:stages=8:iteration=fixed:iteration_tol=1e-13", "nh_gauss:stages=8:iteration=fixed",
                 "nh_gauss:stages=5"},
                2000);
    if (wanted("S3"))
        compare("S3 Chaplygin sleigh, T = 20", hand::Sleigh{0.2}, {0, 0, 0, 1, 0.3, 1.56}, sleigh, 20,
                {"nh_gauss:stages=8:iteration=fixed:iteration_tol=1e-12", "nh_gauss:stages=8:iteration=fixed",
                 "nh_gauss:stages=3"},
                400);
    if (wanted("S4"))
        compare("S4 vehicle, variational, T = 20", hand::Vehicle{0.3}, {0.3, 0, 0, 1, 0.5, 0.2, 1.09, 1}, vehicle, 20,
                {"gauss:stages=8:iteration=fixed:iteration_tol=1e-13", "gauss:stages=8:iteration=fixed"}, 4000);
    if (wanted("outer")) solar_system();
    if (wanted("stiff spring"))
        stiff("stiff spring", load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/stiff_spring.toml"), "gauss", 0.1);
    if (wanted("stiff pendulum"))
        stiff("stiff pendulum, double", read_model(spring_pendulum, "springs.toml"), "gauss", 0.01);
    if (wanted("stiff knife")) stiff("stiff knife edge", read_model(stiff_knife, "knife.toml"), "nh_gauss", 0.02);
    if (wanted("stiff chain")) stiff("stiff chain, diatomic", read_model(diatomic, "chain.toml"), "gauss", 0.1);
    return 0;
}
