#include "expr/elaborate.hpp"

#include "expr/graph.hpp"
#include "expr/index_numbers.hpp"
#include "expr/nearest.hpp"
#include "expr/shown.hpp"

#include <algorithm>

namespace rattleback {
namespace {

constexpr std::uint32_t no_sum = ~0u;
constexpr int deepest_sum = 16; // nested sums; the cost grows with the product of their ranges

class Elaborator {
  public:
    Elaborator(Graph& graph, const syntax::Tree& tree, Scope& scope) : graph_(graph), tree_(tree), scope_(scope) {}

    void bind(const std::string& name, const Expr& index, std::optional<IndexRange> range) {
        extra_.emplace_back(name, index), range_ = range;
    }

    Tensor run(std::uint32_t root) {
        find_enclosing_sums(root);
        scalars_.assign(root + 1, 0);
        for (std::uint32_t i = 0; i <= root; ++i) {
            if (!wanted_[i]) continue;
            const syntax::Node& n = tree_.nodes[i];
            const bool numbers = finite_numbers_ && takes_numbers_alone(n);
            try {
                if (const NodeId scalar = quickly(i, n))
                    scalars_[i] = scalar;
                else
                    store(i, of(i, n));
            } catch (const ExprError& e) { throw FormulaError(n.begin, n.end, e.what()); }
            if (numbers && !is_number(i)) not_finite(n);
        }
        if (finite_numbers_ && (has_sums_ || range_)) require_finite_numbers(root);
        return take(root);
    }

  private:
    // Parents have larger indices than children: one descending pass finds the innermost sum around every node.
    void find_enclosing_sums(std::uint32_t root) {
        const auto is_sum = [](const syntax::Node& n) { return n.kind == syntax::Kind::Sum; };
        has_sums_ = std::any_of(tree_.nodes.begin(), tree_.nodes.end(), is_sum);
        if (has_sums_) enclosing_.assign(root + 1, no_sum);
        wanted_.assign(root + 1, false);
        in_chain_.assign(root + 1, false);
        wanted_[root] = true;
        std::vector<std::uint8_t> depth(has_sums_ ? root + 1 : 0, 0);
        for (std::uint32_t i = root + 1; i-- > 0;) {
            if (!wanted_[i]) continue;
            const syntax::Node& n = tree_.nodes[i];
            const auto children = tree_.children_of(n);
            for (std::uint32_t k = 0; k < children.size(); ++k) {
                const std::uint32_t child = children[k];
                const bool body = n.kind == syntax::Kind::Sum && k == 2;
                wanted_[child] = true;
                if (has_sums_) {
                    enclosing_[child] = body ? i : enclosing_[i];
                    depth[child] = static_cast<std::uint8_t>(depth[i] + body);
                    if (depth[child] > deepest_sum)
                        throw FormulaError(n.begin, n.end,
                                           "sums are nested more than " + std::to_string(deepest_sum) + " deep");
                }
                in_chain_[child] = k == 0 && is_additive(n) && is_additive(tree_.nodes[child]);
            }
            if (n.kind == syntax::Kind::Sum) indices_[i] = graph_.fresh_index();
        }
    }

    static bool is_additive(const syntax::Node& n) {
        return n.kind == syntax::Kind::Binary && (n.op == syntax::Op::Add || n.op == syntax::Op::Subtract);
    }

    // Nearly all values are scalars. They are kept as a node id each: a formula may have a million terms.
    void store(std::uint32_t node, Tensor value) {
        if (value.is_scalar() && !value.e.empty())
            scalars_[node] = value.scalar().in(graph_);
        else if (!value.e.empty())
            tensors_[node] = std::move(value);
    }
    Tensor take(std::uint32_t node) {
        if (scalars_[node]) return Expr(graph_, scalars_[node]);
        return std::move(tensors_.at(node));
    }
    bool is_scalar(std::uint32_t node) const { return scalars_[node] != 0; }
    Expr take_scalar(std::uint32_t node) {
        if (is_scalar(node)) return {graph_, scalars_[node]};
        const syntax::Node& n = tree_.nodes[node];
        throw FormulaError(n.begin, n.end, "a number is needed here, not " + tensors_.at(node).shape());
    }

