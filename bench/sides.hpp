// Hand-written steps beside the library's, on the tape and in machine code: the harness of bench_steps and
// bench_constrained. Sides take the same steps from the same start, in turn, and must arrive at the same states.
//
// NOTE: includers say #pragma GCC optimize("fp-contract=fast") first. The project's flags forbid fused a*b + c, for the
// same bits everywhere. Whoever writes by hand for one machine has them: without, Verlet takes 20 % longer. In front of
// the headers, since GCC inlines only between equal options.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <rattleback/batch.hpp>

#include "measure.hpp"

namespace bench {

using namespace rattleback;

// One way to take the steps of a case.
struct Side {
    virtual ~Side() = default;
    virtual void restart() = 0;
    virtual bool run(long long count) = 0;
    virtual std::vector<double> state(int member) const = 0; // (q, p), and what else the library carries
    virtual long long iterations() const { return 0; }       // of Newton's method, since the restart
};

inline std::vector<double> numbers(const std::vector<quad>& x) {
    std::vector<double> y;
    for (quad value : x) y.push_back(static_cast<double>(value));
    return y;
}

inline double parameter(const Model& model, const std::string& name) {
    for (const Parameter& p : model.parameters)
        if (p.name == name) return static_cast<double>(p.value);
    throw BadModel("no parameter " + name);
}

// Where member i starts: the members are close to each other, the first is the model's own start.
using StartOfMember = std::function<InitialData<double>(const Model&, int)>;

inline StartOfMember shifted_position(std::size_t coordinate) {
    return [coordinate](const Model& model, int i) {
        InitialData<double> data{.q = numbers(model.q0), .v = numbers(model.v0)};
        data.q[coordinate] += 1e-4 * i;
        return data;
    };
}

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
    std::vector<double> state(int) const override { return stepper.state(); }
    long long iterations() const override { return report.newton_iterations; }

    double h;
    Stepper<double> stepper;
    Report report;
    std::vector<double> first, hint;
};

// Members of a batch; the time of a step is divided by their number.
struct Code final : Side {
    Code(const Model& m, const std::string& method, int width, int groups, int count, StartOfMember s)
        : model(m), h(*m.run.step), members(count), start(std::move(s)),
          batch(m, build_method(m, parse_methods(method)[0]), static_cast<std::size_t>(count),
                {.width = width, .groups = groups}) {}
    void restart() override {
        for (int i = 0; i < members; ++i) batch.start(static_cast<std::size_t>(i), start(model, i), 0);
    }
    bool run(long long count) override {
        batch.advance(0, count, h);
        return batch.report(0).ok();
    }
    std::vector<double> state(int member) const override { return batch.state(static_cast<std::size_t>(member)); }
    long long iterations() const override { return batch.report(0).newton_iterations; }

    const Model& model;
    double h;
    int members;
    StartOfMember start;
    Batch batch;
};

using MakeSide = std::function<std::unique_ptr<Side>(const Model&)>;
template <class T> std::unique_ptr<Side> make(const Model& model) { return std::make_unique<T>(model); }

// Relative to the largest number of x, the hand-written side's (q, p). What else the library carries is left out: the
// multipliers of a leapfrog are its momenta's round-off divided by h.
inline double difference(const std::vector<double>& x, const std::vector<double>& y) {
    double largest = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        size = std::max(size, std::abs(x[i]));
        const double d = std::abs(x[i] - y[i]);
        if (!(d <= largest)) largest = d;
    }
    return largest / size;
}

// ns a step of two sides, in turn and always from the same start, so that the work is the same in every round. For at
// least half a second: while another process uses the same core for some milliseconds, a side takes up to 1.3 times as
// long.
struct Times {
    std::vector<double> first, second, ratios; // of each round
    bool ran = true;

    // But for a fiftieth, since the clock of a virtual machine may miss a part of a short round.
    static double least(const std::vector<double>& x) { return quantile(x, 0.02); }
};

inline Times measure(Side& first, Side& second, int rounds, long long steps) {
    Times times;
    const auto once = [&](Side& side) {
        side.restart();
        return 1e9 / static_cast<double>(steps) * cpu_seconds_of([&] { times.ran &= side.run(steps); });
    };
    once(first), once(second); // not counted: caches and branches warm up
    const double start = cpu_seconds();
    for (int round = 0; round < rounds || cpu_seconds() < start + 0.5; ++round) {
        times.first.push_back(once(first)), times.second.push_back(once(second));
        times.ratios.push_back(times.second.back() / times.first.back());
    }
    return times;
}

