#include "evidence/jets.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

// The series of 1/(a + s), of a function with f' = g, and so on, to `order`: coefficients of powers of s.
std::vector<double> power_series(double a, double exponent, int order) {
    std::vector<double> c{std::pow(a, exponent)};
    for (int k = 1; k <= order; ++k) c.push_back(c.back() * (exponent - k + 1) / (k * a));
    return c;
}

std::vector<double> integrated(double first, const std::vector<double>& slope) {
    std::vector<double> c{first};
    for (std::size_t k = 0; k + 1 < slope.size(); ++k) c.push_back(slope[k] / static_cast<double>(k + 1));
    return c;
}

// f, f', -f, -f', f, ... or with all signs alike.
std::vector<double> cyclic(double f, double slope, double sign, int order) {
    std::vector<double> c;
    double factorial = 1;
    for (int k = 0; k <= order; ++k) {
        if (k > 1) factorial *= k;
        c.push_back((k % 2 ? slope : f) * (k % 4 > 1 ? sign : 1) / factorial);
    }
    return c;
}

std::vector<double> arctangent(double a, int order) { // slope 1/(1 + (a + s)^2)
    const double b = 1 + a * a;
    std::vector<double> slope{1 / b};
    for (int k = 1; k <= order; ++k)
        slope.push_back(
            -(2 * a * slope[static_cast<std::size_t>(k - 1)] + (k > 1 ? slope[static_cast<std::size_t>(k - 2)] : 0)) /
            b);
    return integrated(std::atan(a), slope);
}

bool is_known(Op op) {
    for (const Op known : {Op::constant, Op::symbol, Op::add, Op::sub, Op::mul, Op::div, Op::neg, Op::power, Op::sin,
                           Op::cos, Op::tan, Op::exp, Op::log, Op::sqrt, Op::sinh, Op::cosh, Op::tanh, Op::atan})
        if (op == known) return true;
    return false;
}

// f(x) for f with these coefficients at the first term of x.
Jet composed(const JetSpace& space, const std::vector<double>& series, const Jet& x) {
    Jet rest = x, result = constant(space, series.back());
    rest[0] = 0;
    for (std::size_t k = series.size() - 1; k-- > 0;) {
        result = times(space, result, rest);
        result[0] += series[k];
    }
    return result;
}

} // namespace

JetSpace::JetSpace(std::vector<int> degrees, std::size_t slopes) : degrees_(std::move(degrees)), slopes_(slopes) {
    for (int d : degrees_) terms_ *= static_cast<std::size_t>(d) + 1, order_ += d;
    if (slopes_ > 0) ++order_;
    for (std::size_t term = 0; term < terms_; ++term) {
        std::size_t rest = term;
        for (int d : degrees_)
            powers_.push_back(static_cast<int>(rest % (static_cast<std::size_t>(d) + 1))),
                rest /= static_cast<std::size_t>(d) + 1;
    }
    for (std::size_t i = 0; i < terms_; ++i)
        for (std::size_t j = 0; j < terms_; ++j) {
            bool kept = true;
            for (std::size_t k = 0; k < degrees_.size(); ++k) kept = kept && power(i, k) + power(j, k) <= degrees_[k];
            if (kept) products_.push_back({i, j, i + j}); // the numbers of terms add like their powers
        }
}

std::optional<std::size_t> JetSpace::raised(std::size_t term, std::size_t time) const {
    std::size_t stride = 1;
    for (std::size_t k = 0; k < time; ++k) stride *= static_cast<std::size_t>(degrees_[k]) + 1;
    if (power(term, time) == degrees_[time]) return {};
    return term + stride;
}

Jet constant(const JetSpace& space, double value) {
    Jet x(space.size(), 0.0);
    x[0] = value;
    return x;
}

Jet plus(const Jet& x, const Jet& y, double sign) {
    Jet z = x;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += sign * y[i];
    return z;
}

Jet times(const JetSpace& space, const Jet& x, const Jet& y) {
    Jet z(space.size(), 0.0);
    const auto add = [&](std::size_t left, std::size_t right, std::size_t to) {
        for (const JetSpace::Product& p : space.products()) z[to + p.term] += x[left + p.left] * y[right + p.right];
    };
    add(0, 0, 0);
    for (std::size_t s = 1; s <= space.slopes(); ++s) {
        const std::size_t at = space.begin(s);
        add(at, 0, at), add(0, at, at);
    }
    return z;
}

