// What steps of constrained systems cost in machine code, as a ratio to the same steps written by hand (bench/hand) in
// the same run. A hand-written step reduces its equations as far as paper and pencil go.
//
//   bench_constrained                            the tables
//   bench_constrained --count SIDE ROW N         N steps of one side, hand, tape or code, and nothing else: for
//   callgrind

#pragma GCC optimize("fp-contract=fast") // see sides.hpp

#include <cstring>
#include <fstream>
#include <iterator>

#include "hand/cartesian_pendulum.hpp"
#include "hand/chain.hpp"
#include "hand/chaplygin_sleigh.hpp"
#include "hand/nonholonomic_particle.hpp"
#include "hand/vehicle_bowl.hpp"
#include "sides.hpp"

namespace {

using namespace bench;

template <std::size_t n> std::array<double, n> first(const std::vector<double>& x) {
    std::array<double, n> y;
    std::copy_n(x.begin(), n, y.begin());
    return y;
}

// One trajectory of a step that starts from n coordinates and their rates.
template <class Step, std::size_t n> struct One : Side {
    One(const Model& m, const Step& s) : model(m), step(s) {}
    void restart() override { step.start(first<n>(numbers(model.q0)), first<n>(numbers(model.v0))); }
    bool run(long long count) override {
        Step now = step; // on the stack, where nothing else can change it: its state stays in registers
        bool ran = true;
        for (long long i = 0; i < count && ran; ++i) ran = advance(now);
        step = now;
        return ran;
    }
    std::vector<double> state(int) const override {
        const auto s = step.state();
        return {s.begin(), s.end()};
    }
    long long iterations() const override {
        if constexpr (requires { step.iterations; })
            return step.iterations;
        else
            return 0;
    }

    static bool advance(Step& step) {
        if constexpr (std::is_void_v<decltype(step.advance())>)
            return step.advance(), true;
        else
            return step.advance();
    }

    const Model& model;
    Step step;
};

struct Particle final : One<hand::NonholonomicParticle<double>, 3> {
    explicit Particle(const Model& m) : One(m, hand::NonholonomicParticle<double>(*m.run.step)) {}
};

struct Sleigh final : One<hand::SleighGni, 3> {
    explicit Sleigh(const Model& m) : One(m, {parameter(m, "m"), parameter(m, "I"), parameter(m, "a"), *m.run.step}) {}
};

struct Vehicle final : One<hand::VehicleMidpoint, 4> {
    explicit Vehicle(const Model& m)
        : One(m, {parameter(m, "L"), parameter(m, "alpha"), parameter(m, "beta"), *m.run.step}) {}
};

struct Pendulum final : One<hand::CartesianPendulum, 2> {
    explicit Pendulum(const Model& m)
        : One(m, {parameter(m, "m"), parameter(m, "l"), parameter(m, "g"), *m.run.step}) {}
};

// Many particles, eight to a vector. Two vectors at a time stay in registers for all steps: while one waits for its
// division the other goes on. (All vectors in turn, step by step: 6 % slower; four at a time: 1 %.)
struct Particles final : Side {
    static constexpr int width = 8, vectors = 8;
    using Vector [[gnu::vector_size(8 * width)]] = double;
    using Step = hand::NonholonomicParticle<Vector>;

    explicit Particles(const Model& m) : model(m), step(vectors, Step(*m.run.step)) {}
    void restart() override {
        for (int i = 0; i < vectors; ++i) {
            std::array<Vector, 3> q, v;
            for (int lane = 0; lane < width; ++lane) {
                const InitialData<double> data = start(model, i * width + lane);
                for (std::size_t k = 0; k < 3; ++k) q[k][lane] = data.q[k], v[k][lane] = data.v[k];
            }
            step[static_cast<std::size_t>(i)].start(q, v);
        }
    }
    bool run(long long count) override {
        for (std::size_t k = 0; k < vectors; k += 2) {
            Step one = step[k], other = step[k + 1];
            for (long long i = 0; i < count; ++i) one.advance(), other.advance();
            step[k] = one, step[k + 1] = other;
        }
        return true;
    }
    std::vector<double> state(int member) const override {
        std::vector<double> x;
        for (const Vector& v : step[static_cast<std::size_t>(member / width)].state()) x.push_back(v[member % width]);
        return x;
    }

    const Model& model;
    StartOfMember start = shifted_position(0);
    std::vector<Step> step;
};

InitialData<double> pushed(const Model& model, int i) { // the pendulum at the side may move up and down
    InitialData<double> data{.q = numbers(model.q0), .v = numbers(model.v0)};
    data.v[1] -= 1e-4 * i;
    return data;
}

struct HandChain final : Side {
    explicit HandChain(const Model& m)
        : q(numbers(m.q0)), v(numbers(m.v0)),
          step(q.size() / 2, parameter(m, "m"), parameter(m, "l"), parameter(m, "g"), *m.run.step) {}
    void restart() override { step.start(q, v); }
    bool run(long long count) override {
        for (long long i = 0; i < count; ++i)
            if (!step.advance()) return false;
        return true;
    }
    std::vector<double> state(int) const override { return step.state(); }
    long long iterations() const override { return step.iterations; }

