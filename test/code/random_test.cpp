// Machine code against the tape on random formulas, on random models, and function by function.
#include <gtest/gtest.h>
#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <random>

#include "code/backend.hpp"
#include "code/on_lanes.hpp"
#include "code/random_model.hpp"
#include "code/sections.hpp"
#include "expr/formulas.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using code::Shape;
using test::OnLanes, test::random_case, test::same_bits;

class Differential : public testing::Test {
  protected:
    void SetUp() override {
        if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    }
};

std::shared_ptr<const CompiledSystem> system_of(const std::shared_ptr<Graph>& g, const std::vector<Expr>& formulas) {
    Vec given, results;
    for (const char* name : {"x", "y", "z"}) given.push_back({name, g->symbol(name)});
    for (const Expr& f : formulas) results.push_back({"", f});
    return compile(System{g, given, {}, {}, results});
}

// One vector of each width, and more of the narrow ones side by side in turn.
std::array<Shape, 4> every_width(unsigned turn) {
    const int groups = 1 + static_cast<int>(turn % 3);
    return {{{1, groups}, {2, groups}, {4, turn % 2 ? groups : 1}, {8, 1}}};
}

TEST_F(Differential, TenThousandRandomFormulas) {
    int compared = 0, left = 0, formulas = 0;
    for (unsigned batch = 0; batch < 250; ++batch) {
        const auto g = std::make_shared<Graph>();
        test::RandomFormulas random(batch + 90000);
        const std::array<Expr, 3> xyz{g->symbol("x"), g->symbol("y"), g->symbol("z")};
        std::vector<Expr> roots;
        for (int i = 0; i < 40; ++i, ++formulas) {
            // Where a formula is not a number the step is the tape's; its argument keeps the others in sight.
            const Expr f = random.formula(4).build(xyz);
            roots.push_back(fn::choose(fn::lt(fn::abs(f), 1e300), f, xyz[0]));
        }
        const auto system = system_of(g, roots);
        SystemSolver<double> tape(system);
        for (const Shape& shape : every_width(batch)) {
            OnLanes lanes(system, shape, batch % 4 != 3);
            for (int round = 0; round < 3; ++round) {
                std::vector<std::vector<quad>> points;
                for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
                    points.push_back(random.point());
                    for (std::size_t i = 0; i < 3; ++i) lanes.give(lane, i, static_cast<double>(points[lane][i]));
                }
                lanes.run();
                for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
                    for (std::size_t i = 0; i < 3; ++i) tape.given()[i] = static_cast<double>(points[lane][i]);
                    Report report;
                    const bool solved = tape.solve(report);
                    left += lanes.left(lane);
                    if (lanes.left(lane)) continue;
                    ASSERT_TRUE(solved) << batch;
                    for (std::size_t i = 0; i < roots.size(); ++i, ++compared)
                        ASSERT_TRUE(same_bits(tape.result(i), lanes.result(lane, i)))
                            << batch << ": " << to_text(roots[i]);
                }
            }
        }
    }
    EXPECT_EQ(formulas, 10000);
    EXPECT_GT(compared, 50000) << left << " points were left to the tape";
}

// Every row of the table, and stumpff with orders that are numbers, for which there are lines.
struct Row {
    Op op;
    std::string name;
    std::optional<int> order = {};

    Expr build(std::span<const Expr> x) const {
        if (order) return fn::stumpff(*order, x[0]);
        return call(op, x.first(static_cast<std::size_t>(function(op).arity)));
    }
};
std::vector<Row> rows() {
    std::vector<Row> all;
    for (const Function& f : functions()) all.push_back({f.op, std::string(f.name.empty() ? f.latex : f.name)});
    for (int k : {0, 1, 2, 3, 5, 8, 15, 16, 17})
        all.push_back({Op::stumpff, "stumpff of order " + std::to_string(k), k});
    return all;
}

// On the range where machine code has its own lines and around it, and on special values.
TEST_F(Differential, EveryFunctionOnSpecialArguments) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double special[] = {0.0,    -0.0,     1.0,       -1.0,        5e-324, -5e-324, 2.2250738585072014e-308,
                              1e-310, 708.0,    -708.0,    709.9,       0x1p30, -0x1p30, 1.1e9,
                              1e300,  infinity, -infinity, std::nan("")};
    for (const Row& f : rows()) {
        const auto g = std::make_shared<Graph>();
        const std::array<Expr, 3> xyz{g->symbol("x"), g->symbol("y"), g->symbol("z")};
        const auto system = system_of(g, {f.build(xyz)});
        OnLanes eight(system, {8, 1}), one(system, {1, 1});
        std::mt19937_64 random(static_cast<unsigned>(f.op));
        const auto argument = [&](long k) {
            if (k % 1000 < static_cast<long>(std::size(special))) return special[k % 1000];
            if (f.op == Op::stumpff && !f.order && k % 2 == 0) return static_cast<double>(random() % 8);
            const double unit = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
            const int scale = static_cast<int>(random() % 40) - 20;
            return std::ldexp(unit, k % 3 ? 2 : scale);
        };
        SystemSolver<double> tape(system);
        long compared = 0;
        for (long k = 0; k < 80000; k += 8) {
            std::array<std::array<double, 3>, 8> x{};
            for (std::size_t lane = 0; lane < 8; ++lane)
                for (std::size_t i = 0; i < 3; ++i)
                    eight.give(lane, i, x[lane][i] = argument(k + static_cast<long>(3 * lane + i)));
            eight.run();
            for (std::size_t lane = 0; lane < 8; ++lane) {
                if (eight.left(lane)) continue;
                for (std::size_t i = 0; i < 3; ++i) tape.given()[i] = x[lane][i];
                Report report;
                ASSERT_TRUE(tape.solve(report)) << f.name;
                ASSERT_TRUE(same_bits(tape.result(0), eight.result(lane, 0))) << f.name << " of " << x[lane][0];
                if (++compared % 16) continue;
                for (std::size_t i = 0; i < 3; ++i) one.give(0, i, x[lane][i]);
                one.run();
                ASSERT_FALSE(one.left(0)) << f.name << " of " << x[lane][0];
                ASSERT_TRUE(same_bits(tape.result(0), one.result(0, 0))) << f.name << " of " << x[lane][0];
            }
        }
        EXPECT_GT(compared, 10000) << f.name;
    }
}

