#include "evidence/tidy.hpp"

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

using Product = std::map<NodeId, int>;
using Terms = std::map<Product, quad>;

Product times(Product a, const Product& b, int exponent = 1) {
    for (const auto& [atom, power] : b)
        if ((a[atom] += exponent * power) == 0) a.erase(atom);
    return a;
}

void add(Terms& to, const Product& product, quad coefficient) {
    const auto at = to.try_emplace(product, 0).first;
    const quad before = at->second;
    at->second += coefficient;
    // What round-off leaves of a difference is no term.
    if (real::abs(at->second) <= 1e-28 * real::abs(before)) to.erase(at);
}

int power_of(const Product& p, NodeId atom) {
    const auto at = p.find(atom);
    return at == p.end() ? 0 : at->second;
}

} // namespace

Terms Tidy::atom(const Expr& e) {
    if (const auto c = e.constant()) return *c == 0 ? Terms() : Terms{{{}, *c}};
    return {{{{e.id(), 1}}, 1}};
}

Terms Tidy::times(const Terms& a, const Terms& b) {
    Terms all;
    work_ += a.size() * b.size();
    if (a.size() * b.size() > most_terms * 20 || exhausted()) return too_many_ = true, all;
    for (const auto& [p, c] : a)
        for (const auto& [q, d] : b) {
            const Product both = rattleback::times(p, q);
            too_many_ |= std::any_of(both.begin(), both.end(), [](const auto& x) { return std::abs(x.second) > 100; });
            add(all, both, c * d);
        }
    too_many_ |= all.size() > most_terms;
    return reduced(std::move(all), true);
}

// Of one term: its inverse. Of more: a number and a product are taken out, the rest becomes an atom.
Terms Tidy::reciprocal(const Terms& a) {
    if (a.empty()) return too_many_ = true, a; // a division by 0 stays as it is written
    if (const Terms other = reduced(a, false); other.size() < a.size()) return reciprocal(other);
    const auto& [first, leading] = *a.begin();
    if (a.size() == 1) return {{rattleback::times({}, first, -1), 1 / leading}};
    Product common = first;
    for (const auto& [p, c] : a) {
        for (auto& [atom, power] : common) power = std::min(power, power_of(p, atom));
        for (const auto& [atom, power] : p)
            if (power < 0 && !common.contains(atom)) common[atom] = power;
    }
    std::erase_if(common, [](const auto& x) { return x.second == 0; });
    Terms rest, quotient;
    for (const auto& [p, c] : a) rest[rattleback::times(p, common, -1)] = c / leading;
    for (const auto& [atom, sum] : denominators_) // powers and products of sums that are known
        while (rest.size() > 1 && divide(rest, sum, quotient)) ++common[atom], rest = quotient;
    if (rest.size() == 1)
        return {{rattleback::times(rattleback::times({}, rest.begin()->first, -1), common, -1),
                 1 / (leading * rest.begin()->second)}};
    const NodeId denominator = written(rest).in(graph_);
    denominators_[denominator] = rest;
    return {{rattleback::times({{denominator, -1}}, common, -1), 1 / leading}};
}

Terms Tidy::raised(const Terms& a, int exponent) {
    Terms result{{{}, 1}};
    const Terms base = exponent < 0 ? reciprocal(a) : a;
    for (int k = 0; k < std::abs(exponent) && !too_many_; ++k) result = times(result, base);
    return result;
}

// cos^2 = 1 - sin^2, or sin^2 = 1 - cos^2; where one of them is divided by, the other one goes.
Terms Tidy::reduced(Terms all, bool without_cos) {
    for (bool changed = true; changed && !too_many_; work_ += all.size()) {
        changed = false;
        for (const auto& term : all) {
            const Product& p = term.first;
            const auto angle = std::find_if(angles_.begin(), angles_.end(), [&](const Pair& a) {
                const int sin = power_of(p, a.first), cos = power_of(p, a.second);
                return (cos >= 2 && (sin < 0 || (without_cos && sin >= 0))) ||
                       (sin >= 2 && (cos < 0 || (!without_cos && cos >= 0)));
            });
            if (angle == angles_.end()) continue;
            const bool cos_goes = power_of(p, angle->second) >= 2 && (power_of(p, angle->first) < 0 || without_cos);
            const NodeId gone = cos_goes ? angle->second : angle->first, kept = cos_goes ? angle->first : angle->second;
            const Product less = rattleback::times(p, {{gone, -2}});
            const quad coefficient = term.second;
            add(all, Product(p), -coefficient);
            add(all, less, coefficient), add(all, rattleback::times(less, {{kept, 2}}), -coefficient);
            too_many_ |= all.size() > most_terms;
            changed = true;
            break;
        }
    }
    return all;
}

