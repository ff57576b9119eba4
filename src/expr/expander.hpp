// Families unrolled into scalars: x[k] becomes the symbol "x[3]", sums become pairwise sums, guards are decided.
// One Expander remembers what it has expanded; use one for formulas that share parts.
#pragma once

#include <rattleback/expr.hpp>

#include "expr/shape.hpp"

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
    static constexpr NodeId none = 0; // a value that does not exist: a member outside its family without a border value

    // The rolled nodes of a template, children first. Arguments are places in it, or (negative) nodes as they are.
    struct Item {
        NodeId id;
        Op op;
        std::int64_t args[3];
        std::uint32_t index; // of an element: which index it follows, and from how far
        int shift;
    };
    // The index, or a condition on it. Arguments are places among such numbers, or -1 and a number.
    struct Number {
        Op op;
        int args[2];
        long values[2];
    };
    struct Plan {
        std::vector<Item> items;
        bool of_numbers = false; // and indices alone
        // Instances have shapes where one index says all; else the rest is empty.
        std::uint32_t index = 0;           // its number, plus 1
        std::vector<MovingMember> members; // that are named
        std::vector<Number> numbers;       // what is made of the index alone
        std::vector<std::size_t> asked;    // that of it which others use
        std::vector<NodeId> fixed;         // nodes that are used as they are
        std::vector<ShapeId> shapes;       // found so far
        int instances = 0;                 // made so far, while they are few
    };
    struct Member {
        NodeId id = 0;
        ShapeId shape = no_shape;
    };

    Plan& plan(NodeId root);
    bool is_of_numbers(const Item& item) const;
    bool find_index(Plan& plan) const;
    std::optional<Number> as_number(const Item& item, std::span<const int> numbers) const;
    // The scalar that a template stands for, with all indices bound, and its shape.
    Member instance(NodeId root);
    NodeId evaluate(NodeId root) { return instance(root).id; }
    std::optional<quad> computed(const Plan& plan);
    NodeId folded(const Plan& plan);
    NodeId step(const Item& item, std::size_t first);
    bool look(const Plan& plan, int k);
    ShapeId read_shape(Plan& plan, NodeId instance, int k);
    NodeId copy(const Shape& shape, int k);
    int whole(NodeId id) const;
    NodeId sum(const Node& n, int lo, int hi);
    NodeId member(FamilyId family, int k);
    Member new_member(FamilyId family, int k);
    int& bound(std::uint32_t index);

    Graph& graph_;
    std::uint32_t free_, any_;                 // numbers of these indices
    std::vector<int> bound_;                   // values of indices, by their number
    std::vector<std::unique_ptr<Plan>> plans_; // by the root of the template
    std::vector<quad> computed_;               // values of a template of numbers
    std::vector<NodeId> values_;               // of the templates that are being evaluated, one behind the other
    std::vector<std::vector<Member>> inside_;  // members of families within their range
    std::unordered_map<std::uint64_t, NodeId> outside_;
    Templates templates_;
    std::deque<Shape> shapes_{3}; // the first have names, and no lines
    // Of the instance at hand: what stands in the places of its shape, what is computed of its index, the shapes of its
    // members.
    std::vector<NodeId> places_;
    std::vector<long> numbers_, asked_;
    std::vector<ShapeId> member_shapes_;
    long long expanded_ = 0;
    std::string missing_;
};

} // namespace rattleback
