// What a step costs on the tape and in machine code, as a ratio to the same step written by hand (bench/hand) in the
// same run.
//
//   bench_steps                            the tables
//   bench_steps --count SIDE METHOD N      N steps of one side, hand, tape or code, and nothing else: for callgrind

// NOTE: the project's flags forbid fused a*b + c, for the same bits everywhere. Whoever writes by hand for one machine
// has them: without, Verlet takes 20 % longer. In front of the headers, since GCC inlines only between equal options.
#pragma GCC optimize("fp-contract=fast")

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <rattleback/batch.hpp>

#include "hand/double_pendulum.hpp"
#include "hand/henon_heiles.hpp"
#include "measure.hpp"

namespace {

using namespace rattleback;

constexpr int rounds = 31;
constexpr long long steps = 1000; // in each round, from the same start: the work is the same every time

// One way to take the steps of a case.
struct Side {
    virtual ~Side() = default;
    virtual void restart() = 0;
    virtual bool run(long long count) = 0;
    virtual std::vector<double> state() const = 0; // (q, p)
    virtual long long iterations() const { return 0; }
};

struct Tape final : Side {
    Tape(const Model& model, const std::string& method)
        : h(*model.run.step), stepper(model, build_method(model, parse_methods(method)[0])) {
        stepper.start(report);
        first = stepper.state(), hint = stepper.hint();
    }
    void restart() override {
        stepper.set_state(first), stepper.set_hint(hint);
        report = {};
    }
    bool run(long long count) override {
        for (long long i = 0; i < count; ++i)
            if (!stepper.advance(i, h, report)) return false;
        return true;
    }
    std::vector<double> state() const override { return stepper.state(); }
    long long iterations() const override { return report.newton_iterations; }

    double h;
    Stepper<double> stepper;
    Report report;
    std::vector<double> first, hint;
};

// Members of a batch that start close to each other; the time of a step is divided by their number.
struct Code final : Side {
    Code(const Model& m, const std::string& method, int width, int groups, int count)
        : model(m), h(*m.run.step), members(count),
          batch(m, build_method(m, parse_methods(method)[0]), static_cast<std::size_t>(count),
                {.width = width, .groups = groups}) {}
    void restart() override {
        const auto numbers = [](const std::vector<quad>& x) {
            std::vector<double> y;
            for (quad value : x) y.push_back(static_cast<double>(value));
            return y;
        };
        for (int i = 0; i < members; ++i) {
            std::vector<double> q = numbers(model.q0);
            q[1] += 1e-4 * i;
            batch.start(static_cast<std::size_t>(i), {.q = q, .v = numbers(model.v0)}, 0);
        }
    }
    bool run(long long count) override {
        batch.advance(0, count, h);
        return batch.report(0).ok();
    }
    std::vector<double> state() const override { return batch.state(0); }
    long long iterations() const override { return batch.report(0).newton_iterations; }

    const Model& model;
    double h;
    int members;
    Batch batch;
};

double parameter(const Model& model, const std::string& name) {
    for (const Parameter& p : model.parameters)
        if (p.name == name) return static_cast<double>(p.value);
    throw BadModel("no parameter " + name);
}

template <class Step> struct HandPendulum final : Side {
    explicit HandPendulum(const Model& m)
        : model(m),
          step({parameter(m, "m1"), parameter(m, "m2"), parameter(m, "l1"), parameter(m, "l2"), parameter(m, "g")},
               *m.run.step) {}
    void restart() override {
        const auto pair = [](const std::vector<quad>& x) {
            return hand::Pair{static_cast<double>(x[0]), static_cast<double>(x[1])};
        };
        step.start(pair(model.q0), pair(model.v0));
    }
    bool run(long long count) override {
        for (long long i = 0; i < count; ++i)
            if (!step.advance()) return false;
        return true;
    }
    std::vector<double> state() const override {
        const hand::PendulumState& s = step.state();
        return {s.q[0].value, s.q[1].value, s.p[0].value, s.p[1].value};
    }
    long long iterations() const override { return step.state().iterations; }

    const Model& model;
    Step step;
};

template <class Number> struct HandHenonHeiles final : Side {
    explicit HandHenonHeiles(const Model& m) : model(m), step(*m.run.step) {}
    void restart() override {
        const auto pair = [](const std::vector<quad>& x) {
            return std::array{static_cast<double>(x[0]), static_cast<double>(x[1])};
        };
        step.start(pair(model.q0), pair(model.v0));
    }
    bool run(long long count) override {
        for (long long i = 0; i < count; ++i) step.advance();
        return true;
    }
    std::vector<double> state() const override {
        const auto s = step.state();
        return {s.begin(), s.end()};
    }

    const Model& model;
    hand::HenonHeilesVerlet<Number> step;
};

struct HandMany final : Side {
    static constexpr int members = 64;
    explicit HandMany(const Model& m) : model(m), step(*m.run.step) {}
    void restart() override {
        for (int i = 0; i < members; ++i)
            step.start(i, {static_cast<double>(model.q0[0]), static_cast<double>(model.q0[1]) + 1e-4 * i},
                       {static_cast<double>(model.v0[0]), static_cast<double>(model.v0[1])});
    }
    bool run(long long count) override {
        for (long long i = 0; i < count; ++i) step.advance();
        return true;
    }
    std::vector<double> state() const override {
        const auto s = step.state(0);
        return {s.begin(), s.end()};
    }

