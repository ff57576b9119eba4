// The tape: its values bit for bit, powers as products, sections and scopes, and where a NaN was born.
#include <gtest/gtest.h>

#include <set>

#include "expr/formulas.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

using test::error, test::evaluate;

template <class T> bool same_bits(T x, T y) { return (x != x && y != y) || (x == y && (x != 0 || 1 / x == 1 / y)); }

double fused(double x, double y, double z) { return std::fma(x, y, z); }
template <class T> T fused(T x, T y, T z) { return x * y + z; }

// One operation, written down a second time; rows that were added to functions.def since then as they are there.
template <class T> T apply(Op op, T x, T y, T z) {
    switch (op) {
    case Op::add: return x + y;
    case Op::sub: return x - y;
    case Op::mul: return x * y;
    case Op::div: return x / y;
    case Op::neg: return -x;
    case Op::power: return real::pow(x, y);
    case Op::sin: return real::sin(x);
    case Op::cos: return real::cos(x);
    case Op::tan: return real::tan(x);
    case Op::asin: return real::asin(x);
    case Op::acos: return real::acos(x);
    case Op::atan: return real::atan(x);
    case Op::atan2: return real::atan2(x, y);
    case Op::sinh: return real::sinh(x);
    case Op::cosh: return real::cosh(x);
    case Op::tanh: return real::tanh(x);
    case Op::exp: return real::exp(x);
    case Op::log: return real::log(x);
    case Op::sqrt: return real::sqrt(x);
    case Op::abs: return real::abs(x);
    case Op::sign: return x > 0 ? T(1) : x < 0 ? T(-1) : T(0);
    case Op::min: return y < x ? y : x;
    case Op::max: return y > x ? y : x;
    case Op::hypot: return real::hypot(x, y);
    case Op::erf: return real::erf(x);
    case Op::stumpff: return real::stumpff(x, y);
    case Op::lt: return x < y ? T(1) : T(0);
    case Op::le: return x <= y ? T(1) : T(0);
    case Op::gt: return x > y ? T(1) : T(0);
    case Op::ge: return x >= y ? T(1) : T(0);
    case Op::eq: return x == y ? T(1) : T(0);
    case Op::ne: return x != y ? T(1) : T(0);
    case Op::both: return x != 0 && y != 0 ? T(1) : T(0);
    case Op::either: return x != 0 || y != 0 ? T(1) : T(0);
    case Op::choose: return x != 0 ? y : z;
    case Op::fma: return fused(x, y, z);
    case Op::fms: return fused(x, y, -z);
    case Op::fnma: return fused(-x, y, z);
    default: return test::row_value<T>(op, x, y, z);
    }
}

class TapeTest : public testing::Test {
  protected:
    Graph g;
    Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
    std::array<Expr, 3> xyz{x, y, z};
};

// Every slot of the tape equals its operation applied to the slots of its arguments.
template <class T> void slots_are_one_by_one(Graph& g, std::span<const Expr> symbols, std::set<Op>& seen) {
    for (unsigned seed = 0; seed < 1500; ++seed) {
        test::RandomFormulas random(seed);
        ProgramBuilder builder(g);
        std::vector<T> inputs;
        for (const quad p : random.point()) inputs.push_back(static_cast<T>(p));
        for (std::size_t i = 0; i < 3; ++i) builder.input(symbols[i]);
        const Expr f = random.formula(5).build(symbols);
        builder.section(std::array{f});
        const Program program = builder.finish();
        std::vector<T> slots(program.slots);
        load_constants(program, slots.data());
        std::copy(inputs.begin(), inputs.end(), slots.begin());
        const Section& section = program.sections[0];
        execute(program, section, slots.data());
        for (const Group& group : section.groups)
            for (std::uint32_t i = 0; i < group.count; ++i) {
                const auto operand = [&](int a) {
                    const auto row = static_cast<std::uint32_t>(a);
                    return a < arity(group.op) ? slots[program.operands[group.operands + row * group.count + i]] : T(0);
                };
                const Slot slot = group.target + i;
                ASSERT_TRUE(same_bits(slots[slot], apply<T>(group.op, operand(0), operand(1), operand(2))))
                    << "seed " << seed << ": " << to_text(Expr(g, section.nodes[slot - section.first]), 200);
                seen.insert(group.op);
            }
    }
}

TEST_F(TapeTest, every_slot_is_its_operation_bit_for_bit) {
    std::set<Op> seen;
    slots_are_one_by_one<double>(g, xyz, seen);
    for (const Function& f : functions()) EXPECT_TRUE(seen.contains(f.op)) << f.name << " " << int(f.op);
    for (Op op : {Op::fma, Op::fms, Op::fnma}) EXPECT_TRUE(seen.contains(op)) << int(op);
    slots_are_one_by_one<long double>(g, xyz, seen);
    slots_are_one_by_one<quad>(g, xyz, seen);
}

