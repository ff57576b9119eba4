// Blocks of equations, random ones: machine code has the tape's bits or leaves a lane to the tape, and what the tape
// finds solves the equations as they were written, before anything was divided out, ordered or factored.
#include <gtest/gtest.h>

#include "code/backend.hpp"
#include "code/on_lanes.hpp"
#include "code/random_system.hpp"
#include "code/sections.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using code::Shape;
using test::RandomSystem;

// What a solution leaves of the equations, in quad, beside the size of their terms, which are cubic at most.
class Check {
  public:
    explicit Check(const RandomSystem& random) : n_(random.unknowns()), exact_(compile(random.check())) {}

    double residual(const std::vector<double>& given, const SystemSolver<double>& solved) {
        double largest = 1;
        for (std::size_t i = 0; i < given.size(); ++i) exact_.given()[i] = given[i];
        for (std::size_t i = 0; i < n_; ++i) {
            exact_.given()[given.size() + i] = solved.result(i);
            largest = std::max(largest, std::abs(solved.result(i)));
        }
        Report report;
        EXPECT_TRUE(exact_.solve(report)) << report.text();
        quad worst = 0;
        for (std::size_t i = 0; i < n_; ++i) worst = std::max(worst, real::abs(exact_.result(i)));
        return static_cast<double>(worst) / (largest * largest * largest * static_cast<double>(n_));
    }

  private:
    std::size_t n_;
    SystemSolver<quad> exact_;
};

class Blocks : public testing::Test {
  protected:
    void SetUp() override {
        if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    }
};

// One random system, with many numbers.
struct OnEveryLane {
    int solved = 0, rescued = 0; // by the tape, which looks for pivots
    int ordinary = 0, ordinary_left = 0;
    double worst = 0;

    void compare(const RandomSystem& random, unsigned seed, int rounds) {
        constexpr Shape shapes[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {1, 3}, {2, 2}, {4, 2}};
        const auto system = compile(random.system());
        ASSERT_TRUE(code::can_write(*system, 20000)) << seed;
        test::OnLanes lanes(system, shapes[seed % std::size(shapes)]);
        SystemSolver<double> tape(system);
        Check check(random);
        std::mt19937 numbers(seed);
        for (int round = 0; round < rounds; ++round) {
            std::vector<std::vector<double>> given;
            for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
                given.push_back(random.values(numbers));
                for (std::size_t i = 0; i < given[lane].size(); ++i) lanes.give(lane, i, given[lane][i]);
            }
            lanes.run();
            for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
                std::copy(given[lane].begin(), given[lane].end(), tape.given());
                Report report;
                const bool found = tape.solve(report);
                if (found) ++solved, worst = std::max(worst, check.residual(given[lane], tape));
                rescued += found && lanes.left(lane);
                if (found && random.is_ordinary(given[lane])) ++ordinary, ordinary_left += lanes.left(lane);
                if (lanes.left(lane)) continue;
                ASSERT_TRUE(found) << seed << ": " << report.text();
                ASSERT_EQ(static_cast<double>(report.newton_iterations), lanes.iterations(lane)) << seed;
                for (std::size_t i = 0; i < tape.result_count(); ++i)
                    ASSERT_TRUE(test::same_bits(tape.result(i), lanes.result(lane, i)))
                        << seed << ", result " << i << " in lane " << lane;
            }
        }
    }
};

TEST_F(Blocks, OfUpToEightUnknownsGiveTheBitsOfTheTape) {
    OnEveryLane all;
    for (unsigned seed = 0; seed < 84; ++seed)
        all.compare(
            RandomSystem(seed, 1 + seed / 2 % 8, seed % 3 ? RandomSystem::dense : RandomSystem::sparse, seed % 2 == 1),
            seed, 20);
    EXPECT_LE(all.worst, 3e-14); // 1.5e-14
    EXPECT_GT(all.solved, 6000);
    EXPECT_GT(all.rescued, 500);
    // Where nothing vanishes the order that was chosen before will do.
    EXPECT_LE(all.ordinary_left, 0.27 * all.ordinary); // 349 of 2590; in the order of the equations: many more
}

// Those of more are eliminated in an order that suits several samples.
TEST_F(Blocks, OfNineUnknownsAndMoreGiveTheBitsOfTheTape) {
    OnEveryLane all;
    for (unsigned seed = 0; seed < 21; ++seed)
        all.compare(RandomSystem(seed, 9 + seed / 2, seed % 3 ? RandomSystem::sparse : RandomSystem::tridiagonal,
                                 seed % 2 == 1),
                    seed, 20);
    EXPECT_LE(all.worst, 5e-17);                      // 2.5e-17
    EXPECT_GT(all.solved, 1000);                      // 1382
    EXPECT_GT(all.rescued, 180);                      // 369
    EXPECT_LE(all.ordinary_left, 0.4 * all.ordinary); // 147 of 567
}

