#include "solve/both_ends.hpp"
#include "expr/graph.hpp"

#include <algorithm>
#include <unordered_map>

namespace rattleback::solve {
namespace {

// Larger steps run section by section and exchange values through memory, which costs more than is saved: Verlet on a
// chain of 1,000 takes 9.6 ns a site with sharing, 5.0 without; of 100,000, 12.6 and 6.6.
constexpr std::size_t most_nodes = 2500;

class Sharing {
  public:
    Sharing(Graph& graph, Templates& templates, std::span<const Expr> state, std::span<const Expr> parameters,
            const std::vector<Expr>& results)
        : graph_(graph), templates_(templates), state_(state), parameters_(parameters), allowed_(state.size(), true) {
        for (const Expr& e : results) roots_.push_back(e.in(graph));
        nodes_ = reachable(graph, roots_);
        place_.assign(nodes_.empty() ? 1 : nodes_.back() + 1, 0);
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) place_[nodes_[i]] = i + 1;
        find_next_states();
    }

    BothEnds run(std::vector<Expr>& results) {
        while (!next_.empty() && nodes_.size() <= most_nodes) {
            pair_up();
            choose();
            if (!is_worth_it()) return {};
            std::vector<Expr> written;
            BothEnds ends = rewritten(written);
            if (disallow_late(ends)) continue;
            results = std::move(written);
            return ends;
        }
        return {};
    }

  private:
    std::uint32_t place(NodeId id) const { return id < place_.size() ? place_[id] : 0; }

    // Nodes of the form state + increment: components of the state at the end.
    void find_next_states() {
        std::unordered_map<NodeId, std::uint32_t> component;
        for (std::uint32_t i = 0; i < state_.size(); ++i) component[state_[i].id()] = i;
        for (NodeId id : nodes_) {
            const Node& n = graph_.node(id);
            if (n.op != Op::add) continue;
            for (const auto& [symbol, increment] : {std::pair(n.a, n.b), std::pair(n.b, n.a)})
                if (const auto it = component.find(symbol); it != component.end() && roots_[it->second] == increment)
                    next_[id] = it->second;
        }
    }

