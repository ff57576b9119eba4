// Derivatives row by row: every function of the table, smooth quotients at 0, choices, linear systems.
#include <gtest/gtest.h>

#include "solve/system.hpp"

#include <set>

#include "expr/formulas.hpp"

namespace rattleback {
namespace {

using test::error, test::evaluate, test::magnitude, test::slope, test::Tree;

class DiffRowsTest : public testing::Test {
  protected:
    Graph g;
    Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z"), v = g.symbol("v");
    std::array<Expr, 3> xyz{x, y, z};
    Vec leaves{{{"x", x}, {"y", y}, {"z", z}}};

    quad at(const Expr& f, std::span<const quad> point) {
        return f.graph() ? evaluate<quad>(g, f, xyz, point) : *f.constant();
    }
};

// Every row at points of its domain, also where a quotient would be 0/0: first, second and third derivative.
TEST_F(DiffRowsTest, every_row) {
    const std::vector<quad> anywhere = {-2.7, -1.1, -0.3, -1e-9, 1e-12, 0.2, 0.9, 1.7, 3.1};
    const std::vector<quad> positive = {1e-2, 0.3, 0.9, 1.7, 30}, inside = {-0.9, -0.3, 1e-9, 0.5, 0.95};
    std::set<Op> rows;
    const auto check = [&](const Tree& t, std::size_t i, std::vector<quad> point) {
        rows.insert(t.op);
        Expr f = t.build(xyz);
        const double size = static_cast<double>(magnitude(point[i]));
        const quad h = size < 1e-6 ? 1e-5 : 1e-5 * std::min(1.0, size);
        for (int order = 1; order <= 3; ++order) {
            const Expr d = derivative(f, xyz[i]);
            const quad expected = slope(
                [&](quad step) {
                    std::vector<quad> p = point;
                    p[i] += step;
                    return order == 1 ? t.value(p) : at(f, p);
                },
                h);
            const double e = error(at(d, point), expected);
            EXPECT_LT(e, 1.2e-26) << to_text(t.build(xyz)) << ", argument " << i << " at " << real::to_text(point[i])
                                  << ", derivative " << order << " = " << to_text(d, 200);
            f = d;
        }
    };
    const Tree X{Op::symbol, 0}, Y{Op::symbol, 1};
    for (Op op : {Op::neg, Op::sin, Op::cos, Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::exp, Op::erf})
        for (quad p : anywhere) check({op, 0, 0, {X}}, 0, {p, 1, 1});
    for (Op op : {Op::log, Op::sqrt, Op::abs, Op::sign})
        for (quad p : positive) check({op, 0, 0, {X}}, 0, {p, 1, 1});
    for (Op op : {Op::abs, Op::sign}) check({op, 0, 0, {X}}, 0, {-0.7, 1, 1});
    for (Op op : {Op::asin, Op::acos})
        for (quad p : inside) check({op, 0, 0, {X}}, 0, {p, 1, 1});
    for (quad p : {-1.2, -0.3, 1e-9, 1.2}) check({Op::tan, 0, 0, {X}}, 0, {p, 1, 1});
    for (std::size_t i = 0; i < 2; ++i) {
        for (Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::atan2, Op::min, Op::max, Op::hypot, Op::power, Op::lt,
                      Op::le, Op::gt, Op::ge, Op::eq, Op::ne, Op::both, Op::either})
            for (quad p : {0.3, 1.7})
                for (quad q : {0.4, 2.2}) check({op, 0, 0, {X, Y}}, i, {p, q, 1});
        for (Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::atan2, Op::min, Op::max, Op::hypot})
            check({op, 0, 0, {X, Y}}, i, {-0.6, i == 0 ? 0.8 : -0.9, 1});
    }
    for (int n = -4; n <= 6; ++n)
        for (quad p : {-1.3, -0.4, 0.7}) check({Op::power, 0, 0, {X, {Op::constant, 0, quad(n)}}}, 0, {p, 1, 1});
    for (int n : {0, 1, 2, 3, 5}) // a whole power is smooth at 0
        check({Op::power, 0, 0, {X, {Op::constant, 0, quad(n)}}}, 0, {0, 1, 1});
    for (quad c : {0.5, 1.5, -0.5, 0.3}) check({Op::power, 0, 0, {X, {Op::constant, 0, c}}}, 0, {1.9, 1, 1});
    for (int k = 0; k <= 4; ++k) // the border between series and recursion is at |u| = (k+1)(k+2)
        for (quad u : {-45.0, -7.0, -0.3, -1e-8, 0.0, 1e-30, 1e-8, 1e-3, 0.9, 1.999, 2.001, 11.99, 12.01, 30.0, 50.0})
            check({Op::stumpff, 0, 0, {{Op::constant, 0, quad(k)}, X}}, 0, {u, 1, 1});
    for (quad p : {0.3, -0.3}) check({Op::choose, 0, 0, {X, {Op::sin, 0, 0, {X}}, Y}}, 0, {p, 1, 1});
    // Rows that were added to functions.def since then: wherever they have a value and are smooth.
    for (const Function& f : functions()) {
        if (rows.contains(f.op)) continue;
        ASSERT_LE(f.arity, 2) << f.name;
        const Tree t{f.op, 0, 0, f.arity == 1 ? std::vector{X} : std::vector{X, Y}};
        for (std::size_t i = 0; i < static_cast<std::size_t>(f.arity); ++i)
            for (quad p : {-2.7, -1.1, -0.3, 0.2, 0.9, 1.7, 3.1}) {
                std::vector<quad> point{0.7, 0.7, 1};
                point[i] = p;
                const auto moved = [&](quad step) {
                    std::vector<quad> q = point;
                    q[i] += step;
                    return t.value(q);
                };
                if (test::safe_slope(moved)) check(t, i, point);
            }
        EXPECT_TRUE(rows.contains(f.op)) << f.name << " has no value anywhere";
    }
}