// Any of them with its sections in machine code alone.
TEST_F(Blocks, OfUpToFortyUnknownsGiveTheBitsOfTheTape) {
    int solved = 0;
    double worst = 0;
    for (unsigned seed = 0; seed < 24; ++seed) {
        constexpr RandomSystem::Pattern patterns[] = {RandomSystem::tridiagonal, RandomSystem::sparse,
                                                      RandomSystem::dense};
        const std::size_t n = 9 + 31 * seed / 23;
        const RandomSystem random(seed, n, patterns[seed % 3], seed % 2 == 1);
        const auto system = compile(random.system());
        SystemSolver<double> tape(system), code(system);
        const code::SectionsResult made = code::compile_sections(*system, seed % 4 < 2);
        ASSERT_TRUE(made.code) << made.why_not;
        code.use(made.code);
        Check check(random);
        std::mt19937 numbers(seed);
        for (int round = 0; round < 40; ++round) {
            const std::vector<double> given = random.values(numbers);
            for (auto* solver : {&tape, &code}) std::copy(given.begin(), given.end(), solver->given());
            Report on_tape, in_code;
            const bool found = tape.solve(on_tape);
            ASSERT_EQ(found, code.solve(in_code)) << seed;
            ASSERT_EQ(on_tape.text(), in_code.text()) << seed;
            ASSERT_EQ(on_tape.newton_iterations, in_code.newton_iterations) << seed;
            if (!found) continue;
            ++solved, worst = std::max(worst, check.residual(given, tape));
            for (std::size_t i = 0; i < tape.result_count(); ++i)
                ASSERT_TRUE(test::same_bits(tape.result(i), code.result(i))) << seed << ", result " << i;
        }
    }
    EXPECT_LE(worst, 2.4e-16); // 1.2e-16
    EXPECT_GT(solved, 500);
}

// Equations in an order in which the first pivots cancel: another one is chosen beforehand, and no lane is left.
TEST_F(Blocks, AreEliminatedInAnOrderThatSuits) {
    constexpr std::size_t n = 4;
    constexpr double matrix[n][n] = {{1, 1, 0.5, 0.2}, {1, 1, 0.3, 2}, {0.5, 0.3, 1, 1}, {0.2, 2, 1, 1}};
    const auto graph = std::make_shared<Graph>();
    const Expr w = graph->symbol("w"); // changes: nothing is divided out
    Vec given, unknowns, residuals, zeros;
    for (std::size_t i = 0; i < n; ++i) {
        given.push_back({"c", graph->symbol("c" + std::to_string(i))});
        unknowns.push_back({"u", graph->symbol("u" + std::to_string(i))});
    }
    for (std::size_t i = 0; i < n; ++i) {
        Expr sum = 0.001 * fn::sin(unknowns[i].value) - given[i].value;
        for (std::size_t j = 0; j < n; ++j) sum = sum + matrix[i][j] * w * unknowns[j].value;
        residuals.push_back({"r", sum}), zeros.push_back({"0", Expr(0)});
    }
    given.push_back({"w", w}), given.push_back({"h", graph->symbol("h")});
    System system{.graph = graph,
                  .given = given,
                  .find = {{unknowns, {}}},
                  .equations = {{residuals, zeros}},
                  .results = unknowns};
    system.steady = 1, system.typical = {0.01};
    const auto compiled = compile(system);
    ASSERT_EQ(compiled->blocks.size(), 1u);
    ASSERT_EQ(compiled->blocks[0].unknowns.size(), n);
    test::OnLanes lanes(compiled, {4, 1});
    for (std::size_t lane = 0; lane < 4; ++lane)
        for (std::size_t i = 0; i < n; ++i)
            lanes.give(lane, i, 0.3 + static_cast<double>(lane * i)), lanes.give(lane, n, 1.1);
    lanes.run();
    for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_FALSE(lanes.left(lane)) << lane;
}

// a u^2 + b u + c = 0 for one unknown is a formula: the root on the guess's side of the vertex, and none where there is
// none.
TEST_F(Blocks, OfOneQuadraticEquationHaveTheRootOnTheGuessesSide) {
    const auto graph = std::make_shared<Graph>();
    const auto symbol = [&](const char* name) { return Component{name, graph->symbol(name)}; };
    const Component a = symbol("a"), b = symbol("b"), c = symbol("c"), guess = symbol("g"), u = symbol("u");
    const auto system = compile(
        System{.graph = graph,
               .given = Vec({a, b, c, guess}),
               .find = {{Vec({u}), Vec({guess})}},
               .equations = {{Vec({{"r", a.value * u.value * u.value + b.value * u.value}}), Vec({{"c", -c.value}})}},
               .results = Vec({u})});
    ASSERT_TRUE(system->blocks.empty());
    SystemSolver<double> tape(system);
    test::OnLanes lanes(system, {4, 1});
    std::mt19937 numbers(1);
    int real_roots = 0, none = 0;
    for (int round = 0; round < 4000; ++round) {
        std::array<std::array<long double, 4>, 4> given; // by lane
        for (std::size_t lane = 0; lane < 4; ++lane)
            for (std::size_t i = 0; i < 4; ++i) {
                const double x = static_cast<double>(numbers() % 4001) / 1000 - 2;
                lanes.give(lane, i, x), given[lane][i] = x;
            }
        lanes.run();
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const auto& [A, B, C, G] = given[lane];
            for (std::size_t i = 0; i < 4; ++i) tape.given()[i] = static_cast<double>(given[lane][i]);
            const long double discriminant = B * B - 4 * A * C, vertex = -B / (2 * A);
            if (A == 0 || std::abs(discriminant) < 1e-9L || std::abs(G - vertex) < 1e-9L) continue;
            Report report;
            if (discriminant < 0) {
                ++none;
                EXPECT_FALSE(tape.solve(report));
                EXPECT_EQ(report.what, "an equation has no solution");
                EXPECT_EQ(report.culprit, "unknown u");
                EXPECT_TRUE(lanes.left(lane));
                continue;
            }
            ++real_roots;
            ASSERT_TRUE(tape.solve(report)) << report.text();
            ASSERT_FALSE(lanes.left(lane));
            const long double root = vertex + std::copysign(std::sqrt(discriminant) / (2 * std::abs(A)), G - vertex);
            EXPECT_NEAR(tape.result(0), static_cast<double>(root), 1e-11 * std::max(1.0L, std::abs(root)));
            EXPECT_TRUE(test::same_bits(tape.result(0), lanes.result(lane, 0)));
        }
    }
    EXPECT_GT(real_roots, 8000);
    EXPECT_GT(none, 2000);
}

} // namespace
} // namespace rattleback
