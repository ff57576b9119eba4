// What a user pays: steps through integrate(), with what its summary says of every node, beside the bare step (a batch
// of one member) and the same step by hand where there is one. The three take turns while the run goes on, from one
// call of RunOptions::progress to the next; CPU time, the least of all turns.
//
//   bench_run [NAME...]             the table, or the rows whose model has one of these names
//   bench_run --gallery [NAME...]   every model of the gallery, or these, with its own method: run/step

#pragma GCC optimize("fp-contract=fast") // see sides.hpp

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "hand/cartesian_pendulum.hpp"
#include "hand/chain.hpp"
#include "hand/fput.hpp"
#include "hand/henon_heiles.hpp"
#include "hand/nonholonomic_particle.hpp"
#include "hand/vehicle_bowl.hpp"
#include "sides.hpp"

namespace {

using namespace bench;

// Steps by hand: n of them.
using ByHand = std::function<void(long long n)>;

template <class Step> ByHand small_steps(Step step) {
    return [step](long long n) mutable {
        Step now = step; // on the stack, where nothing else can change it: its state stays in registers
        for (long long i = 0; i < n; ++i) now.advance();
        step = now;
    };
}

template <std::size_t n> std::array<double, n> first(const std::vector<quad>& x) {
    std::array<double, n> y;
    for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<double>(x[i]);
    return y;
}

const std::vector<quad>& rates(const Model& m) { return m.v0.empty() ? m.p0 : m.v0; } // of unit masses the same

template <std::size_t n, class Step> ByHand started(Step step, const Model& m) {
    step.start(first<n>(m.q0), first<n>(rates(m)));
    return small_steps(step);
}

ByHand particle(const Model& m) { return started<3>(hand::NonholonomicParticle<double>(*m.run.step), m); }
ByHand pendulum(const Model& m) {
    return started<2>(hand::CartesianPendulum(parameter(m, "m"), parameter(m, "l"), parameter(m, "g"), *m.run.step), m);
}
ByHand vehicle(const Model& m) {
    return started<4>(
        hand::VehicleMidpoint(parameter(m, "L"), parameter(m, "alpha"), parameter(m, "beta"), *m.run.step), m);
}
ByHand henon_heiles(const Model& m) { return started<2>(hand::HenonHeilesVerlet<hand::Compensated>(*m.run.step), m); }
ByHand fput(const Model& m) {
    auto step = std::make_shared<hand::Fput>(parameter(m, "alpha"), *m.run.step);
    step->start(numbers(m.q0), numbers(rates(m)));
    return [step](long long n) {
        for (long long i = 0; i < n; ++i) step->verlet();
    };
}
ByHand chain(const Model& m) {
    auto step = std::make_shared<hand::Chain>(m.q0.size() / 2, parameter(m, "m"), parameter(m, "l"), parameter(m, "g"),
                                              *m.run.step);
    step->start(numbers(m.q0), numbers(m.v0));
    return [step](long long n) {
        for (long long i = 0; i < n; ++i) step->advance();
    };
}

struct Case {
    const char *model, *method;
    ByHand (*hand)(const Model&);
    double most;              // of run / hand, or of run / step where nothing is written by hand
    const char* members = ""; // of a family
    double step = 0;          // 0: the model's
    long long ticks = 200;    // turns of 1024 steps
};

Model gallery_model(const Case& row) {
    std::ifstream file(std::string(RATTLEBACK_SOURCE_DIR "/models/") + row.model + ".toml");
    std::string text(std::istreambuf_iterator<char>(file), {});
    text.resize(std::min(text.size(), text.find("[view]"))); // which has a limit of its own
    LoadOptions options;
    if (*row.members) options.set = {{"n", row.members}};
    Model model = read_model(text, row.model, options);
    if (row.step != 0) model.run.step = row.step;
    return model;
}

bool measure(const Case& row) {
    const Model model = gallery_model(row);
    const ByHand by_hand = row.hand ? row.hand(model) : nullptr;
    Code bare(model, row.method, 1, 1, 1, shifted_position(0));
    bare.batch.start(0);
    long long done = 0;
    constexpr long long turn = 1024;
    double least[3] = {1e99, 1e99, 1e99}, last = 0; // by hand, bare, run
    RunOptions options{.method = row.method, .steps = (row.ticks + 1) * turn, .every = 1'000'000'000};
    options.engine = RunOptions::Engine::compiled, options.keep_record = false;
    options.progress = [&](long long now, long long) {
        if (now % turn != 0) return; // in the middle of one
        if (now > turn) least[2] = std::min(least[2], cpu_seconds() - last);
        // Of the same steps: nothing is compared with the first ones, which the run takes while it warms up.
        const double hand = by_hand ? cpu_seconds_of([&] { by_hand(turn); }) : 0;
        const double step = cpu_seconds_of([&] { bare.batch.advance(done, turn, bare.h); });
        if (now > turn) least[0] = std::min(least[0], hand), least[1] = std::min(least[1], step);
        done += turn;
        last = cpu_seconds();
    };
    const bool ran = integrate(model, options).report().ok() && bare.batch.report(0).ok();
    const auto ns = [&](int side) { return least[side] / turn * 1e9; };
    const double to_hand = ns(2) / ns(0), to_step = ns(2) / ns(1), ratio = by_hand ? to_hand : to_step;
    const std::string title = std::string(row.model) + (*row.members ? std::string(" ") + row.members : "");
    std::printf("%-24s %-16s ", title.c_str(), row.method);
    by_hand ? std::printf("%9.1f ", ns(0)) : std::printf("%9s ", "");
    std::printf("%9.1f %9.1f ", ns(1), ns(2));
    by_hand ? std::printf("%8.2f ", to_hand) : std::printf("%8s ", "");
    std::printf("%8.2f  %4.2f %s%s\n", to_step, row.most, ratio <= row.most ? "met" : "MISSED", ran ? "" : ", failed");
    std::fflush(stdout);
    return ran;
}

// What a run costs beside its steps, of a model of the gallery with its own method. `within`: with a step so short that
// the run does not go on for longer than the model says. Returns the ratio; nothing where there is nothing to run, or
// the run failed.
std::optional<double> measure_in_gallery(const GalleryItem& item, bool within = false) {
    constexpr double turn_seconds = 1e-3, all_seconds = 0.25;
    constexpr long long turns = 40, most = 1024;
    Model model = read_model(item.text, item.name);
    if (!model.has_start || model.run.method.empty() || !model.run.step || !model.run.until) return {};
    const std::string& method = model.run.method;
    const double span = *model.run.until - static_cast<double>(model.t0);
    const double h = within ? span / (turns * most) : std::copysign(*model.run.step, span);
    model.run.step = h;
    Batch bare(model, build_method(model, parse_methods(method)[0]), 1);
    bare.start(0);
    bare.advance(0, 2, h);
    const double once = cpu_seconds_of([&] { bare.advance(2, 6, h); }) / 6;
    const auto turn = std::clamp(static_cast<long long>(turn_seconds / once), 1LL, most);
    volatile int enough = 0;
    const double began = cpu_seconds();
    double least[2] = {1e99, 1e99}, last = 0; // bare, run
    long long done = 8, from = 0;
    RunOptions options{.method = method, .step = h, .steps = turns * most, .every = 1'000'000'000};
    options.engine = RunOptions::Engine::compiled, options.keep_record = false, options.interrupt = &enough;
    options.progress = [&](long long now, long long) {
        if (now - from < turn || enough) return;
        const long long count = now - from;
        const auto a_step = [count](double seconds) { return seconds / static_cast<double>(count); };
        const double run = a_step(cpu_seconds() - last);
        const double step = a_step(cpu_seconds_of([&] { bare.advance(done, count, h); }));
        if (from > 0) least[0] = std::min(least[0], step), least[1] = std::min(least[1], run); // of the same steps
        done += count, from = now;
        if (cpu_seconds() > began + all_seconds && least[1] < 1e99) enough = 1;
        last = cpu_seconds();
    };
    const Report report = integrate(model, options).report();
    const bool ran = (report.ok() || report.status == Report::interrupted) && bare.report(0).ok();
    if (!ran && !within) return measure_in_gallery(item, true);
    const double ratio = least[1] / least[0];
    std::printf("%-28s %-22s %11.1f %11.1f %8.2f%s%s\n", item.name.c_str(), method.c_str(), least[0] * 1e9,
                least[1] * 1e9, ratio, ran && ratio > 1.25 ? "  MISSED" : "", ran ? "" : "  failed");
    std::fflush(stdout);
    return ran ? std::optional(ratio) : std::nullopt;
}

int measure_gallery(const std::function<bool(const char*)>& wanted) {
    std::printf("Through integrate(), nothing recorded, ns a step; target: run/step at most 1.25\n\n"
                "%-28s %-22s %11s %11s %8s\n",
                "model", "method", "step", "run", "run/step");
    int met = 0, ran = 0;
    for (const GalleryItem& item : gallery()) {
        if (!wanted(item.name.c_str())) continue;
        const std::optional<double> ratio = measure_in_gallery(item);
        ran += ratio.has_value(), met += ratio && *ratio <= 1.25;
    }
    std::printf("\n%d of %d that run meet it\n", met, ran);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    bool whole = false;
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--gallery") == 0)
            whole = true;
        else if (argv[i][0] != '-')
            names.emplace_back(argv[i]);
    const auto wanted = [&](const char* model) {
        return names.empty() || std::find(names.begin(), names.end(), model) != names.end();
    };
    if (whole) return measure_gallery(wanted);
    const Case rows[] = {
        {"nonholonomic_particle", "nh_rattle", particle, 1.35},
        {"cartesian_pendulum", "rattle", pendulum, 1.35},
        {"vehicle_bowl", "midpoint", vehicle, 1.35},
        {"henon_heiles", "del:ld=verlet", henon_heiles, 1.35},
        {"fput", "del:ld=verlet", fput, 1.6, "32"},
        {"fput", "del:ld=verlet", fput, 1.6, "1000", 0, 20},
        {"chain", "rattle", chain, 1.6, "10", 2e-4, 50},
        {"chain", "rattle", chain, 1.6, "1000", 2e-4, 3},
        {"double_pendulum", "gauss:stages=2", nullptr, 1.25},
        {"outer_solar_system", "del:ld=verlet", nullptr, 1.25},
        {"heavy_top", "lie_del", nullptr, 1.25},
        {"snakeboard", "nh_gauss", nullptr, 1.25, "", 2e-5}, // its constraints become dependent at t = 5.1
        {"slider_crank", "rattle", nullptr, 1.25},
        {"rattleback", "nh_gauss", nullptr, 1.25, "", 0, 50},
    };
    std::printf("Through integrate(), nothing recorded, ns a step; target: of run/hand, else of run/step\n\n"
                "%-24s %-16s %9s %9s %9s %8s %8s  %s\n",
                "model", "method", "hand", "step", "run", "run/hand", "run/step", "target");
    bool good = true;
    for (const Case& row : rows)
        if (wanted(row.model)) good &= measure(row);
    return good ? 0 : 1;
}