    const Model& model;
    hand::HenonHeilesMany<members> step;
};

const char* const henon_heiles = R"(
name = "Henon-Heiles"
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3"
[initial]
q = [0, 0.1]
v = [0.4, 0.05]
[run]
step = 0.05
)";

struct Case {
    std::string problem, method, remark;
    const Model* model;
    std::function<std::unique_ptr<Side>(const Model&)> hand;
    double target;    // ratio that the issue asks for; 0: none
    double agreement; // of the states after the last step, relative to their size; measured: 4e-14 at most
};

template <class T> std::unique_ptr<Side> make(const Model& model) { return std::make_unique<T>(model); }

double difference(const std::vector<double>& x, const std::vector<double>& y) {
    double largest = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        size = std::max(size, std::abs(x[i]));
        const double d = std::abs(x[i] - y[i]);
        if (!(d <= largest)) largest = d;
    }
    return largest / size;
}

bool compare(const Case& c) {
    const auto hand = c.hand(*c.model);
    Tape tape(*c.model, c.method);
    Side* const sides[] = {hand.get(), &tape};
    std::vector<double> times[2], ratios;
    bool ran = true;
    for (int round = -1; round < rounds; ++round) { // the first is not counted: caches and branches warm up
        double now[2];
        for (int i = 0; i < 2; ++i) {
            sides[i]->restart();
            now[i] = 1e9 / steps * bench::cpu_seconds_of([&] { ran &= sides[i]->run(steps); });
            if (round >= 0) times[i].push_back(now[i]);
        }
        if (round >= 0) ratios.push_back(now[1] / now[0]);
    }
    if (!ran) {
        std::printf("%-16s %-16s stopped: %s\n", c.problem.c_str(), c.method.c_str(), tape.report.text().c_str());
        return false;
    }
    const double least[] = {bench::quantile(times[0], 0), bench::quantile(times[1], 0)};
    const double off = difference(hand->state(), tape.state()), ratio = least[1] / least[0];
    std::string target = "-";
    if (c.target > 0) target = std::to_string(c.target).substr(0, 3) + (ratio <= c.target ? "  met" : "  MISSED");
    std::printf("%-16s %-16s %8.1f %8.1f %6.2f  %4.1f..%-4.1f %7.3f %7.3f  %8.1e  %-11s %s\n", c.problem.c_str(),
                c.method.c_str(), least[0], least[1], ratio, bench::quantile(ratios, 0.25),
                bench::quantile(ratios, 0.75), static_cast<double>(hand->iterations()) / steps,
                static_cast<double>(tape.iterations()) / steps, off, target.c_str(), c.remark.c_str());
    if (off <= c.agreement) return true;
    std::printf("  hand and tape differ by more than %.1e: they are not the same step\n", c.agreement);
    return false;
}

// Machine code against one hand-written trajectory, or against as many written by hand.
struct CodeCase {
    std::string problem, method;
    const Model* model;
    std::function<std::unique_ptr<Side>(const Model&)> hand;
    int width, groups, members, hand_members;
    double target;
};

bool compare(const CodeCase& c) {
    const auto hand = c.hand(*c.model);
    Code code(*c.model, c.method, c.width, c.groups, c.members);
    const std::string lanes = std::to_string(c.width) + " x " + std::to_string(c.groups);
    if (code.batch.lanes() == 0) {
        std::printf("%-16s %-16s no machine code: %s\n", c.problem.c_str(), c.method.c_str(),
                    code.batch.why_on_tape().c_str());
        return true;
    }
    Side* const sides[] = {hand.get(), &code};
    const int members[] = {c.hand_members, c.members};
    double least[] = {1e9, 1e9};
    bool ran = true;
    for (int round = -1; round < rounds; ++round)
        for (int i = 0; i < 2; ++i) {
            sides[i]->restart();
            const double seconds = bench::cpu_seconds_of([&] { ran &= sides[i]->run(steps); });
            if (round >= 0) least[i] = std::min(least[i], 1e9 / steps * seconds / members[i]);
        }
    const double ratio = least[1] / least[0], off = difference(hand->state(), code.state());
    std::printf("%-16s %-16s %-6s %8d %8.2f %8.2f %6.2f  %4.2f  %-7s %8.1e\n", c.problem.c_str(), c.method.c_str(),
                lanes.c_str(), c.members, least[0], least[1], ratio, c.target, ratio <= c.target ? "met" : "MISSED",
                off);
    return ran && off <= 1e-12;
}

