// Derivatives against differences of formulas that are not the graph's, against each other, and of every row.
#include <gtest/gtest.h>

#include <rattleback/solve.hpp>

#include <set>

#include "expr/formulas.hpp"

namespace rattleback {
namespace {

using test::error, test::evaluate, test::magnitude, test::Tree;

// Central difference of order 8 in quad: truncation h^8, round-off 2e-34/h.
template <class F> quad slope(const F& f, quad h) {
    const quad weights[] = {quad(4) / 5, quad(-1) / 5, quad(4) / 105, quad(-1) / 280};
    quad sum = 0;
    for (int k = 1; k <= 4; ++k) sum += weights[k - 1] * (f(k * h) - f(-k * h));
    return sum / h;
}

// The slope, if two steps agree on it to 1e-17 (the tolerance has to be looser): no kink or pole is near.
template <class F> std::optional<quad> safe_slope(const F& f) {
    const quad coarse = slope(f, 1e-4), fine = slope(f, 0.6e-4);
    if (!(error(coarse, fine) < 1e-18)) return {};
    return fine;
}

class DiffTest : public testing::Test {
  protected:
    Graph g;
    Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z"), v = g.symbol("v");
    std::array<Expr, 3> xyz{x, y, z};
    Vec leaves{{{"x", x}, {"y", y}, {"z", z}}};

    quad at(const Expr& f, std::span<const quad> point) {
        return f.graph() ? evaluate<quad>(g, f, xyz, point) : *f.constant();
    }
};

void collect_ops(const Graph& g, const Expr& f, std::set<Op>& seen) {
    if (!f.graph()) return;
    for (NodeId id : reachable(g, std::array{f.id()})) seen.insert(g.node(id).op);
}

TEST_F(DiffTest, random_formulas_have_the_slopes_of_differences) {
    int compared = 0;
    double worst = 0, between = 0;
    std::set<Op> seen;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        test::RandomFormulas random(seed);
        const Tree tree = random.formula(6);
        std::vector<quad> point = random.point();
        const quad value = tree.value(point);
        if (value != value) continue;
        const Expr f = tree.build(xyz);
        const Vec reverse = gradient(f, leaves);
        const Expr along = derivative_along(f, leaves, Vec({{"", v}, {"", 2.0}, {"", x}}));
        const Vec row({{"f", f}});
        std::array<quad, 3> forward{};
        for (const JacobianTerm& t : jacobian(row, leaves)) forward[t.column] = at(t.value, point);
        quad total = 0, size = 1 + magnitude(value);
        bool all = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto expected = safe_slope([&](quad d) {
                std::vector<quad> p = point;
                p[i] += d;
                return tree.value(p);
            });
            if (!expected || magnitude(*expected) > 1e8) {
                all = false;
                continue;
            }
            const quad got = at(reverse[i].value, point);
            const double e =
                std::max(error(got, *expected, size), error(at(derivative(f, xyz[i]), point), *expected, size));
            EXPECT_LT(e, 2e-18) << "seed " << seed << ", argument " << i << ": " << to_text(f, 400);
            EXPECT_LT(error(forward[i], got, size), 2e-31) << "seed " << seed << ": forward and reverse";
            worst = std::max(worst, e), between = std::max(between, error(forward[i], got, size));
            const quad direction[] = {quad(3) / 2, 2, point[0]};
            total += direction[i] * got;
            size += magnitude(direction[i] * got);
            ++compared;
            collect_ops(g, f, seen);
        }
        if (!all) continue;
        std::vector<quad> with_v = point;
        with_v.push_back(quad(3) / 2);
        const std::array<Expr, 4> symbols{x, y, z, v};
        const quad got = along.graph() ? evaluate<quad>(g, along, symbols, with_v) : *along.constant();
        EXPECT_LT(error(got, total, size), 2e-31) << "seed " << seed << ": derivative_along";
        between = std::max(between, error(got, total, size));
    }
    std::printf("[ measured ] %d slopes, worst error %.1e, between the three modes %.1e\n", compared, worst, between);
    EXPECT_GT(compared, 3000);
    for (const Function& f : functions())
        EXPECT_TRUE(seen.contains(f.op)) << "no random formula used row " << f.name << " " << int(f.op);
}

