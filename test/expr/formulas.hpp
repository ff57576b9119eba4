// What the tests of formulas share: evaluation through the tape, a scope for formulas written as text, and formulas
// that are not the graph's: trees with an evaluator of their own, so that no test compares the graph with itself.
#pragma once

#include "kernel/program.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>

#include "expr/elaborate.hpp"

namespace rattleback::test {

// The value of a row as functions.def has it, for rows that the evaluators of these tests do not write down once more.
template <class T> T row_value(Op op, [[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z) {
    switch (op) {
#define RATTLEBACK_FUNCTION(id, arity, name, value, ...)                                                               \
    case Op::id:                                                                                                       \
        return value;
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
    default: return std::numeric_limits<double>::quiet_NaN();
    }
}

// The values of formulas without families, by the tape.
template <class T>
std::vector<T> evaluate(Graph& graph, std::span<const Expr> roots, std::span<const Expr> symbols,
                        std::span<const T> values) {
    ProgramBuilder builder(graph);
    std::vector<Slot> inputs;
    for (const Expr& s : symbols) inputs.push_back(builder.input(s));
    const std::vector<Slot> results = builder.section(roots);
    const Program program = builder.finish();
    std::vector<T> slots(program.slots);
    load_constants(program, slots.data());
    for (std::size_t i = 0; i < inputs.size(); ++i) slots[inputs[i]] = values[i];
    execute(program, program.sections[0], slots.data());
    std::vector<T> out;
    for (const Slot s : results) out.push_back(slots[s]);
    return out;
}

template <class T> T evaluate(Graph& graph, const Expr& f, std::span<const Expr> symbols, std::span<const T> values) {
    return evaluate<T>(graph, std::array{f}, symbols, values)[0];
}

inline quad magnitude(quad x) { return x < 0 ? -x : x; }
// |x - y| relative to the larger of 1, |y| and scale; NaN counts as infinitely wrong.
inline double error(quad x, quad y, quad scale = 0) {
    const quad e = magnitude(x - y) / std::max({quad(1), magnitude(y), scale});
    return e == e ? static_cast<double>(e) : HUGE_VAL;
}

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

// --- formulas as text ------------------------------------------------------------------------------------------------

class TestScope : public Scope {
  public:
    explicit TestScope(Graph& graph) : graph_(graph) {}

    Expr add(const std::string& name) { return add(name, graph_.symbol(name)).scalar(); }
    Tensor& add(const std::string& name, Tensor value) { return names_[name] = std::move(value); }
    // A leaf family x[lo..hi].
    Component add_family(const std::string& name, int lo, int hi, std::vector<std::pair<int, Expr>> border = {}) {
        Family f{name, lo, hi, {}, {}};
        for (auto& [k, value] : border) f.border.emplace_back(k, value.in(graph_));
        families_[name] = graph_.family(f);
        return {name, graph_.element(families_[name], graph_.free_index()), true, lo, hi, std::move(border)};
    }
    Expr operator()(const std::string& text) { return tensor(text).scalar(); }
    Tensor tensor(const std::string& text) { return elaborate(graph_, syntax::parse(text), *this); }
    Expr each(const std::string& text, const std::string& index = "k") { // a formula of "each member k"
        return elaborate(graph_, syntax::parse(text), *this, index, graph_.free_index()).scalar();
    }

    std::optional<Tensor> name(const std::string& name, bool primed) override {
        if (families_.contains(name)) throw ExprError("'" + name + "' is a family");
        const auto it = names_.find(primed ? name + "'" : name);
        if (it == names_.end()) return {};
        return it->second;
    }
    std::optional<Tensor> element(const std::string& name, const Expr& index, bool primed) override {
        const auto it = families_.find(primed ? name + "'" : name);
        if (it == families_.end()) return {};
        return graph_.element(it->second, index);
    }
    std::vector<std::string> known() const override {
        std::vector<std::string> all{"pi"};
        for (auto& [name, value] : names_) all.push_back(name);
        for (auto& [name, value] : families_) all.push_back(name);
        return all;
    }

  private:
    Graph& graph_;
    std::map<std::string, Tensor> names_;
    std::map<std::string, FamilyId> families_;
};

// --- formulas that are not the graph's -------------------------------------------------------------------------------

struct Tree {
    Op op; // Op::symbol and Op::constant are leaves
    int symbol = 0;
    quad number = 0;
    std::vector<Tree> args = {};

    Expr build(std::span<const Expr> symbols) const {
        if (op == Op::symbol) return symbols[static_cast<std::size_t>(symbol)];
        if (op == Op::constant) return symbols[0].graph()->constant(number);
        std::vector<Expr> built;
        for (const Tree& t : args) built.push_back(t.build(symbols));
        return call(op, built);
    }

    // NaN as soon as anything that is used is not finite, or not differentiable: the point is not inside the domain.
    quad value(std::span<const quad> x) const {
        const quad v = raw(x);
        return real::is_finite(v) ? v : std::numeric_limits<double>::quiet_NaN();
    }

  private:
    quad raw(std::span<const quad> x) const {
        if (op == Op::symbol) return x[static_cast<std::size_t>(symbol)];
        if (op == Op::constant) return number;
        const quad a = args[0].value(x);
        if (op == Op::choose) return a != a ? a : a != 0 ? args[1].value(x) : args[2].value(x);
        const quad b = args.size() > 1 ? args[1].value(x) : 0;
        if (a != a || b != b || on_the_edge(a, b)) return std::numeric_limits<double>::quiet_NaN();
        switch (op) {
        case Op::add: return a + b;
        case Op::sub: return a - b;
        case Op::mul: return a * b;
        case Op::div: return a / b;
        case Op::neg: return -a;
        case Op::power: return real::pow(a, b);
        case Op::sin: return real::sin(a);
        case Op::cos: return real::cos(a);
        case Op::tan: return real::sin(a) / real::cos(a);
        case Op::asin: return real::asin(a);
        case Op::acos: return real::acos(a);
        case Op::atan: return real::atan(a);
        case Op::atan2: return real::atan2(a, b);
        case Op::sinh: return real::sinh(a);
        case Op::cosh: return real::cosh(a);
        case Op::tanh: return real::tanh(a);
        case Op::exp: return real::exp(a);
        case Op::log: return real::log(a);
        case Op::sqrt: return real::sqrt(a);
        case Op::abs: return a < 0 ? -a : a;
        case Op::sign: return a < 0 ? -1 : a > 0 ? 1 : 0;
        case Op::min: return a < b ? a : b;
        case Op::max: return a > b ? a : b;
        case Op::hypot: return real::sqrt(a * a + b * b);
        case Op::erf: return real::erf(a);
        case Op::stumpff: return stumpff(static_cast<int>(a), b);
        case Op::lt: return a < b;
        case Op::le: return a <= b;
        case Op::gt: return a > b;
        case Op::ge: return a >= b;
        case Op::eq: return a == b;
        case Op::ne: return a != b;
        case Op::both: return a != 0 && b != 0;
        case Op::either: return a != 0 || b != 0;
        default: return smooth_row(a, b);
        }
    }
    // A row that is not written out above: its own value, or NaN where a derivative is not finite.
    quad smooth_row(quad a, quad b) const {
        const quad value = row_value<quad>(op, a, b, 0);
        const std::array<Expr, 2> x{Expr(a), Expr(b)};
        try {
            for (int i = 0; i < function(op).arity; ++i) function(op).derivative(x, Expr(value), i);
        } catch (const ExprError&) { return std::numeric_limits<double>::quiet_NaN(); }
        return value;
    }
    bool on_the_edge(quad a, quad b) const {
        switch (op) {
        case Op::sqrt:
        case Op::abs:
        case Op::sign: return a == 0;
        case Op::power: return a == 0 && (b < 0 || b != real::floor(b) || args[1].op != Op::constant);
        case Op::asin:
        case Op::acos: return a == 1 || a == -1;
        case Op::hypot:
        case Op::atan2: return a == 0 && b == 0;
        case Op::stumpff: return magnitude(b) > 1000; // its derivatives lose digits there, see functions.def
        default: return false;
        }
    }
    // Small u: c_k = 1/k! - u c_{k+2}, downwards from where the series is one term. Else the closed forms, k <= 4.
    static quad stumpff(int k, quad u) {
        const quad size = magnitude(u), root = real::sqrt(size);
        if (size > 40) {
            const quad even = u > 0 ? real::cos(root) : real::cosh(root);
            const quad odd = (u > 0 ? real::sin(root) : real::sinh(root)) / root;
            return k == 0   ? even
                   : k == 1 ? odd
                   : k == 2 ? (1 - even) / u
                   : k == 3 ? (1 - odd) / u
                            : (u / 2 - 1 + even) / (u * u);
        }
        const int top = k + 80;
        quad inverse_factorial = 1, c = 0;
        for (int j = 2; j <= top; ++j) inverse_factorial /= j;
        for (int j = top; j >= k; j -= 2) {
            c = inverse_factorial - u * c;
            inverse_factorial *= quad(j) * (j - 1);
        }
        return c;
    }
};

class RandomFormulas {
  public:
    explicit RandomFormulas(unsigned seed, int symbols = 3) : random_(seed), symbols_(symbols), picks_(seed) {}

    Tree formula(int depth) {
        if (depth == 0 || below(12) == 0) return leaf();
        switch (below(10)) {
        case 0: return {Op::neg, 0, 0, {formula(depth - 1)}};
        case 1:
        case 2:
        case 3: return two(pick({Op::add, Op::sub, Op::mul, Op::div}), depth);
        case 4: return power(depth);
        case 5: return two(or_other(pick({Op::atan2, Op::min, Op::max, Op::hypot}), others_of_two_), depth);
        case 6: return {Op::choose, 0, 0, {condition(depth), formula(depth - 1), formula(depth - 1)}};
        case 7: return {Op::stumpff, 0, 0, {constant(below(5)), formula(depth - 1)}};
        default:
            return {or_other(known_of_one_[static_cast<std::size_t>(below(static_cast<int>(known_of_one_.size())))],
                             others_of_one_),
                    0,
                    0,
                    {formula(depth - 1)}};
        }
    }
    std::vector<quad> point() { // no special values: three or four digits each, of both signs
        std::vector<quad> x;
        for (int i = 0; i < symbols_; ++i) x.push_back(quad(below(3000) + 100) / 1000 * (below(3) ? 1 : -1));
        return x;
    }
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  private:
    static Tree constant(quad v) { return {Op::constant, 0, v}; }
    Op pick(std::initializer_list<Op> ops) { return ops.begin()[below(static_cast<int>(ops.size()))]; }
    // Rows that are not in the lists of formula(): every 16th pick becomes one of them, and all other formulas stay as
    // they are without such rows.
    Op or_other(Op picked, std::span<const Op> others) {
        if (others.empty() || ++picks_ % 16 != 0) return picked;
        return others[picks_ / 16 % others.size()];
    }
    static std::vector<Op> others(int arity, std::span<const Op> known) {
        std::vector<Op> found;
        for (const Function& f : functions())
            if (!f.name.empty() && f.arity == arity && std::find(known.begin(), known.end(), f.op) == known.end())
                found.push_back(f.op);
        return found;
    }
    Tree leaf() {
        if (below(4)) return {Op::symbol, below(symbols_)};
        const quad numbers[] = {0, 1, -1, 2, -3, 0.5, -0.25, quad(1) / 10, 7};
        return constant(numbers[below(9)]);
    }
    Tree two(Op op, int depth) { return {op, 0, 0, {formula(depth - 1), formula(depth - 1)}}; }
    Tree power(int depth) {
        const quad exponents[] = {2, 3, 4, -1, -2, 0.5, 1.5, -0.5, 2.5, quad(1) / 3, 7};
        if (below(4)) return {Op::power, 0, 0, {formula(depth - 1), constant(exponents[below(11)])}};
        return {Op::power, 0, 0, {{Op::abs, 0, 0, {formula(depth - 1)}}, formula(depth - 1)}};
    }
    Tree condition(int depth) {
        const Op op = pick({Op::lt, Op::le, Op::gt, Op::ge, Op::eq, Op::ne});
        if (below(4)) return two(op, depth);
        return {pick({Op::both, Op::either}), 0, 0, {two(op, depth), two(Op::lt, depth)}};
    }

    static constexpr std::array known_of_one_{Op::sin,  Op::cos,  Op::tan,  Op::asin, Op::acos,
                                              Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::exp,
                                              Op::log,  Op::sqrt, Op::abs,  Op::sign, Op::erf};
    static constexpr std::array known_of_two_{Op::atan2, Op::min, Op::max, Op::hypot, Op::stumpff};
    std::mt19937 random_;
    int symbols_;
    std::size_t picks_; // differs from seed to seed: small formulas have few picks
    std::vector<Op> others_of_one_ = others(1, known_of_one_), others_of_two_ = others(2, known_of_two_);
};

} // namespace rattleback::test
