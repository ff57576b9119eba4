#include "solve/products.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "expr/graph.hpp"
#include "solve/copies.hpp"

namespace rattleback::solve {
namespace {

constexpr std::size_t longest = 16;         // factors of a product; longer ones are split
constexpr std::size_t most_nodes = 400'000; // rewritten one by one, before large systems are rewritten by template

// A sorted list of at most `longest` nodes, repetitions allowed.
struct List {
    std::array<NodeId, longest> nodes;
    std::uint32_t count = 0;

    const NodeId* begin() const { return nodes.data(); }
    const NodeId* end() const { return nodes.data() + count; }
    bool empty() const { return count == 0; }
    std::size_t size() const { return count; }
    void add(NodeId id) {
        std::uint32_t at = count++;
        for (; at > 0 && nodes[at - 1] > id; --at) nodes[at] = nodes[at - 1];
        nodes[at] = id;
    }
    void add(const List& other) {
        for (NodeId id : other) add(id);
    }
    // The intersection, with repetitions.
    List shared(const List& other) const {
        List both;
        both.count = static_cast<std::uint32_t>(
            std::set_intersection(begin(), end(), other.begin(), other.end(), both.nodes.data()) - both.nodes.data());
        return both;
    }
    List without(const List& other) const {
        List rest;
        rest.count = static_cast<std::uint32_t>(
            std::set_difference(begin(), end(), other.begin(), other.end(), rest.nodes.data()) - rest.nodes.data());
        return rest;
    }
};

// number * over / under * factors / divisor. `over` and `under` do not change between steps (parameters, h, and
// constants that are no doubles); they and the number are the prefix, which can be computed before the Newton loop.
struct Product {
    double number = 1;
    List over, under, factors;
    NodeId divisor = 0;

    std::size_t size() const { return over.size() + under.size() + factors.size(); }
    bool has_prefix() const { return std::abs(number) != 1 || !over.empty() || !under.empty(); }
    // Operations that the prefix costs in the loop: one multiplication, or none if there is nothing else.
    std::uint32_t costs() const { return has_prefix() && !factors.empty(); }
};

// Products without the places that their lists leave free: 24 bytes and 4 for each factor instead of 224.
class Kept {
  public:
    void reserve(std::size_t count) { all_.reserve(count); }
    std::size_t size() const { return all_.size(); }
    void add(const Product& p) {
        all_.push_back({p.number,
                        p.divisor,
                        static_cast<std::uint32_t>(nodes_.size()),
                        {static_cast<std::uint8_t>(p.over.size()), static_cast<std::uint8_t>(p.under.size()),
                         static_cast<std::uint8_t>(p.factors.size())}});
        for (const List* list : {&p.over, &p.under, &p.factors})
            nodes_.insert(nodes_.end(), list->begin(), list->end());
    }
    Product operator[](std::size_t i) const {
        const Short& s = all_[i];
        Product p;
        p.number = s.number, p.divisor = s.divisor;
        auto from = nodes_.begin() + s.first;
        for (std::size_t k = 0; k < 3; ++k) {
            List& list = k == 0 ? p.over : k == 1 ? p.under : p.factors;
            list.count = s.counts[k];
            std::copy_n(from, list.count, list.nodes.begin());
            from += list.count;
        }
        return p;
    }

  private:
    struct Short {
        double number;
        NodeId divisor;
        std::uint32_t first; // of its factors
        std::array<std::uint8_t, 3> counts;
    };
    std::vector<Short> all_;
    std::vector<NodeId> nodes_;
};

constexpr std::uint64_t fraction = (std::uint64_t(1) << 52) - 1; // the bits of a double that are not sign or exponent
std::uint64_t digits(double x) { return std::bit_cast<std::uint64_t>(x) & fraction; }
bool is_power_of_two(double x) { return digits(x) == 0; }

} // namespace

class Products::Rewriting {
  public:
    Rewriting(Graph& graph, Templates& templates, std::vector<char> rank)
        : graph_(graph), templates_(templates), rank_(std::move(rank)) {}

    void run(std::span<Expr* const> repeated, std::span<Expr* const> once) {
        const std::vector<NodeId> loop = roots(repeated), rest = roots(once);
        std::vector<NodeId> all = loop;
        all.insert(all.end(), rest.begin(), rest.end());
        // Large implicit systems are left as they are: their time goes into linear algebra, and rewriting takes time.
        if (!loop.empty() && all.size() > most_nodes) return;
        const std::vector<NodeId> order = reachable(graph_, all);
        const bool large = order.size() > most_nodes;
        if (!loop.empty() && large) return;
        for (auto* list : {&rewritten_, &uses_, &product_}) list->assign(graph_.size(), 0);
        rank_.resize(graph_.size(), number);
        count_uses(order, loop, rest);
        if (large) {
            by_instance(all);
        } else {
            products_.reserve(order.size());
            for (NodeId id : order) visit(id);
        }
        for (Expr* e : repeated) replace(*e);
        for (Expr* e : once) replace(*e);
    }

