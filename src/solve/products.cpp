#include "solve/products.hpp"

#include <algorithm>
#include <unordered_map>

namespace rattleback::solve {
namespace {

constexpr std::size_t longest = 16; // factors

class Products {
  public:
    explicit Products(System& system) : system_(system), graph_(*system.graph) {}

    void run() {
        std::vector<NodeId> equations, results;
        for (Equation& e : system_.equations) add(e.lhs, equations), add(e.rhs, equations);
        add(system_.results, results);
        std::vector<NodeId> all = equations;
        all.insert(all.end(), results.begin(), results.end());
        const std::vector<NodeId> order = reachable(graph_, all);
        for (NodeId id : order)
            if (const Node& n = graph_.node(id); n.rolled || (n.op < Op::add && n.op > Op::symbol)) return;
        rank_.assign(graph_.size(), number), now_.assign(graph_.size(), 0), uses_.assign(graph_.size(), 0);
        rank_symbols();
        // What the equations use once is theirs, even if results use it too: those are computed once a step.
        count_uses(equations), count_uses(results);
        for (NodeId id : order) rebuild(id);
        for (Equation& e : system_.equations) replace(e.lhs), replace(e.rhs);
        replace(system_.results);
    }

  private:
    enum Rank : char { number, steady, given, unknown };

    static void add(const Vec& v, std::vector<NodeId>& roots) {
        for (const Component& c : v)
            if (c.value.graph()) roots.push_back(c.value.id());
    }
    void replace(Vec& v) {
        for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i].value.graph()) v[i].value = Expr(graph_, now(v[i].value.id()));
    }

    void rank_symbols() {
        const std::size_t changing = system_.given.size() - system_.steady;
        for (std::size_t i = 0; i < system_.given.size(); ++i)
            set_rank(system_.given[i].value.id(), i < changing ? given : steady);
        for (const Unknown& u : system_.find)
            for (const Component& c : u.symbols) set_rank(c.value.id(), unknown);
    }
    void count_uses(const std::vector<NodeId>& roots) {
        const std::vector<NodeId> order = reachable(graph_, roots);
        std::vector<NodeId> used = roots;
        for (NodeId id : order) graph_.for_children(id, [&](NodeId child) { used.push_back(child); });
        const std::vector<std::uint32_t> before = uses_;
        for (NodeId id : used)
            if (before[id] == 0) ++uses_[id];
    }

    Rank rank(NodeId id) const { return id < rank_.size() ? static_cast<Rank>(rank_[id]) : number; }
    void set_rank(NodeId id, Rank rank) {
        if (id >= rank_.size()) rank_.resize(graph_.size(), number);
        rank_[id] = rank;
    }

    void rebuild(NodeId id) {
        const Node n = graph_.node(id);
        if (n.op == Op::constant || n.op == Op::symbol) {
            now_[id] = id;
            return;
        }
        Rank highest = number;
        graph_.for_children(id, [&](NodeId child) { highest = std::max(highest, rank(child)); });
        set_rank(id, highest);
        if (n.op == Op::mul) {
            std::vector<NodeId>& factors = factors_[id];
            for (NodeId child : {n.a, n.b}) {
                const auto parts = factors_.find(child);
                if (parts != factors_.end() && uses_[child] == 1 && parts->second.size() < longest)
                    factors.insert(factors.end(), parts->second.begin(), parts->second.end());
                else
                    factors.push_back(now(child));
            }
            return; // the product when it is asked for: most are part of a longer one
        }
        const int arity = function(n.op).arity;
        now_[id] = graph_.make(n.op, now(n.a), arity > 1 ? now(n.b) : 0, arity > 2 ? now(n.c) : 0);
        set_rank(now_[id], highest);
    }

    NodeId now(NodeId id) {
        if (now_[id] == 0) {
            now_[id] = product(factors_.at(id));
            set_rank(now_[id], rank(id));
        }
        return now_[id];
    }

    // Not folded: folding takes numbers to the front of everything, where they are multiplied last.
    NodeId product(std::vector<NodeId>& factors) {
        const auto before = [&](NodeId x, NodeId y) { return rank(x) != rank(y) ? rank(x) < rank(y) : x < y; };
        std::sort(factors.begin(), factors.end(), before);
        NodeId all = factors[0];
        for (std::size_t i = 1; i < factors.size();) { // those of a rank among themselves, then times those before
            const Rank here = rank(factors[i]);
            NodeId part = factors[i++];
            for (; i < factors.size() && rank(factors[i]) == here; ++i) part = times(part, factors[i], here);
            all = times(all, part, here);
        }
        return all;
    }
    NodeId times(NodeId x, NodeId y, Rank rank_of_both) {
        const NodeId product = graph_.make(Op::mul, std::min(x, y), std::max(x, y));
        set_rank(product, std::max({rank_of_both, rank(x), rank(y)}));
        return product;
    }

    System& system_;
    Graph& graph_;
    std::vector<char> rank_; // by node id, as the next two
    std::vector<std::uint32_t> uses_;
    std::vector<NodeId> now_;
    std::unordered_map<NodeId, std::vector<NodeId>> factors_;
};

} // namespace

System order_products(System system) {
    Products(system).run();
    return system;
}

} // namespace rattleback::solve