// Where machine code has lines of its own for a function, its arguments x 2^e have exponents in this range.
struct Exponents {
    int from = -30, to = 9;
    bool positive = false;
};
Exponents exponents(Op op) {
    if (op == Op::sin || op == Op::cos) return {-40, 29};
    if (op == Op::log || op == Op::sqrt) return {-1000, 1000, true};
    if (op == Op::add || op == Op::sub || op == Op::mul || op == Op::div) return {-300, 300};
    return {};
}

// As loops over arrays, eight at a time, against the same arrays on the tape, one at a time.
TEST_F(Differential, EveryFunctionOnTenMillionArguments) {
    constexpr int n = 4096;
    for (const Row& f : rows()) {
        const auto g = std::make_shared<Graph>();
        Vec given;
        std::vector<Expr> xyz;
        for (const char* name : {"x", "y", "z"}) {
            xyz.push_back(g->element(g->family({name, 1, n, {}, {}}), g->free_index()));
            given.push_back({name, xyz.back(), true, 1, n});
        }
        const auto system =
            compile(System{.graph = g, .given = given, .results = Vec({{"f", f.build(xyz), true, 1, n}})});
        const code::SectionsResult made = code::compile_sections(*system);
        ASSERT_TRUE(made.code) << made.why_not;
        std::vector<double> tape(system->program.slots), lanes;
        load_constants(system->program, tape.data());
        const Exponents e = exponents(f.op);
        std::uint64_t random = 0x9e3779b97f4a7c15u * (static_cast<unsigned>(f.op) + 1);
        const auto next = [&] { // xorshift: this is as fast as what it feeds
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            return random;
        };
        long compared = 0;
        for (int round = 0; round < 10000000 / n + 1; ++round) {
            for (int i = 0; i < 3 * n; ++i) {
                const std::uint64_t bits = next();
                const auto exponent = static_cast<std::uint64_t>(1023 + e.from) +
                                      (bits >> 53) % static_cast<std::uint64_t>(e.to - e.from);
                const std::uint64_t sign = e.positive ? 0 : bits << 63;
                tape[static_cast<std::size_t>(i)] =
                    std::bit_cast<double>(sign | exponent << 52 | (bits >> 1 & 0xfffffffffffff));
            }
            if (f.op == Op::stumpff && !f.order)
                for (int i = 0; i < n; ++i) tape[static_cast<std::size_t>(i)] = static_cast<double>(next() % 20);
            lanes = tape;
            execute(system->program, system->program.sections[system->after], tape.data());
            if (!made.code->run(system->after, lanes.data())) continue;
            for (Slot s : system->results) {
                if (same_bits(tape[s], lanes[s])) continue;
                FAIL() << f.name << " of " << tape[s - system->results[0]] << ": " << tape[s] << " and " << lanes[s];
            }
            compared += n;
        }
        EXPECT_GE(compared, 10000000) << f.name;
    }
}

TEST_F(Differential, TwoHundredRandomModels) {
    int compared = 0, models = 0, in_sections = 0;
    constexpr std::size_t members = 9;
    const auto run = [&](const Model& model, Batch& batch) {
        const double apart = model.constrained() ? 0 : 0.1; // or they would leave the constraints
        for (std::size_t i = 0; i < members; ++i) {
            std::vector<double> q, v, parameters;
            for (quad x : model.q0) q.push_back(static_cast<double>(x) + apart * static_cast<double>(i));
            for (quad x : model.v0) v.push_back(static_cast<double>(x) - apart / 2 * static_cast<double>(i));
            for (const Parameter& p : model.parameters) parameters.push_back(static_cast<double>(p.value));
            parameters[0] = 1 + 0.1 * static_cast<double>(i); // k
            batch.start(i, {.q = q, .v = v}, 0, parameters);
        }
        batch.advance(0, 40, model.constrained() ? 0.02 : 0.1);
    };
    for (unsigned seed = 0; models < 200 && seed < 240; ++seed) {
        const auto [text, method_text] = random_case(seed);
        const Model model = read_model(text, "random.toml");
        const Method method = build_method(model, parse_methods(method_text)[0]);
        Batch tape(model, method, members, {.machine_code = false});
        run(model, tape);
        bool coded = false;
        for (const Shape& shape : every_width(seed)) {
            Batch lanes(model, method, members, {.width = shape.width, .groups = shape.groups});
            if (lanes.lanes() == 0) break; // on the tape, whatever the width
            coded = true, in_sections += lanes.lanes() != shape.lanes();
            run(model, lanes);
            for (std::size_t i = 0; i < members; ++i, ++compared) {
                ASSERT_EQ(tape.report(i).text(), lanes.report(i).text()) << text;
                ASSERT_EQ(tape.report(i).newton_iterations, lanes.report(i).newton_iterations) << text;
                ASSERT_EQ(tape.state(i), lanes.state(i)) << seed << " " << method_text << "\n" << text;
            }
        }
        models += coded;
    }
    EXPECT_EQ(models, 200);
    EXPECT_GT(compared, 6000);
    EXPECT_GT(in_sections, 7); // 14: most steps are compiled whole
}

} // namespace
} // namespace rattleback
