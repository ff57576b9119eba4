// Machine code of large systems, section by section: the same bits as the tape, and as many lines for a thousand sites
// as for a hundred.
#include <gtest/gtest.h>
#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <random>

#include "code/backend.hpp"
#include "code/formulas.hpp"
#include "code/loops.hpp"
#include "code/section.hpp"
#include "code/sections.hpp"
#include "expr/expander.hpp"
#include "run/stepper.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

class Sections : public testing::Test {
  protected:
    void SetUp() override {
        if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    }
};

Model gallery(const std::string& name, int n) {
    return load(RATTLEBACK_SOURCE_DIR "/models/" + name + ".toml", {.set = {{"n", std::to_string(n)}}});
}

std::size_t line_count(const CompiledSystem& system) {
    const std::vector<bool> wanted = code::wanted_slots(system);
    std::size_t lines = 0;
    for (std::size_t i = 0; i < system.program.sections.size(); ++i)
        for (const code::Listing& l : code::write_section(system.program, i, wanted)) lines += l.lines.size();
    return lines;
}

struct Case {
    const char *model, *method;
    double h;
};
const Case cases[] = {{"chain", "rattle", 0.002},       {"chain", "shake", 0.002},       {"fput", "midpoint", 0.1},
                      {"fput", "del:ld=verlet", 0.1},   {"fput", "gauss:stages=2", 0.1}, {"toda", "rk4", 0.05},
                      {"sine_gordon", "midpoint", 0.05}};

// Sizes around multiples of the lanes, so that loops end in every way they can.
TEST_F(Sections, GiveTheBitsOfTheTape) {
    int coded = 0;
    for (const Case& c : cases)
        for (int n : {9, 10, 15, 16, 17, 23, 40, 1100}) { // the last is longer than the pieces that Newton takes
            if (n > 40 && std::string(c.model) != "fput") continue;
            const bool even = std::string(c.model) == "sine_gordon"; // has a middle
            const Model model = gallery(c.model, even ? n + n % 2 : n);
            const Method method = build_method(model, parse_methods(c.method)[0]);
            Stepper<double> tape(model, method), code(model, method);
            const code::SectionsResult made = code::compile_sections(code.parts().solver().compiled(), n % 2 == 0);
            ASSERT_TRUE(made.code) << made.why_not;
            code.parts().solver().use(made.code);
            Report on_tape, in_code;
            ASSERT_TRUE(tape.start(on_tape, c.h) && code.start(in_code, c.h)) << on_tape.text();
            for (int k = 0; k < 40 && on_tape.ok(); ++k)
                ASSERT_EQ(tape.advance(k, c.h, on_tape), code.advance(k, c.h, in_code));
            EXPECT_EQ(tape.state(), code.state()) << c.model << " " << c.method << " " << n;
            EXPECT_EQ(tape.low(), code.low());
            EXPECT_EQ(tape.hint(), code.hint());
            EXPECT_EQ(on_tape.text(), in_code.text());
            EXPECT_EQ(on_tape.newton_iterations, in_code.newton_iterations);
            ++coded;
        }
    EXPECT_EQ(coded, 52);
}