  private:
    static std::vector<NodeId> roots(std::span<Expr* const> formulas) {
        std::vector<NodeId> ids;
        for (const Expr* e : formulas)
            if (e->graph()) ids.push_back(e->id());
        return ids;
    }
    void replace(Expr& e) {
        if (e.graph()) e = Expr(graph_, rewritten(e.id()));
    }
    struct Look { // see Copies
        Rewriting& all;
        std::vector<char> finished; // formulas

        bool stays(NodeId id) const { return all.graph_.node(id).op == Op::constant || all.rank(id) <= steady; }
        NodeId value(NodeId id) const {
            if (all.graph_.node(id).op == Op::symbol) return id;
            return id < finished.size() && finished[id] ? all.rewritten(id) : 0;
        }
        std::uint32_t sign(NodeId id, bool leaf) const { return leaf ? std::uint32_t(all.rank(id)) : all.uses_[id]; }
    };
    // Large systems: rewrite the first two instances of a template. If the second is a relabelling of the first,
    // relabel the rest instead of rewriting them. After `most_nodes` nodes rewritten one by one, the rest is left as it
    // is.
    void by_instance(const std::vector<NodeId>& formulas) {
        Look look{*this, std::vector<char>(graph_.size(), false)};
        Copies copies(graph_, templates_);
        std::unordered_map<std::uint32_t, Rank> settled; // templates, and the rank of their instances
        std::size_t visited = 0;
        for (NodeId id : formulas) {
            if (is_done(id)) {
                look.finished[id] = true;
                continue;
            }
            const std::uint32_t from = templates_.of(id);
            const auto known = settled.find(from);
            const bool enough = visited > most_nodes;
            const NodeId copy = enough && known == settled.end() ? 0 : copies.copy(id, look);
            if (copy && known != settled.end()) {
                rewritten_[id] = copy;
                set_rank(id, known->second), set_rank(copy, known->second);
            } else if (enough) {
                rewritten_[id] = id;
            } else {
                visited += visit_below(id);
                const NodeId written = rewritten(id);
                if (copy == written)
                    settled.emplace(from, rank(id));
                else
                    settled.erase(from), copies.learn(id, written, look);
            }
            look.finished[id] = true;
        }
    }
    bool is_done(NodeId id) const { return rewritten_[id] || product_[id]; }
    std::size_t visit_below(NodeId root) {
        std::vector<NodeId> nodes, stack{root};
        graph_.begin_visit();
        while (!stack.empty()) {
            const NodeId id = stack.back();
            stack.pop_back();
            if (is_done(id) || !graph_.visit(id)) continue;
            nodes.push_back(id);
            graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
        }
        std::sort(nodes.begin(), nodes.end());
        for (NodeId id : nodes) visit(id);
        return nodes.size();
    }

    // What is used once in the loop is its own, even if others use it too.
    void count_uses(const std::vector<NodeId>& order, const std::vector<NodeId>& loop,
                    const std::vector<NodeId>& rest) {
        std::vector<char> in_loop(graph_.size(), false);
        for (NodeId id : loop) in_loop[id] = true, ++uses_[id];
        for (auto it = order.rbegin(); it != order.rend(); ++it)
            if (in_loop[*it]) graph_.for_children(*it, [&](NodeId child) { in_loop[child] = true, ++uses_[child]; });
        const auto use = [&](NodeId id) { uses_[id] += !in_loop[id]; };
        for (NodeId id : rest) use(id);
        for (NodeId id : order)
            if (!in_loop[id]) graph_.for_children(id, use);
    }

    Rank rank(NodeId id) const { return id < rank_.size() ? static_cast<Rank>(rank_[id]) : number; }
    void set_rank(NodeId id, Rank rank) {
        if (id >= rank_.size()) rank_.resize(graph_.size(), number);
        rank_[id] = rank;
    }
    NodeId make(Op op, NodeId x, NodeId y = 0, NodeId z = 0) {
        const NodeId id = graph_.make(op, x, y, z);
        Rank highest = rank(x);
        if (function(op).arity > 1) highest = std::max(highest, rank(y));
        if (function(op).arity > 2) highest = std::max(highest, rank(z));
        set_rank(id, highest);
        return id;
    }
    NodeId times(NodeId x, NodeId y) { return x == 0 ? y : y == 0 ? x : make(Op::mul, std::min(x, y), std::max(x, y)); }
    std::optional<double> value(NodeId id) const { // if it is a double, not 0
        if (graph_.node(id).op != Op::constant) return {};
        const quad x = *Expr(graph_, id).constant();
        const auto nearest = static_cast<double>(x);
        const bool usable = static_cast<quad>(nearest) == x && nearest != 0 && std::isfinite(nearest);
        return usable ? std::optional(nearest) : std::nullopt;
    }
    NodeId constant(double x) { return graph_.constant(static_cast<quad>(x)).id(); }