    // NOTE: folding leaves 0/0 or log(-1) as formulas, and drops them where they are multiplied by 0 or not chosen.
    // What a person writes is judged before that: a function of numbers whose value is no number is a mistake.
    bool is_number(std::uint32_t node) const {
        if (const NodeId id = scalars_[node]) return graph_.node(id).op == Op::constant;
        const auto it = tensors_.find(node);
        return it != tensors_.end() && std::all_of(it->second.e.begin(), it->second.e.end(),
                                                   [](const Expr& e) { return e.constant().has_value(); });
    }
    bool takes_numbers_alone(const syntax::Node& n) const {
        using syntax::Kind;
        if ((n.kind != Kind::Binary && n.kind != Kind::Call) || is_additive(n)) return false;
        const auto children = tree_.children_of(n);
        return std::all_of(children.begin(), children.end(), [&](std::uint32_t child) { return is_number(child); });
    }
    [[noreturn]] void not_finite(const syntax::Node& n) const {
        throw FormulaError(n.begin, n.end, shortened(tree_.text_of(n), 60) + " is not a finite number");
    }

    void require_finite_numbers(std::uint32_t root) const {
        IndexNumbers numbers(graph_, tree_, scalars_, loops_);
        if (range_) {
            const auto& [name, index] = extra_[0];
            return numbers.require_finite(root, name, {index, Expr(range_->lo), Expr(range_->hi)});
        }
        for (std::uint32_t i = 0; i <= root; ++i)
            if (wanted_[i] && tree_.nodes[i].kind == syntax::Kind::Sum && enclosing_[i] == no_sum)
                numbers.require_finite_sum(i);
    }

    // Fast path for what long formulas consist of: numbers, names, and products and powers of scalars. No tensors.
    NodeId quickly(std::uint32_t i, const syntax::Node& n) {
        if (n.kind == syntax::Kind::Number) return graph_.constant(tree_.number_of(n)).id();
        if (n.kind == syntax::Kind::Name && !has_sums_ && extra_.empty()) { // a name then means the same everywhere
            if (meanings_.empty()) meanings_.assign(tree_.names.size(), 0);
            NodeId& meaning = meanings_[n.name];
            if (!meaning)
                if (const Tensor t = name(i, n, false); t.is_scalar()) meaning = t.scalar().in(graph_);
            return meaning;
        }
        if (n.kind != syntax::Kind::Binary || is_additive(n)) return 0;
        const auto children = tree_.children_of(n);
        if (!is_scalar(children[0]) || !is_scalar(children[1])) return 0;
        const Expr x = take_scalar(children[0]), y = take_scalar(children[1]);
        return (n.op == syntax::Op::Multiply ? x * y : n.op == syntax::Op::Divide ? x / y : pow(x, y)).in(graph_);
    }

    Tensor of(std::uint32_t i, const syntax::Node& n) {
        const auto children = tree_.children_of(n);
        switch (n.kind) {
        case syntax::Kind::Number: return {}; // see quickly
        case syntax::Kind::Name: return name(i, n, false);
        case syntax::Kind::Prime: return prime(i, n);
        case syntax::Kind::Index: return index(n, false);
        case syntax::Kind::Entry: return entry(n);
        case syntax::Kind::Call: return function_call(n);
        case syntax::Kind::Minus: return negate(take(children[0]));
        case syntax::Kind::Binary: return binary(i, n);
        case syntax::Kind::Compare: return comparison(n);
        case syntax::Kind::And: return fn::both(take_scalar(children[0]), take_scalar(children[1]));
        case syntax::Kind::Or: return fn::either(take_scalar(children[0]), take_scalar(children[1]));
        case syntax::Kind::List: return list(n);
        case syntax::Kind::Sum: {
            const Expr lo = scope_.structural(take_scalar(children[0])),
                       hi = scope_.structural(take_scalar(children[1]));
            loops_[i] = {indices_.at(i), lo, hi};
            return graph_.sum(indices_.at(i), lo, hi, take_scalar(children[2]));
        }
        }
        return {};
    }

    std::optional<Expr> bound(std::uint32_t node, const std::string& text) const {
        for (std::uint32_t s = has_sums_ ? enclosing_[node] : no_sum; s != no_sum; s = enclosing_[s])
            if (tree_.name_of(tree_.nodes[s]) == text) return indices_.at(s);
        for (const auto& [name, e] : extra_)
            if (name == text) return e;
        return {};
    }

