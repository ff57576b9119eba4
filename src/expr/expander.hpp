// Expands families into scalars: x[k] becomes the symbol "x[3]", sums are unrolled and added pairwise, conditions on an
// index are decided. An Expander keeps what it has expanded: use one for all formulas that share members.
#pragma once

#include "expr/graph.hpp"

#include "expr/rewrite.hpp"
#include "expr/stencil.hpp"
#include "expr/sums.hpp"

namespace rattleback {

class Expander {
  public:
    explicit Expander(Graph& graph)
        : graph_(graph), free_(graph.node(graph.free_index().id()).a), any_(graph.node(graph.any_index().id()).a),
          sums_(graph) {}

    static constexpr long long most_terms = 10'000'000, most_expanded = 50'000'000; // of one sum; of all sums

    Expr scalar(const Expr& f) { return at(f, 0, 0); }
    std::vector<Expr> members(const Vec& f); // all scalars, in order
    std::vector<ScalarEntry> entries(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns);
    Expr at(const Expr& f, int k, int m);         // with free_index() = k and any_index() = m
    Templates& templates() { return templates_; } // of the nodes that were made here

  private:
    static constexpr NodeId none = 0; // the value of a member outside its family that has no border value

    // A node of a template that depends on an index. Arguments >= 0 are items before it; negative ones are nodes, -id.
    struct Item {
        NodeId id;
        Op op;
        std::int64_t args[3];
        std::uint32_t index; // of an element: the number of its index plus 1 (0: none), and what is added to it
        int shift;
    };
    // The index, or an integer or condition made of it. Arguments are Numbers before it, or -1: then `values`.
    struct Number {
        Op op;
        int args[2];
        long values[2];
    };
    struct Plan {
        std::vector<Item> items;
        // For stencils, if instances depend on one index only:
        std::uint32_t index = 0;           // its number plus 1; 0: there are no stencils
        std::vector<MovingMember> members; // that the template names
        std::vector<Number> numbers;       // items that depend on the index alone
        std::vector<std::size_t> asked;    // those of them that other items use
        std::vector<NodeId> fixed;         // nodes that do not depend on the index
        std::vector<StencilId> stencils;   // found so far
        int instances = 0;                 // made so far, up to a limit
    };
    struct Member {
        NodeId id = 0;
        StencilId stencil = no_stencil;
    };

    Plan& plan(NodeId root);
    bool find_index(Plan& plan) const;
    std::optional<Number> as_number(const Item& item, std::span<const int> numbers) const;
    // The scalar that a template becomes when all its indices have values, and its stencil.
    Member instance(NodeId root);
    NodeId evaluate(NodeId root) { return instance(root).id; }
    NodeId folded(const Plan& plan);
    NodeId step(const Item& item, std::size_t first);
    bool look(const Plan& plan, int k);
    StencilId read_stencil(Plan& plan, NodeId instance, int k);
    NodeId copy(const Stencil& stencil, int k);
    int whole(NodeId id) const;
    NodeId sum(NodeId sum, int lo, int hi);
    NodeId member(FamilyId family, int k);
    Member new_member(FamilyId family, int k);
    int& bound(std::uint32_t index);

    Graph& graph_;
    std::uint32_t free_, any_;                // numbers of free_index() and any_index()
    std::vector<int> bound_;                  // values of indices, by their number
    std::deque<Plan> plans_;                  // stable: new ones do not move the others
    ByNode plan_of_;                          // by the root of the template: its plan, counted from 1
    std::vector<NodeId> values_;              // a stack: the items' values of all templates under evaluation
    std::vector<std::vector<Member>> inside_; // members of families within their range, once expanded
    std::unordered_map<std::uint64_t, NodeId> outside_;
    Templates templates_;
    std::deque<Stencil> stencils_{3}; // the first three stand for no_stencil, a_symbol and always_the_same
    // Of the instance under evaluation: the nodes in the places of its stencil, its Numbers and those asked for, the
    // stencils of its members.
    std::vector<NodeId> places_;
    std::vector<long> numbers_, asked_;
    std::vector<StencilId> member_stencils_;
    Sums sums_;
    NodeMap closed_; // the values of closed sums: members that share one do not add it up again
    long long expanded_ = 0;
    std::string missing_;
};

} // namespace rattleback