// Over a common denominator, and the denominator divided out as often as it goes, where that leaves fewer terms.
Terms Tidy::cancelled(Terms all) {
    for (const auto& [atom, sum] : denominators_) {
        int power = 0;
        for (const auto& [p, c] : all) power = std::min(power, power_of(p, atom));
        if (power == 0) continue;
        Terms above;
        for (const auto& [p, c] : all) {
            Terms term{{rattleback::times(p, {{atom, -power_of(p, atom)}}), c}};
            for (int k = power_of(p, atom); k > power && !too_many_; --k) term = times(term, sum);
            for (const auto& [q, d] : term) add(above, q, d);
        }
        above = reduced(std::move(above), true);
        if (too_many_) return too_many_ = false, all;
        for (Terms quotient; power < 0 && divide(above, sum, quotient); ++power) above = quotient;
        Terms together;
        for (const auto& [p, c] : above) together[rattleback::times(p, {{atom, power}})] = c;
        if (together.size() <= all.size()) all = std::move(together);
    }
    return all;
}

// Long division by the term with the highest powers of the first atoms.
bool Tidy::divide(Terms from, const Terms& by, Terms& quotient) const {
    const auto higher = [](const auto& x, const auto& y) {
        for (auto a = x.first.begin(), b = y.first.begin(); a != x.first.end() || b != y.first.end();) {
            if (b == y.first.end() || (a != x.first.end() && a->first < b->first)) return a->second > 0;
            if (a == x.first.end() || b->first < a->first) return b->second < 0;
            if (a->second != b->second) return a->second > b->second;
            ++a, ++b;
        }
        return false;
    };
    quotient.clear();
    const auto& leading = *std::min_element(by.begin(), by.end(), higher);
    for (std::size_t steps = 0, most = 2 * from.size() + 2; !from.empty(); ++steps) {
        work_ += from.size();
        if (steps > most || exhausted()) return false;
        const auto& first = *std::min_element(from.begin(), from.end(), higher);
        const Product p = rattleback::times(first.first, leading.first, -1);
        const quad c = first.second / leading.second;
        add(quotient, p, c);
        for (const auto& [q, d] : by) add(from, rattleback::times(p, q), -c * d);
    }
    return true;
}

Terms Tidy::function(const Node& n) {
    std::vector<Expr> arguments;
    const std::array<NodeId, 3> children{n.a, n.b, n.c};
    const int arity = rattleback::function(n.op).arity;
    for (int i = 0; i < arity; ++i) arguments.push_back(written(known_.at(children[static_cast<std::size_t>(i)])));
    const Expr value = call(n.op, arguments);
    if (value.constant() || (n.op != Op::sin && n.op != Op::cos && n.op != Op::tan)) return atom(value);
    const Expr sin = fn::sin(arguments[0]), cos = fn::cos(arguments[0]);
    const Pair angle{sin.in(graph_), cos.in(graph_)};
    if (std::find(angles_.begin(), angles_.end(), angle) == angles_.end()) angles_.push_back(angle);
    return n.op == Op::sin   ? atom(sin)
           : n.op == Op::cos ? atom(cos)
                             : Terms{{{{angle.first, 1}, {angle.second, -1}}, 1}};
}

// Of a power: the power of the reciprocal, so that (1 + y)^-2 is not multiplied out.
Terms Tidy::reciprocal_of(NodeId id) {
    const Node n = graph_.node(id);
    if (n.op != Op::power || !whole_number(n.b)) return reciprocal(known_.at(id));
    return raised(reciprocal(known_.at(n.a)), *whole_number(n.b));
}

