#include "expr/rewrite.hpp"
#include "expr/graph.hpp"

#include <algorithm>
#include <array>

namespace rattleback {

FamilyId Rewriter::family(FamilyId id) {
    if (auto it = families_.find(id); it != families_.end()) return it->second;
    if (!through_families_) return id;
    Family f = graph_.family(id); // a copy: the table may grow below
    bool changed = false;
    const auto update = [&](NodeId& node) {
        const NodeId to = (*this)(Expr(graph_, node)).in(graph_);
        changed |= to != node;
        node = to;
    };
    if (f.body) update(*f.body);
    for (auto& [k, value] : f.border) update(value);
    FamilyId result = id;
    if (changed) {
        if (!f.body) f.body = graph_.element(id, graph_.free_index()).id(); // same members, other border
        result = graph_.family(std::move(f));
    }
    families_[id] = result;
    return result;
}

NodeId Rewriter::rebuilt_function(NodeId id) {
    const Node n = graph_.node(id);
    const int arity = function(n.op).arity;
    const NodeId a = at(n.a), b = arity > 1 ? at(n.b) : 0, c = arity > 2 ? at(n.c) : 0;
    if (a == n.a && (arity < 2 || b == n.b) && (arity < 3 || c == n.c)) return id;
    const std::array<Expr, 3> args = {Expr(graph_, a), Expr(graph_, b), Expr(graph_, c)};
    return call(n.op, std::span(args).first(static_cast<std::size_t>(arity))).in(graph_);
}

NodeId Rewriter::rebuilt(NodeId id) {
    const Node n = graph_.node(id);
    switch (n.op) {
    case Op::constant:
    case Op::symbol:
    case Op::index:
    case Op::count: return id;
    case Op::element: {
        const FamilyId f = family(n.a);
        return f == n.a && at(n.b) == n.b ? id : graph_.element(f, {graph_, at(n.b)}).id();
    }
    case Op::sum: {
        const NodeId lo = at(n.a), hi = at(n.b), body = at(n.c), index = at(n.d);
        if (lo == n.a && hi == n.b && body == n.c && index == n.d) return id;
        return graph_.sum({graph_, index}, {graph_, lo}, {graph_, hi}, {graph_, body}).in(graph_);
    }
    case Op::solve: {
        const LinearSystem& s = graph_.system(n.a);
        std::vector<Expr> matrix, rhs;
        bool changed = false;
        for (NodeId x : s.matrix) matrix.emplace_back(graph_, at(x)), changed |= at(x) != x;
        for (NodeId x : s.rhs) rhs.emplace_back(graph_, at(x)), changed |= at(x) != x;
        return changed ? graph_.solve(matrix, rhs)[n.b].in(graph_) : id;
    }
    default: return rebuilt_function(id);
    }
}

Expr Rewriter::operator()(const Expr& root) {
    if (!root.graph()) return root;
    // One ascending pass over the formula. Families are rewritten by recursion when one of their elements is met; they
    // are nested no deeper than a scheme's stages.
    const NodeId id = root.id();
    if (const NodeId known = memo_[id]) return {graph_, known};
    for (NodeId node : unwritten(id))
        if (!memo_[node]) memo_.set(node, rebuilt(node)); // a family met before may have been there
    return {graph_, memo_[id]};
}

// Below a node that has been rewritten everything has, so that the formulas of a large system do not visit again what
// they share; below one that is merely replaced, nothing may have been.
std::vector<NodeId> Rewriter::unwritten(NodeId root) const {
    std::vector<NodeId> found, stack{root};
    graph_.begin_visit();
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        const bool written = memo_[id] != 0;
        if ((written && !replaces_formulas_) || !graph_.visit(id)) continue;
        if (!written) found.push_back(id);
        graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    in_order(found);
    return found;
}

namespace {

bool contains(const Graph& graph, NodeId root, NodeId node) {
    const auto nodes = reachable(graph, std::array{root});
    return std::binary_search(nodes.begin(), nodes.end(), node);
}

} // namespace

Expr replace_index(const Expr& f, NodeId index, const Expr& to) {
    if (!f.graph() || !contains(*f.graph(), f.id(), index)) return f;
    Graph& g = *f.graph();
    Rewriter rewrite(g, false);
    rewrite.replace(index, to);
    const auto affine = affine_index(g, to.in(g));
    for (NodeId id : reachable(g, std::array{f.id()})) {
        const Node n = g.node(id);
        if (n.op != Op::sum) continue;
        const Expr lo(g, n.a), hi(g, n.b), body(g, n.c), bound(g, n.d);
        if (n.d == index) { // the sum binds the index that is to be replaced: nothing to do inside
            rewrite.replace(id, g.sum(bound, rewrite(lo), rewrite(hi), body));
        } else if (affine && affine->variable == n.d &&
                   contains(g, n.c, index)) { // the sum would capture the new index: rename its own
            const Expr fresh = g.fresh_index();
            const Expr moved = replace_index(replace_index(body, n.d, fresh), index, to);
            rewrite.replace(id, g.sum(fresh, rewrite(lo), rewrite(hi), moved));
        }
    }
    return rewrite(f);
}

Choice choice(Graph& graph, const Node& n) {
    const Expr x(graph, n.a), y(graph, n.b);
    if (n.op == Op::choose) return {x, n.b, n.c};
    return {n.op == Op::min ? fn::lt(y, x) : fn::lt(x, y), n.b, n.a};
}

FamilyId family_of(Graph& graph, const Component& component) {
    std::vector<std::pair<int, NodeId>> border;
    for (const auto& [k, value] : component.border) border.emplace_back(k, value.in(graph));
    const Expr& value = component.value;
    if (value.graph() && value.op() == Op::element) {
        const Node& n = graph.node(value.id());
        const Family& f = graph.family(n.a);
        if (n.b == graph.free_index().id() && f.lo == component.lo && f.hi == component.hi && f.border == border)
            return n.a;
    }
    return graph.family({component.name, component.lo, component.hi, value.in(graph), std::move(border)});
}

Graph* graph_of(const Vec& f) {
    for (const Component& c : f)
        if (c.value.graph()) return c.value.graph();
    return nullptr;
}

} // namespace rattleback
