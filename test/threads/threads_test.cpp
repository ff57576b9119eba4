// Eight threads at once: they compile, share a cache, change over to machine code while they step, and advance batches.
// They share models and compiled methods, which are only read, and what lies below: tables of functions and methods,
// the back end, the cache. scripts/test runs this under ThreadSanitizer, too.
#include <gtest/gtest.h>
#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <barrier>
#include <filesystem>
#include <thread>

#include "code/backend.hpp"

namespace rattleback {
namespace {

namespace fs = std::filesystem;
constexpr int threads = 8;
constexpr double h = 0.01;

// f(thread) on all threads, which begin together.
template <class F> void at_once(F f) {
    std::barrier start(threads);
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            start.arrive_and_wait();
            f(t);
        });
    for (std::thread& t : all) t.join();
}

// Whole steps with Newton's method, whole explicit ones, and one of which the sections are compiled.
struct Work {
    const char *model, *method;
};
constexpr Work work[] = {{"double_pendulum", "midpoint"},
                         {"spring_pendulum", "del:ld=verlet"},
                         {"spherical_pendulum", "gauss:stages=2"},
                         {"chain", "rattle"}};

Model gallery(const Work& w, int variant = 0) {
    const std::string path = RATTLEBACK_SOURCE_DIR "/models/" + std::string(w.model) + ".toml";
    if (std::string(w.model) == "chain") return load(path, {.set = {{"n", std::to_string(9 + variant)}}});
    return load(path);
}

std::vector<double> advanced(const Work& w, int variant, BatchOptions options) {
    const Model model = gallery(w, variant);
    Batch batch(model, build_method(model, parse_methods(w.method)[0]), 3, options);
    for (std::size_t i = 0; i < 3; ++i) batch.start(i);
    batch.advance(0, 20, h / (1 + variant));
    EXPECT_EQ(batch.why_on_tape(), options.machine_code ? "" : "as asked for");
    return batch.state(2);
}

class Threads : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = fs::temp_directory_path() / "rattleback_threads_XXXXXX";
        folder = mkdtemp(name.data());
        setenv("RATTLEBACK_CACHE", (folder / "objects").c_str(), 1);
    }
    void TearDown() override { fs::remove_all(folder); }
    fs::path folder;
};

// The very first use of all tables and of the back end comes from eight threads; all compile the same, then different
// things, with one cache, into which they write and from which they read.
TEST_F(Threads, CompileTheSameAndDifferentModels) {
    std::array<std::vector<double>, threads> same, own, again;
    at_once([&](int t) {
        const bool code = code::backend() != nullptr;
        same[t] = advanced(work[0], 0, {code, 2, 1});
        own[t] = advanced(work[t % 4], t / 4, {code, 1 << t % 3, 1 + t % 2});
        again[t] = advanced(work[(t + 1) % 4], t / 4, {code, 1 << t % 3, 1 + t % 2});
    });
    for (int t = 0; t < threads; ++t) {
        EXPECT_EQ(same[t], same[0]);
        EXPECT_EQ(own[t], advanced(work[t % 4], t / 4, {.machine_code = false})) << t;
        EXPECT_EQ(again[t], advanced(work[(t + 1) % 4], t / 4, {.machine_code = false})) << t;
    }
}

// Each run has a thread that compiles for it, and changes over between two steps; some have two tiers of code.
TEST_F(Threads, ChangeOverWhileTheyStep) {
    const auto run = [](int t, RunOptions::Engine engine) {
        const Work& w = work[t % 4];
        const long long steps = std::string(w.model) == "chain" ? 1500 : 30000;
        return integrate(gallery(w, t / 4),
                         {.method = w.method, .step = h / 4, .steps = steps, .every = steps, .engine = engine});
    };
    std::array<std::vector<double>, threads> ends;
    at_once([&](int t) { ends[t] = run(t, RunOptions::Engine::automatic).summary().end["q"]; });
    for (int t = 0; t < threads; ++t)
        EXPECT_EQ(
            ends[t],
            run(t, code::backend() ? RunOptions::Engine::compiled : RunOptions::Engine::interpreted).summary().end["q"])
            << t;
}

// All that can be asked of one model and of one compiled method, by all threads at once.
TEST_F(Threads, ShareOneModelAndOneMethod) {
    const Model model = gallery(work[0]);
    const CompiledMethod shared = compile(model, "gauss:stages=2");
    const char* const methods[] = {"midpoint", "gauss:stages=2", "del:ld=verlet", "rk4"};
    const auto all = [&](int t) {
        std::vector<double> seen;
        const auto run = integrate(model, {.method = methods[t % 4], .step = h, .steps = 50});
        seen = run.summary().end["q"];
        Report report;
        Stepper<double> stepper(shared), own(compile(model, methods[t % 4]));
        NodeReader<double> reader(shared);
        Tangent<double> tangent(shared);
        stepper.set_parameters(own.parameters());
        EXPECT_TRUE(stepper.start(report, h) && own.start(report, h));
        for (int k = 0; k < 10; ++k)
            EXPECT_TRUE(tangent.advance(stepper, k, h, report) && own.advance(k, h, report) &&
                        reader.read(stepper, k * h, report));
        Batch batch(shared, 3, {.machine_code = code::backend() != nullptr});
        for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(batch.start(i));
        batch.advance(0, 10, h);
        EXPECT_EQ(batch.state(2), stepper.state());
        seen.push_back(reader.node().energy), seen.push_back(tangent.state()(0, 1)), seen.push_back(own.state()[0]);
        seen.push_back(*symmetry_defect<double>(shared, h, 3, report));
        return seen;
    };
    std::array<std::vector<double>, threads> seen;
    at_once([&](int t) { seen[t] = all(t); });
    for (int t = 0; t < threads; ++t) EXPECT_EQ(seen[t], all(t)) << t;
}

// Batches of one model, made and started on one thread, are advanced on others: what they share (machine code, compiled
// systems, the model's formulas) is only read, also for the message of a step that fails.
TEST_F(Threads, AdvanceBatchesOfOneModel) {
    const Model model = gallery(work[0]);
    const Method method = build_method(model, parse_methods("midpoint")[0]);
    std::vector<Batch> batches;
    for (int t = 0; t < threads; ++t) {
        batches.emplace_back(model, method, 5, BatchOptions{.width = 2, .groups = 1});
        for (std::size_t i = 0; i < 5; ++i) ASSERT_TRUE(batches.back().start(i));
    }
    std::array<std::vector<double>, threads> states;
    at_once([&](int t) {
        for (int k = 0; k < 10; ++k) batches[t].advance(100 * k, 100, h);
        states[t] = batches[t].state(4);
        batches[t].advance(1000, 1, 1e200);
    });
    for (int t = 0; t < threads; ++t) {
        EXPECT_EQ(states[t], states[0]);
        EXPECT_EQ(batches[t].report(4).status, Report::not_finite);
        EXPECT_EQ(batches[t].report(4).text(), batches[0].report(0).text());
    }
}

} // namespace
} // namespace rattleback