// A batch takes them member after member, a run changes over on the way.
TEST_F(Sections, ServeBatchesAndRuns) {
    const Model model = gallery("chain", 50);
    const Method method = build_method(model, parse_methods("rattle")[0]);
    Batch tape(model, method, 3, {.machine_code = false}), code(model, method, 3);
    ASSERT_EQ(code.lanes(), 1) << code.why_on_tape();
    for (Batch* batch : {&tape, &code}) {
        for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(batch->start(i));
        batch->advance(0, 50, 0.002);
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(tape.state(i), code.state(i));
    // 50 links compile at once; 300 have so many operations that quickly compiled code comes first.
    using Engine = RunOptions::Engine;
    for (const int n : {50, 300}) {
        const Model longer = gallery("chain", n);
        const auto run = [&](Engine engine) {
            const long long steps = n == 50 ? 4000 : 1000;
            return integrate(longer,
                             {.method = "rattle", .step = 0.0005, .steps = steps, .every = 500, .engine = engine});
        };
        const auto on_tape = run(Engine::interpreted), in_code = run(Engine::compiled), both = run(Engine::automatic);
        ASSERT_TRUE(on_tape.report().ok()) << on_tape.report().text();
        EXPECT_EQ(in_code.summary().note, "");
        for (const auto* other : {&in_code, &both}) {
            ASSERT_EQ(on_tape.q.rows(), other->q.rows());
            for (std::size_t i = 0; i < on_tape.q.rows(); ++i)
                for (std::size_t j = 0; j < on_tape.q.columns(); ++j)
                    ASSERT_EQ(on_tape.q(i, j), other->q(i, j)) << n << " " << i;
            EXPECT_EQ(on_tape.energy(), other->energy());
            EXPECT_EQ(on_tape.summary().newton_iterations_mean, other->summary().newton_iterations_mean);
        }
    }
}

TEST_F(Sections, AreAsLongForManySitesAsForFew) {
    for (const Case& c : cases) {
        std::size_t lines[2];
        for (int i = 0; i < 2; ++i) {
            const Model model = gallery(c.model, i ? 400 : 100);
            lines[i] = line_count(
                Stepper<double>(model, build_method(model, parse_methods(c.method)[0])).parts().solver().compiled());
        }
        EXPECT_EQ(lines[0], lines[1]) << c.model << " " << c.method;
    }
}

// Sums are added up in pairs, with operands two slots apart. The node of a run, rewritten on the way, lists the terms
// of the energy from the last to the first; for its energy, the multipliers of the chain are not solved for.
TEST_F(Sections, HaveLoopsForTheEnergyOfAChain) {
    for (const auto& [name, text] : {std::pair("fput", "del:ld=verlet"), std::pair("chain", "rattle")}) {
        std::size_t lines[2];
        for (int i = 0; i < 2; ++i) {
            const Model model = gallery(name, i ? 400 : 100);
            const CompiledMethod method = compile(model, text);
            const NamedSystem& node = method.parts().node();
            const NamedSystem watched = restricted(node, {"energy", "holonomic residuals"});
            EXPECT_EQ(watched.compiled->blocks.size(), 0u) << name;
            lines[i] = line_count(*watched.compiled);
            SystemSolver<double> whole(node.compiled), tape(watched.compiled), code(watched.compiled);
            const code::SectionsResult made = code::compile_sections(*watched.compiled);
            ASSERT_TRUE(made.code) << made.why_not;
            code.use(made.code);
            Stepper<double> stepper(method);
            Report report;
            ASSERT_TRUE(stepper.start(report, 0.001) && stepper.advance(0, 0.001, report)) << report.text();
            for (auto* solver : {&whole, &tape, &code}) {
                stepper.parts().give(0.001, 0.001, solver->given());
                ASSERT_TRUE(solver->solve(report)) << report.text();
            }
            const double energy = whole.result(node.results["energy"].offset);
            EXPECT_EQ(tape.result(0), energy) << name;
            for (std::size_t k = 0; k < tape.result_count(); ++k) ASSERT_EQ(tape.result(k), code.result(k)) << name;
        }
        EXPECT_LE(lines[1], lines[0] + lines[0] / 2) << name; // two more levels of pairs, not four times the terms
    }
}

// What the code keeps to itself is computed once more where a message or the search for noise asks for it.
TEST_F(Sections, FailAsTheTapeDoes) {
    const Model model = gallery("fput", 20);
    for (const char* text : {"midpoint", "del:ld=verlet"}) {
        const Method method = build_method(model, parse_methods(text)[0]);
        Stepper<double> tape(model, method), code(model, method);
        code.parts().solver().use(code::compile_sections(code.parts().solver().compiled()).code);
        Report on_tape, in_code;
        ASSERT_TRUE(tape.start(on_tape) && code.start(in_code));
        for (int k = 0; k < 400 && on_tape.ok(); ++k) {
            const double h = k < 3 ? 0.1 : 1e150; // a few steps that go well, then what overflows
            ASSERT_EQ(tape.advance(k, h, on_tape), code.advance(k, h, in_code)) << k;
        }
        EXPECT_FALSE(on_tape.ok()) << text;
        EXPECT_EQ(on_tape.text(), in_code.text());
    }
}

TEST_F(Sections, HaveBudgets) {
    const Model model = gallery("chain", 20);
    const Stepper<double> stepper(model, build_method(model, parse_methods("rattle")[0]));
    const CompiledSystem& system = const_cast<Stepper<double>&>(stepper).parts().solver().compiled();
    EXPECT_EQ(code::compile_sections(system, false, {.lines = 100}).why_not, "the step is too large");
    EXPECT_EQ(code::compile_sections(system, false, {.seconds = 0}).why_not, "the step takes too long to compile");
}

// Random templates over two families, their neighbours and the index: all results, bit for bit. Large arguments take
// sines to the tape, negative ones logarithms to NaN, which is compared as "not solved" on both sides.
class RandomTemplate {
  public:
    RandomTemplate(Graph& graph, FamilyId x, FamilyId y, unsigned seed) : graph_(graph), x_(x), y_(y), random_(seed) {}

    Expr formula(int depth) {
        if (depth == 0) return leaf();
        const auto number = [&](int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); };
        const Expr a = formula(depth - 1);
        switch (number(12)) {
        case 0: return a + formula(depth - 1);
        case 1: return a - formula(depth - 1);
        case 2: return a * formula(depth - 1);
        case 3: return a / (2 + fn::abs(formula(depth - 1)));
        case 4: return fn::sin(a);
        case 5: return fn::exp(-fn::abs(a));
        case 6: return fn::sqrt(1 + a * a);
        case 7: return fn::tanh(a);
        case 8: return fn::choose(fn::lt(a, 0.3), formula(depth - 1), -a);
        case 9: return fn::max(a, formula(depth - 1));
        case 10: return fn::log(1.5 + fn::abs(a));
        default: return a * a * a - formula(depth - 1);
        }
    }

  private:
    Expr leaf() {
        const Expr k = graph_.free_index();
        switch (random_() % 6) {
        case 0: return graph_.element(x_, k);
        case 1: return graph_.element(x_, k - 1);
        case 2: return graph_.element(x_, k + 1);
        case 3: return graph_.element(y_, k);
        case 4: return graph_.symbol("a");
        default: return k / 7;
        }
    }
    Graph& graph_;
    FamilyId x_, y_;
    std::mt19937 random_;
};

