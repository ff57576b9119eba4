// Work and precision beside other libraries: CPU time for a unit of simulated time against the error at the end, with
// stages on lanes in machine code, the same by hand, Boost.odeint, GSL, SUNDIALS and SciPy. Every solver gets a grid of
// steps or tolerances, and for an error the cheapest of them that reaches it; of each the least time of several runs.
//
//   bench_peers [--long] [WORD] [FILE.json]    WORD: only problems whose title begins so; the file keeps all points,
//                                              the processor and the commit (default peers.json beside the program);
//                                              --long: a pendulum over 1e5 units of time and 1e7 steps, too
#pragma GCC optimize("fp-contract=fast")    // see sides.hpp
#pragma GCC diagnostic ignored "-Wrestrict" // of std::string at -O3, a false alarm

#include <filesystem>
#include <fstream>
#include <sstream>

#include "other_solvers.hpp"
#include "output/json.hpp"
#include "run/accuracy.hpp"

namespace {

using namespace bench;

struct Point {
    double effort, seconds, error; // seconds: for a unit of simulated time
};
struct Line {
    std::string solver, group; // group: rattleback, hand or peer
    std::vector<Point> points;
};

constexpr int repeats_of_a_point = 3;
constexpr double fine_enough = 3e-12; // an error that asks for no more

// More and more effort, until the error no longer falls.
Line measured(const Way& way, const char* group, const Values& exact, double T, double factor, double most) {
    Line line{way.title, group, {}};
    double best = 1e300;
    int worse = 0;
    for (double effort = way.first; effort <= most && worse < 4 && best > fine_enough; effort *= factor) {
        const Result first = way.go(effort);
        const double off = error_of(first.end, exact);
        if (!(off <= 1e-2)) continue;
        worse = off < best ? 0 : worse + (off < 1e-9);
        best = std::min(best, off);
        const double seconds = least_of(repeats_of_a_point, [&] { return way.go(effort).seconds; });
        line.points.push_back({effort, seconds / T, off});
    }
    return line;
}

// Where errors are measured from. In double nobody knows the end of S1 to 1e-10: rounding is multiplied on the way.
Values in_long_double(const Model& model, const InitialData<double>& data, double T, const std::string& method,
                      long long steps) {
    const auto longer = [](const Values& x) { return std::vector<long double>(x.begin(), x.end()); };
    const CompiledMethod compiled = compile(model, method);
    Stepper<long double> stepper(compiled);
    NodeReader<long double> reader(compiled);
    Report report;
    const long double h = static_cast<long double>(T) / static_cast<long double>(steps);
    bool well = stepper.start({.q = longer(data.q), .v = longer(data.v), .p = longer(data.p)}, 0, report, h);
    for (long long k = 0; k < steps && well; ++k) well = stepper.advance(k, h, report);
    if (!well || !reader.read(stepper, T, report)) throw BadRun(report.text());
    Values end(reader.node().q.begin(), reader.node().q.end());
    end.insert(end.end(), reader.node().p.begin(), reader.node().p.end());
    return end;
}

std::string output_of(const std::string& command) {
    std::string text;
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
        char part[4096];
        while (std::fgets(part, sizeof part, pipe)) text += part;
        pclose(pipe);
    }
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

// In a child process, which measures its own time; nothing where Python has no SciPy.
Line by_scipy(const std::string& problem, const std::vector<double>& numbers, const Values& exact, double T) {
    Line line{"SciPy, DOP853", "peer", {}};
    std::string command = "printf '%s ' ";
    for (double x : numbers) command += real::to_text(x) + " ";
    command += "| /usr/bin/python3 '" + std::string(RATTLEBACK_SOURCE_DIR) + "/bench/scipy_dop853.py' " + problem +
               " " + real::to_text(T);
    for (int digit = 5; digit <= 13; ++digit)
        command += " 1e-" + std::to_string(digit) + " 3e-" + std::to_string(digit + 1);
    std::istringstream lines(output_of(command + " 2>/dev/null"));
    for (std::string text; std::getline(lines, text);) {
        const Json j = Json::read(text);
        const Values end = j["end"].numbers();
        const double off = end.empty() ? NAN : error_of(end, exact);
        if (off <= 1e-2) line.points.push_back({1 / j["tolerance"].number(), j["seconds"].number() / T, off});
    }
    return line;
}

// What --accuracy takes, asked for both errors. It means them relative to the largest value of a component.
Line by_accuracy(const Model& model, const InitialData<double>& data, const Values& exact, double T) {
    Line line{"run --accuracy", "rattleback", {}};
    for (double asked : {1e-10, 1e-6}) {
        const Picked picked = pick_for_accuracy(model, {.until = T, .accuracy = asked});
        const double steps = std::round(T / picked.step);
        const Way way = by_library(model, picked.method, data, T, steps);
        const double off = error_of(way.go(steps).end, exact);
        const double seconds = least_of(repeats_of_a_point, [&] { return way.go(steps).seconds; });
        line.points.push_back({1 / asked, seconds / T, off});
        std::printf("  --accuracy %.0e: %s, %g steps, %.3f us, error %.1e\n", asked, picked.method.c_str(), steps,
                    1e6 * seconds / T, off);
    }
    return line;
}

std::optional<Point> cheapest(const Line& line, double tolerance) {
    std::optional<Point> best;
    for (const Point& p : line.points)
        if (p.error <= tolerance && (!best || p.seconds < best->seconds)) best = p;
    return best;
}

void print(const std::vector<Line>& lines, double tolerance) {
    double peer = 1e300, hand = 1e300;
    for (const Line& line : lines)
        if (const auto p = cheapest(line, tolerance)) {
            double& least = line.group == "hand" ? hand : peer;
            if (line.group != "rattleback") least = std::min(least, p->seconds);
        }
    for (const Line& line : lines) {
        const auto p = cheapest(line, tolerance);
        if (!p) {
            std::printf("  %-54s %6.0e     never\n", line.solver.c_str(), tolerance);
            continue;
        }
        std::printf("  %-54s %6.0e %10.3f us   error %.1e", line.solver.c_str(), tolerance, 1e6 * p->seconds, p->error);
        if (line.group == "rattleback") {
            if (peer < 1e300) std::printf("   %.2f of the best peer", p->seconds / peer);
            if (hand < 1e300) std::printf(", %.2f of hand", p->seconds / hand);
        }
        std::printf("\n");
    }
    std::fflush(stdout);
}

class Study {
  public:
    explicit Study(std::string word) : word_(std::move(word)) {}

