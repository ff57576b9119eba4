// Stencils: the simplified instance of a template, as a formula of members x[k + shift]. Instances of one template
// differ only near the ends of a family, so expanding a family simplifies one instance, reads its stencil off the
// result, and makes the other instances by applying the stencil at other indices k: the same nodes, without simplifying
// again.
#pragma once

#include "expr/graph.hpp"

namespace rattleback {

// The member at index k + shift.
struct MovingMember {
    FamilyId family;
    int shift;
    friend bool operator==(const MovingMember&, const MovingMember&) = default;
    friend bool operator<(const MovingMember& x, const MovingMember& y) {
        return x.family != y.family ? x.family < y.family : x.shift < y.shift;
    }
};

using StencilId = std::uint32_t;
// Not stencils, but kinds of members that have none: a one-off, a symbol x[k], a formula without the index.
constexpr StencilId no_stencil = 0, a_symbol = 1, always_the_same = 2;

struct Stencil {
    // One operation. Arguments >= 0 are places: first the members that the template names, then `symbols`, then the
    // results of the lines. Negative ones are nodes, -id.
    struct Line {
        Op op;
        bool by_age;        // sums and products: the argument with the smaller id comes first, as fold.cpp orders them
        std::uint32_t from; // the template's node, for Templates
        std::int64_t args[3];
    };
    // When it applies: the instance's conditions on the index have these values, and its members these stencils.
    std::vector<long> numbers;
    std::vector<StencilId> members;
    std::vector<MovingMember> leaves;  // all symbols below that depend on the index
    std::vector<NodeId> fixed;         // all nodes below that do not
    std::vector<int> except;           // indices at which a leaf is also among the symbols of `fixed`: simplified alone
    std::vector<MovingMember> symbols; // leaves that lines use although the template does not name them
    std::vector<Line> lines;
    std::int64_t result; // a place, or -id
};

// Reads a stencil off a simplified instance.
class StencilReader {
  public:
    StencilReader(Graph& graph, const Templates& templates) : graph_(graph), templates_(templates) {}

    // `instance` was made at index k; `members` are the nodes of the members that the template names, in order. Sets
    // the lines, symbols and result; `leaves` must be set.
    void read(Stencil& stencil, NodeId instance, std::span<const NodeId> members, int k);
    // Stencil::except: at these indices one symbol is both fixed and a leaf, and reading could not tell which it is.
    std::vector<int> mixed(const Stencil& stencil) const;

  private:
    void add_line(NodeId id);

    Graph& graph_;
    const Templates& templates_;
    Stencil* stencil_ = nullptr;
    std::unordered_map<NodeId, std::int64_t> place_; // of nodes that depend on the index
    std::int64_t next_ = 0;
};

} // namespace rattleback
