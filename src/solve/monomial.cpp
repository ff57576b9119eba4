#include "solve/monomial.hpp"
#include "expr/graph.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace rattleback::solve {
namespace {

bool contains(std::span<const NodeId> symbols, NodeId id) {
    return std::find(symbols.begin(), symbols.end(), id) != symbols.end();
}

// Multiplies `product` by the formula to this power; false if it is no monomial.
bool multiply(Monomial& product, const Graph& graph, NodeId id, double power, std::span<const NodeId> symbols) {
    const Node& n = graph.node(id);
    switch (n.op) {
    case Op::constant: return graph.value(id) != 0;
    case Op::symbol: product[id] += power; return contains(symbols, id);
    case Op::neg: return multiply(product, graph, n.a, power, symbols);
    case Op::mul: return multiply(product, graph, n.a, power, symbols) && multiply(product, graph, n.b, power, symbols);
    case Op::div:
        return multiply(product, graph, n.a, power, symbols) && multiply(product, graph, n.b, -power, symbols);
    case Op::power:
        return graph.node(n.b).op == Op::constant &&
               multiply(product, graph, n.a, power * static_cast<double>(graph.value(n.b)), symbols);
    default: return false;
    }
}

} // namespace

std::optional<Monomial> monomial(const Expr& formula, std::span<const NodeId> symbols) {
    Monomial product;
    if (!formula.graph()) return formula.is(0) ? std::nullopt : std::optional(product);
    if (!multiply(product, *formula.graph(), formula.id(), 1, symbols)) return {};
    std::erase_if(product, [](const auto& factor) { return factor.second == 0; });
    return product;
}

bool is_of(const Expr& formula, std::span<const NodeId> symbols) {
    if (!formula.graph()) return true;
    const Graph& graph = *formula.graph();
    std::vector<NodeId> stack{formula.id()};
    graph.begin_visit();
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!graph.visit(id)) continue;
        const Op op = graph.node(id).op;
        if (op < Op::add && op != Op::constant && !contains(symbols, id)) return false;
        graph.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    return true;
}

bool may_divide(const Expr& coefficient, std::span<const Expr> row, std::span<const NodeId> symbols) {
    const std::optional<Monomial> by = monomial(coefficient, symbols);
    return by && std::all_of(row.begin(), row.end(), [&](const Expr& e) {
               return e.is(0) || !is_of(e, symbols) || monomial(e, symbols) == by;
           });
}

void add_symbols(const Expr& formula, std::set<NodeId>& to) {
    if (!formula.graph()) return;
    for (NodeId id : reachable(*formula.graph(), std::array{formula.id()}))
        if (formula.graph()->node(id).op == Op::symbol) to.insert(id);
}

} // namespace rattleback::solve