    template <class Problem>
    void compare(const std::string& title, const Problem& problem, const std::array<double, Problem::n>& x,
                 const Model& model, const InitialData<double>& data, double T, const std::vector<std::string>& methods,
                 double fine, const std::vector<double>& constants) {
        if (!title.starts_with(word_)) return;
        std::printf("%s\n", title.c_str());
        const Values exact = in_long_double(model, data, T, methods.back(), static_cast<long long>(fine) / 4);
        std::printf("  (by hand with %g steps: %.1e from the reference, in long double)\n", fine,
                    error_of(by_hand(problem, x, T, fine).end, exact));
        std::vector<Line> lines;
        const double first = fine / 40, most = fine;
        for (const std::string& method : methods)
            lines.push_back(measured(by_library(model, method, data, T, first), "rattleback", exact, T, 1.09, most));
        lines.push_back(by_accuracy(model, data, exact, T));
        const auto add = [&](const char* name, const char* group, auto solve, double least, double factor, double top) {
            const Way way{name, [&](double effort) { return solve(problem, x, T, effort); }, least, factor, false};
            lines.push_back(measured(way, group, exact, T, factor, top));
        };
        add("by hand, 8 stages on lanes", "hand", by_hand<Problem>, first, 1.09, most);
        add("Boost.odeint, Runge-Kutta-Fehlberg 7(8)", "peer", by_odeint<Problem>, 1e4, 1.8, 1e15);
#ifdef WITH_GSL
        add("GSL, rk8pd", "peer", by_gsl<Problem>, 1e4, 1.8, 1e15);
#endif
#ifdef WITH_SUNDIALS
        add("SUNDIALS, CVODE (Adams)", "peer", by_cvode<Problem>, 1e4, 2.5, 1e14);
        add("SUNDIALS, ARKODE (Fehlberg 7(8))", "peer", by_arkode<Problem>, 1e4, 1.8, 1e15);
#endif
        std::vector<double> numbers(x.begin(), x.end());
        numbers.insert(numbers.end(), constants.begin(), constants.end());
        lines.push_back(by_scipy(title.substr(0, title.find(' ')), numbers, exact, T));
        for (double tolerance : {1e-10, 1e-6}) print(lines, tolerance);
        keep(title, lines);
    }