    static bool is_sum(Op op) { return op == Op::add || op == Op::sub; }

    // Products and sums are kept as data and become nodes only when one is needed: most are folded into others. A sum
    // is kept as a product, too: of the common factors of its terms and the rest.
    void visit(NodeId id) {
        const Node n = graph_.node(id);
        if (n.op == Op::constant || n.op == Op::symbol) {
            rewritten_[id] = id;
            return;
        }
        Rank highest = number;
        graph_.for_children(id, [&](NodeId child) { highest = std::max(highest, rank(child)); });
        set_rank(id, highest);
        if (is_sum(n.op)) {
            keep(id, sum(n, uses_[id], uses_[id] > 1));
        } else if (n.op == Op::neg) {
            Product p = factor(n.a, 0);
            p.number = -p.number;
            keep(id, p);
        } else if (n.op == Op::mul) {
            const auto [a, b] = factors(n);
            keep(id, combined(a, b));
        } else if (n.op == Op::div) {
            const auto [a, b] = factors(n);
            keep(id, quotient(a, b));
        } else {
            const int arity = function(n.op).arity;
            rewritten_[id] = make(n.op, rewritten(n.a), arity > 1 ? rewritten(n.b) : 0, arity > 2 ? rewritten(n.c) : 0);
        }
    }
    void keep(NodeId id, const Product& p) {
        products_.add(p);
        product_[id] = static_cast<std::uint32_t>(products_.size());
    }
    bool is_kept(NodeId id) const { return product_[id] != 0; }
    Product kept(NodeId id) const { return products_[product_[id] - 1]; }

    NodeId rewritten(NodeId id) {
        if (rewritten_[id] == 0) {
            const NodeId made = made_of(kept(id));
            rewritten_[id] = made;
            set_rank(made, rank(id));
            templates_.note(made, templates_.of(id));
        }
        return rewritten_[id];
    }

    // --- products

    Product whole(NodeId id) {
        Product p;
        if (const auto x = value(id))
            p.number = *x;
        else if (rank(id) <= steady)
            p.over.add(rewritten(id));
        else
            p.factors.add(rewritten(id));
        return p;
    }
    // `price`: operations it takes to multiply the product by a prefix; 0 if that multiplication is there anyway.
    Product factor(NodeId id, std::uint32_t price) {
        const Node& n = graph_.node(id);
        if (is_sum(n.op) && uses_[id] == 1 && is_kept(id) && !kept(id).has_prefix()) return sum(n, price, true);
        if (is_kept(id) && (uses_[id] == 1 || rank(id) <= steady || is_sum(n.op))) return kept(id);
        return whole(id);
    }
    std::pair<Product, Product> factors(const Node& n) {
        std::pair<Product, Product> both{factor(n.a, 1), factor(n.b, 1)};
        if (both.first.has_prefix() && !both.second.has_prefix()) both.second = factor(n.b, 0);
        if (both.second.has_prefix() && !both.first.has_prefix()) both.first = factor(n.a, 0);
        return both;
    }
    Product alone(const Product& p) {
        Product product;
        product.factors.add(made_of(p));
        return product;
    }
    Product combined(Product a, Product b) {
        if (a.divisor && b.divisor) b = alone(b);
        if (a.size() + b.size() >= longest) a = alone(a);
        if (a.size() + b.size() >= longest) b = alone(b);
        const double number = a.number * b.number;
        if (is_power_of_two(a.number) || is_power_of_two(b.number) || std::fma(a.number, b.number, -number) == 0)
            a.number = number;
        else
            a.over.add(constant(b.number));
        a.over.add(b.over), a.under.add(b.under), a.factors.add(b.factors);
        if (b.divisor) a.divisor = b.divisor;
        return a;
    }
    Product quotient(const Product& a, Product b) {
        Product inverse;
        if (b.divisor || a.divisor) b = alone(b); // one division after the other
        if (is_power_of_two(b.number)) inverse.number = 1 / b.number, b.number = 1;
        if (b.number != 1) b.under.add(graph_.constant(1 / static_cast<quad>(b.number)).id()), b.number = 1;
        inverse.over = b.under, inverse.under = b.over;
        b.over = b.under = {};
        if (!b.factors.empty()) inverse.divisor = made_of(b);
        return combined(a.divisor && inverse.divisor ? alone(a) : a, inverse);
    }