TEST_F(DiffRowsTest, smooth_quotients_at_zero) { // Taylor coefficients of sinc(x) and (1 - cos x)/x^2 at 0
    test::TestScope scope(g);
    scope.add("x");
    const struct {
        const char* formula;
        std::array<quad, 5> derivatives; // of order 0, 1, ...
    } table[] = {
        {"sinc(x)", {1, 0, quad(-1) / 3, 0, quad(1) / 5}},
        {"cosc(x)", {quad(1) / 2, 0, quad(-1) / 12, 0, quad(1) / 30}},
        {"sinc3(x)", {quad(1) / 6, 0, quad(-1) / 60, 0, quad(1) / 210}},
        {"sinhc(x)", {1, 0, quad(1) / 3, 0, quad(1) / 5}},
        {"cosroot(x)", {1, quad(-1) / 2, quad(1) / 12, quad(-1) / 120, quad(1) / 1680}},
    };
    for (const auto& [formula, derivatives] : table) {
        Expr f = scope(formula);
        for (std::size_t k = 0; k < 5; ++k, f = derivative(f, x))
            EXPECT_LT(error(at(f, std::array<quad, 3>{0, 0, 0}), derivatives[k]), 1e-33) << formula << " " << k;
    }
}

TEST_F(DiffRowsTest, the_branch_not_taken_does_no_harm) {
    test::TestScope scope(g);
    for (const char* s : {"x", "y", "z"}) scope.add(s);
    const struct {
        const char* formula;
        quad x, value, slope, curvature;
    } table[] = {
        {"if(x == 0, 1, sin(x)/x)", 0, 1, 0, 0},
        {"if(x > 0, sqrt(x), 0)", -1, 0, 0, 0},
        {"if(x > 0, x*log(x), x^2)", 0, 0, 0, 2},
        {"3*if(x < 1, x^2, 1/(x - x))", 0.5, 0.75, 3, 6},
        {"sin(if(x < 1, x, (x - x)/(x - x)))", 0, 0, 1, 0},
        {"if(x < 1, x^3, if(x > 2, log(1 - x), 1/0))", 0.5, 0.125, 0.75, 3},
        {"max(x^2, if(x > 0, 1/x, -1))", -1, 1, -2, 2},
        {"max(sqrt(x), 1)", 0, 1, 0, 0},
        {"min(log(x), 5) + 2", 1, 2, 1, -1},
    };
    for (const auto& [formula, point, value, first, second] : table) {
        const Expr f = scope(formula), d = derivative(f, x), dd = derivative(d, x);
        const Expr a = derivative_along(f, leaves, Vec({{"", 1}, {"", 0}, {"", 0}}));
        const std::array<quad, 3> p{point, 0, 0};
        EXPECT_LT(error(at(f, p), value), 1e-33) << formula;
        EXPECT_LT(error(at(d, p), first), 1e-33) << formula << ": " << to_text(d);
        EXPECT_LT(error(at(a, p), first), 1e-33) << formula << ", along: " << to_text(a);
        EXPECT_LT(error(at(dd, p), second), 1e-33) << formula << ": " << to_text(dd);
        for (const JacobianTerm& t : jacobian(Vec({{"f", f}}), leaves))
            EXPECT_LT(error(at(t.value, p), first), 1e-33) << formula << ", forward: " << to_text(t.value);
    }
}

