// What instances of a template come to once they are folded. All but those at the ends of a family are the same formula
// of members that move along with the index: it is folded once, read off that instance, and the others are copies.
#pragma once

#include <rattleback/expr.hpp>

namespace rattleback {

// A member that moves along: at the index plus this.
struct MovingMember {
    FamilyId family;
    int shift;
    friend bool operator==(const MovingMember&, const MovingMember&) = default;
    friend bool operator<(const MovingMember& x, const MovingMember& y) {
        return x.family != y.family ? x.family < y.family : x.shift < y.shift;
    }
};

using ShapeId = std::uint32_t;
// Of what is made only once; of members that are symbols; of those that are the same for every index.
constexpr ShapeId no_shape = 0, a_symbol = 1, always_the_same = 2;

struct Shape {
    // Arguments are places, or (negative) nodes as they are. First come the members that the template names, then the
    // symbols, then what the lines make.
    struct Line {
        Op op;
        bool by_age; // the older argument comes first, as folding has it
        std::uint32_t from;
        std::int64_t args[3];
    };
    std::vector<long> numbers;         // what the template computes of the index alone: here it always is this
    std::vector<ShapeId> members;      // and its members have these shapes
    std::vector<MovingMember> leaves;  // the symbols that it comes down to
    std::vector<NodeId> fixed;         // what it is made of besides
    std::vector<int> except;           // where a leaf comes past a symbol that is fixed: folding sees that
    std::vector<MovingMember> symbols; // those that lines take although the template does not name them
    std::vector<Line> lines;
    std::int64_t result;
};

// Reads a shape off one instance.
class ShapeReader {
  public:
    ShapeReader(Graph& graph, const Templates& templates) : graph_(graph), templates_(templates) {}

    // The members that the template names are these nodes, in order. The symbols below are `leaves` of the shape, for
    // an index of k.
    void read(Shape& shape, NodeId instance, std::span<const NodeId> members, int k);
    // The indices where what is fixed contains one of the leaves, which move: nobody can tell which is which.
    std::vector<int> mixed(const Shape& shape) const;

  private:
    void add_line(NodeId id);

    Graph& graph_;
    const Templates& templates_;
    Shape* shape_ = nullptr;
    std::unordered_map<NodeId, std::int64_t> place_; // of what moves
    std::int64_t next_ = 0;
};

} // namespace rattleback
