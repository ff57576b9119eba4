// What round-off leaves of constraints, momenta and energy in long runs with holonomic constraints: the spherical
// pendulum with RATTLE, 1e6 steps (with --long 1e8 and 1e9), and the weak Dirac form with and without its correction.
//
//   bench_holonomic [--long]
#include <cstdio>
#include <cstring>

#include <rattleback/run.hpp>

#include "measure.hpp"

namespace {

using namespace rattleback;

void run(const char* method, double step, long long steps) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    const Run found = integrate(model, {.method = method, .step = step, .steps = steps, .every = steps});
    const Summary& s = found.summary();
    std::printf("%-32s %6.2g %8.0e %11.1e %14.1e %15.4e %12.1e %8.1f\n", method, step, static_cast<double>(s.steps),
                s.holonomic_max.value_or(0), s.momentum_error_max.at(0).second, s.energy_error_max,
                s.energy_drift_per_time * s.t_end, s.seconds_run);
    if (!found.report().ok()) std::printf("%s\n", found.report().text().c_str());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const bool is_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
    std::printf("%-32s %6s %8s %11s %14s %15s %12s %8s\n", "method", "step", "steps", "constraint", "ang. momentum",
                "largest dE", "rise of E", "seconds");
    constexpr double h = 1.0 / 128;
    for (const char* method : {"rattle", "lobatto:stages=3", "dirac_weak:stages=2", "dirac_weak:stages=2:correct=no"})
        run(method, h, 1000000);
    if (!is_long) return 0;
    run("rattle", h, 100000000);
    run("rattle", h, 1000000000);
    return 0;
}
