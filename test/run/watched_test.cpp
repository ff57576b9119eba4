// A run measures every node, also those that it does not record: its summary, and where it ends, do not depend on how
// many are recorded, nor on what takes the steps.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

using Engine = RunOptions::Engine;

double largest_change(const Table& table, std::size_t column) {
    double most = 0;
    for (std::size_t k = 0; k < table.rows(); ++k) most = std::max(most, std::abs(table(k, column) - table(0, column)));
    return most;
}

void expect_same(const Summary& a, const Summary& b, const std::string& what) {
    EXPECT_EQ(a.energy_error_max, b.energy_error_max) << what;
    EXPECT_EQ(a.constraint_max, b.constraint_max) << what;
    EXPECT_EQ(a.holonomic_max, b.holonomic_max) << what;
    EXPECT_EQ(a.momentum_error_max, b.momentum_error_max) << what;
    EXPECT_EQ(a.momentum_equation_max, b.momentum_equation_max) << what;
    EXPECT_EQ(a.horizontal, b.horizontal) << what;
    EXPECT_EQ(a.energy_drift_per_time, b.energy_drift_per_time) << what;
    EXPECT_EQ(a.newton_iterations_mean, b.newton_iterations_mean) << what;
    EXPECT_EQ(a.charts, b.charts) << what;
    EXPECT_EQ(a.end.values, b.end.values) << what;
    EXPECT_EQ(a.steps, b.steps) << what;
    EXPECT_EQ(a.t_end, b.t_end) << what;
    ASSERT_EQ(a.balances.size(), b.balances.size()) << what;
    for (std::size_t i = 0; i < a.balances.size(); ++i) {
        EXPECT_EQ(a.balances[i].name, b.balances[i].name) << what;
        EXPECT_EQ(a.balances[i].error, b.balances[i].error) << what;
        EXPECT_EQ(a.balances[i].quadrature, b.balances[i].quadrature) << what;
    }
    ASSERT_EQ(a.parasitic.has_value(), b.parasitic.has_value()) << what;
    if (a.parasitic) {
        EXPECT_EQ(a.parasitic->first, b.parasitic->first) << what;
        EXPECT_EQ(a.parasitic->last, b.parasitic->last) << what;
        EXPECT_EQ(a.parasitic->largest, b.parasitic->largest) << what;
    }
}

// The record of all nodes has the maxima of the summary, to the bit; and a run that records two nodes has the same
// ones.
TEST(Summaries, AreThoseOfAFullRecord) {
    for (const GalleryItem& item : gallery()) {
        const bool family = item.text.find("[1..n]") != std::string::npos;
        const LoadOptions set = family ? LoadOptions{.set = {{"n", "6"}}} : LoadOptions{};
        const Model model = read_model(item.text, item.name + ".toml", set);
        if (!model.has_start || model.run.method.empty()) continue;
        RunOptions options{.steps = 50};
        if (!model.run.step) options.step = 0.01;
        const auto full = integrate(model, options);
        const Summary& s = full.summary();
        EXPECT_EQ(s.energy_error_max, largest_change(full.energy(), 0)) << item.name;
        const std::vector<double> residuals = full["constraint"].column(0);
        EXPECT_EQ(std::max(*s.constraint_max, *s.holonomic_max), *std::max_element(residuals.begin(), residuals.end()))
            << item.name;
        for (std::size_t i = 0; i < s.momentum_error_max.size(); ++i)
            EXPECT_EQ(s.momentum_error_max[i].second, largest_change(full["momenta"], i)) << item.name;
        options.engine = Engine::compiled; // nodes are rows that machine code writes
        const auto rows = integrate(model, options);
        expect_same(s, rows.summary(), item.name + ", compiled");
        for (std::size_t g = 0; g < full.record.layout().groups.size(); ++g)
            EXPECT_TRUE(full.record.table(g) == rows.record.table(g))
                << item.name << ", " << full.record.layout().groups[g].name;
        options.every = 40, options.engine = Engine::automatic;
        expect_same(s, integrate(model, options).summary(), item.name + ", every 40");
        options.engine = Engine::compiled;
        expect_same(s, integrate(model, options).summary(), item.name + ", every 40, compiled");
    }
}

// Compositions take several steps of the method to a node; the explicit step is checked once for many of them.
TEST(Summaries, AreTheSameForCompositions) {
    const Model model = read_model(R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3"
[symmetries]
turn = { x = "-y", y = "x" }
[initial]
q = [0.1, 0.2]
v = [0.3, -0.1]
)toml",
                                   "henon.toml");
    for (const char* method :
         {"compose:base=midpoint", "compose:base=del:ld=verlet", "del:ld=verlet", "gauss:stages=2"}) {
        RunOptions options{.method = method, .step = 0.05, .steps = 700};
        const auto full = integrate(model, options);
        ASSERT_TRUE(full.report().ok()) << method;
        for (const Engine engine : {Engine::interpreted, Engine::compiled})
            for (const long long every : {1, 300, 1000}) {
                options.every = every, options.engine = engine;
                expect_same(full.summary(), integrate(model, options).summary(), method);
            }
    }
}

