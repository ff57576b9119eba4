// Simplification while formulas are built ("folding"). The rules are local: they look one or two nodes deep, so
// building takes time linear in the size of a formula. They serve three ends: constants are folded, in quad; terms that
// vanish disappear, so that explicit equations are recognised as explicit; equal formulas get one form, hence one node.
#include <array>

#include "expr/binary.hpp"
#include "expr/graph.hpp"
#include "expr/index_numbers.hpp"

namespace rattleback {
quad evaluate(Op op, [[maybe_unused]] quad x, [[maybe_unused]] quad y, [[maybe_unused]] quad z) {
    using T = quad;
    switch (op) {
#define RATTLEBACK_FUNCTION(id, arity, name, value, ...)                                                               \
    case Op::id:                                                                                                       \
        return value;
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
    default: return 0;
    }
}

namespace {

// Looks at the exponent's bits only: this is called for every product and every sum.
bool finite(quad x) { return Binary<quad>::exponent(x) <= 2 * Binary<quad>::bias; }

Graph* graph_of(std::span<const Expr> args) {
    for (const Expr& e : args)
        if (e.graph()) return e.graph();
    return nullptr;
}

bool is(const Expr& e, Op op) { return e.graph() && e.op() == op; }
Expr arg(const Expr& e, int i) {
    const Node& n = e.graph()->node(e.id());
    return {*e.graph(), i == 0 ? n.a : i == 1 ? n.b : n.c};
}

Expr make(Op op, const Expr& x, const Expr& y) {
    Graph& g = *(x.graph() ? x.graph() : y.graph());
    return {g, g.make(op, x.in(g), y.in(g))};
}
Expr make(Op op, const Expr& x) { return {*x.graph(), x.graph()->make(op, x.id())}; }

std::optional<Expr> fold_numbers(Op op, std::span<const Expr> args) {
    std::array<quad, 3> v{};
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto c = args[i].constant();
        if (!c) return {};
        v[i] = *c;
    }
    const quad result = evaluate(op, v[0], v[1], v[2]);
    if (!finite(result)) return {}; // 1/0 is not folded, so that a message can show it
    Graph* g = graph_of(args);
    return g ? g->constant(result) : Expr(result);
}

bool is_power_of_two(quad x) {
    if (x < 0) x = -x;
    if (!finite(x)) return false;
    for (; x > 1; x /= 2) {}
    for (; x < 1 && x > 0; x *= 2) {}
    return x == 1;
}

Expr negate(const Expr& x) {
    if (is(x, Op::neg)) return arg(x, 0);
    if (is(x, Op::sub)) return make(Op::sub, arg(x, 1), arg(x, 0));
    if (is(x, Op::mul) && arg(x, 0).constant()) return -arg(x, 0) * arg(x, 1);
    return make(Op::neg, x);
}

// A term as c * u with a constant c, so that 2x + 3x becomes 5x.
std::pair<quad, Expr> coefficient(const Expr& x) {
    if (const auto c = x.constant()) return {*c < 0 ? -1 : 1, *c < 0 ? -x : x};
    if (is(x, Op::neg)) return {-1, arg(x, 0)};
    if (is(x, Op::mul))
        if (auto c = arg(x, 0).constant()) return {*c, arg(x, 1)};
    return {1, x};
}

// A sum as u + c with the constant last, so that (x + 1) - 3 becomes x - 2, and the index (i + 1) - 1 becomes i.
std::pair<Expr, quad> offset(const Expr& x) {
    if (is(x, Op::add) || is(x, Op::sub))
        if (const auto c = arg(x, 1).constant()) return {arg(x, 0), x.op() == Op::add ? *c : -*c};
    return {x, 0};
}

// Canonical form of sums: no operand has a minus sign. It is a - b, not a + (-1)*b, and -(a + b), not -a - b.
Expr add(const Expr& x, const Expr& y) {
    if (x.is(0)) return y;
    if (y.is(0)) return x;
    if (x.constant() && !y.constant()) return add(y, x);
    if (const auto c = y.constant(); c && !x.constant()) {
        if (const auto [u, d] = offset(x); d != 0 && finite(*c + d)) return u + Expr(*c + d);
        if (is(x, Op::sub) && arg(x, 0).constant()) return (arg(x, 0) + y) - arg(x, 1);
    }
    if (is(x, Op::sub) && arg(x, 1) == y) return arg(x, 0);
    if (is(y, Op::sub) && arg(y, 1) == x) return arg(y, 0);
    const auto [cx, ux] = coefficient(x);
    const auto [cy, uy] = coefficient(y);
    if (ux.graph() && ux == uy && finite(cx + cy)) return Expr(cx + cy) * ux;
    if (cx < 0) return cy < 0 ? -(-x + -y) : y - -x;
    if (cy < 0) return x - -y;
    if (y.constant() || (x.graph() && y.graph() && x.id() <= y.id())) return make(Op::add, x, y);
    return make(Op::add, y, x);
}

Expr subtract(const Expr& x, const Expr& y) {
    if (y.is(0)) return x;
    if (x.is(0)) return negate(y);
    if (const auto c = y.constant(); c && !x.constant()) {
        if (const auto [u, d] = offset(x); d != 0 && finite(d - *c)) return u + Expr(d - *c);
        if (is(x, Op::sub) && arg(x, 0).constant()) return (arg(x, 0) - y) - arg(x, 1);
    }
    if (const auto c = x.constant(); c && !y.constant()) {
        if (const auto [u, d] = offset(y); d != 0 && finite(*c - d)) return Expr(*c - d) - u;
    }
    for (int i = 0; i < 2; ++i) {
        if (is(x, Op::add) && arg(x, i) == y) return arg(x, 1 - i);
        if (is(y, Op::add) && arg(y, i) == x) return -arg(y, 1 - i);
    }
    if (is(x, Op::sub) && arg(x, 0) == y) return -arg(x, 1);
    if (is(y, Op::sub) && arg(y, 0) == x) return arg(y, 1);
    const auto [cx, ux] = coefficient(x);
    const auto [cy, uy] = coefficient(y);
    if (ux.graph() && ux == uy && finite(cx - cy)) return Expr(cx - cy) * ux;
    if (cy < 0) return x + -y;
    if (cx < 0) return -(-x + y);
    return make(Op::sub, x, y);
}

// base^n with a constant n; a plain formula is base^1.
std::pair<Expr, quad> base_and_exponent(const Expr& x) {
    if (is(x, Op::power))
        if (auto n = arg(x, 1).constant()) return {arg(x, 0), *n};
    return {x, 1};
}

Expr multiply(const Expr& x, const Expr& y) {
    if (x.is(0) || y.is(0)) return 0.0;
    if (x.is(1)) return y;
    if (y.is(1)) return x;
    if (y.constant() && !x.constant()) return multiply(y, x); // canonical form of products: the constant first
    if (const auto c = x.constant()) {
        if (*c == -1) return negate(y);
        if (is(y, Op::neg)) return Expr(-*c) * arg(y, 0);
        if (is(y, Op::mul))
            if (const auto d = arg(y, 0).constant(); d && finite(*c * *d)) return Expr(*c * *d) * arg(y, 1);
        return make(Op::mul, x, y);
    }
    const auto [cx, ux] = coefficient(x);
    const auto [cy, uy] = coefficient(y);
    if ((cx != 1 || cy != 1) && finite(cx * cy)) return Expr(cx * cy) * (ux * uy);
    if (is(y, Op::div) && arg(y, 1) == x) return arg(y, 0);
    if (is(x, Op::div) && arg(x, 1) == y) return arg(x, 0);
    if (is(x, Op::div) && is(y, Op::div) && arg(x, 0).constant() && arg(y, 0).constant())
        return arg(x, 0) * arg(y, 0) / (arg(x, 1) * arg(y, 1));
    if (is(y, Op::div) && arg(y, 0).constant()) return arg(y, 0) * (x / arg(y, 1));
    if (is(x, Op::div) && arg(x, 0).constant()) return arg(x, 0) * (y / arg(x, 1));
    const auto [bx, nx] = base_and_exponent(x);
    const auto [by, ny] = base_and_exponent(y);
    if (bx == by) return pow(bx, nx + ny);
    return x.id() <= y.id() ? make(Op::mul, x, y) : make(Op::mul, y, x);
}

// x / y if y is a factor of x, at most three products deep.
std::optional<Expr> cancel(const Expr& x, const Expr& y, int depth) {
    if (x == y && !y.is(0)) return Expr(1);
    const auto [base, n] = base_and_exponent(x);
    if (n != 1 && base == y) return pow(base, n - 1);
    if (depth == 0 || !is(x, Op::mul)) return {};
    for (int i = 0; i < 2; ++i)
        if (const auto rest = cancel(arg(x, i), y, depth - 1)) return *rest * arg(x, 1 - i);
    return {};
}

Expr divide(const Expr& x, const Expr& y) {
    if (x.is(0) && !y.is(0)) return 0.0;
    if (y.is(1)) return x;
    if (y.is(-1)) return -x;
    if (const auto c = y.constant(); c && is_power_of_two(*c) && finite(1 / *c)) return Expr(1 / *c) * x; // exact
    if (const auto rest = cancel(x, y, 3)) return *rest;
    if (is(y, Op::neg)) return -(x / arg(y, 0));
    if (const auto d = y.constant(); d && *d < 0) return -(x / -y);
    const auto [c, u] = coefficient(x);
    if (c < 0) return -(-x / y);
    if (c != 1 && !y.constant()) return Expr(c) * (u / y);
    return make(Op::div, x, y);
}

Expr raise(const Expr& x, const Expr& y) {
    if (y.is(0) || x.is(1)) return 1.0;
    if (y.is(1)) return x;
    if (const auto n = y.constant()) {
        if (x.is(0) && *n > 0) return 0.0;
        const bool whole = real::floor(*n) == *n, even = whole && real::floor(*n / 2) * 2 == *n;
        const auto [base, m] = base_and_exponent(x);
        if (m != 1 && whole && real::floor(m) == m) return pow(base, *n * m);
        if (even && is(x, Op::neg)) return pow(arg(x, 0), y);
        if (*n == 0.5) return fn::sqrt(x);
    }
    return make(Op::power, x, y);
}

Expr folded(Graph& g, Op op, std::span<const Expr> args) {
    switch (op) {
    case Op::add: return add(args[0], args[1]);
    case Op::sub: return subtract(args[0], args[1]);
    case Op::mul: return multiply(args[0], args[1]);
    case Op::div: return divide(args[0], args[1]);
    case Op::neg: return negate(args[0]);
    case Op::power: return raise(args[0], args[1]);
    case Op::choose:
        if (const auto c = args[0].constant()) return *c != 0 ? args[1] : args[2];
        if (args[1] == args[2]) return args[1];
        break;
    case Op::both:
        for (int i = 0; i < 2; ++i)
            if (const auto c = args[i].constant()) return *c != 0 ? fn::ne(args[1 - i], 0) : Expr(0);
        break;
    default: break;
    }
    std::array<NodeId, 3> ids{};
    for (std::size_t i = 0; i < args.size(); ++i) ids[i] = args[i].in(g);
    return {g, g.make(op, ids[0], ids[1], ids[2])};
}

} // namespace

Expr call(Op op, std::span<const Expr> args) {
    if (const auto number = fold_numbers(op, args)) return *number;
    Graph* g = graph_of(args);
    if (!g) { // all arguments are numbers without a graph, and there is no node to hold a value that is not finite
        throw ExprError("the value of " + std::string(function(op).name.empty() ? "this" : function(op).name) +
                        " is not a finite number");
    }
    return {*g, folded(*g, op, args).in(*g)}; // a constant result is a node of that graph, too: 0*x keeps its graph
}

Expr operator+(const Expr& x, const Expr& y) { return call(Op::add, std::array{x, y}); }
Expr operator-(const Expr& x, const Expr& y) { return call(Op::sub, std::array{x, y}); }
Expr operator*(const Expr& x, const Expr& y) { return call(Op::mul, std::array{x, y}); }
Expr operator/(const Expr& x, const Expr& y) { return call(Op::div, std::array{x, y}); }
Expr operator-(const Expr& x) { return call(Op::neg, std::array{x}); }
Expr pow(const Expr& x, const Expr& y) { return call(Op::power, std::array{x, y}); }

} // namespace rattleback