Jet over(const JetSpace& space, const Jet& x, const Jet& y) {
    return times(space, x, composed(space, power_series(y[0], -1, space.order()), y));
}

Jet integral(const JetSpace& space, const Jet& x, std::size_t time) {
    Jet z(space.size(), 0.0);
    for (std::size_t s = 0; s <= space.slopes(); ++s)
        for (std::size_t term = 0; term < space.terms(); ++term)
            if (const auto to = space.raised(term, time))
                z[space.begin(s) + *to] = x[space.begin(s) + term] / (space.power(term, time) + 1);
    return z;
}

std::optional<JetFormulas> JetFormulas::of(const Graph& graph, const std::vector<Expr>& formulas) {
    JetFormulas result;
    result.graph_ = &graph;
    for (const Expr& e : formulas) {
        if (!e.graph()) return {}; // numbers belong to no graph: see who asks
        result.results_.push_back(e.id());
    }
    result.order_ = reachable(graph, result.results_, true);
    std::sort(result.order_.begin(), result.order_.end());
    for (NodeId id : result.order_) {
        const Node& n = graph.node(id);
        if (!is_known(n.op) || n.rolled) return {};
        if (n.op == Op::power && graph.node(n.b).op != Op::constant) return {};
        if (n.op == Op::symbol) result.symbols_.push_back(id);
    }
    return result;
}

std::vector<Jet> JetFormulas::at(const JetSpace& space, const std::vector<Jet>& values) const {
    std::unordered_map<NodeId, Jet> known;
    for (std::size_t i = 0; i < symbols_.size(); ++i) known[symbols_[i]] = values[i];
    const int order = space.order();
    for (NodeId id : order_) {
        const Node& n = graph_->node(id);
        const auto x = [&]() -> const Jet& { return known.at(n.a); };
        const auto y = [&]() -> const Jet& { return known.at(n.b); };
        const auto f = [&](const std::vector<double>& series) { return composed(space, series, x()); };
        const double a = n.op == Op::constant || n.op == Op::symbol ? 0 : x()[0];
        Jet value;
        switch (n.op) {
        case Op::symbol: continue;
        case Op::constant: value = constant(space, static_cast<double>(graph_->value(id))); break;
        case Op::add: value = plus(x(), y()); break;
        case Op::sub: value = plus(x(), y(), -1); break;
        case Op::mul: value = times(space, x(), y()); break;
        case Op::div: value = over(space, x(), y()); break;
        case Op::neg: value = plus(constant(space, 0), x(), -1); break;
        case Op::power: {
            const double exponent = y()[0];
            value = constant(space, 1);
            if (exponent == std::floor(exponent) && exponent >= 0 && exponent <= 16) // also of 0
                for (int k = 0; k < static_cast<int>(exponent); ++k) value = times(space, value, x());
            else
                value = f(power_series(a, exponent, order));
            break;
        }
        case Op::sin: value = f(cyclic(std::sin(a), std::cos(a), -1, order)); break;
        case Op::cos: value = f(cyclic(std::cos(a), -std::sin(a), -1, order)); break;
        case Op::tan:
            value = over(space, f(cyclic(std::sin(a), std::cos(a), -1, order)),
                         f(cyclic(std::cos(a), -std::sin(a), -1, order)));
            break;
        case Op::exp: value = f(cyclic(std::exp(a), std::exp(a), 1, order)); break;
        case Op::sinh: value = f(cyclic(std::sinh(a), std::cosh(a), 1, order)); break;
        case Op::cosh: value = f(cyclic(std::cosh(a), std::sinh(a), 1, order)); break;
        case Op::tanh:
            value = over(space, f(cyclic(std::sinh(a), std::cosh(a), 1, order)),
                         f(cyclic(std::cosh(a), std::sinh(a), 1, order)));
            break;
        case Op::log: value = f(integrated(std::log(a), power_series(a, -1, order))); break;
        case Op::sqrt: value = f(power_series(a, 0.5, order)); break;
        case Op::atan: value = f(arctangent(a, order)); break;
        default: return {};
        }
        known[id] = std::move(value);
    }
    std::vector<Jet> results;
    for (NodeId id : results_) {
        for (double c : known.at(id))
            if (!std::isfinite(c)) return {};
        results.push_back(known.at(id));
    }
    return results;
}

} // namespace rattleback
