// Formulas of indices and numbers alone, such as 1/(i - 1) in a sum: they must have a value wherever the index goes.
#pragma once

#include "expr/elaborate.hpp"

namespace rattleback {

quad evaluate(Op op, quad x, quad y, quad z); // a row of functions.def; not finite outside its domain

// NOTE: folding drops such a formula where it is multiplied by 0, so what a person wrote is looked at, not what became
// of it. A branch of `if` counts only where a condition on the index takes it.
class IndexNumbers {
  public:
    struct Loop { // of a sum, or of 'for': its index, and its bounds, which may depend on other indices
        Expr index, lo, hi;
    };
    // `scalars`: what the nodes of the tree mean, 0 where that is no scalar; `sums`: of the nodes that are sums.
    IndexNumbers(const Graph& graph, const syntax::Tree& tree, const std::vector<NodeId>& scalars,
                 const std::unordered_map<std::uint32_t, Loop>& sums)
        : graph_(graph), tree_(tree), scalars_(scalars), sums_(sums) {}

    // Throws FormulaError where a formula below `root` is not finite. What is very large is not looked at to its end:
    // there the first step of a run tells.
    void require_finite_sum(std::uint32_t sum);
    void require_finite(std::uint32_t root, const std::string& index_name, const Loop& loop);

  private:
    bool is_worth_while(std::uint32_t root);
    const std::vector<NodeId>& parts(NodeId id); // of a formula of numbers and indices, children first; else empty
    std::optional<quad> value(NodeId id);        // nothing: it has names, or an index whose value is not known here
    void look(std::uint32_t node);
    void look_at_call(const syntax::Node& n);
    void go_through(std::uint32_t body, const std::string& name, const Loop& loop);

    const Graph& graph_;
    const syntax::Tree& tree_;
    const std::vector<NodeId>& scalars_;
    const std::unordered_map<std::uint32_t, Loop>& sums_;
    std::unordered_map<NodeId, std::vector<NodeId>> parts_;
    std::unordered_map<NodeId, quad> values_;
    std::vector<std::pair<std::string, NodeId>> bound_; // indices that have a value now, the outermost first
    int work_ = 0;
};

} // namespace rattleback
