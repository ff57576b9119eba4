// Newton's method on a whole path: does an iteration cost the same for every step, from 100 to 100,000 of them, and
// does it take as many iterations? CPU time of this thread of execution, the least of several; set-up, which includes
// compiling machine code, apart.
//   from the line: Newton's method alone, from the straight line with costates 0
//   solve: all that find_path does with one start: search, path, path with half the steps for the error of the cost,
//   focal points, the record of all nodes
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include <rattleback/boundary.hpp>

#include "boundary/path.hpp"
#include "measure.hpp"

namespace {

using namespace rattleback;

constexpr double most_exponent = 1.05; // of the time of an iteration, as a power of the steps; from the issue
constexpr int most_more = 3;           // iterations, over the range

struct Task {
    const char *name, *text;
    double most_1000, most_100000; // milliseconds of `solve`, from the issue; 0: none
};

constexpr Task tasks[] = {{"swing-up", R"(coordinates = ["theta", "omega"]
[control]
inputs   = ["u"]
dynamics = { theta = "omega", omega = "-sin(theta) + u" }
cost     = "u^2/2"
[boundary]
from = { theta = 0, omega = 0 }
to   = { theta = "pi", omega = 0 }
time = 5
)",
                           10, 700},
                          {"Heisenberg", R"(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w", z = "(x*w - y*u)/2" }
cost     = "(u^2 + w^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 1, y = 0.5, z = 0.3 }
time = 1
)",
                           0, 0}};

struct Newton {
    double seconds = 0; // of an iteration
    int iterations = 0;
    bool converged = false;
};

Newton from_the_line(const Model& model, std::size_t steps, int repeats) {
    const boundary::Problem problem(model);
    boundary::PathSolver solver(problem, "midpoint");
    solver.use_machine_code();
    const std::size_t n = solver.states() / 2;
    const boundary::Path start = solver.path(steps, [&](double s, double* x) {
        for (std::size_t i = 0; i < n; ++i) {
            const double a = problem.from.value[i].value_or(0), b = problem.to.value[i].value_or(0);
            x[i] = a + s * (b - a), x[n + i] = 0;
        }
    });
    Newton found;
    found.seconds = bench::least_of(repeats, [&] {
        boundary::Path path = start;
        boundary::NewtonOutcome outcome;
        const double seconds = bench::cpu_seconds_of([&] { outcome = solver.newton(path, 100); });
        found.iterations = outcome.iterations;
        found.converged = outcome.status == boundary::NewtonOutcome::converged;
        return seconds / outcome.iterations;
    });
    return found;
}

struct Solved {
    double setup = 0, run = 0;
    Solution solution;
};

Solved solve_all(const Model& model, long long steps, int repeats) {
    SolveOptions options;
    options.method = "midpoint", options.steps = steps, options.starts = 1;
    Solved s;
    const auto seconds = [&] { return bench::cpu_seconds_of([&] { s.solution = find_path(model, options); }); };
    const volatile int stop = 1; // nothing but the set-up
    options.interrupt = &stop;
    s.setup = bench::least_of(repeats, seconds);
    options.interrupt = nullptr;
    s.run = bench::least_of(repeats, seconds) - s.setup;
    return s;
}

} // namespace

int main(int argc, char** argv) {
    const bool is_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
    bool good = true;
    std::printf("%-12s %8s | %10s %9s %5s | %9s %9s %5s %12s\n", "problem", "steps", "iteration", "a step", "iter",
                "solve ms", "set-up ms", "iter", "cost");
    for (const Task& task : tasks) {
        const Model model = read_model(task.text, std::string(task.name) + ".toml");
        Newton first, last;
        for (const long long steps : {100LL, 1000LL, 10'000LL, 100'000LL}) {
            const int repeats = (is_long ? 5 : 1) * (steps > 10'000 ? 3 : steps > 1000 ? 10 : 50);
            const Newton newton = from_the_line(model, static_cast<std::size_t>(steps), repeats);
            const Solved solved = solve_all(model, steps, repeats);
            const double most = steps == 1000 ? task.most_1000 : steps == 100'000 ? task.most_100000 : 0;
            const bool late = most > 0 && 1e3 * solved.run > most;
            good &= newton.converged && !late && solved.solution.status == Solution::Status::solved;
            std::printf("%-12s %8lld | %7.3f ms %6.0f ns %5d%s | %9.2f%s %9.2f %5d %12.9f\n", task.name, steps,
                        1e3 * newton.seconds, 1e9 * newton.seconds / static_cast<double>(steps), newton.iterations,
                        newton.converged ? "" : "!", 1e3 * solved.run, late ? "!" : "", 1e3 * solved.setup,
                        solved.solution.iterations, solved.solution.best().cost);
            (steps == 100 ? first : last) = newton;
        }
        const double exponent = std::log(last.seconds / first.seconds) / std::log(1000.0);
        const int more = last.iterations - first.iterations;
        const bool linear = exponent <= most_exponent && more <= most_more;
        good &= linear;
        std::printf("%-12s time of an iteration ~ steps^%.3f, %+d iterations%s\n", task.name, exponent, more,
                    linear ? "" : " !");
    }
    std::printf("'!': beyond %g ms and so on of the issue, exponent %g, %+d iterations\n", tasks[0].most_1000,
                most_exponent, most_more);
    return good ? 0 : 1;
}