    void write(const std::string& file) const {
        const std::string root = RATTLEBACK_SOURCE_DIR;
        Json all;
        all.add("version", RATTLEBACK_VERSION);
        all.add("commit", output_of("git -C '" + root + "' rev-parse --short HEAD 2>/dev/null") +
                              (output_of("git -C '" + root + "' status --porcelain 2>/dev/null").empty() ? "" : "+"));
        all.add("processor", output_of("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1"));
        all.add("problems", problems_);
        std::ofstream(file) << all.text() << '\n';
        std::printf("kept in %s\n", file.c_str());
    }

  private:
    void keep(const std::string& title, const std::vector<Line>& lines) {
        std::vector<Json> list;
        for (const Line& line : lines) {
            std::vector<double> effort, seconds, error;
            for (const Point& p : line.points)
                effort.push_back(p.effort), seconds.push_back(p.seconds), error.push_back(p.error);
            list.push_back(Json()
                               .add("solver", line.solver)
                               .add("group", line.group)
                               .add("effort", effort)
                               .add("seconds_per_time", seconds)
                               .add("error", error));
        }
        problems_.push_back(Json().add("title", title).add("solvers", list));
    }

    std::string word_;
    std::vector<Json> problems_;
};

// The pendulum over T = 1e5: energy and constraint, beside what an energy error of 1e-6 costs with odeint; and its
// drift in 1e7 steps.
void long_runs() {
    const double T = 1e5, g = 9.81;
    constexpr long long most_evaluations = 200000000;
    const Model model = read_model(pendulum, "S1");
    const auto run = [&](const std::string& method, RunOptions o) {
        o.method = method, o.every = 1LL << 40, o.keep_record = false, o.engine = RunOptions::Engine::compiled;
        double seconds = 0;
        std::optional<Run> kept;
        seconds = cpu_seconds_of([&] { kept.emplace(integrate(model, o)); });
        const Summary& s = kept->summary();
        std::printf("  %-36s step %-7.4g %7.3f s   energy %.1e, drift %8.1e a unit of time, constraint %.1e%s\n",
                    method.c_str(), s.step, seconds, s.energy_error_max, s.energy_drift_per_time,
                    s.holonomic_max.value_or(0), kept->report().ok() ? "" : "   failed");
        std::fflush(stdout);
    };
    std::printf("long runs of S1: T = %g, set-up included\n", T);
    for (double h : {0.2, 0.16, 0.125, 0.1}) run("dirac_weak:stages=8:iteration=fixed", {.step = h, .until = T});
    const hand::CartesianPendulum problem{g};
    const auto energy = [&](const Values& x) { return (x[2] * x[2] + x[3] * x[3]) / 2 + g * x[1]; };
    for (double effort = 1e8; effort < 1e15; effort *= 3) { // larger tolerances fall off the circle
        namespace ode = boost::numeric::odeint;
        using State = std::array<double, 4>;
        State x{1, 0, 0, -2};
        long long evaluations = 0;
        const auto rate = [&](const State& at, State& k, double) {
            if (++evaluations > most_evaluations) throw BadRun("too many steps");
            problem.rate(at, k);
        };
        double seconds = 0;
        try {
            seconds = cpu_seconds_of([&] {
                const auto stepper = ode::make_controlled(1 / effort, 1 / effort, ode::runge_kutta_fehlberg78<State>());
                ode::integrate_adaptive(stepper, rate, x, 0.0, T, 0.01);
            });
        } catch (const BadRun&) { continue; }
        const double off = std::abs(energy(Values(x.begin(), x.end())) - 2);
        if (!(off <= 1e-6)) continue;
        std::printf("  %-36s tolerance %-7.1e %5.3f s   energy %.1e, constraint %.1e\n", "odeint, Fehlberg 7(8)",
                    1 / effort, seconds, off, std::abs(x[0] * x[0] + x[1] * x[1] - 1) / 2);
        break;
    }
    std::printf("long runs of S1: 1e7 steps\n");
    for (int s : {2, 3, 4, 6, 8, 10})
        run("dirac_weak:stages=" + std::to_string(s) + ":iteration=fixed", {.step = 0.05, .steps = 10000000});
}

template <std::size_t n> InitialData<double> halves(const std::array<double, n>& x) {
    return {.q = Values(x.begin(), x.begin() + n / 2), .p = Values(x.begin() + n / 2, x.end())};
}

} // namespace