// Machine code against one hand-written trajectory, or against as many written by hand.
struct CodeCase {
    std::string problem, method;
    const Model* model;
    MakeSide hand;
    StartOfMember start;
    int width, groups, members, hand_members;
    double target; // ratio that the issue asks for; 0: none
    long long steps = 1000;
    const char* remark = "";
};

inline void print_code_header() {
    std::printf("%-16s %-16s %-6s %8s %8s %8s %6s  %-13s %7s %7s  %8s\n", "problem", "method", "lanes", "members",
                "hand ns", "code ns", "ratio", "target", "hand it", "code it", "differ");
}

inline bool compare(const CodeCase& c) {
    constexpr int rounds = 101;
    constexpr double agreement = 1e-12; // measured: 2e-15 at most
    const auto hand = c.hand(*c.model);
    Code code(*c.model, c.method, c.width, c.groups, c.members, c.start);
    const std::string lanes = std::to_string(c.width) + " x " + std::to_string(c.groups);
    if (code.batch.lanes() == 0) {
        std::printf("%-16s %-16s no machine code: %s\n", c.problem.c_str(), c.method.c_str(),
                    code.batch.why_on_tape().c_str());
        return true;
    }
    const Times times = measure(*hand, code, rounds, c.steps);
    const double by_hand = Times::least(times.first) / c.hand_members, coded = Times::least(times.second) / c.members;
    const double ratio = coded / by_hand;
    double off = 0;
    for (int i = 0; i < std::min(c.members, c.hand_members); ++i)
        off = std::max(off, difference(hand->state(i), code.state(i)));
    char target[32] = "-";
    if (c.target > 0) std::snprintf(target, sizeof target, "%4.2f  %s", c.target, ratio <= c.target ? "met" : "MISSED");
    const auto a_step = [&](const Side& side) {
        return static_cast<double>(side.iterations()) / static_cast<double>(c.steps);
    };
    std::printf("%-16s %-16s %-6s %8d %8.2f %8.2f %6.2f  %-13s %7.3f %7.3f  %8.1e %s\n", c.problem.c_str(),
                c.method.c_str(), lanes.c_str(), c.members, by_hand, coded, ratio, target, a_step(*hand), a_step(code),
                off, c.remark);
    if (times.ran && off <= agreement) return true;
    std::printf("  %s\n", times.ran ? "hand and code differ: they are not the same step" : "a side did not run");
    return false;
}

// PROGRAM --count SIDE ROW N: N steps of one side of a row of the table, and nothing else, for callgrind. Without SIDE:
// the rows that have a target, as number, first row with the same hand-written step, its members, members and title.
inline int count(const std::vector<CodeCase>& rows, int argc, char** argv) {
    if (argc <= 2) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const CodeCase& c = rows[i];
            if (c.target == 0) continue;
            const auto same = [&](const CodeCase& o) {
                return o.problem == c.problem && o.method == c.method && o.hand_members == c.hand_members;
            };
            const auto first = std::find_if(rows.begin(), rows.end(), same) - rows.begin();
            std::printf("%zu %td %d %d %-16s %-16s %d x %-3d %6d\n", i, first, c.hand_members, c.members,
                        c.problem.c_str(), c.method.c_str(), c.width, c.groups, c.members);
        }
        return 0;
    }
    const std::string side = argv[2];
    const std::size_t row = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : rows.size();
    const long long n = argc > 4 ? std::atoll(argv[4]) : 0;
    if (row >= rows.size() || n <= 0 || (side != "hand" && side != "tape" && side != "code")) {
        std::fprintf(stderr, "usage: %s --count [hand|tape|code ROW N], ROW one of those that --count lists\n",
                     argv[0]);
        return 2;
    }
    const CodeCase& c = rows[row];
    const auto chosen = side == "hand" ? c.hand(*c.model)
                        : side == "tape"
                            ? std::unique_ptr<Side>(std::make_unique<Tape>(*c.model, c.method))
                            : std::make_unique<Code>(*c.model, c.method, c.width, c.groups, c.members, c.start);
    chosen->restart();
    const bool ran = chosen->run(n);
    std::printf("%.17g\n", chosen->state(0)[0]);
    return ran ? 0 : 1;
}

} // namespace bench
