// What the compiler of systems does to formulas so that they cost less: the values stay what they are.
#include "solve/system.hpp"

#include <cmath>
#include <gtest/gtest.h>

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
        EXPECT_LT(compiled->formulas->graph().node(id).op, Op::sin);
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

// Sums and products: the formula as it is after the rewriting, and its values before and after.
struct Rewritten : Problem {
    Expr of(Expr formula) const {
        Templates none;
        solve::Products products(*graph, none);
        products.set_rank(m, solve::Products::steady), products.set_rank(a, solve::Products::given);
        products.set_rank(u, solve::Products::unknown);
        Expr* const roots[] = {&formula};
        products.rewrite({}, roots);
        return formula;
    }
    std::string text(const Expr& formula) const { return to_text(of(formula)); }
    double at(const Expr& formula, double given, double steady) const {
        return solved<double>(system(u - 3 * a, {formula}), given, steady)[0];
    }
};

TEST(Products, TakeWhatIsSteadyFirst) {
    const Rewritten p;
    EXPECT_EQ(p.text(p.u * (p.m * (p.a * (2 * p.m)))), "u*(a*(2*(m*m)))");
}

TEST(Products, DivideByWhatIsSteadyOnce) {
    const Rewritten p;
    EXPECT_EQ(p.text(p.u / p.m), "u*(1/m)");
    EXPECT_EQ(p.text(p.a * (p.u / p.m) / (2 * p.m)), "u*(a*(0.5/(m*m)))");
    EXPECT_EQ(p.text(p.m / p.u), "m/u");
    EXPECT_EQ(p.text(p.a / (p.m * p.u)), "a*(1/m/u)");
    EXPECT_EQ(p.text(p.u / 3), "u*0.3333333333333333");
}

TEST(Products, TakeCommonFactorsOutOfSums) {
    const Rewritten p;
    // Terms stand in the order in which they were made, and C++ leaves open which operand of + that is first.
    const Expr u = fn::sin(p.u), a = fn::sin(p.a), mu = p.m / 2 * u, ma = p.m / 2 * a;
    const Expr u4 = 4 * u, a2 = 2 * a, tenth = 0.1 * u, thirds = 0.3 * a;
    EXPECT_EQ(p.text(ma + mu), "(sin(u) + sin(a))*(m*0.5)");
    EXPECT_EQ(p.text(a / p.m - u / p.m), "(sin(a) - sin(u))*(1/m)");
    EXPECT_EQ(p.text(0.25 * (a2 + u4)), "sin(u) + sin(a)*0.5");
    // Nothing is gained here, and rounding would change.
    EXPECT_EQ(p.text(p.m * a + p.m * p.m * u), "m*sin(a) + sin(u)*m^2");
    EXPECT_EQ(p.text(thirds + tenth), "sin(u)*0.1 + sin(a)*0.3");
}

// Random sums of products of sums: the same numbers.
TEST(Products, KeepValues) {
    const Rewritten p;
    unsigned seed = 12345;
    const auto next = [&](unsigned n) { return (seed = seed * 1664525u + 1013904223u) / 65536u % n; };
    const Expr leaves[] = {p.u, p.m, p.a, fn::sin(p.u), p.m * p.m, Expr(0.5), Expr(3), Expr(-2), 1 + p.a * p.a};
    for (int round = 0; round < 300; ++round) {
        std::vector<Expr> terms(std::begin(leaves), std::end(leaves));
        for (int k = 0; k < 25; ++k) {
            const Expr x = terms[next(static_cast<unsigned>(terms.size()))];
            const Expr y = terms[next(static_cast<unsigned>(terms.size()))];
            const unsigned which = next(5);
            terms.push_back(which == 0   ? x + y
                            : which == 1 ? x - y
                            : which == 2 ? x * y
                            : which == 3 ? x / (2 + y * y)
                                         : -x);
        }
        const Expr whole = fn::sin(terms.back() + terms[terms.size() - 2]);
        if (!whole.graph()) continue;
        const double before = p.at(whole, 0.4, 0.7), after = p.at(p.of(whole), 0.4, 0.7);
        EXPECT_NEAR(before, after, 1e-9) << to_text(whole);
    }
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

// u^2 m - a = 0 from either side of the vertex: the root on the guess's side, without iterations, and no other.
TEST(Roots, OfQuadraticEquationsAreOnTheSideOfTheGuess) {
    const Problem p;
    for (double side : {-0.01, 1e-9, 3.0}) {
        System system = p.system(p.u * p.u * p.m - p.a, {p.u});
        system.find[0].guess[0].value = side;
        const auto compiled = compile(system);
        EXPECT_TRUE(compiled->blocks.empty());
        for (double m : {1.0, 1e-3, 1e6}) {
            const double root = std::copysign(std::sqrt(2 / m), side), size = std::max(std::abs(root), std::abs(side));
            EXPECT_NEAR(solved<double>(system, 2, m)[0], root, 4.5e-16 * size) << side << ' ' << m; // as far as it goes
            EXPECT_NEAR(static_cast<double>(solved<quad>(system, 2, static_cast<quad>(m))[0]), root,
                        2.3e-16 * std::abs(root));
        }
    }
}

// Nearly linear: the other root is far away, and the usual formula would cancel.
TEST(Roots, DoNotCancel) {
    const Problem p;
    const System system = p.system(p.u + p.m * p.u * p.u - p.a, {p.u});
    for (double m : {1e-3, 1e-9, 1e-16, 0.0})
        EXPECT_NEAR(solved<double>(system, 0.5, m)[0], static_cast<double>(solved<quad>(system, 0.5, m)[0]), 2.3e-16)
            << m;
}

TEST(Roots, ThatAreNotRealAreNamed) {
    const Problem p;
    SystemSolver<double> solver(compile(p.system(p.u * p.u * p.m + p.a, {p.u + 1})));
    solver.given()[0] = 2, solver.given()[1] = 1;
    Report report;
    EXPECT_FALSE(solver.solve(report));
    EXPECT_EQ(report.status, Report::newton_failed);
    EXPECT_EQ(report.text(), "an equation has no solution: unknown u\n  in step 0, at t = 0\n  try a smaller step");
}

// Matrices of any pattern, with numbers over as many decades, one after the other.
template <int n> class RandomMatrices {
  public:
    explicit RandomMatrices(double decades) : decades_(decades) {}
    double number() { return (seed_ = seed_ * 1664525u + 1013904223u) / 2147483648.0 - 1; } // in [-1, 1)
    solve::SmallInverse<double> matrix() {
        solve::SmallInverse<double> m{};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (i == j || number() > 0)
                    m.given[i][j] = true, m.a[i][j] = number() * std::pow(10, decades_ / 2 * number());
        return m;
    }

  private:
    double decades_;
    unsigned seed_ = n;
};

// Random matrices with numbers over four decades: the largest error of what is not refused, relative to
// the terms of the product with the matrix, and how many are refused.
template <int n> std::pair<double, int> inverted(int count) {
    double worst = 0;
    int refused = 0;
    RandomMatrices<n> random(4);
    for (int round = 0; round < count; ++round) {
        solve::SmallInverse<double> m = random.matrix();
        const auto given = m;
        if (m.invert<n>()) {
            ++refused;
            continue;
        }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double sum = 0, size = 1;
                for (int k = 0; k < n; ++k)
                    sum += m.a[i][n + k] * given.a[k][j], size += std::abs(m.a[i][n + k] * given.a[k][j]);
                worst = std::max(worst, std::abs(sum - (i == j)) / size);
            }
    }
    return {worst, refused};
}

