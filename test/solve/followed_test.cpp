// What the compiler of systems does to formulas so that they cost less: the values stay what they are.
#include <rattleback/solve.hpp>

#include <cmath>
#include <gtest/gtest.h>

#include "solve/angles.hpp"
#include "solve/products.hpp"
#include "solve/small_inverse.hpp"

namespace rattleback {
namespace {

struct Problem {
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    Expr a = graph->symbol("a"), m = graph->symbol("m"), u = graph->symbol("u");

    System system(const Expr& residual, const std::vector<Expr>& results) const {
        Vec all;
        for (const Expr& e : results) all.push_back({"r", e});
        return {graph,
                Vec({{"a", a}, {"m", m}}),
                {{Vec({{"u", u}}), Vec({{"guess", a}})}},
                {{Vec({{"e", residual}}), Vec({{"zero", Expr(0)}})}},
                all};
    }
};

template <class T> std::vector<T> solved(const System& system, T a, T m) {
    SystemSolver<T> solver(compile(system));
    solver.given()[0] = a, solver.given()[1] = m;
    Report report;
    EXPECT_TRUE(solver.solve(report)) << report.text();
    std::vector<T> results;
    for (std::size_t i = 0; i < solver.result_count(); ++i) results.push_back(solver.result(i));
    return results;
}

// u = a + m sin(u)/2: the results are functions of a solution that they do not evaluate again.
TEST(Followed, FunctionsAreThoseOfTheSolution) {
    const Problem p;
    const Expr x = p.u + p.a, rest = p.u - p.a - p.m * (fn::sin(x) + fn::cos(x) + fn::exp(-x)) / 4;
    const System system = p.system(rest, {p.u, fn::sin(x), fn::cos(x), fn::exp(-x)});
    const auto compiled = compile(system);
    ASSERT_EQ(compiled->blocks.size(), 1u);
    EXPECT_EQ(compiled->blocks[0].changes.size(), 2u); // of x and of -x
    for (NodeId id : compiled->program.sections[compiled->after].nodes)
        EXPECT_LT(compiled->graph->node(id).op, Op::sin);
    const auto check = [&]<class T>(T epsilon) {
        for (int k = 0; k < 200; ++k) {
            const T a = T(k) / 50 - 2, m = T(k % 7) / 7;
            const std::vector<T> r = solved<T>(system, a, m);
            EXPECT_LE(real::abs(r[1] - real::sin(r[0] + a)), 3 * epsilon) << k; // measured: 1 or less
            EXPECT_LE(real::abs(r[2] - real::cos(r[0] + a)), 3 * epsilon) << k;
            EXPECT_LE(real::abs(r[3] / real::exp(-r[0] - a) - 1), 4 * epsilon) << k;
        }
    };
    check(Real<double>::epsilon), check(Real<quad>::epsilon);
}

// An argument of which Newton's last increment is a large part: it is evaluated anew.
TEST(Followed, FunctionsThatChangedMuchAreEvaluated) {
    const Problem p;
    const Expr x = 1e9 * p.u;
    const System system =
        p.system(p.u - p.a - 1e-12 * fn::sin(x) - 1e-12 * fn::cos(x) - p.m * p.u * p.u, {p.u, fn::sin(x), fn::cos(x)});
    for (double a : {0.3, 0.7, 1.1}) {
        const std::vector<double> r = solved<double>(system, a, 0.01);
        const quad exactly =
            static_cast<quad>(1e9) * r[0]; // its rounding to double is 3e-8, and is a change like others
        EXPECT_NEAR(r[1], static_cast<double>(real::sin(exactly)), 1e-15) << a;
        EXPECT_NEAR(r[2], static_cast<double>(real::cos(exactly)), 1e-15) << a;
    }
}

TEST(Angles, OfSumsComeFromTheirParts) {
    const Problem p;
    const Expr s = fn::sin(p.a - p.m), c = fn::cos(p.a + p.m), parts = fn::sin(p.a) + fn::cos(p.a) + fn::cos(p.m);
    const System before{p.graph, Vec({{"a", p.a}, {"m", p.m}}), {}, {}, Vec({{"s", s}, {"c", c}, {"p", parts}})};
    const System after = solve::share_angles(before);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(after.results[i].value.op(), Op::sub);
    for (double a : {-2.0, 0.4, 3.0})
        for (double m : {-1.0, 0.4, 2.5}) {
            const std::vector<double> r = solved<double>(before, a, m);
            EXPECT_NEAR(r[0], std::sin(a - m), 2.3e-16);
            EXPECT_NEAR(r[1], std::cos(a + m), 4.5e-16);
        }
    // Alone they stay as they are: four functions are not cheaper than one.
    const System alone{p.graph, before.given, {}, {}, Vec({{"s", s}})};
    EXPECT_EQ(solve::share_angles(alone).results[0].value.op(), Op::sin);
}

TEST(Products, TakeWhatIsSteadyFirst) {
    const Problem p;
    const Expr product = p.u * (p.m * (p.a * (2 * p.m)));
    System system = p.system(p.u - p.a, {product});
    system.steady = 1; // m
    const System ordered = solve::order_products(system);
    const Expr e = ordered.results[0].value;
    const Node n = p.graph->node(e.id());
    ASSERT_EQ(n.op, Op::mul);
    EXPECT_TRUE(n.a == p.u.id() || n.b == p.u.id()) << to_text(e); // the unknown is the last factor
    EXPECT_DOUBLE_EQ(solved<double>(system, 3, 5)[0], 3.0 * 5 * 3 * 2 * 5);
}

// Where nothing reads what is carried on, it is not computed.
TEST(Carried, ValuesThatNothingReadsStay) {
    const Problem p;
    System system{p.graph, Vec({{"a", p.a}, {"m", p.m}}), {}, {}, Vec({{"next a", p.a + 1}, {"next m", fn::sin(p.a)}})};
    system.carried = {1, 1, 1, 1};
    EXPECT_EQ(solved<double>(system, 2, 7)[1], 7);
    system.results[0].value = p.a + p.m;
    EXPECT_EQ(solved<double>(system, 2, 7)[1], std::sin(2.0));
}

TEST(SmallInverses, ByCofactorsAreInverses) {
    for (int n : {2, 3})
        for (int seed = 1; seed < 300; ++seed) {
            solve::SmallInverse<double> m{};
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    m.a[i][j] = std::sin(7.3 * seed + 3.1 * i + 1.7 * j * j) * std::pow(10, 3 * j);
            const auto given = m;
            const bool bad = n == 2 ? m.invert_directly<2>() : m.invert_directly<3>();
            if (bad) continue; // near a singular one: elimination takes over
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    double sum = 0, size = 0;
                    for (int k = 0; k < n; ++k)
                        sum += m.a[i][n + k] * given.a[k][j], size += std::abs(m.a[i][n + k] * given.a[k][j]);
                    EXPECT_NEAR(sum, i == j, 1e-7 * size) << n << " " << seed;
                }
        }
    solve::SmallInverse<double> singular{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) singular.a[i][j] = i + j;
    EXPECT_TRUE(singular.invert_directly<3>());
}

} // namespace
} // namespace rattleback