TEST_F(DiffRowsTest, solutions_of_linear_systems) {
    test::TestScope scope(g);
    for (const char* s : {"x", "y", "z"}) scope.add(s);
    scope.add("w", scope.tensor("solve([[2 + x^2, y, 0.5], [sin(y), 3, x*y], [0.3, z, 4 + z^2]], [x, y*z, 1])"));
    scope.add("u", scope.tensor("solve([[1 + w[1]^2, z], [x, 5]], [w[2], w[3]*y])")); // a solution in a solution
    const Expr f = scope("w[1]*w[2] + sin(w[3]) + u[1]^2 - u[2]*x");
    const Vec first = gradient(f, leaves);
    const Expr along = derivative_along(f, leaves, Vec({{"", 1}, {"", y}, {"", -2}}));
    Vec results({{"f", f}, {"along", along}});
    for (const Component& c : first) results.push_back(c);
    for (const JacobianTerm& t : jacobian(Vec({{"f", f}}), leaves)) results.push_back({"forward", t.value});
    ASSERT_EQ(results.size(), 8u);
    for (const Component& c : first) results = concat({results, gradient(c.value, leaves)});
    const std::shared_ptr<Graph> shared(&g, [](Graph*) {});
    SystemSolver<quad> solver(compile({shared, leaves, {}, {}, results}));
    const auto values = [&](const std::array<quad, 3>& p) {
        Report report;
        std::copy(p.begin(), p.end(), solver.given());
        EXPECT_TRUE(solver.solve(report)) << report.text();
        std::vector<quad> out;
        for (std::size_t i = 0; i < solver.result_count(); ++i) out.push_back(solver.result(i));
        return out;
    };
    const std::array<quad, 3> p{0.7, -0.4, 1.2};
    const std::vector<quad> here = values(p);
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto moved = [&](std::size_t result) {
            return slope(
                [&](quad d) {
                    auto q = p;
                    return q[i] += d, values(q)[result];
                },
                1e-4);
        };
        worst = std::max({worst, error(here[2 + i], moved(0)), error(here[5 + i], here[2 + i])});
        for (std::size_t j = 0; j < 3; ++j) worst = std::max(worst, error(here[8 + 3 * j + i], moved(2 + j)));
    }
    worst = std::max(worst, error(here[1], here[2] + p[1] * here[3] - 2 * here[4]));
    EXPECT_LT(worst, 9e-31);                                                             // measured 4.1e-31
    EXPECT_TRUE(g.solve(std::array{x, y, z, v}, std::array{Expr(0), Expr(0)})[0].is(0)); // A w = 0
    EXPECT_EQ(g.solve(std::array{x}, std::array{y})[0], y / x);
}

TEST_F(DiffRowsTest, stumpff_functions_have_mpmath_s_values) {
    const struct {
        int k;
        const char *u, *value;
    } table[] = {
        {1, "40", "0.006539307734329602199019595977820891"},
        {2, "1e4", "0.00001376811277123160658980614860491575"},
        {3, "-30", "0.6944621802404839207241313961449323"},
        {5, "41.9", "0.003424726853211784518617121847727671"},
        {5, "42.1", "0.003412348478063484220582174868836584"},
        {12, "181", "0.0000000009634235748968198609853703220859197"},
        {12, "183", "0.0000000009571763546192977825125613702945893"},
        {13, "1e3", "2.248662150128378842388855259492151e-11"},
        {13, "1e4", "2.477851100350926954942274167763995e-12"},
        {16, "-500", "6.242166786293627089282437561627443e-13"},
        {20, "461", "1.957209533155948097098741853574594e-19"},
        {20, "1e6", "1.561442863811965883485192067839811e-22"},
        {64, "5e3", "3.573911125114304352266993115738004e-90"},
    };
    for (const auto& [k, u, value] : table) { // measured 6.7e-34 and 9.1e-15 (sin near a zero)
        const quad expected = real::parse(value), argument = real::parse(u);
        const quad got = real::stumpff<quad>(k, argument);
        const double in_double = real::stumpff<double>(k, static_cast<double>(argument));
        EXPECT_LT(static_cast<double>(magnitude(got / expected - 1)), 1.4e-33) << "c_" << k << "(" << u << ")";
        EXPECT_LT(static_cast<double>(magnitude(in_double / expected - 1)), 1.8e-14) << "c_" << k << "(" << u << ")";
    }
    EXPECT_NE(real::stumpff<double>(65, 1), real::stumpff<double>(65, 1)); // NaN
    EXPECT_NE(real::stumpff<double>(0.5, 1), real::stumpff<double>(0.5, 1));
    EXPECT_NE(real::stumpff<double>(-1, 1), real::stumpff<double>(-1, 1));
}

} // namespace
} // namespace rattleback
