// Rebuilding formulas bottom-up with some nodes replaced; the one pass behind substitution and index shifts.
#pragma once

#include <rattleback/expr.hpp>

namespace rattleback {

class Rewriter {
  public:
    // Through families: bodies and borders of families are rewritten too (for symbols; never for indices, which mean
    // something else inside a body).
    Rewriter(Graph& graph, bool through_families) : graph_(graph), through_families_(through_families) {}

    void replace(NodeId from, const Expr& to) { memo_[from] = to.in(graph_); }
    void replace_family(FamilyId from, FamilyId to) { families_[from] = to; }
    Expr operator()(const Expr& root);
    FamilyId family(FamilyId id); // as rewritten

  private:
    NodeId rebuilt(NodeId id);
    NodeId rebuilt_function(NodeId id);
    NodeId at(NodeId id) const {
        auto it = memo_.find(id);
        return it == memo_.end() ? id : it->second;
    }

    Graph& graph_;
    bool through_families_;
    std::unordered_map<NodeId, NodeId> memo_;
    std::unordered_map<FamilyId, FamilyId> families_;
    std::unordered_map<std::uint32_t, std::uint32_t> systems_; // rewritten linear systems, by their first solution
};

// f with one index replaced. Sums inside get new bound indices when `to` itself carries a bound index, so that
// nothing is captured.
Expr replace_index(const Expr& f, NodeId index, const Expr& to);

// if(condition, yes, no), and min and max as such: their derivatives are choices too, since the branch that is not
// taken may not even be finite.
struct Choice {
    Expr condition;
    NodeId yes, no;
};
inline bool is_choice(Op op) { return op == Op::choose || op == Op::min || op == Op::max; }
Choice choice(Graph& graph, const Node& node);

// The family whose members are the component's: the leaf itself when the component is one, else a derived family.
FamilyId family_of(Graph& graph, const Component& component);

// The graph of a vector's formulas; nullptr if all are plain numbers.
Graph* graph_of(const Vec& f);

} // namespace rattleback
