// Numbers for formulas before anything runs: to see which of their coefficients are large.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "expr/rewrite.hpp"

namespace rattleback::solve {

// What is steady has its typical values, all else some number near 1, always the same.
class Sample {
  public:
    explicit Sample(Graph& graph) : rewrite_(graph, false) {}

    void set(const Expr& symbol) {
        const double turns = 0.6180339887498949 * ++count_;
        set(symbol, 0.5 + (turns - std::floor(turns)));
    }
    void set(const Expr& symbol, double value) { rewrite_.replace(symbol.id(), value); }
    // Nothing where a formula has no value there.
    std::optional<double> at(const Expr& formula) {
        const auto value = rewrite_(formula).constant();
        if (!value || !real::is_finite(*value)) return {};
        return static_cast<double>(*value);
    }

    Expr partly(const Expr& formula) { return rewrite_(formula); } // of symbols that were not set

  private:
    Rewriter rewrite_;
    int count_ = 0;
};

// Whether a formula is made of numbers and these symbols alone.
inline bool is_of(const Expr& formula, std::span<const NodeId> symbols) {
    if (!formula.graph()) return true;
    const Graph& graph = *formula.graph();
    std::vector<NodeId> stack{formula.id()};
    graph.begin_visit();
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!graph.visit(id)) continue;
        const Op op = graph.node(id).op;
        const bool known = std::find(symbols.begin(), symbols.end(), id) != symbols.end();
        if (op < Op::add && op != Op::constant && !known) return false;
        graph.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    return true;
}

} // namespace rattleback::solve