TEST_F(Sections, OfRandomTemplatesGiveTheBitsOfTheTape) {
    std::size_t in_loops = 0, all = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const int n = 9 + static_cast<int>(seed % 14);
        const auto graph = std::make_shared<Graph>();
        const NodeId zero = graph->constant(0).id();
        const FamilyId x = graph->family({"x", 1, n, {}, {{0, zero}, {n + 1, graph->constant(0.5).id()}}}),
                       y = graph->family({"y", 1, n, {}, {}});
        const Expr k = graph->free_index();
        RandomTemplate random(*graph, x, y, seed);
        System system{.graph = graph,
                      .given = Vec({{"x", graph->element(x, k), true, 1, n},
                                    {"y", graph->element(y, k), true, 1, n},
                                    {"a", graph->symbol("a")}}),
                      .results = Vec({{"f", random.formula(4), true, 1, n}, {"g", random.formula(3), true, 1, n}})};
        const auto compiled = compile(system);
        for (const Section& s : compiled->program.sections)
            for (const code::Piece& p : code::find_loops(compiled->program, s).pieces)
                all += p.count, in_loops += p.is_run() ? p.count : 0;
        SystemSolver<double> tape(compiled), code(compiled);
        const code::SectionsResult made = code::compile_sections(*compiled);
        ASSERT_TRUE(made.code) << made.why_not;
        code.use(made.code);
        std::mt19937 numbers(seed);
        for (const double size : {0.5, 3.0, 1e9}) {
            for (int i = 0; i < 2 * n + 1; ++i)
                tape.given()[i] = code.given()[i] = size * (static_cast<double>(numbers()) / 2147483648.0 - 1);
            Report on_tape, in_code;
            ASSERT_EQ(tape.solve(on_tape), code.solve(in_code)) << seed;
            EXPECT_EQ(on_tape.text(), in_code.text());
            for (std::size_t i = 0; i < tape.result_count() && on_tape.ok(); ++i)
                ASSERT_EQ(tape.result(i), code.result(i)) << seed << ", result " << i;
        }
    }
    EXPECT_GT(in_loops, all * 6 / 10); // at least: 14 sites, of which the ends differ
}

} // namespace
} // namespace rattleback
