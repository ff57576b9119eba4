#include "expr/cases.hpp"

#include <set>

namespace rattleback {
namespace {

bool decides(Op op) {
    switch (op) {
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
    case Op::eq:
    case Op::ne:
    case Op::choose: return true;
    default: return false;
    }
}

} // namespace

bool has_cases(const Expr& f, const Vec& symbols) {
    if (!f.graph()) return false;
    const Graph& graph = *f.graph();
    std::set<NodeId> depending;
    for (const Component& s : symbols) depending.insert(s.value.id());
    const NodeId root = f.id();
    for (const NodeId id : reachable(graph, std::span(&root, 1), true)) { // children before parents
        bool depends = depending.contains(id);
        graph.for_children(id, [&](NodeId child) { depends |= depending.contains(child); });
        if (!depends) continue;
        depending.insert(id);
        if (decides(graph.node(id).op)) return true;
    }
    return false;
}

} // namespace rattleback