    Tensor name(std::uint32_t i, const syntax::Node& n, bool primed) {
        const std::string& text = tree_.name_of(n);
        if (auto e = bound(i, text)) {
            if (primed) throw FormulaError(n.begin, n.end + 1, "an index has no time derivative");
            return *e;
        }
        if (auto t = scope_.name(text, primed)) return *t;
        if (text == "pi" && !primed) return graph_.constant(real::pi());
        if (text == "deg" && !primed) return graph_.constant(real::pi() / 180);
        unknown(n, text, primed);
    }

    [[noreturn]] void unknown(const syntax::Node& n, const std::string& text, bool primed) {
        const std::string near = nearest(text, scope_.known());
        const syntax::Range r = tree_.name_range(n);
        if (primed && near == text) throw FormulaError(r.begin, r.end, "'" + text + "' has no time derivative");
        if (const std::string of = rate_of(text); !of.empty())
            throw FormulaError(r.begin, r.end, "unknown name '" + text + "'",
                               "a velocity is written with a prime: " + of + "'");
        const std::vector<std::string> functions = function_names();
        if (std::find(functions.begin(), functions.end(), text) != functions.end())
            throw FormulaError(r.begin, r.end, "'" + text + "' is a function and needs an argument",
                               "write " + text + "(x)");
        if (const std::string_view ours = usual_name(text); ours != text)
            throw FormulaError(r.begin, r.end, "unknown name '" + text + "'",
                               "did you mean '" + std::string(ours) + "'?");
        throw FormulaError(r.begin, r.end, "unknown name '" + text + "'",
                           near.empty() ? "" : "did you mean '" + near + "'?");
    }

    // The name that thetadot, theta_dot, dtheta or v_theta is made from; empty: none that is known.
    std::string rate_of(const std::string& text) const {
        const std::vector<std::string> known = scope_.known();
        const auto is_known = [&](const std::string& name) {
            return name != "t" && name != "pi" && std::find(known.begin(), known.end(), name) != known.end() &&
                   std::find(known.begin(), known.end(), "p_" + name) != known.end(); // coordinates have momenta
        };
        for (const std::string_view end : {"_dot", "dot", "_prime", "prime", "_dt", "dt", "_d"})
            if (text.size() > end.size() && text.ends_with(end))
                if (const std::string of = text.substr(0, text.size() - end.size()); is_known(of)) return of;
        for (const std::string_view begin : {"dot_", "v_", "d_", "d", "v"})
            if (text.size() > begin.size() && text.starts_with(begin))
                if (const std::string of = text.substr(begin.size()); is_known(of)) return of;
        return {};
    }

    Tensor prime(std::uint32_t i, const syntax::Node& n) {
        const std::uint32_t child = tree_.children_of(n)[0];
        const syntax::Node& c = tree_.nodes[child];
        if (c.kind == syntax::Kind::Name) return name(i, c, true);
        if (c.kind == syntax::Kind::Index) return index(c, true);
        if (c.kind == syntax::Kind::Prime)
            throw FormulaError(n.begin, n.end, "second time derivatives do not occur in a model",
                               "a Lagrangian depends on q and q' only");
        throw FormulaError(n.begin, n.end, "a prime belongs to a coordinate or a definition",
                           "name this formula in [definitions] and write name'");
    }

    Tensor index(const syntax::Node& n, bool primed) {
        const std::string& text = tree_.name_of(n);
        const auto children = tree_.children_of(n);
        if (children.size() == 1 && !is_scalar(children[0]))
            throw FormulaError(n.begin, n.end, "an index is a whole number or an index name");
        if (children.size() == 1)
            if (auto e = scope_.element(text, scope_.structural(take_scalar(children[0])), primed)) return *e;
        if (children.size() == 2 && is_scalar(children[0]) && is_scalar(children[1]))
            if (auto e = scope_.element(text, scope_.structural(take_scalar(children[0])),
                                        scope_.structural(take_scalar(children[1])), primed))
                return *e;
        const auto t = scope_.name(text, primed);
        if (!t) unknown(n, text, primed);
        return entry_of(*t, children, n, "'" + text + "'");
    }