TEST_F(DiffTest, second_and_third_derivatives) {
    int compared = 0;
    double worst = 0, worst_third = 0, worst_symmetry = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
        test::RandomFormulas random(seed + 10000);
        const Tree tree = random.formula(4);
        const std::vector<quad> point = random.point();
        if (tree.value(point) != tree.value(point)) continue;
        const Expr f = tree.build(xyz);
        const Vec first = gradient(f, leaves);
        std::array<Vec, 3> second;
        for (std::size_t i = 0; i < 3; ++i) second[i] = gradient(first[i].value, leaves);
        const auto moved = [&](const Expr& e, std::size_t k) { // the difference of a derivative
            return safe_slope([&](quad d) {
                std::vector<quad> p = point;
                p[k] += d;
                return tree.value(p) == tree.value(p) ? at(e, p) : std::numeric_limits<double>::quiet_NaN();
            });
        };
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                const quad hessian = at(second[i][j].value, point), mirrored = at(second[j][i].value, point);
                const auto expected = moved(first[i].value, j);
                if (!expected || magnitude(*expected) > 1e8) continue;
                worst = std::max(worst, error(hessian, *expected));
                EXPECT_LT(error(hessian, *expected), 2e-18) << "seed " << seed << ": " << to_text(f, 400);
                worst_symmetry = std::max(worst_symmetry, error(hessian, mirrored));
                EXPECT_LT(error(hessian, mirrored), 1e-26) << "seed " << seed << ": " << to_text(f, 400);
                ++compared;
                const std::size_t k = (i + j) % 3;
                const auto third = moved(second[i][j].value, k);
                if (!third || magnitude(*third) > 1e8) continue;
                const double e = error(at(gradient(second[i][j].value, leaves)[k].value, point), *third);
                EXPECT_LT(e, 2e-18) << "seed " << seed << ": " << to_text(f, 400);
                worst_third = std::max(worst_third, e);
            }
    }
    std::printf("[ measured ] %d entries, worst error %.1e, third %.1e, symmetric to %.1e\n", compared, worst,
                worst_third, worst_symmetry);
    EXPECT_GT(compared, 1000);
}

// Every row at points of its domain, also where a quotient would be 0/0: first, second and third derivative.
TEST_F(DiffTest, every_row) {
    const std::vector<quad> anywhere = {-2.7, -1.1, -0.3, -1e-9, 1e-12, 0.2, 0.9, 1.7, 3.1};
    const std::vector<quad> positive = {1e-2, 0.3, 0.9, 1.7, 30}, inside = {-0.9, -0.3, 1e-9, 0.5, 0.95};
    std::set<Op> rows;
    double worst = 0;
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
            worst = std::max(worst, e);
            EXPECT_LT(e, 1e-20) << to_text(t.build(xyz)) << ", argument " << i << " at " << real::to_text(point[i])
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
    std::printf("[ measured ] worst error of a row %.1e\n", worst);
    for (const Function& f : functions()) EXPECT_TRUE(rows.contains(f.op)) << f.name << " " << int(f.op);
}

TEST_F(DiffTest, smooth_quotients_at_zero) { // Taylor coefficients of sinc(x) and (1 - cos x)/x^2 at 0
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

TEST_F(DiffTest, the_branch_not_taken_does_no_harm) {
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

TEST_F(DiffTest, solutions_of_linear_systems) {
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
    EXPECT_LT(worst, 1e-26);
    std::printf("[ measured ] solve: worst error %.1e\n", worst);
    EXPECT_TRUE(g.solve(std::array{x, y, z, v}, std::array{Expr(0), Expr(0)})[0].is(0)); // A w = 0
    EXPECT_EQ(g.solve(std::array{x}, std::array{y})[0], y / x);
}

TEST_F(DiffTest, only_symbols_and_families_are_leaves) {
    EXPECT_THROW(derivative(x * y, x * y), ExprError);
    EXPECT_THROW(derivative(x * y, 2.0), ExprError);
    EXPECT_TRUE(derivative(x * y, z).is(0));
    EXPECT_TRUE(derivative(Expr(3), x).is(0));
    EXPECT_EQ(derivative(x * y, x), y);
    EXPECT_EQ(derivative(pow(x, 3), x), 3 * pow(x, 2));
    const FamilyId q = g.family({"q", 1, 3, {}, {}});
    const Expr i = g.fresh_index(), f = g.sum(i, 1, 3, pow(g.element(q, i), 2));
    EXPECT_THROW(derivative(f, g.element(q, 1)), ExprError); // not 0: q[1] is one of the q[i]
}

} // namespace
} // namespace rattleback
