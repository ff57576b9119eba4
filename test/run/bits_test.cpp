// The same bits: a step depends on the state alone, and not on how its equations are written down.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <random>

#include "evidence/studies.hpp"
#include "laws/models.hpp"
#include "run/initial.hpp"
#include "run/stepper.hpp"
#include "scheme/build.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

const char* const methods[] = {"gauss:stages=1", "gauss:stages=3", "del:ld=verlet", "del:ld=galerkin:stages=2", "rk4",
                               "dop853",         "compose:order=4"};

std::optional<Method> build(const Model& model, const char* text) {
    try {
        return build_method(model, parse_methods(text)[0]);
    } catch (const Unsuitable&) { return {}; }
}

TEST(SameBits, OfTwoSteppersFromTheSameState) {
    for (const laws::TestModel& test : laws::models())
        for (const char* text : methods) {
            const Model model = test.read();
            const auto method = build(model, text);
            if (!method || (!model.holonomic.empty() && !model.velocity.empty()))
                continue; // these meet singular states
            Stepper<double> old(model, *method), young(model, *method);
            Report report;
            ASSERT_TRUE(old.start(report) && young.start(report));
            for (int k = 0; k < 50; ++k)
                ASSERT_TRUE(old.advance(k, test.step / 2, report)) << test.name << report.text();
            old.set_state(old.state()); // without the low parts and the step size of step control
            young.set_state(old.state()), young.set_hint(old.hint());
            for (int k = 50; k < 60; ++k) {
                ASSERT_TRUE(old.advance(k, test.step / 2, report) && young.advance(k, test.step / 2, report));
                ASSERT_EQ(old.state(), young.state()) << test.name << " " << text << " " << k;
            }
        }
}

// Components of the equations in another order, each multiplied by a power of ten.
void scramble(Step& step, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Equation> all;
    for (const Equation& e : step.equations)
        for (std::size_t i = 0; i < e.lhs.size(); ++i) {
            const Expr factor(real::pow(static_cast<quad>(10), static_cast<quad>(static_cast<int>(random() % 13)) - 6));
            all.push_back({factor * Vec({e.lhs[i]}), factor * Vec({e.rhs[i]})});
        }
    std::shuffle(all.begin(), all.end(), random);
    step.equations = all;
}

// Measured: at most 1.2 epsilon (dop853 on the double pendulum).
TEST(SameBits, DoNotDependOnHowEquationsAreWritten) {
    for (const laws::TestModel& test : laws::models())
        for (const char* text : methods) {
            const Model model = test.read();
            const auto method = build(model, text);
            if (!method) continue;
            Stepper<double> plain(model, *method);
            Report report;
            ASSERT_TRUE(plain.start(report) && plain.advance(0, test.step / 2, report)) << report.text();
            for (unsigned seed = 1; seed <= 5; ++seed) {
                Method other = *method;
                scramble(other.step, seed);
                Stepper<double> scrambled(model, other);
                ASSERT_TRUE(scrambled.start(report) && scrambled.advance(0, test.step / 2, report)) << report.text();
                double size = 0, worst = 0;
                for (std::size_t i = 0; i < plain.state().size(); ++i) {
                    size = std::max(size, std::abs(plain.state()[i]));
                    worst = std::max(worst, std::abs(plain.state()[i] - scrambled.state()[i]));
                }
                EXPECT_LE(worst / size, 100 * Real<double>::epsilon) << test.name << " " << text << " " << seed;
            }
        }
}

// A sparse system (more than 16 unknowns, neither dense nor tridiagonal) keeps the pivots of the first matrix it meets.
// Whoever solves at a fixed point first has bits that depend on the numbers alone, whatever was solved in between, even
// if it was singular.
TEST(SameBits, OfSparseSystemsThatBeginAtTheSamePoint) {
    const auto graph = std::make_shared<Graph>();
    constexpr std::size_t n = 40;
    const auto symbol = [&](const char* name, std::size_t i) { return graph->symbol(name + std::to_string(i % n)); };
    Vec u, d, lhs, rhs;
    for (std::size_t i = 0; i < n; ++i) {
        u.push_back({"u", symbol("u", i)}), d.push_back({"d", symbol("d", i)});
        lhs.push_back({"", symbol("d", i) * symbol("u", i) + symbol("u", i + 1) + 0.7 * symbol("u", i + n - 1) +
                               0.3 * symbol("u", 7 * i + 3)});
        rhs.push_back({"", Expr(1.0 + static_cast<double>(i))});
    }
    const auto compiled = compile(System{graph, d, {{u, {}}}, {lhs == rhs}, u});
    SystemSolver<double> old(compiled), young(compiled);
    ASSERT_TRUE(old.remembers());
    Report report;
    for (auto* solver : {&old, &young}) {
        std::fill(solver->given(), solver->given() + n, 4.0);
        ASSERT_TRUE(solver->solve(report));
    }
    std::fill(old.given(), old.given() + n, 10.0);
    ASSERT_TRUE(old.solve(report));
    std::fill(old.given(), old.given() + n, -2.0); // rows that add up to zero
    ASSERT_FALSE(old.solve(report));
    std::mt19937 random(1);
    for (std::size_t i = 0; i < n; ++i) old.given()[i] = young.given()[i] = 0.01 * static_cast<double>(random() % 300);
    ASSERT_TRUE(old.solve(report) && young.solve(report));
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(old.result(i), young.result(i));
}

