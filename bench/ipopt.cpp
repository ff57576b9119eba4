// Newton's method on the whole path against Ipopt, both from the straight line, on the midpoint rule with the same
// steps: a path, and one with twice the steps for the error of its cost. The derivatives come from the same graph.
#include <cstdio>
#include <cstring>
#include <string>

#include <rattleback/boundary.hpp>

#include "measure.hpp"

namespace {

using namespace rattleback;

constexpr double ratio_target = 0.2; // of Ipopt's time, from the issue

struct Task {
    const char *name, *text;
};

constexpr Task tasks[] = {{"LQR", R"(coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "u" }
cost     = "u^2/2"
[boundary]
from = { x = 0, v = 0 }
to   = { x = 1, v = 0 }
time = 1
)"},
                          {"swing-up", R"(coordinates = ["theta", "omega"]
[control]
inputs   = ["u"]
dynamics = { theta = "omega", omega = "-sin(theta) + u" }
cost     = "u^2/2"
[boundary]
from = { theta = 0, omega = 0 }
to   = { theta = "pi", omega = 0 }
time = 5
)"},
                          {"Heisenberg", R"(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w", z = "(x*w - y*u)/2" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 1, y = 0.5, z = 0.3 }
time = 1
)"},
                          {"Martinet", R"(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w", z = "x^2*w/2" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 0.5, y = 1, z = 0.3 }
time = 1
)"}};

struct Measured {
    double setup = 0, run = 0; // CPU seconds
    Solution solution;
};

Measured measure(const Model& model, const char* solver, long long steps, int repeats) {
    SolveOptions options;
    options.method = "midpoint", options.steps = steps, options.starts = 1, options.solver = solver;
    Measured m;
    const auto seconds = [&] { return bench::cpu_seconds_of([&] { m.solution = find_path(model, options); }); };
    const volatile int stop = 1; // nothing but the set-up
    options.interrupt = &stop;
    m.setup = bench::least_of(repeats, seconds);
    options.interrupt = nullptr;
    m.run = bench::least_of(repeats, seconds) - m.setup;
    return m;
}

} // namespace

int main(int argc, char** argv) {
    const bool is_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
    std::printf("%-12s %8s | %9s %9s %5s | %9s %9s %5s | %6s  %s\n", "problem", "steps", "Newton ms", "set-up ms",
                "iter", "Ipopt ms", "set-up ms", "iter", "ratio", "costs apart");
    for (const Task& task : tasks)
        for (const long long steps : {100LL, 1000LL, 10'000LL}) {
            if (steps > 1000 && !is_long) continue;
            const Model model = read_model(task.text, std::string(task.name) + ".toml");
            const int repeats = steps > 1000 ? 2 : 5;
            const Measured newton = measure(model, "newton", steps, repeats);
            const Measured ipopt = measure(model, "ipopt", steps, repeats);
            const bool both = !newton.solution.extremals.empty() && !ipopt.solution.extremals.empty();
            const double ratio = newton.run / ipopt.run;
            std::printf("%-12s %8lld | %9.2f %9.2f %5d | %9.2f %9.2f %5d | %6.3f%s  %.1e\n", task.name, steps,
                        1e3 * newton.run, 1e3 * newton.setup, newton.solution.iterations, 1e3 * ipopt.run,
                        1e3 * ipopt.setup, ipopt.solution.iterations, ratio, ratio <= ratio_target ? "" : " !",
                        both ? newton.solution.best().cost - ipopt.solution.best().cost : 0.0 / 0.0);
        }
    std::printf("'!': more than %g of Ipopt's time\n", ratio_target);
}
