// Families unrolled into scalars: x[k] becomes the symbol "x[3]", sums become pairwise sums, guards are decided.
// One Expander remembers what it has expanded; use one for formulas that share parts.
#pragma once

#include <rattleback/expr.hpp>

namespace rattleback {

class Expander {
  public:
    explicit Expander(Graph& graph)
        : graph_(graph), free_(graph.node(graph.free_index().id()).a), any_(graph.node(graph.any_index().id()).a) {}

    static constexpr long long most_terms = 10'000'000, most_expanded = 50'000'000; // of one sum; of all sums

    Expr scalar(const Expr& f) { return at(f, 0, 0); }
    std::vector<Expr> members(const Vec& f); // all scalars, in order
    std::vector<ScalarEntry> entries(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns);
    Expr at(const Expr& f, int k, int m);         // with the free index k and the dense index m
    Templates& templates() { return templates_; } // of what is made here

  private:
    // The rolled nodes of a template, children first. Arguments are places in it, or (negative) nodes as they are.
    struct Item {
        NodeId id;
        Op op;
        std::int64_t args[3];
        std::uint32_t index; // of an element: which index it follows, and from how far
        int shift;
    };
    using Plan = std::vector<Item>;

    const Plan& plan(NodeId root);
    NodeId evaluate(NodeId root);
    NodeId step(const Item& item, std::size_t first);
    int whole(NodeId id) const;
    NodeId sum(const Node& n, int lo, int hi);
    NodeId member(FamilyId family, int k);
    NodeId new_member(FamilyId family, int k);
    int& bound(std::uint32_t index);

    Graph& graph_;
    std::uint32_t free_, any_;                 // numbers of these indices
    std::vector<int> bound_;                   // values of indices, by their number
    std::vector<std::unique_ptr<Plan>> plans_; // by the root of the template
    std::vector<NodeId> values_;               // of the templates that are being evaluated, one behind the other
    std::vector<std::vector<NodeId>> inside_;  // members of families within their range
    std::unordered_map<std::uint64_t, NodeId> outside_;
    Templates templates_;
    long long expanded_ = 0;
    std::string missing_;
};

} // namespace rattleback