TEST(SmallInverses, AreInversesOrRefused) {
    constexpr int count = 20000;
    const auto near = [](std::pair<double, int> is, double worst, int refused) {
        EXPECT_LE(is.first, worst);
        EXPECT_LE(is.second, refused);
    };
    near(inverted<2>(count), 4.5e-16, 2);
    near(inverted<3>(count), 2e-12, 2);
    near(inverted<4>(count), 1e-6, 250);
    near(inverted<5>(count), 4e-3, 500);
    near(inverted<6>(count), 4e-3, 2200);
    near(inverted<7>(count), 4e-3, 3800);
    near(inverted<8>(count), 4e-3, 7300);
}

TEST(SmallInverses, OfSingularMatricesAreRefused) {
    solve::SmallInverse<double> singular{};
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) singular.given[i][j] = true, singular.a[i][j] = i + 2 * j + 1;
    EXPECT_TRUE(singular.invert<6>());
    EXPECT_TRUE(singular.invert<3>());
}

// Cofactors that nearly cancel have lost their digits.
TEST(SmallInverses, ThatNearlyCancelAreRefused) {
    for (const double rest : {1e-6, 1e-10}) {
        solve::SmallInverse<double> m{};
        const double rows[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m.given[i][j] = true, m.a[i][j] = rows[i][j];
        m.a[2][2] += 100 * rest;
        EXPECT_EQ(m.invert<3>(), rest < 1e-8) << rest;
        m.a[0][0] = 1, m.a[0][1] = 2, m.a[1][0] = 3, m.a[1][1] = 6 + 10 * rest;
        EXPECT_EQ(m.invert<2>(), rest < 1e-8) << rest;
    }
}

// Linear systems are solved to round-off after one refinement, or not at all: what is left of them, in long double.
template <int n> std::pair<double, int> solved_directly(int count) {
    double worst = 0;
    int refused = 0;
    RandomMatrices<n> random(12);
    for (int round = 0; round < count; ++round) {
        solve::SmallInverse<double> m = random.matrix();
        const auto given = m;
        double b[n], x[n];
        for (int i = 0; i < n; ++i) x[i] = b[i] = random.number();
        if (!solve::invert_small(m, n)) continue;
        if (!solve::apply_small(m, n, true, x)) {
            ++refused;
            continue;
        }
        for (int i = 0; i < n; ++i) {
            long double left = b[i], size = std::abs(b[i]);
            for (int j = 0; j < n; ++j)
                left -= static_cast<long double>(given.a[i][j]) * x[j], size += std::abs(given.a[i][j] * x[j]);
            worst = std::max(worst, static_cast<double>(std::abs(left) / size));
        }
    }
    return {worst, refused};
}

TEST(SmallInverses, SolveLinearSystemsOrRefuseTo) {
    constexpr int count = 20000;
    for (const auto& [worst, refused] :
         {solved_directly<4>(count), solved_directly<6>(count), solved_directly<8>(count)}) {
        EXPECT_LE(worst, 4.6e-16); // 2.3e-16; without looking at what is left 7e-5
        EXPECT_LE(refused, 3900);
    }
}

} // namespace
} // namespace rattleback