TEST_F(TapeTest, all_scalars_agree_with_the_formula) {
    int compared = 0;
    double worst = 0, worst_long = 0, worst_quad = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        test::RandomFormulas random(seed + 50000);
        const test::Tree tree = random.formula(3);
        const std::vector<quad> p = random.point();
        const std::vector<double> d(p.begin(), p.end());
        const std::vector<quad> rounded(d.begin(), d.end());
        const quad expected = tree.value(rounded);
        // Only where the value does not depend on the last digits of the numbers: else nothing can be said in double.
        std::vector<quad> moved = rounded;
        for (quad& m : moved) m += m * 1e-13;
        if (!(error(tree.value(moved), expected) < 1e-11)) continue;
        const Expr f = tree.build(xyz);
        const std::vector<long double> l(d.begin(), d.end());
        worst = std::max(worst, error(evaluate<double>(g, f, xyz, d), expected));
        worst_long = std::max(worst_long, error(evaluate<long double>(g, f, xyz, l), expected));
        worst_quad = std::max(worst_quad, error(evaluate<quad>(g, f, xyz, rounded), expected));
        ++compared;
    }
    EXPECT_GT(compared, 1000);
    EXPECT_LT(worst, 5e-15);      // measured 2.4e-15
    EXPECT_LT(worst_long, 2e-18); // measured 9.6e-19
    EXPECT_LT(worst_quad, 2e-32); // measured 8.8e-33
}

TEST_F(TapeTest, powers_are_products) {
    double worst_whole = 0, worst_half = 0;
    for (int halves = -16; halves <= 16; ++halves) {
        const Expr f = pow(x, g.constant(quad(halves) / 2));
        ProgramBuilder builder(g);
        builder.input(x);
        builder.section(std::array{f});
        const Program program = builder.finish();
        for (const Group& group : program.sections[0].groups) EXPECT_NE(group.op, Op::power) << halves;
        for (int i = 1; i < 200; ++i) {
            const double at = 0.013 * i * (halves % 2 ? 1 : i % 2 ? 1 : -1);
            const double got = evaluate<double>(g, f, std::array{x}, std::array{at});
            const quad expected = real::pow(quad(at), quad(halves) / 2);
            const double e = static_cast<double>(test::magnitude(got / expected - 1));
            (halves % 2 ? worst_half : worst_whole) = std::max(halves % 2 ? worst_half : worst_whole, e);
            const quad in_quad = evaluate<quad>(g, f, std::array{x}, std::array{quad(at)});
            EXPECT_LT(static_cast<double>(test::magnitude(in_quad / expected - 1)), 2e-33)
                << at << "^" << halves << "/2";
        }
    }
    EXPECT_LT(worst_whole, 1.1e-15);                   // measured 5.2e-16
    EXPECT_LT(worst_half, 1e-15);                      // measured 4.8e-16
    for (double exponent : {65.0, 0.3, -1e5, 32.25}) { // the rest is left to pow
        const double got = evaluate<double>(g, pow(x, exponent), std::array{x}, std::array{1.0001});
        EXPECT_EQ(got, std::pow(1.0001, exponent));
    }
    EXPECT_EQ(evaluate<double>(g, pow(x, 64), std::array{x}, std::array{2.0}), std::ldexp(1, 64));
}

TEST_F(TapeTest, what_is_known_is_not_computed_again) {
    ProgramBuilder builder(g);
    builder.input(x), builder.input(y);
    const Expr shared = fn::sin(x) * y;
    builder.section(std::array{shared});
    const std::vector<Slot> later = builder.section(std::array{shared + 1, fn::exp(shared), shared});
    const Program program = builder.finish();
    ASSERT_EQ(program.sections.size(), 2u);
    EXPECT_EQ(program.sections[0].nodes.size(), 2u);
    EXPECT_EQ(program.sections[1].nodes.size(), 2u); // the sum and exp
    EXPECT_LT(later[2], program.sections[1].first);
    for (const Section& s : program.sections) {
        std::set<Slot> written;
        for (const Group& group : s.groups) { // nor does a group read what it writes itself
            const int arity = function(group.op).arity;
            for (std::uint32_t i = 0; i < group.count * static_cast<std::uint32_t>(arity); ++i) {
                const Slot operand = program.operands[group.operands + i];
                EXPECT_FALSE(operand >= group.target && operand < group.target + group.count);
            }
            for (std::uint32_t i = 0; i < group.count; ++i) EXPECT_TRUE(written.insert(group.target + i).second);
        }
    }
}

TEST_F(TapeTest, scopes_forget) {
    ProgramBuilder builder(g);
    builder.input(x), builder.input(y);
    const Expr kept = fn::sin(x), inner = fn::cos(y) * kept;
    builder.section(std::array{kept});
    builder.begin_scope();
    builder.section(std::array{inner});
    const auto again = builder.section(std::array{inner});
    builder.end_scope();
    const auto outside = builder.section(std::array{inner});
    const Program program = builder.finish();
    EXPECT_EQ(program.sections[1].nodes.size(), 2u);
    EXPECT_EQ(program.sections[2].nodes.size(), 0u); // known within the scope
    EXPECT_EQ(program.sections[3].nodes.size(), 2u); // computed again after it, but for sin(x)
    EXPECT_NE(again, outside);
}