int main(int argc, char** argv) {
    bool long_too = false;
    std::string word, file = std::filesystem::path(argv[0]).parent_path() / "peers.json";
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument.ends_with(".json"))
            file = argument;
        else if (argument == "--long")
            long_too = true;
        else
            word = argument;
    }
    // With the end of iterations that short runs to 1e-6 and to 1e-10 need, and with that of long ones.
    const auto staged = [](const std::string& id) {
        const std::string six = id + ":stages=6:iteration=fixed", eight = id + ":stages=8:iteration=fixed";
        return std::vector{six + ":iteration_tol=1e-9", eight + ":iteration_tol=1e-9", eight + ":iteration_tol=1e-13",
                           eight};
    };
    Study study(word);
    const std::array<double, 4> s1{1, 0, 0, -2};
    study.compare("S1 pendulum in Cartesian coordinates, T = 100", hand::CartesianPendulum{9.81}, s1,
                  read_model(pendulum, "S1"), halves(s1), 100, staged("dirac_weak"), 4000, {9.81});
    const std::array<double, 6> s2{1, 0.5, 0, 0.25, 1, 0.125};
    study.compare("S2 nonholonomic particle, T = 100", hand::NonholonomicParticle{}, s2, read_model(particle, "S2"),
                  halves(s2), 100, staged("nh_gauss"), 2000, {});
    const std::array<double, 6> s3{0, 0, 0, 1, 0.3, 1.56};
    study.compare("S3 Chaplygin sleigh, T = 20", hand::Sleigh{0.2}, s3, read_model(sleigh, "S3"), halves(s3), 20,
                  staged("nh_gauss"), 400, {0.2});
    const std::array<double, 8> s4{0.3, 0, 0, 1, 0.5, 0.2, 1.09, 1};
    study.compare("S4 vehicle, variational, T = 20", hand::Vehicle{0.3}, s4, read_model(vehicle, "S4"), halves(s4), 20,
                  staged("gauss"), 4000, {0.3});
    const Model outer = outer_solar_system();
    const SolarStart sun(outer);
    std::vector<double> constants{sun.problem.G};
    constants.insert(constants.end(), sun.problem.m.begin(), sun.problem.m.end());
    study.compare("solar system, outer planets, T = 10,000 days", sun.problem, sun.x, outer, sun.data, 10000,
                  staged("gauss"), 400, constants);
    study.write(file);
    if (long_too) long_runs();
    return 0;
}