    std::vector<double> q, v;
    hand::Chain step;
};

Model chain(int links, double h) {
    std::ifstream file(RATTLEBACK_SOURCE_DIR "/models/chain.toml");
    std::string text(std::istreambuf_iterator<char>(file), {});
    text.resize(std::min(text.size(), text.find("[view]"))); // which has a limit of its own
    Model model = read_model(text, "chain.toml", {.set = {{"n", std::to_string(links)}}});
    model.run.step = h;
    return model;
}

// RATTLE on chains of 10 .. 10,000 links; what one step costs grows like a power of their number.
bool chains() {
    constexpr double target = 1.5, agreement = 1e-12;
    struct Case {
        int links;
        double h; // stable
        long long steps;
        int rounds;
    };
    std::printf(
        "\nRATTLE on a chain of n links, ns a step and link; growth: the exponent of a step's time since the row "
        "before; set-up: CPU seconds, without machine code\n\n%6s %-5s %8s %8s %6s  %-13s %7s %7s  %8s %7s  %s\n",
        "n", "by", "hand ns", "ns", "ratio", "target", "hand it", "it", "differ", "set-up", "growth, by hand");
    double last[2] = {0, 0};
    bool good = true;
    for (const auto& [n, h, steps, rounds] :
         {Case{10, 2e-4, 100, 101}, {100, 2e-4, 100, 31}, {1000, 2e-4, 100, 11}, {10000, 2e-5, 20, 7}}) {
        const double set_up = cpu_seconds_of([&] { Tape(chain(n, h), "rattle"); });
        const Model model = chain(n, h);
        HandChain hand(model);
        Code code(model, "rattle", 1, 1, 1, shifted_position(0));
        const Times times = measure(hand, code, rounds, steps);
        const double now[2] = {Times::least(times.second), Times::least(times.first)}, ratio = now[0] / now[1];
        const double off = difference(hand.state(0), code.state(0));
        std::printf("%6d %-5s %8.2f %8.2f %6.2f  %4.2f  %-7s %7.3f %7.3f  %8.1e %7.3f", n,
                    code.batch.lanes() > 0 ? "code" : "tape", now[1] / n, now[0] / n, ratio, target,
                    ratio <= target ? "met" : "MISSED", static_cast<double>(hand.iterations()) / steps,
                    static_cast<double>(code.iterations()) / steps, off, set_up);
        if (last[0] > 0) std::printf("  %.2f  %.2f", std::log10(now[0] / last[0]), std::log10(now[1] / last[1]));
        std::printf("\n");
        std::copy_n(now, 2, last);
        good &= times.ran && off <= agreement;
    }
    if (!good) std::printf("  hand and library differ, or a side did not run\n");
    return good;
}

} // namespace

int main(int argc, char** argv) {
    const auto gallery = [](const char* name) {
        return load(std::string(RATTLEBACK_SOURCE_DIR "/models/") + name + ".toml");
    };
    const Model particle = gallery("nonholonomic_particle"), sleigh = gallery("chaplygin_sleigh"),
                vehicle = gallery("vehicle_bowl"), pendulum = gallery("cartesian_pendulum");
    const StartOfMember shifted = shifted_position(0);
    const std::vector<CodeCase> cases = {
        {"particle", "nh_rattle", &particle, make<Particle>, shifted, 1, 1, 1, 1, 1.3},
        {"particle", "nh_rattle", &particle, make<Particles>, shifted, 8, 1, 64, 64, 1.5},
        {"particle", "nh_rattle", &particle, make<Particles>, shifted, 8, 2, 64, 64, 1.5},
        {"particle", "nh_rattle", &particle, make<Particles>, shifted, 8, 4, 64, 64, 1.5},
        // Short: a (-1)^k mode of the method amplifies round-off like exp(0.9 t).
        {"sleigh", "gni", &sleigh, make<Sleigh>, shifted, 1, 1, 1, 1, 1.15, 300},
        {"vehicle in bowl", "midpoint", &vehicle, make<Vehicle>, shifted, 1, 1, 1, 1, 1.05},
        {"vehicle in bowl", "midpoint", &vehicle, make<Vehicle>, shifted, 4, 1, 4, 1, 0.27},
        {"vehicle in bowl", "midpoint", &vehicle, make<Vehicle>, shifted, 8, 1, 8, 1, 0},
        {"pendulum", "rattle", &pendulum, make<Pendulum>, pushed, 1, 1, 1, 1, 1.3},
        {"pendulum", "rattle", &pendulum, make<Pendulum>, pushed, 4, 1, 4, 1, 0},
    };
    if (argc > 1 && std::strcmp(argv[1], "--count") == 0) return count(cases, argc, argv);

    std::printf("Machine code, ns a step and trajectory; by hand one trajectory, or as many in vectors (64); Newton "
                "iterations a step;\nlargest difference of the states at the end\n\n");
    print_code_header();
    bool good = true;
    for (const CodeCase& c : cases) good &= compare(c);
    good &= chains();
    return good ? 0 : 1;
}
