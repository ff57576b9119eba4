// How cost grows with the size of a model: sums of 10^3 .. 10^6 terms are read and derived, chains of 10^2 .. 10^5
// sites are set up and stepped, beside the same steps by hand: what their time grows by is the caches' doing. Linear
// growth has the exponent 1 between decades.
//
//   bench_growth [--long] [terms|chains]     both tables or one of them; --long: chains of 10^5 sites too
//
// Each case runs in a process of its own, so that its peak memory is its own.
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rattleback/run.hpp>

#include "expr/graph.hpp"
#include "hand/fput.hpp"
#include "measure.hpp"
#include "run/step_code.hpp"
#include "run/stepper.hpp"

namespace {

using namespace rattleback;

constexpr double target = 1.1;         // exponent that is allowed
constexpr double chain_target = 1.05;  // of chains, from 1,000 sites on
constexpr double setup_target = 2;     // seconds, for 100,000 sites
constexpr unsigned most_seconds = 600; // on the clock, for one case
constexpr double long_enough = 0.1;    // seconds of measured time after which a case is not repeated
constexpr int repeats = 40;            // of steps, of which the fastest counts
constexpr double same = 1e-9;          // steps by hand and the library's, from positions of size 1
using Numbers = std::array<double, 5>; // what a case measured
using Measurement = std::function<Numbers()>;

struct Outcome {
    bool ok = false;
    Numbers numbers{};
    double megabytes = 0; // peak of the whole process
};

// Runs f in a child.
Outcome apart(const Measurement& f) {
    Outcome outcome;
    int ends[2];
    std::fflush(stdout);
    if (pipe(ends) != 0) return outcome;
    const pid_t child = fork();
    if (child < 0) return outcome;
    if (child == 0) {
        // NOTE: not RLIMIT_CPU. With a CPU timer armed, Linux reads the process's CPU clock only as of the last tick:
        // 2.6 ms apart instead of 0.5 us, and short phases seem to take no time at all.
        alarm(most_seconds);
        int status = 1;
        try {
            const Numbers numbers = f();
            status = write(ends[1], &numbers, sizeof numbers) == sizeof numbers ? 0 : 1;
        } catch (const std::exception& e) { std::fprintf(stderr, "%s\n", e.what()); }
        _exit(status);
    }
    close(ends[1]);
    outcome.ok = read(ends[0], &outcome.numbers, sizeof outcome.numbers) == sizeof outcome.numbers;
    close(ends[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    outcome.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    outcome.ok = outcome.ok && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return outcome;
}

// The least of each number over several runs: short cases are repeated, since the first run pays for cold caches.
Numbers repeated(const Measurement& f) {
    Numbers best = f();
    double spent = 0;
    for (double x : best) spent += x;
    for (int i = 0; i < 4 && spent < long_enough; ++i) {
        const Numbers now = f();
        for (std::size_t j = 0; j < best.size(); ++j) best[j] = std::min(best[j], now[j]), spent += now[j];
    }
    return best;
}

// Prints a row and the exponents since the row before; the last column is the one with a target.
struct Rows {
    std::vector<const char*> columns;
    Numbers last{};
    double last_size = 0;
    double first_size = 0, first = 0; // of the last column

    void header(const char* size) const {
        std::printf("%9s", size);
        for (const char* c : columns) std::printf(" %18s", c);
        std::printf(" %9s\n", "peak MB");
    }
    void print(double size, const Outcome& outcome) {
        std::printf("%9.0f", size);
        if (!outcome.ok) {
            std::printf(" failed, or took more than %u s\n", most_seconds);
            last_size = 0;
            return;
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            char growth[16] = "";
            if (last_size > 0) {
                const double exponent = std::log(outcome.numbers[i] / last[i]) / std::log(size / last_size);
                std::snprintf(growth, sizeof growth, "^%.2f", exponent);
            }
            std::printf(" %12.4g %-5s", outcome.numbers[i], growth);
        }
        std::printf(" %9.0f\n", outcome.megabytes);
        last = outcome.numbers, last_size = size;
        if (first_size == 0) first_size = size, first = outcome.numbers[columns.size() - 1];
    }
    // A decade that leaves a cache costs more than the one before and the one after it.
    void summary() const {
        const double exponent = std::log(last[columns.size() - 1] / first) / std::log(last_size / first_size);
        std::printf("from first to last: ^%.2f, target at most %.2f%s\n\n", exponent, target,
                    exponent <= target ? "" : "  MISSED");
    }
};

// L = T - sum of sines, text as people write it: the terms of each coordinate and its right neighbour are a definition.
std::string sum_of_terms(int terms, int coordinates) {
    std::ostringstream names, kinetic, definitions, potential, values;
    const auto name = [&](int i) { return coordinates > 1 ? std::string("x").append(std::to_string(i)) : "x"; };
    for (int i = 0; i < coordinates; ++i) {
        const char *const plus = i ? " + " : "", *const comma = i ? ", " : "";
        names << comma << '"' << name(i) << '"';
        kinetic << plus << name(i) << "'^2/2";
        potential << plus << 'V' << i;
        values << comma << "0.1";
        std::string argument = name(i);
        if (coordinates > 1) argument.append("+").append(name((i + 1) % coordinates));
        definitions << 'V' << i << " = \"0";
        for (int k = 1; k <= terms / coordinates; ++k)
            definitions << '+' << k % 9 + 1 << "*sin(" << k << '*' << argument << ')';
        definitions << "\"\n";
    }
    std::ostringstream text;
    text << "name = \"sum\"\ncoordinates = [" << names.str() << "]\n[definitions]\n"
         << definitions.str() << "[mechanics]\nkinetic = \"" << kinetic.str() << "\"\npotential = \"" << potential.str()
         << "\"\n[initial]\nq = [" << values.str() << "]\nv = [" << values.str() << "]\n";
    return text.str();
}

Numbers read_and_derive(const std::string& text) {
    Numbers seconds{};
    Model model;
    seconds[0] = bench::cpu_seconds_of([&] { model = read_model(text, "sum"); });
    Vec grad;
    seconds[1] = bench::cpu_seconds_of([&] { grad = gradient(model.function, model.q); });
    seconds[2] = bench::cpu_seconds_of([&] { expand(jacobian(grad, model.q), grad, model.q); });
    seconds[3] = seconds[0] + seconds[1] + seconds[2];
    return seconds;
}

void term_table(const char* title, int per_coordinate) {
    std::printf("%s: CPU seconds and exponents\n\n", title);
    Rows rows{{"read", "gradient", "Hessian", "all"}};
    rows.header("terms");
    for (int terms = 1000; terms <= 1000000; terms *= 10) {
        const Outcome outcome = apart([&] {
            const std::string text = sum_of_terms(terms, per_coordinate ? terms / per_coordinate : 1);
            return repeated([&] { return read_and_derive(text); });
        });
        rows.print(terms, outcome);
    }
    rows.summary();
}

constexpr double step_size = 0.1;
constexpr const char* fput = R"toml(
name = "FPUT chain"
coordinates = ["x[1..n]"]
[parameters]
n = 100
alpha = 0.25
[definitions]
"x[0]" = "0"
"x[n+1]" = "0"
[mechanics]
kinetic = "sum(i in 1..n: x[i]'^2/2)"
potential = "sum(i in 1..n+1: (x[i] - x[i-1])^2/2 + alpha/3*(x[i] - x[i-1])^3)"
[initial]
q = { "x[i]" = "sin(pi*i/(n+1))" }
v = { "x[i]" = "sin(2*pi*i/(n+1))" }
)toml";

// Seconds of one of `count` steps.
template <class F> double step_time(int count, F&& step) {
    step();
    return bench::least_of(repeats,
                           [&] {
                               return bench::cpu_seconds_of([&] {
                                   for (int i = 0; i < count; ++i) step();
                               });
                           }) /
           count;
}

double by_hand(const Model& model, const std::string& method, int count, const Stepper<double>& other,
               long long taken) {
    const auto numbers = [](const auto& x) { return std::vector<double>(x.begin(), x.end()); };
    hand::Fput chain(0.25, step_size);
    const auto start = [&] { chain.start(numbers(model.q0), numbers(model.v0)); };
    const auto step = [&] { method == "midpoint" ? static_cast<void>(chain.midpoint()) : chain.verlet(); };
    start();
    const double seconds = step_time(count, step);
    start();
    for (long long i = 0; i < taken; ++i) step();
    for (std::size_t i = 0; i + 2 < chain.positions().size(); ++i)
        if (!(std::abs(chain.positions()[i + 1] - other.state()[i]) <= same * static_cast<double>(taken)))
            throw std::runtime_error("the steps by hand are others");
    return seconds;
}

Numbers chain(int n, const std::string& method) {
    Numbers numbers{};
    Report report;
    Model model;
    std::optional<Stepper<double>> stepper;
    numbers[0] = bench::cpu_seconds_of([&] {
        model = read_model(fput, "fput", {.set = {{"n", std::to_string(n)}}});
        stepper.emplace(model, build_method(model, parse_methods(method)[0]));
        stepper->start(report);
    });
    const int count = std::max(3, 100000 / n);
    long long taken = 0;
    const auto step = [&] {
        if (report.ok()) stepper->advance(taken++, step_size, report);
    };
    numbers[1] = step_time(count, step);
    StepCodeResult made;
    numbers[2] = bench::cpu_seconds_of([&] { made = make_step_code(stepper->compiled(), {}); });
    stepper->parts().use(made.code), stepper->parts().use(made.sections);
    numbers[3] = made.code || made.sections ? step_time(count, step) : std::nan("");
    if (!report.ok()) throw std::runtime_error(report.text());
    numbers[4] = by_hand(model, method, count, *stepper, taken);
    return numbers;
}

void chain_table(const std::string& method, int sites) {
    std::printf("FPUT chain, %s: CPU seconds of the set-up, of a step and of its compilation, with exponents\n\n",
                method.c_str());
    Rows rows{{"set-up", "step on the tape", "compiled", "step in code", "step by hand"}};
    rows.header("sites");
    Outcome thousand, last;
    for (int n = 100; n <= sites; n *= 10) {
        last = apart([&] { return chain(n, method); });
        if (n == 1000) thousand = last;
        rows.print(n, last);
    }
    if (!thousand.ok || !last.ok) return;
    std::printf("from 1000 sites to %d, target at most ^%.2f:", sites, chain_target);
    const auto print = [&](const char* what, double from, double to) {
        const double exponent = std::log(to / from) / std::log(sites / 1000.0);
        std::printf("  %s ^%.2f%s", what, exponent, exponent <= chain_target ? "" : " MISSED");
    };
    print("set-up", thousand.numbers[0], last.numbers[0]);
    print("memory", thousand.megabytes, last.megabytes);
    print("step on the tape", thousand.numbers[1], last.numbers[1]);
    print("step in code", thousand.numbers[3], last.numbers[3]);
    print("step by hand", thousand.numbers[4], last.numbers[4]);
    if (sites == 100000)
        std::printf("\nset-up of 100000 sites: %.2f s, target below %.0f%s", last.numbers[0], setup_target,
                    last.numbers[0] < setup_target ? "" : "  MISSED");
    std::printf("\n\n");
}

} // namespace

int main(int argc, char** argv) {
    bool terms = true, chains = true;
    int sites = 10000;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "terms") chains = false;
        if (argument == "chains") terms = false;
        if (argument == "--long") sites = 100000;
    }
    if (terms) {
        term_table("One coordinate", 0);
        term_table("One coordinate for every 100 terms, 10,000 in the last row", 100);
    }
    if (chains) {
        chain_table("del:ld=verlet", sites);
        chain_table("midpoint", sites);
    }
}