// What was derived from a model before has no say. Else the sleigh would differ by 5.6e-17.
TEST(SameBits, OfRunsWhateverWasRunBefore) {
    for (const auto& [name, text] : {std::pair{"sleigh_with_tow", "nh_rattle"}, std::pair{"butane", "rattle"},
                                     std::pair{"toda", "midpoint"}, std::pair{"double_pendulum", "gauss:stages=1"}}) {
        const std::string file = RATTLEBACK_SOURCE_DIR "/models/" + std::string(name) + ".toml";
        const RunOptions options{.method = text, .steps = 40, .engine = RunOptions::Engine::interpreted};
        const Model used = load(file);
        Report report;
        for (const char* other : {"gni", "rk4", "dop853", "del:ld=verlet"})
            try { // formulas of a method by hand, in the model's own graph
                Stepper<double>(used, build_in_graph(used, parse_methods(other)[0])).start(report);
            } catch (const Unsuitable&) {}
        const auto alone = integrate(load(file), options), later = integrate(used, options);
        EXPECT_EQ(alone.summary().end["q"], later.summary().end["q"]) << name;
        EXPECT_EQ(alone.energy(), later.energy()) << name;
        EXPECT_EQ(alone["constraint"], later["constraint"]) << name;
    }
}

// Deriving from a model does not write to it.
TEST(SameBits, OfTheModelWhateverIsDerivedFromIt) {
    const Model model = load(RATTLEBACK_SOURCE_DIR "/models/chaplygin_sleigh.toml");
    const std::size_t nodes = model.graph->size();
    const CompiledMethod method = compile(model, "gni");
    Report report;
    Stepper<double> stepper(method);
    ASSERT_TRUE(stepper.start(report, 0.01) && stepper.advance(0, 0.01, report));
    NodeReader<double>(method).read(stepper, 0.01, report);
    Tangent<double>(method).advance(stepper, 1, 0.01, report);
    symplectic_defect<quad>(compile(model, "nh_gauss:stages=2"), static_cast<quad>(0.1), 2, report);
    integrate(model, {.method = "nh_rattle", .steps = 3});
    inspect(model);
    verify(model, parse_methods("gf")[0], {.steps = 100});
    compare(model, parse_methods("gni,dla"), {.steps = 20});
    InitialData<double> data;
    complete_initial_data(model, data, report);
    index_problem(model), with_independent_constraints(model), export_c(method, "step");
    EXPECT_EQ(model.graph->size(), nodes);
}

// A stepper does so at the model's own start, wherever it is started itself.
TEST(SameBits, OfSteppersWithSparseEquationsStartedAnywhere) {
    const Model model =
        read_model("coordinates = [\"x[1..50]\"]\n[mechanics]\n"
                   "lagrangian = \"sum(i in 1..50: x[i]'^2/2 - x[i]^4/4) - sum(i in 1..49: (x[i+1] - x[i])^4)"
                   " - 3*(x[1] - x[50])^4 - 2*(x[7] - x[31])^4 - (x[3] - x[22])^4\"\n"
                   "[initial]\nq = { \"x[i]\" = \"sin(i)\" }\nv = { \"x[i]\" = \"cos(3*i)\" }\n",
                   "ring.toml");
    const Method method = build_method(model, parse_methods("midpoint")[0]);
    Stepper<double> old(model, method), young(model, method);
    ASSERT_TRUE(old.parts().solver().remembers());
    Report report;
    ASSERT_TRUE(old.start(report));
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(old.advance(k, 0.05, report)) << report.text();
    old.set_state(old.state());
    const std::vector<double> rest(50, 0.1);
    ASSERT_TRUE(young.start({.q = rest, .v = rest, .p = rest}, 0, report));
    young.set_state(old.state()), young.set_hint(old.hint());
    for (int k = 50; k < 60; ++k) {
        ASSERT_TRUE(old.advance(k, 0.05, report) && young.advance(k, 0.05, report));
        ASSERT_EQ(old.state(), young.state()) << k;
    }
}

} // namespace
} // namespace rattleback
