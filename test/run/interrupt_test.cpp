// An interrupted run does not wait for machine code that nobody needs any more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include <rattleback/run.hpp>

#include "code/backend.hpp"

namespace rattleback {
namespace {

// Every coordinate acts on every other: 0.6 s to compile.
constexpr const char* dense = R"-(coordinates = ["x[1..n]"]
[parameters]
n = 70
[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n: sum(j in 1..n: sin(x[i] - x[j])^2))"
[initial]
q = { "x[i]" = "sin(pi*i/(n+1))" }
v = { "x[i]" = "0" }
)-";

double cpu_seconds() { // of all threads
    timespec t = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

class Interrupted : public testing::Test {
  protected:
    void SetUp() override {
        if (!code::backend()) GTEST_SKIP() << code::backend_missing();
        if (const char* before = std::getenv("RATTLEBACK_CACHE")) cache = before, had_cache = true;
        setenv("RATTLEBACK_CACHE", "", 1); // there is something to compile
    }
    void TearDown() override {
        had_cache ? setenv("RATTLEBACK_CACHE", cache.c_str(), 1) : unsetenv("RATTLEBACK_CACHE");
    }

    // CPU time from the interruption at node k to the end of the run.
    double answer(RunOptions::Engine engine, long long k) {
        volatile int flag = 0;
        double since = 0;
        RunOptions options{.method = "midpoint", .step = 0.001, .steps = 1'000'000'000, .engine = engine};
        options.at_node = [&](const NodeView& node) {
            if (node.step == k) flag = 1, since = cpu_seconds();
            return true;
        };
        options.keep_record = false, options.interrupt = &flag;
        const rattleback::Run run = integrate(model, options);
        EXPECT_EQ(run.report().status, Report::interrupted);
        EXPECT_LE(run.summary().steps, k + 1);
        return cpu_seconds() - since;
    }

    const Model model = read_model(dense, "dense.toml");
    std::string cache;
    bool had_cache = false;
};

// Measured: 0.001 and 0.02 s; 0.66 and 0.70 s where the run waits for the code.
TEST_F(Interrupted, RunsOnTheTapeLeaveTheCompilationBehind) {
    EXPECT_LT(answer(RunOptions::Engine::automatic, 65), 0.2); // the first look whether to compile is after 64 steps
}
TEST_F(Interrupted, RunsInMachineCodeDoNotWaitForIt) { EXPECT_LT(answer(RunOptions::Engine::compiled, 0), 0.2); }

} // namespace
} // namespace rattleback