    Tensor entry(const syntax::Node& n) {
        const auto children = tree_.children_of(n);
        const Tensor value = take(children[0]);
        return entry_of(value, children.subspan(1), n, shortened(tree_.text_of(tree_.nodes[children[0]]), 60));
    }

    Expr entry_of(const Tensor& t, std::span<const std::uint32_t> children, const syntax::Node& n,
                  const std::string& what) {
        const auto whole = [&](std::uint32_t child, int size) {
            const auto c = is_scalar(child) ? affine_index(graph_, scope_.structural(take_scalar(child)).in(graph_))
                                            : std::nullopt;
            if (!c || c->variable || c->shift < 1 || c->shift > size)
                throw FormulaError(tree_.nodes[child].begin, tree_.nodes[child].end,
                                   "the index must be a whole number from 1 to " + std::to_string(size));
            return c->shift - 1;
        };
        if (t.is_vector() && children.size() == 1) return t.e[static_cast<std::size_t>(whole(children[0], t.rows))];
        if (t.is_matrix() && children.size() == 2) {
            const int row = whole(children[0], t.rows); // in this order, for the first message
            return t.at(row, whole(children[1], t.cols));
        }
        throw FormulaError(n.begin, n.end, what + " is " + t.shape() + " and cannot be indexed like this");
    }

    Tensor function_call(const syntax::Node& n) {
        const std::string& text = tree_.name_of(n);
        std::vector<Tensor> args;
        const auto children = tree_.children_of(n);
        if (children.size() == 1)
            if (auto t = of_coordinate(text, tree_.nodes[children[0]])) return *t;
        for (std::uint32_t child : children) args.push_back(take(child));
        if (args.size() == 1 && args[0].is_scalar())
            if (auto e = scope_.table(text, args[0].scalar())) return *e;
        if (auto t = call_named(graph_, text, args)) return *t;
        const std::string near = nearest(text, function_names());
        const syntax::Range r = tree_.name_range(n);
        throw FormulaError(r.begin, r.end, "unknown function '" + text + "'",
                           text == "sum"              ? "write sum(i in 1..n: ...)"
                           : usual_name(text) != text ? "did you mean '" + std::string(usual_name(text)) + "'?"
                           : near.empty()             ? ""
                                                      : "did you mean '" + near + "'?");
    }

    // A function of a coordinate by its name, like body(R) and body(R[i]).
    std::optional<Tensor> of_coordinate(const std::string& function, const syntax::Node& argument) {
        if (argument.kind == syntax::Kind::Name) return scope_.function_of(function, tree_.name_of(argument), {});
        if (argument.kind != syntax::Kind::Index || argument.count != 1) return scope_.function_of(function, {}, {});
        const std::uint32_t index = tree_.children_of(argument)[0];
        if (!is_scalar(index)) return {};
        return scope_.function_of(function, tree_.name_of(argument), scope_.structural(take_scalar(index)));
    }

    // A long chain a + b - c + ... is added pairwise: the rounding error and the depth grow with log n.
    Tensor binary(std::uint32_t i, const syntax::Node& n) {
        const auto children = tree_.children_of(n);
        if (!is_additive(n)) {
            Tensor x = take(children[0]), y = take(children[1]);
            if (n.op == syntax::Op::Multiply) return multiply(x, y);
            if (n.op == syntax::Op::Divide) return divide(x, y);
            throw ExprError("a power needs numbers, not " + (x.is_scalar() ? y : x).shape()); // of numbers: see quickly
        }
        Chain chain;
        if (auto begun = chains_.extract(children[0]))
            chain = std::move(begun.mapped());
        else if (is_scalar(children[0]))
            chain.scalars.push_back(scalars_[children[0]]);
        else
            chain.total = take(children[0]);
        if (chain.total) {
            const Tensor last = take(children[1]);
            chain.total = n.op == syntax::Op::Add ? add(*chain.total, last) : subtract(*chain.total, last);
        } else {
            if (!is_scalar(children[1]))
                (n.op == syntax::Op::Add ? add : subtract)(Expr(0), take(children[1])); // throws
            chain.scalars.push_back(scalars_[children[1]]);
            chain.minus.resize(chain.scalars.size(), false);
            chain.minus.back() = n.op == syntax::Op::Subtract;
        }
        if (in_chain_[i]) {
            chains_[i] = std::move(chain);
            return {};
        }
        if (chain.total) return *chain.total;
        const auto term = [&](std::size_t k) { return Expr(graph_, chain.scalars[k]); };
        if (chain.scalars.size() > 8) {
            for (std::size_t k = 1; k < chain.scalars.size(); ++k)
                if (chain.minus[k]) chain.scalars[k] = (-term(k)).in(graph_);
            return graph_.balanced_sum(std::move(chain.scalars));
        }
        Expr total = term(0);
        for (std::size_t k = 1; k < chain.scalars.size(); ++k)
            total = chain.minus[k] ? total - term(k) : total + term(k);
        return total;
    }

