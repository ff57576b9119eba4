// Formulas copied from one graph into another. Reads the other graph and writes nothing to it, so that several threads
// may copy from one graph at the same time.
#include "expr/graph.hpp"

#include <algorithm>

namespace rattleback {
namespace {

// All that the roots are made of, bodies and borders of families too, in ascending order. Unlike reachable() it does
// not use the graph's own marks.
std::vector<NodeId> needed(const Graph& graph, std::span<const NodeId> roots) {
    std::vector<char> seen(graph.size(), 0);
    std::vector<NodeId> found, stack(roots.begin(), roots.end());
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (std::exchange(seen[id], 1)) continue;
        found.push_back(id);
        graph.for_children(id, [&](NodeId child) { stack.push_back(child); });
        if (graph.node(id).op != Op::element) continue;
        const Family& f = graph.family(graph.node(id).a);
        if (f.body) stack.push_back(*f.body);
        for (const auto& [k, value] : f.border) stack.push_back(value);
    }
    in_order(found);
    return found;
}

} // namespace

std::vector<NodeId> Graph::import(const Graph& from, std::span<const NodeId> roots) {
    std::vector<NodeId> now(from.size(), 0);
    const auto family_of = [&](FamilyId id) { // its body and border have smaller ids: they are there
        Family f = from.family(id);
        if (f.body) f.body = now[*f.body];
        for (auto& [k, value] : f.border) value = now[value];
        return family(std::move(f));
    };
    const auto system_of = [&](std::uint32_t id) {
        LinearSystem s = from.system(id);
        for (auto* ids : {&s.matrix, &s.rhs})
            for (NodeId& x : *ids) x = now[x];
        return add_system(std::move(s));
    };
    next_index_ = std::max(next_index_, from.next_index_);
    for (NodeId id : needed(from, roots)) {
        const Node& n = from.node(id);
        switch (n.op) {
        case Op::constant: now[id] = make(n.op, n.a, n.b, n.c, n.d); break;
        case Op::symbol: now[id] = symbol(from.name(id)).id(); break;
        case Op::index: now[id] = make(n.op, n.a); break;
        case Op::element: now[id] = make(n.op, family_of(n.a), now[n.b]); break;
        case Op::solve: now[id] = make(n.op, system_of(n.a), n.b); break;
        default: now[id] = make(n.op, now[n.a], now[n.b], now[n.c], now[n.d]); // 0, for "none", is kept
        }
    }
    return now;
}

} // namespace rattleback
