// What a step costs on the tape and in machine code, as a ratio to the same step written by hand (bench/hand) in the
// same run.
//
//   bench_steps                            the tables
//   bench_steps --count SIDE ROW N         N steps of one side, hand, tape or code, and nothing else: for callgrind

#pragma GCC optimize("fp-contract=fast") // see sides.hpp

#include <cstring>

#include "hand/double_pendulum.hpp"
#include "hand/henon_heiles.hpp"
#include "sides.hpp"

namespace {

using namespace bench;

constexpr int rounds = 31;
constexpr long long steps = 1000;

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
    std::vector<double> state(int) const override {
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
    std::vector<double> state(int) const override {
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
    std::vector<double> state(int member) const override {
        const auto s = step.state(member);
        return {s.begin(), s.end()};
    }

    const Model& model;
    hand::HenonHeilesMany<members> step;
};

// The Lagrangian that the hand-written steps start from; the gallery's file says where the bobs are instead, and nobody
// has simplified that on paper.
const char* const double_pendulum = R"toml(
name = "double pendulum"
coordinates = ["a", "b"]
[parameters]
m1 = 1
m2 = 1
l1 = 1
l2 = 1
g = 9.81
[mechanics]
kinetic = "(m1 + m2)*l1^2/2*a'^2 + m2*l2^2/2*b'^2 + m2*l1*l2*cos(a - b)*a'*b'"
potential = "-(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)"
[initial]
q = { a = 1.2, b = 0.7 }
v = { a = 0, b = 0 }
[run]
step = 0.01
until = 20
)toml";

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
    MakeSide hand;
    double target;    // ratio that the issue asks for; 0: none
    double agreement; // of the states after the last step, relative to their size; measured: 4e-14 at most
};

bool compare(const Case& c) {
    const auto hand = c.hand(*c.model);
    Tape tape(*c.model, c.method);
    const Times times = measure(*hand, tape, rounds, steps);
    if (!times.ran) {
        std::printf("%-16s %-16s stopped: %s\n", c.problem.c_str(), c.method.c_str(), tape.report.text().c_str());
        return false;
    }
    const double least[] = {Times::least(times.first), Times::least(times.second)};
    const double off = difference(hand->state(0), tape.state(0)), ratio = least[1] / least[0];
    std::string target = "-";
    if (c.target > 0) target = std::to_string(c.target).substr(0, 3) + (ratio <= c.target ? "  met" : "  MISSED");
    std::printf("%-16s %-16s %8.1f %8.1f %6.2f  %4.1f..%-4.1f %7.3f %7.3f  %8.1e  %-11s %s\n", c.problem.c_str(),
                c.method.c_str(), least[0], least[1], ratio, quantile(times.ratios, 0.25), quantile(times.ratios, 0.75),
                static_cast<double>(hand->iterations()) / steps, static_cast<double>(tape.iterations()) / steps, off,
                target.c_str(), c.remark.c_str());
    if (off <= c.agreement) return true;
    std::printf("  hand and tape differ by more than %.1e: they are not the same step\n", c.agreement);
    return false;
}

} // namespace

int main(int argc, char** argv) {
    const Model pendulum = read_model(double_pendulum, "double_pendulum");
    const Model bobs = load(RATTLEBACK_SOURCE_DIR "/models/double_pendulum.toml");
    const Model henon = read_model(henon_heiles, "henon_heiles");
    const std::vector<Case> cases = {
        {"double pendulum", "midpoint", "", &pendulum, make<HandPendulum<hand::PendulumMidpoint>>, 6, 1e-12},
        {"double pendulum", "gauss:stages=2", "", &pendulum, make<HandPendulum<hand::PendulumGauss2>>, 6, 1e-12},
        {"double pendulum", "del:ld=midpoint", "the same step as midpoint", &pendulum,
         make<HandPendulum<hand::PendulumMidpoint>>, 0, 1e-12},
        {"its bobs", "midpoint", "the gallery's file", &bobs, make<HandPendulum<hand::PendulumMidpoint>>, 0, 1e-12},
        {"its bobs", "gauss:stages=2", "the gallery's file", &bobs, make<HandPendulum<hand::PendulumGauss2>>, 0, 1e-12},
        {"Henon-Heiles", "del:ld=verlet", "", &henon, make<HandHenonHeiles<hand::Compensated>>, 0, 1e-12},
        {"Henon-Heiles", "del:ld=verlet", "by hand with plain sums", &henon, make<HandHenonHeiles<hand::Plain>>, 0,
         1e-12},
    };
    const auto midpoint = make<HandPendulum<hand::PendulumMidpoint>>;
    const auto gauss = make<HandPendulum<hand::PendulumGauss2>>;
    const auto verlet = make<HandHenonHeiles<hand::Compensated>>;
    const StartOfMember start = shifted_position(1);
    const std::vector<CodeCase> code_cases = {
        {"double pendulum", "midpoint", &pendulum, midpoint, start, 1, 1, 1, 1, 1.15},
        {"double pendulum", "midpoint", &pendulum, midpoint, start, 4, 1, 4, 1, 0.33},
        {"double pendulum", "midpoint", &pendulum, midpoint, start, 8, 1, 8, 1, 0.33},
        {"double pendulum", "gauss:stages=2", &pendulum, gauss, start, 1, 1, 1, 1, 1.15},
        {"double pendulum", "gauss:stages=2", &pendulum, gauss, start, 4, 1, 4, 1, 0.33},
        {"double pendulum", "gauss:stages=2", &pendulum, gauss, start, 8, 1, 8, 1, 0.33},
        {"its bobs", "midpoint", &bobs, midpoint, start, 1, 1, 1, 1, 0},
        {"its bobs", "midpoint", &bobs, midpoint, start, 4, 1, 4, 1, 0},
        {"its bobs", "gauss:stages=2", &bobs, gauss, start, 1, 1, 1, 1, 0},
        {"its bobs", "gauss:stages=2", &bobs, gauss, start, 4, 1, 4, 1, 0},
        {"Henon-Heiles", "del:ld=verlet", &henon, verlet, start, 1, 1, 1, 1, 1.2},
        {"Henon-Heiles", "del:ld=verlet", &henon, make<HandMany>, start, 8, 2, 64, 64, 1.3},
        {"Henon-Heiles", "del:ld=verlet", &henon, make<HandMany>, start, 8, 4, 64, 64, 1.3},
    };
    if (argc > 1 && std::strcmp(argv[1], "--count") == 0) return count(code_cases, argc, argv);

    std::printf(
        "CPU time of the fastest of %d or more rounds of %lld steps, hand and tape in turn; middle half of the ratios; "
        "Newton iterations a step;\nlargest difference of the states after %lld steps\n\n",
        rounds, steps, steps);
    std::printf("%-16s %-16s %8s %8s %6s  %-10s %7s %7s  %8s  %s\n", "problem", "method", "hand ns", "tape ns", "ratio",
                "middle", "hand it", "tape it", "differ", "target");
    bool good = true;
    for (const Case& c : cases) good &= compare(c);

    std::printf(
        "\nMachine code, ns a step and trajectory; by hand one trajectory, or as many in a loop made of vectors "
        "(64)\n\n");
    print_code_header();
    for (const CodeCase& c : code_cases) good &= compare(c);
    return good ? 0 : 1;
}
