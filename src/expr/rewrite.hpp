// Rebuilds formulas bottom-up with some nodes replaced: the pass behind substitution and index shifts.
#pragma once

#include "expr/graph.hpp"

namespace rattleback {

// Memo of a rewriting: a hash table from nodes to what they became. Small and cheap to make, since a million small
// formulas may be rewritten one by one.
class NodeMap {
  public:
    NodeId operator[](NodeId from) const { return cells_[place(from)].to; } // 0: nothing
    void set(NodeId from, NodeId to) {
        Cell& cell = cells_[place(from)];
        if (cell.from == 0 && 2 * ++count_ > cells_.size()) return grow(), set(from, to);
        cell = {from, to};
    }

  private:
    struct Cell {
        NodeId from = 0, to = 0;
    };
    std::size_t place(NodeId from) const {
        const std::size_t mask = cells_.size() - 1;
        std::size_t i = from * 0x9e3779b97f4a7c15u >> 40 & mask;
        while (cells_[i].from != 0 && cells_[i].from != from) i = (i + 1) & mask;
        return i;
    }
    void grow() {
        std::vector<Cell> old(4 * cells_.size());
        old.swap(cells_);
        count_ = 0;
        for (const Cell& c : old)
            if (c.from != 0) cells_[place(c.from)] = c, ++count_;
    }
    std::vector<Cell> cells_ = std::vector<Cell>(32);
    std::size_t count_ = 0;
};

class Rewriter {
  public:
    // With through_families, bodies and borders of families are rewritten, too: for symbols, never for indices, which
    // have another meaning inside a body.
    Rewriter(Graph& graph, bool through_families) : graph_(graph), through_families_(through_families) {}

    void replace(NodeId from, const Expr& to) {
        memo_.set(from, to.in(graph_));
        graph_.for_children(from, [&](NodeId) { replaces_formulas_ = true; });
    }
    void replace_family(FamilyId from, FamilyId to) { families_[from] = to; }
    Expr operator()(const Expr& root);
    FamilyId family(FamilyId id); // the rewritten family

  private:
    std::vector<NodeId> unwritten(NodeId root) const;
    NodeId rebuilt(NodeId id);
    NodeId rebuilt_function(NodeId id);
    NodeId at(NodeId id) const {
        const NodeId to = memo_[id];
        return to ? to : id;
    }

    Graph& graph_;
    bool through_families_, replaces_formulas_ = false;
    NodeMap memo_;
    std::unordered_map<FamilyId, FamilyId> families_;
};

// f with one index replaced. Sums inside get new bound indices when `to` itself carries a bound index, so that
// nothing is captured.
Expr replace_index(const Expr& f, NodeId index, const Expr& to);

// if(condition, yes, no), and min and max written in that form. Their derivatives are choices, too: the branch that is
// not taken may not be finite, so it must not be multiplied by 0.
struct Choice {
    Expr condition;
    NodeId yes, no;
};
inline bool is_choice(Op op) { return op == Op::choose || op == Op::min || op == Op::max; }
Choice choice(Graph& graph, const Node& node);

// The family with the component's members: the leaf family if the component is one, else a derived family.
FamilyId family_of(Graph& graph, const Component& component);

// The graph of a vector's formulas; nullptr if all are plain numbers.
Graph* graph_of(const Vec& f);

} // namespace rattleback