std::optional<int> Tidy::whole_number(NodeId id) const {
    const auto c = Expr(graph_, id).constant();
    if (!c || real::floor(*c) != *c || real::abs(*c) > 8) return {};
    return static_cast<int>(*c);
}

Terms Tidy::terms_of(NodeId id) {
    const Node n = graph_.node(id);
    switch (n.op) {
    case Op::constant:
    case Op::symbol: return atom(Expr(graph_, id));
    case Op::neg: return times(known_.at(n.a), {{{}, -1}});
    case Op::mul: return times(known_.at(n.a), known_.at(n.b));
    case Op::div: return times(known_.at(n.a), reciprocal_of(n.b));
    case Op::add:
    case Op::sub: {
        Terms all = known_.at(n.a);
        for (const auto& [p, c] : known_.at(n.b)) add(all, p, n.op == Op::add ? c : -c);
        too_many_ |= all.size() > most_terms;
        return reduced(std::move(all), true);
    }
    case Op::power: {
        const auto exponent = whole_number(n.b);
        return exponent ? raised(known_.at(n.a), *exponent) : function(n);
    }
    default: return n.rolled || n.op == Op::solve ? atom(Expr(graph_, id)) : function(n);
    }
}

Expr Tidy::written(const Terms& terms) {
    Expr sum(0);
    for (const auto& [product, coefficient] : terms) {
        Expr above(real::abs(coefficient)), below(1);
        for (const auto& [atom, power] : product)
            (power > 0 ? above : below) = (power > 0 ? above : below) * pow(Expr(graph_, atom), std::abs(power));
        const Expr term = above / below;
        sum = coefficient < 0 ? sum - term : sum + term;
    }
    return sum;
}

std::optional<Terms> Tidy::tidied(const Expr& formula) {
    too_many_ = false;
    const std::vector<NodeId> parts = reachable(graph_, std::array{formula.id()});
    if (parts.size() > most_parts) return {};
    for (NodeId id : parts) {
        if (known_.contains(id)) continue;
        Terms terms = terms_of(id);
        if (too_many_) return {};
        known_[id] = std::move(terms);
    }
    const Terms with_sin = cancelled(known_.at(formula.id())), with_cos = cancelled(reduced(with_sin, false));
    if (too_many_) return {};
    return with_cos.size() < with_sin.size() ? with_cos : with_sin;
}

Expr Tidy::operator()(const Expr& formula) {
    if (!formula.graph()) return formula;
    const auto terms = tidied(formula);
    return terms ? written(*terms) : formula;
}

std::string Tidy::text(const Expr& formula, bool latex) {
    const auto plain = [&](const Expr& e) { return latex ? to_latex(e) : to_text(e); };
    const auto terms = formula.graph() ? tidied(formula) : std::nullopt;
    if (!terms) return plain(formula);
    std::string sum;
    for (const auto& [product, coefficient] : *terms) {
        std::string above, below;
        int factors_below = 0;
        for (const auto& [atom, power] : product) {
            std::string& to = power > 0 ? above : below;
            factors_below += power < 0;
            const bool bracket = denominators_.contains(atom) && (!latex || std::abs(power) > 1);
            const std::string base = plain(Expr(graph_, atom));
            if (!to.empty()) to += latex ? " \\, " : "*";
            to += bracket ? (latex ? "\\left(" + base + "\\right)" : "(" + base + ")")
                  : latex ? "{" + base + "}"
                          : base;
            if (std::abs(power) > 1)
                to += latex ? "^{" + std::to_string(std::abs(power)) + "}" : "^" + std::to_string(std::abs(power));
        }
        const quad size = real::abs(coefficient);
        const std::string number = plain(Expr(size));
        if (above.empty())
            above = number;
        else if (size != 1)
            above = number + (latex ? " \\, " : "*") + above;
        if (!below.empty())
            above = latex ? "\\frac{" + above + "}{" + below + "}"
                          : above + "/" + (factors_below > 1 ? "(" + below + ")" : below);
        sum += coefficient < 0 ? (sum.empty() ? "-" : " - ") : (sum.empty() ? "" : " + ");
        sum += above;
    }
    return sum.empty() ? "0" : sum;
}

} // namespace rattleback