    // By Graph::make, without constant folding, which would move numbers to the front, where they are multiplied last.
    NodeId made_of(const Product& p) {
        NodeId over = 0, under = 0;
        for (NodeId id : p.over) over = times(over, id);
        for (NodeId id : p.under) under = times(under, id);
        const bool minus = p.number == -1 && !over && !under && !p.divisor;
        if (p.number == -1 && over)
            over = make(Op::neg, over);
        else if (p.number != 1 && !minus)
            over = times(constant(p.number), over);
        if (under) over = make(Op::div, over ? over : constant(1), under);
        NodeId all = 0;
        // The divisor is mostly known before the other factors: dividing first hides the latency of the division.
        if (p.divisor && over) over = make(Op::div, over, p.divisor);
        for (Rank here : {steady, given, unknown}) { // first the product of each rank, then those of all ranks so far
            NodeId part = 0;
            for (NodeId id : p.factors)
                if (std::max(rank(id), steady) == here) part = times(part, id);
            if (over && rank(over) <= here) part = times(std::exchange(over, 0), part);
            all = times(all, part);
        }
        if (p.divisor && p.number == 1 && !has_steady(p)) all = make(Op::div, all ? all : constant(1), p.divisor);
        if (!all) all = constant(1);
        return minus ? make(Op::neg, all) : all;
    }
    static bool has_steady(const Product& p) { return !p.over.empty() || !p.under.empty(); }

    // --- sums

    // Products with several uses are looked into as well: if no common factor is found, making them again gives the
    // same node, so nothing is computed twice.
    Product term(NodeId id) { return is_kept(id) ? kept(id) : whole(id); }

    // Takes out the common factors of both terms if that saves operations or, with `even`, if it costs none: `even` is
    // set where the sum is a factor, or has several uses, which are mostly sums with the same factor themselves.
    Product sum(const Node& n, std::uint32_t price, bool even) {
        Product a = term(n.a), b = term(n.b), common = common_of(a, b);
        if (common.has_prefix()) {
            const Product rest_a = without(common, a), rest_b = without(common, b);
            const std::uint32_t before = a.costs() + b.costs(), after = rest_a.costs() + rest_b.costs() + price;
            if (after < before || (even && after == before))
                a = rest_a, b = rest_b;
            else
                common = {};
        }
        const bool minus_a = a.number < 0, minus_b = (b.number < 0) != (n.op == Op::sub);
        a.number = std::abs(a.number), b.number = std::abs(b.number);
        const NodeId x = made_of(a), y = made_of(b);
        const auto [made, minus] =
            minus_a == minus_b ? std::pair(make(Op::add, x, y), minus_a) : difference(minus_a ? y : x, minus_a ? x : y);
        if (minus) common.number = -common.number;
        if (rank(made) <= steady)
            common.over.add(made);
        else
            common.factors.add(made);
        return common;
    }

    static Product common_of(const Product& a, const Product& b) {
        Product common;
        common.over = a.over.shared(b.over), common.under = a.under.shared(b.under);
        // NOTE: of numbers only powers of two. A weight of a method, multiplied by the step size and rounded, is always
        // off in the same direction: lobatto with three stages, whose weights are 1/6 and 1/3, lost 1e-18 a step.
        if (is_power_of_two(a.number) && is_power_of_two(b.number))
            common.number = std::abs(a.factors.empty() ? b.number : a.number);
        return common;
    }
    static Product without(const Product& common, Product p) {
        p.number /= common.number;
        p.over = p.over.without(common.over), p.under = p.under.without(common.under);
        return p;
    }

    // x - y; or y - x and a change of sign, if y - x exists already.
    std::pair<NodeId, bool> difference(NodeId x, NodeId y) {
        const auto key = [](NodeId first, NodeId second) { return std::uint64_t(first) << 32 | second; };
        if (differences_.contains(key(y, x))) return {make(Op::sub, y, x), true};
        differences_.insert(key(x, y));
        return {make(Op::sub, x, y), false};
    }

    Graph& graph_;
    Templates& templates_;
    std::vector<char> rank_; // by node id, as the next three
    std::vector<std::uint32_t> uses_;
    std::vector<NodeId> rewritten_;      // 0: not made yet
    std::vector<std::uint32_t> product_; // where it stands in products_, counted from 1
    Kept products_;
    std::unordered_set<std::uint64_t> differences_; // the pairs (x, y) of the differences made so far
};

void Products::set_rank(const Expr& symbol, Rank rank) {
    if (symbol.id() >= rank_.size()) rank_.resize(graph_.size(), number);
    rank_[symbol.id()] = rank;
}

void Products::rewrite(std::span<Expr* const> repeated, std::span<Expr* const> once) const {
    Rewriting(graph_, templates_, rank_).run(repeated, once);
}

} // namespace rattleback::solve