    // Pairs every formula of the state and parameters alone with the same formula of the state at the end, if it
    // occurs.
    void pair_up() {
        enum : char { other, steady, of_state };
        std::vector<char> kind(nodes_.size() + 1, other);
        at_end_.assign(nodes_.size() + 1, 0);
        for (const Expr& e : parameters_)
            if (const std::uint32_t p = place(e.id())) kind[p] = steady, at_end_[p] = e.id();
        for (const auto& [node, component] : next_)
            if (const std::uint32_t p = place(state_[component].id()); p && allowed_[component])
                kind[p] = of_state, at_end_[p] = node;
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p) {
            const NodeId id = nodes_[p - 1];
            const Op op = graph_.node(id).op;
            if (op == Op::constant) kind[p] = steady, at_end_[p] = id;
            if (op < Op::add || next_.contains(id)) continue;
            kind[p] = steady;
            graph_.for_children(id, [&](NodeId child) {
                const char k = kind[place(child)];
                kind[p] = std::min(kind[p], k) == other ? char(other) : std::max(kind[p], k);
            });
            at_end_[p] = kind[p] == steady ? id : kind[p] == of_state ? shifted(id) : 0;
        }
        paired_.assign(nodes_.size() + 1, false);
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p)
            paired_[p] = kind[p] == of_state && at_end_[p] && graph_.node(nodes_[p - 1]).op >= Op::add;
    }

    NodeId shifted(NodeId id) {
        const Node n = graph_.node(id);
        const int arity = function(n.op).arity;
        const NodeId a = at_end_[place(n.a)], b = arity > 1 ? at_end_[place(n.b)] : 0;
        const NodeId c = arity > 2 ? at_end_[place(n.c)] : 0;
        if (!a || (arity > 1 && !b) || (arity > 2 && !c)) return 0;
        const NodeId same = graph_.make(n.op, a, b, c);
        if (place(same)) return same;
        const NodeId exchanged = n.op == Op::add || n.op == Op::mul ? graph_.make(n.op, b, a) : 0;
        return place(exchanged) ? exchanged : 0;
    }

    // Keeps the outermost pairs: those that something outside a pair uses, at either end.
    void choose() {
        std::vector<bool> end(nodes_.size() + 1, false), used(nodes_.size() + 1, false);
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p)
            if (paired_[p]) end[place(at_end_[p])] = true;
        for (NodeId id : roots_) used[place(id)] = true;
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p)
            graph_.for_children(nodes_[p - 1], [&](NodeId child) {
                const std::uint32_t c = place(child);
                if ((paired_[c] && !paired_[p]) || (end[c] && !end[p])) used[c] = true;
            });
        chosen_.clear();
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p)
            if (paired_[p] && (used[p] || used[place(at_end_[p])])) chosen_.push_back(p);
    }

    // Sharing costs about one copy for each value and component; a function counts as 10 operations.
    bool is_worth_it() const {
        double saved = 0;
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p)
            if (paired_[p]) saved += graph_.node(nodes_[p - 1]).op < Op::sin ? 1 : 10;
        return saved > static_cast<double>(chosen_.size() + moved().size());
    }

    // Components of the state that the chosen formulas read.
    std::vector<std::uint32_t> moved() const {
        std::vector<NodeId> roots;
        for (std::uint32_t p : chosen_) roots.push_back(nodes_[p - 1]);
        std::vector<std::uint32_t> components;
        const std::vector<NodeId> read = reachable(graph_, roots);
        for (std::uint32_t i = 0; i < state_.size(); ++i)
            if (std::binary_search(read.begin(), read.end(), state_[i].id())) components.push_back(i);
        return components;
    }

    BothEnds rewritten(std::vector<Expr>& results) {
        BothEnds ends;
        std::vector<NodeId> written(nodes_.size() + 1, 0), low(state_.size(), 0), next(state_.size(), 0);
        for (std::uint32_t p : chosen_) {
            const std::string name = "~" + std::to_string(ends.formulas.size());
            const NodeId start = nodes_[p - 1], end = at_end_[p];
            ends.formulas.emplace_back(graph_, start);
            ends.at_start.push_back(graph_.symbol(name + " at the start")), written[p] = ends.at_start.back().id();
            ends.at_end.push_back(graph_.symbol(name + " at the end")), written[place(end)] = ends.at_end.back().id();
        }
        for (std::uint32_t i : moved()) {
            ends.moved.push_back({i, graph_.symbol("low of " + graph_.name(state_[i].id())), 0});
            low[i] = ends.moved.back().low.id();
        }
        for (std::uint32_t p = 1; p <= nodes_.size(); ++p) {
            if (written[p]) continue;
            const NodeId id = nodes_[p - 1];
            const Node n = graph_.node(id);
            const auto of = [&](NodeId child) { return written[place(child)]; };
            const auto it = next_.find(id);
            if (it != next_.end() && low[it->second]) {
                const std::uint32_t i = it->second;
                const NodeId increment = graph_.make(Op::add, of(roots_[i]), low[i]);
                written[p] = next[i] = graph_.make(Op::add, state_[i].id(), increment);
            } else if (n.op < Op::add) {
                written[p] = id;
            } else {
                const int arity = function(n.op).arity;
                written[p] = graph_.make(n.op, of(n.a), arity > 1 ? of(n.b) : 0, arity > 2 ? of(n.c) : 0);
                if (written[p] != id && templates_.of(id)) templates_.note(written[p], templates_.of(id));
            }
        }
        for (auto& m : ends.moved) m.next = Expr(graph_, next[m.component]);
        for (NodeId id : roots_) results.emplace_back(graph_, written[place(id)]);
        return ends;
    }

    // The state at the end must not itself depend on formulas at the end. Components for which it does (momenta that
    // the last force still changes) are left out; true if there were any, and the search is to be repeated.
    bool disallow_late(const BothEnds& ends) {
        std::vector<NodeId> next, late;
        for (const auto& m : ends.moved) next.push_back(m.next.id());
        for (const Expr& e : ends.at_end) late.push_back(e.id());
        const std::vector<NodeId> read = reachable(graph_, next);
        std::vector<bool> is_late(std::max(read.back(), *std::max_element(late.begin(), late.end())) + 1, false);
        for (NodeId id : late) is_late[id] = true;
        for (NodeId id : read)
            graph_.for_children(id, [&](NodeId child) { is_late[id] = is_late[id] || is_late[child]; });
        bool any = false;
        for (const auto& m : ends.moved)
            if (is_late[m.next.id()]) allowed_[m.component] = false, any = true;
        return any;
    }

    Graph& graph_;
    Templates& templates_;
    std::span<const Expr> state_, parameters_;
    std::vector<bool> allowed_;
    std::vector<NodeId> roots_, nodes_;
    std::vector<std::uint32_t> place_;               // by node id: in nodes_, counted from 1
    std::unordered_map<NodeId, std::uint32_t> next_; // nodes that are a component of the state at the end
    std::vector<NodeId> at_end_;                     // by place
    std::vector<bool> paired_;                       // by place
    std::vector<std::uint32_t> chosen_;
};

} // namespace

BothEnds share_ends(Graph& graph, Templates& templates, std::span<const Expr> state, std::span<const Expr> parameters,
                    std::vector<Expr>& results) {
    if (results.size() > most_nodes) return {};
    return Sharing(graph, templates, state, parameters, results).run(results);
}

} // namespace rattleback::solve
