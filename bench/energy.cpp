// Whether energy drifts in long runs: the largest errors of the energy in the two halves of a run, which are equal
// where it does not, and by how much the line fitted to the error rises over the run. 1e5 steps; with --long, 1e7.
//
//   bench_energy [--long]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <rattleback/run.hpp>

#include "measure.hpp"

namespace {

using namespace rattleback;

struct Case {
    const char *model, *method;
    double step;
};
// The better the method, the larger the step, so that its error stays above round-off; and steps at which it does not,
// where only round-off can drift.
constexpr Case cases[] = {
    {"henon_heiles", "gauss:stages=1", 0.1},
    {"henon_heiles", "gauss:stages=2", 0.3},
    {"henon_heiles", "gauss:stages=3", 0.5},
    {"henon_heiles", "gauss:stages=4", 0.5},
    {"henon_heiles", "gauss:stages=5", 0.6},
    {"henon_heiles", "gauss:stages=6", 0.7},
    {"henon_heiles", "gauss:stages=5", 0.2},
    {"henon_heiles", "gauss:stages=5", 0.3},
    {"henon_heiles", "gauss:stages=6", 0.3},
    {"henon_heiles", "gauss:stages=6", 0.4},
    {"contact_oscillator", "gf", 0.05},
    {"contact_oscillator", "gf_sym", 0.05},
    {"contact_oscillator", "gni", 0.05},
    {"contact_oscillator", "nh_rattle", 0.05},
    {"contact_oscillator", "nh_gauss", 0.05},
    {"cartesian_spherical_pendulum", "rattle", 0.02},
    {"cartesian_spherical_pendulum", "lobatto:stages=3", 0.05},
};

void run(const Case& c, long long steps) {
    const std::string file = std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + c.model + ".toml";
    const Model model = load(file);
    double halves[2] = {0, 0}, initial = 0, residual = 0, moment = 0, weight = 0;
    const double seconds = bench::cpu_seconds_of([&] {
        Method method = build_method(model, parse_methods(c.method)[0]);
        Stepper<double> stepper(model, method);
        NodeReader<double> reader(model, method);
        Report report;
        if (!stepper.start(report, c.step) || !reader.read(stepper, stepper.t0(), report)) return;
        initial = reader.node().energy;
        for (long long k = 0; k < steps; ++k) {
            const double t = stepper.t0() + static_cast<double>(k + 1) * c.step;
            if (!stepper.advance(k, c.step, report) || !reader.read(stepper, t, report)) {
                std::printf("%s\n", report.text().c_str());
                return;
            }
            double& half = halves[2 * k >= steps];
            const double error = reader.node().energy - initial;
            const double along = static_cast<double>(k) / static_cast<double>(steps) - 0.5;
            half = std::max(half, std::abs(error));
            moment += along * error, weight += along * along;
            residual = std::max(residual, reader.node().constraint);
        }
    });
    std::printf("%-30s %-18s %8.2g %9.0e %12.5e %12.5e %10.1e %10.1e %8.1f\n", c.model, c.method, c.step,
                static_cast<double>(steps), halves[0], halves[1], moment / weight, residual, seconds);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const bool is_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
    std::printf("%-30s %-18s %8s %9s %12s %12s %10s %10s %8s\n", "model", "method", "step", "steps", "first half",
                "second half", "rise", "constraint", "seconds");
    for (const Case& c : cases) run(c, is_long ? 10000000 : 100000);
    return 0;
}