    Tensor comparison(const syntax::Node& n) {
        const auto children = tree_.children_of(n);
        const Expr x = take_scalar(children[0]), y = take_scalar(children[1]);
        switch (n.op) {
        case syntax::Op::Less: return fn::lt(x, y);
        case syntax::Op::LessEqual: return fn::le(x, y);
        case syntax::Op::Greater: return fn::gt(x, y);
        case syntax::Op::GreaterEqual: return fn::ge(x, y);
        case syntax::Op::Equal: return fn::eq(x, y);
        default: return fn::ne(x, y);
        }
    }

    Tensor list(const syntax::Node& n) {
        std::vector<Expr> entries;
        int cols = 0;
        const auto children = tree_.children_of(n);
        for (std::size_t k = 0; k < children.size(); ++k) {
            Tensor t = take(children[k]);
            const int width = t.is_scalar() ? 0 : t.rows;
            if (t.is_matrix() || (k > 0 && width != cols))
                throw ExprError("the rows of a matrix are vectors of one length");
            cols = width;
            entries.insert(entries.end(), t.e.begin(), t.e.end());
        }
        return {std::move(entries), static_cast<int>(children.size()), cols};
    }

    Graph& graph_;
    const syntax::Tree& tree_;
    Scope& scope_;
    std::vector<NodeId> scalars_;
    std::vector<NodeId> meanings_; // by name: its node, once it has been looked up
    std::unordered_map<std::uint32_t, Tensor> tensors_;
    struct Chain { // the terms of a + b - c + ... read so far
        std::vector<NodeId> scalars;
        std::vector<bool> minus;
        std::optional<Tensor> total; // the sum so far, if the terms are vectors or matrices
    };
    std::unordered_map<std::uint32_t, Chain> chains_;
    const bool finite_numbers_ = scope_.wants_finite_numbers();
    bool has_sums_ = false; // false: enclosing_ is empty
    std::vector<std::uint32_t> enclosing_;
    std::vector<bool> wanted_, in_chain_;
    std::unordered_map<std::uint32_t, Expr> indices_;
    std::unordered_map<std::uint32_t, IndexNumbers::Loop> loops_; // of sums
    std::vector<std::pair<std::string, Expr>> extra_;
    std::optional<IndexRange> range_; // of the extra index, where it is known
};

} // namespace

Tensor elaborate(Graph& graph, const syntax::Tree& tree, Scope& scope) {
    return Elaborator(graph, tree, scope).run(tree.root());
}

Tensor elaborate(Graph& graph, const syntax::Tree& tree, Scope& scope, const std::string& index_name, const Expr& index,
                 std::optional<IndexRange> range) {
    Elaborator e(graph, tree, scope);
    e.bind(index_name, index, range);
    return e.run(tree.root());
}

Tensor elaborate(Graph& graph, const syntax::Tree& tree, Scope& scope, const IndexNames& indices) {
    Elaborator e(graph, tree, scope);
    for (const auto& [name, index] : indices) e.bind(name, index, {});
    return e.run(tree.root());
}

Expr elaborate_node(Graph& graph, const syntax::Tree& tree, std::uint32_t root, Scope& scope) {
    const Tensor t = Elaborator(graph, tree, scope).run(root);
    if (!t.is_scalar())
        throw FormulaError(tree.nodes[root].begin, tree.nodes[root].end, "a number is needed here, not " + t.shape());
    return t.scalar();
}

} // namespace rattleback