// It leaves the domain of its potential: the report and the last node are those of a run that records everything.
TEST(Failures, AreReportedAsIfAllNodesWereRecorded) {
    const Model model = read_model(R"toml(
coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 + sqrt(3 - x)/10"
[initial]
q = [0]
v = [1]
)toml",
                                   "edge.toml");
    for (const char* method : {"midpoint", "del:ld=verlet", "compose:base=midpoint", "dop853"}) {
        RunOptions options{.method = method, .step = 0.01, .steps = 1000};
        const auto full = integrate(model, options);
        ASSERT_FALSE(full.report().ok()) << method;
        ASSERT_GT(full.summary().steps, 200) << method;
        for (const Engine engine : {Engine::interpreted, Engine::compiled})
            for (const long long every : {1, 7, 1000}) {
                options.every = every, options.engine = engine;
                const auto run = integrate(model, options);
                EXPECT_EQ(run.report().text(), full.report().text()) << method << every;
                EXPECT_EQ(run.report().newton_iterations, full.report().newton_iterations) << method << every;
                expect_same(full.summary(), run.summary(), method);
            }
    }
}

// Two constraints whose directions coincide on the way: the run ends there, whatever goes many nodes at a time.
TEST(Failures, OfConstraintsThatBecomeDependentAreFoundBetweenRecordedNodes) {
    const Model model = read_model(R"toml(
coordinates = ["x", "y", "z", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2 + w'^2)/2"
[constraints]
velocity = ["y' - sin(x)*w'", "z'*cos(x - 1) + (y' - sin(x)*w')*2"]
[symmetries]
shift = { w = "1" }
[initial]
q = [0, 0, 0, 0]
v = [1, 0, 0, 0]
)toml",
                                   "turning.toml");
    for (const char* method : {"nh_gauss", "nh_rattle"}) {
        RunOptions options{.method = method, .step = 0.001, .steps = 4000};
        options.engine = Engine::interpreted;
        const auto full = integrate(model, options);
        EXPECT_EQ(full.report().status, Report::singular) << method;
        EXPECT_NEAR(full.summary().t_end, 1 + std::acos(0.0), 0.002) << method;
        for (const Engine engine : {Engine::interpreted, Engine::compiled})
            for (const long long every : {1, 7, 10000}) {
                options.every = every, options.engine = engine;
                const auto run = integrate(model, options);
                EXPECT_EQ(run.report().text(), full.report().text()) << method << every;
                expect_same(full.summary(), run.summary(), method);
            }
    }
}

// An observable without a value ends a run only where it is recorded.
TEST(Failures, OfObservablesComeWhereTheyAreRecorded) {
    const Model model = read_model(R"toml(
coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2"
[observables]
root = "sqrt(1 - x)"
[initial]
q = [0]
v = [1]
)toml",
                                   "root.toml");
    for (const Engine engine : {Engine::interpreted, Engine::compiled}) {
        const auto every = [&](long long k) {
            return integrate(model, {.method = "midpoint", .step = 0.125, .steps = 40, .every = k, .engine = engine});
        };
        EXPECT_EQ(every(1).report().step, 9);
        EXPECT_EQ(every(1).t.size(), 9u);
        EXPECT_EQ(every(6).report().step, 12);
        EXPECT_EQ(every(6).report().status, Report::not_finite);
        EXPECT_EQ(every(6).t.size(), 2u);
    }
}

// In machine code a run goes many steps at a time; it still ends at the node that it is told to end at.
TEST(Summaries, EndWhereTheCallerEndsTheRun) {
    for (const GalleryItem& item : gallery()) {
        if (item.name != "double_pendulum") continue;
        const Model model = read_model(item.text, "double_pendulum.toml");
        for (const bool by_flag : {false, true}) {
            Summary ends[2];
            for (const Engine engine : {Engine::interpreted, Engine::compiled}) {
                volatile int flag = 0;
                RunOptions options{.method = "midpoint", .step = 0.01, .steps = 1000, .engine = engine};
                options.interrupt = &flag;
                options.at_node = [&](const NodeView& node) {
                    if (node.step == 77 && by_flag) flag = 1;
                    return by_flag || node.step < 77;
                };
                const auto run = integrate(model, options);
                EXPECT_EQ(run.report().status, by_flag ? Report::interrupted : Report::stopped);
                EXPECT_EQ(run.report().step, 77);
                EXPECT_EQ(run.t.size(), 78u);
                ends[engine == Engine::compiled] = run.summary();
            }
            expect_same(ends[0], ends[1], by_flag ? "interrupted" : "stopped");
        }
    }
}

} // namespace
} // namespace rattleback