TEST_F(TapeTest, invariants_are_the_largest_constant_parts) {
    ProgramBuilder builder(g);
    for (const Expr& s : xyz) builder.input(s);
    const Expr fixed = fn::sin(x) * y, f = fixed * fn::exp(z) + fn::sqrt(x) + z * fn::sin(x), alone = fn::cos(fixed);
    std::vector<Expr> found = builder.invariants(std::array{f, alone, x}, std::array{z});
    std::vector<std::string> texts;
    for (const Expr& e : found) texts.push_back(to_text(e));
    std::sort(texts.begin(), texts.end());
    std::vector<std::string> expected{to_text(fixed), "cos(" + to_text(fixed) + ")", "sin(x)", "sqrt(x)"};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(texts, expected);
    EXPECT_TRUE(builder.invariants(std::array{z * 2}, std::array{z}).empty());
}

TEST_F(TapeTest, aliases_stand_for_formulas) {
    const auto value = [&](const Expr& f, const Expr& stands_for) {
        ProgramBuilder builder(g);
        builder.input(x);
        builder.alias(y, stands_for);
        const Slot slot = builder.section(std::array{f})[0];
        const Program program = builder.finish();
        std::vector<double> slots(program.slots);
        load_constants(program, slots.data());
        slots[0] = 3;
        execute(program, program.sections[0], slots.data());
        return slots[slot];
    };
    EXPECT_EQ(value(y * y + 1, x + 2), 26);
    EXPECT_EQ(value(y, 7), 7);
    EXPECT_EQ(value(pow(x, y), 2), 9); // the exponent becomes a number
    EXPECT_EQ(value(pow(x, y), 1), 3);
    EXPECT_EQ(value(pow(x, y), 0.5), std::sqrt(3.0));
    EXPECT_EQ(value(pow(x, y), 0), 1);
}

TEST_F(TapeTest, what_a_tape_cannot_hold_is_refused) {
    const FamilyId q = g.family({"q", 1, 3, {}, {}});
    const Expr i = g.fresh_index();
    const Expr w = g.solve(std::array{x, y, z, x}, std::array{x, y})[0];
    for (const Expr& f : {x + y, x + g.element(q, 1), g.sum(i, 1, 3, g.element(q, i)), x * i, fn::sin(w)}) {
        ProgramBuilder builder(g);
        builder.input(x);
        EXPECT_THROW(builder.section(std::array{f}), ExprError) << to_text(f);
    }
}

TEST_F(TapeTest, long_sums_make_few_groups) {
    std::vector<Expr> terms;
    for (int k = 0; k < 100000; ++k) terms.push_back(fn::sin(x * (k + 2)));
    ProgramBuilder builder(g);
    builder.input(x);
    builder.section(std::array{g.balanced_sum(terms)});
    EXPECT_EQ(builder.finish().sections[0].groups.size(), 2u + 17u); // products, sines, log2 of the sums
}

TEST_F(TapeTest, the_birth_of_a_nan) {
    const auto culprit = [&](const Expr& f, std::array<double, 3> p) {
        ProgramBuilder builder(g);
        for (const Expr& s : xyz) builder.input(s);
        builder.section(std::array{f});
        const Program program = builder.finish();
        std::vector<double> slots(program.slots);
        load_constants(program, slots.data());
        std::copy(p.begin(), p.end(), slots.begin());
        execute(program, program.sections[0], slots.data());
        const auto id = first_not_finite(program, program.sections[0], slots.data());
        return id ? to_text(Expr(g, *id)) : "none";
    };
    EXPECT_EQ(culprit(fn::sin(fn::sqrt(x) + y), {-1, 0, 0}), "sqrt(x)");
    EXPECT_EQ(culprit(fn::log(x - y) * 2 + z, {1, 1, 0}), "log(x - y)");
    EXPECT_EQ(culprit(fn::exp(x) + 1 / (y - z), {1, 2, 2}), "1/(y - z)");
    EXPECT_EQ(culprit(fn::exp(fn::exp(x)), {10, 0, 0}), "exp(exp(x))");
    EXPECT_EQ(culprit(x * y, {1, 2, 3}), "none");
    EXPECT_EQ(culprit(fn::sin(x), {HUGE_VAL, 0, 0}), "none");                                // it came in that way
    EXPECT_EQ(culprit(fn::choose(fn::gt(x, 0), fn::sqrt(x), 0) + 1 / y, {-1, 0, 0}), "1/y"); // sqrt(-1) is not used
    EXPECT_EQ(culprit(fn::choose(fn::gt(x, 0), fn::sqrt(x), 0), {-1, 0, 0}), "none");
}

} // namespace
} // namespace rattleback
