#include "expr/sums.hpp"

#include <algorithm>

namespace rattleback {
namespace {

constexpr double few = 16; // terms of a sum that does not count as long

bool is_condition(Op op) { return op >= Op::lt && op <= Op::either; }

// The rolled-up nodes below a root, ascending. Calls each(id), which is false where children are not asked for.
template <class F> std::vector<NodeId> rolled_below(const Graph& graph, NodeId root, F&& each) {
    std::vector<NodeId> nodes, stack{root};
    std::unordered_set<NodeId> seen;
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!graph.node(id).rolled || !seen.insert(id).second) continue;
        nodes.push_back(id);
        if (each(id)) graph.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

} // namespace

Sums::Indices Sums::below(NodeId root) {
    Indices found;
    for (NodeId id : rolled_below(graph_, root, [&](NodeId node) { return graph_.node(node).op != Op::sum; })) {
        const Node& n = graph_.node(id);
        if (n.op == Op::index) found.push_back(n.a);
        if (n.op != Op::sum) continue;
        const Indices& inside = indices(id);
        found.insert(found.end(), inside.begin(), inside.end());
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

const Sums::Indices& Sums::indices(NodeId sum) {
    if (const auto known = known_.find(sum); known != known_.end()) return known->second;
    const Node n = graph_.node(sum);
    Indices found = below(n.c);
    std::erase(found, graph_.node(n.d).a);
    for (NodeId bound : {n.a, n.b}) {
        const Indices more = below(bound);
        found.insert(found.end(), more.begin(), more.end());
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return known_.emplace(sum, std::move(found)).first->second;
}

double NestedSums::operations(const Vec& f) {
    constexpr std::uint32_t free = 0; // see Graph::free_index
    double sum = 0;
    for (const Component& c : f) {
        if (!c.value.graph()) continue;
        mean_[free] = c.family ? (double(c.lo) + c.hi) / 2 : 0;
        sum += c.count() * count(c.value.id()).nested;
    }
    for (std::size_t i = 0; i < families_.size(); ++i) { // which grows
        const Family& family = graph_.family(families_[i]);
        if (!family.body) continue;
        mean_[free] = (double(family.lo) + family.hi) / 2;
        sum += (double(family.hi) - family.lo + 1) * count(*family.body).nested;
    }
    return sum + of_closed_;
}

// Of a bound of a sum; 0 where it is not a simple one.
double NestedSums::mean(NodeId bound, int levels) const {
    const Node& n = graph_.node(bound);
    if (n.op == Op::constant) return static_cast<double>(graph_.value(bound));
    if (n.op == Op::index) {
        const auto known = mean_.find(n.a);
        return known == mean_.end() ? 0 : known->second;
    }
    if (levels == 0 || (n.op != Op::add && n.op != Op::sub)) return 0;
    const double a = mean(n.a, levels - 1), b = mean(n.b, levels - 1);
    return n.op == Op::add ? a + b : a - b;
}

NestedSums::Count NestedSums::count_sum(NodeId id) {
    const Node sum = graph_.node(id);
    const double lo = mean(sum.a), hi = mean(sum.b), length = std::max(hi - lo + 1, 0.0);
    mean_[graph_.node(sum.d).a] = (lo + hi) / 2;
    const Count term = count(sum.c);
    const double all = length * (term.direct + 1), nested = length * term.nested;
    if (sums_.closed(id)) return {0, nested};
    return length > few ? Count{0, nested + all} : Count{all, nested};
}

// Of two branches each counts half: most conditions are on an index, and decided when the family is expanded.
NestedSums::Count NestedSums::count(NodeId root) {
    const std::vector<NodeId> nodes = rolled_below(graph_, root, [&](NodeId id) {
        const Op op = graph_.node(id).op;
        return op != Op::sum && op != Op::element && !is_condition(op);
    });
    std::unordered_map<NodeId, double> weight{{root, 1}};
    Count total;
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) { // parents first
        const Node n = graph_.node(*id);
        const double w = weight[*id];
        if (n.op == Op::element) {
            if (named_.insert(n.a).second) families_.push_back(n.a);
        } else if (n.op == Op::sum) {
            if (sums_.closed(*id) && !closed_.insert(*id).second) continue;
            const Count sum = count_sum(*id);
            if (sums_.closed(*id))
                of_closed_ += sum.nested;
            else
                total.direct += w * sum.direct, total.nested += w * sum.nested;
        } else if (!is_condition(n.op) && n.op != Op::index) {
            total.direct += n.op == Op::choose ? 0 : w;
            graph_.for_children(*id, [&](NodeId child) {
                double& most = weight[child];
                most = std::max(most, n.op == Op::choose ? w / 2 : w);
            });
        }
    }
    return total;
}

} // namespace rattleback