int count(const std::vector<Case>& cases, int argc, char** argv) {
    const std::string side = argc > 2 ? argv[2] : "", method = argc > 3 ? argv[3] : "";
    const long long n = argc > 4 ? std::atoll(argv[4]) : 0;
    for (const Case& c : cases) {
        if (c.method != method || (side != "hand" && side != "tape" && side != "code")) continue;
        const auto chosen = side == "hand"   ? c.hand(*c.model)
                            : side == "tape" ? std::unique_ptr<Side>(std::make_unique<Tape>(*c.model, method))
                                             : std::make_unique<Code>(*c.model, method, 1, 1, 1);
        chosen->restart();
        const bool ran = chosen->run(n);
        std::printf("%.17g\n", chosen->state()[0]);
        return ran ? 0 : 1;
    }
    std::fputs("usage: bench_steps --count hand|tape|code METHOD N, METHOD one of the table's\n", stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    const Model pendulum = load(RATTLEBACK_SOURCE_DIR "/models/double_pendulum.toml");
    const Model henon = read_model(henon_heiles, "henon_heiles");
    const std::vector<Case> cases = {
        {"double pendulum", "midpoint", "", &pendulum, make<HandPendulum<hand::PendulumMidpoint>>, 6, 1e-12},
        {"double pendulum", "gauss:stages=2", "", &pendulum, make<HandPendulum<hand::PendulumGauss2>>, 6, 1e-12},
        {"double pendulum", "del:ld=midpoint", "the same step as midpoint", &pendulum,
         make<HandPendulum<hand::PendulumMidpoint>>, 0, 1e-12},
        {"Henon-Heiles", "del:ld=verlet", "", &henon, make<HandHenonHeiles<hand::Compensated>>, 0, 1e-12},
        {"Henon-Heiles", "del:ld=verlet", "by hand with plain sums", &henon, make<HandHenonHeiles<hand::Plain>>, 0,
         1e-12},
    };
    if (argc > 1 && std::strcmp(argv[1], "--count") == 0) return count(cases, argc, argv);

    std::printf("least CPU time of %d rounds of %lld steps, hand and tape in turn; middle half of the rounds' ratios; "
                "Newton iterations a step;\nlargest difference of the states after %lld steps\n\n",
                rounds, steps, steps);
    std::printf("%-16s %-16s %8s %8s %6s  %-10s %7s %7s  %8s  %s\n", "problem", "method", "hand ns", "tape ns", "ratio",
                "middle", "hand it", "tape it", "differ", "target");
    bool good = true;
    for (const Case& c : cases) good &= compare(c);

    const auto midpoint = make<HandPendulum<hand::PendulumMidpoint>>;
    const auto gauss = make<HandPendulum<hand::PendulumGauss2>>;
    const auto verlet = make<HandHenonHeiles<hand::Compensated>>;
    const std::vector<CodeCase> code_cases = {
        {"double pendulum", "midpoint", &pendulum, midpoint, 1, 1, 1, 1, 1.15},
        {"double pendulum", "midpoint", &pendulum, midpoint, 4, 1, 4, 1, 0.33},
        {"double pendulum", "midpoint", &pendulum, midpoint, 8, 1, 8, 1, 0.33},
        {"double pendulum", "gauss:stages=2", &pendulum, gauss, 1, 1, 1, 1, 1.15},
        {"double pendulum", "gauss:stages=2", &pendulum, gauss, 4, 1, 4, 1, 0.33},
        {"double pendulum", "gauss:stages=2", &pendulum, gauss, 8, 1, 8, 1, 0.33},
        {"Henon-Heiles", "del:ld=verlet", &henon, verlet, 1, 1, 1, 1, 1.2},
        {"Henon-Heiles", "del:ld=verlet", &henon, make<HandMany>, 8, 2, 64, 64, 1.3},
        {"Henon-Heiles", "del:ld=verlet", &henon, make<HandMany>, 8, 4, 64, 64, 1.3},
    };
    std::printf(
        "\nMachine code, ns a step and trajectory; by hand one trajectory, or as many in a loop made of vectors "
        "(64)\n\n%-16s %-16s %-6s %8s %8s %8s %6s  %-13s %8s\n",
        "problem", "method", "lanes", "members", "hand ns", "code ns", "ratio", "target", "differ");
    for (const CodeCase& c : code_cases) good &= compare(c);
    return good ? 0 : 1;
}
