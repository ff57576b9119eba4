// The graph that formulas live in, and what passes over it need: nodes, families, Jacobians, templates.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <unordered_map>

#include <rattleback/expr.hpp>

#include "expr/by_node.hpp"
#include "expr/growing.hpp"
#include "expr/name_list.hpp"
#include "expr/real_functions.hpp"

namespace rattleback {

using FamilyId = std::uint32_t;

enum class Op : std::uint8_t {
    constant,
    symbol,
    index,   // the index of a family member or of a sum; a whole number once it is expanded
    element, // member of a family at an index
    sum,     // sum of a body over a bound index
    solve,   // component of the solution of a linear system
#define RATTLEBACK_FUNCTION(id, ...) id,
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
    fma,  // x*y + z, rounded once in double. Formulas have neither this nor the next two: ProgramBuilder selects them
    fms,  // x*y - z
    fnma, // z - x*y
    count
};

struct Node {
    Op op;
    bool rolled; // contains an index, an element or a sum: a template, which must be expanded before it is evaluated
    NodeId a, b, c, d;
};

Expr call(Op function, std::span<const Expr> arguments); // any row of functions.def, simplified (src/expr/fold.cpp)

// One row of functions.def at run time.
struct Function {
    Op op;
    std::string_view name; // as written in formulas; empty for operators
    int arity;
    std::string_view latex;  // %1 %2 %3 are the arguments
    std::string_view domain; // what its arguments must satisfy, for messages; empty: everything is allowed
    std::string_view c_name; // of the C library's function that machine code and exported C call; empty: none
    Expr (*derivative)(std::span<const Expr> args, const Expr& value, int which);
};
const Function& function(Op op);
const Function* find_function(std::string_view name); // nullptr if there is none
std::span<const Function> functions();

// Symbols x[lo..hi] with one name and an index. Of a family without a `body`, a leaf, each member is a symbol. A family
// with a body is derived: its member k is the body with the free index replaced by k. `border` has the values of
// members outside lo..hi, as boundary conditions prescribe them.
struct Family {
    std::string name;
    int lo = 1, hi = 0;
    std::optional<NodeId> body;
    std::vector<std::pair<int, NodeId>> border;
};

struct LinearSystem { // A w = b, row-major
    std::uint32_t n;
    std::vector<NodeId> matrix, rhs;
};

class Graph {
  public:
    Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    Expr constant(quad value);
    Expr symbol(std::string_view name); // the same name is the same symbol
    Expr fresh_index();                 // a new bound index, for a sum under construction
    Expr free_index();                  // the index k of a template that stands for each member k
    Expr any_index();                   // a second one, of derivatives that couple every member k to every member m

    FamilyId family(Family definition); // a leaf family with the same name and range is the same family
    Expr member(FamilyId leaf, int k);  // the symbol "x[3]"
    Expr element(FamilyId family, const Expr& index);
    Expr sum(const Expr& index, const Expr& lo, const Expr& hi, const Expr& body);
    Expr
    balanced_sum(std::vector<NodeId> terms); // pairwise: error grows with log n, and like additions group on the tape
    Expr balanced_sum(const std::vector<Expr>& terms);
    std::vector<Expr> solve(std::span<const Expr> matrix, std::span<const Expr> rhs); // w with A w = b

    std::shared_ptr<Graph> copy() const; // with the same ids; from then on each grows on its own
    // Copies what the roots are made of, symbols and families by their names, in the order of the ids. Returns the new
    // id of every node that was copied, 0 for all others.
    std::vector<NodeId> import(const Graph& from, std::span<const NodeId> roots);

    std::size_t size() const { return nodes_.size(); }
    const Node& node(NodeId id) const { return nodes_[id]; }
    quad value(NodeId id) const; // of a constant
    std::string name(NodeId id) const { return std::string(names_[nodes_[id].a]); }
    const Family& family(FamilyId id) const { return families_[id]; }
    const LinearSystem& system(std::uint32_t id) const { return systems_[id]; }
    Expr solution(std::uint32_t system, std::uint32_t component);

    NodeId make(Op op, NodeId a = 0, NodeId b = 0, NodeId c = 0, NodeId d = 0); // finds or adds; does not simplify

    // Calls f(child) for every child of a node.
    template <class F> void for_children(NodeId id, F&& f) const;

    // Marks for one traversal at a time: visit(id) is true at its first call since begin_visit().
    void begin_visit() const;
    bool visit(NodeId id) const { return stamps_[id] != epoch_ && (stamps_[id] = epoch_, true); }

    static constexpr std::size_t max_nodes = std::size_t(1) << 28; // more are refused: they would not fit in memory

  private:
    // Of a hash table: an id, and above it four bits of the hash, by which most mismatches are seen without reading the
    // node. 0: empty.
    using Cell = std::uint32_t;
    static_assert(max_nodes <= std::size_t(1) << 28);
    static NodeId id_in(Cell cell) { return cell & ((Cell(1) << 28) - 1); }
    template <class Fits> Cell& cell(std::uint64_t hash, std::size_t near, Fits&& fits);
    Cell& cell_of(const Node& node, std::uint64_t hash);
    void put_symbol(Cell cell, std::uint64_t hash);
    std::uint32_t add_system(LinearSystem system); // the same is found again
    void grow_table();
    void grow_symbols();
    Growing<Node> nodes_;
    std::vector<Cell> table_; // of all nodes: hash table with open addressing.
    NameList names_;
    std::vector<Cell> symbols_; // by name: hash table with open addressing
    std::deque<Family> families_;
    std::vector<std::vector<NodeId>> members_; // of leaf families: the symbols made so far
    std::unordered_map<std::string, FamilyId> family_index_;
    std::vector<LinearSystem> systems_;
    std::unordered_map<std::string, std::uint32_t> system_index_;
    std::uint32_t next_index_ = 2;
    mutable Growing<std::uint16_t> stamps_;
    mutable std::uint16_t epoch_ = 0;
};

template <class F> void Graph::for_children(NodeId id, F&& f) const {
    const Node& n = nodes_[id];
    switch (n.op) {
    case Op::constant:
    case Op::symbol:
    case Op::index:
    case Op::count: return;
    case Op::element: f(n.b); return;
    case Op::sum: f(n.a), f(n.b), f(n.c), f(n.d); return;
    case Op::solve:
        for (NodeId x : systems_[n.a].matrix) f(x);
        for (NodeId x : systems_[n.a].rhs) f(x);
        return;
    default: {
        const int arity = function(n.op).arity;
        f(n.a);
        if (arity > 1) f(n.b);
        if (arity > 2) f(n.c);
    }
    }
}

// Ids of the roots and of all their descendants, ascending, hence children before parents. With `through_families`
// the bodies of derived families count as descendants.
std::vector<NodeId> reachable(const Graph& graph, std::span<const NodeId> roots, bool through_families = false);
void in_order(std::vector<NodeId>& ids); // ascending

// i + c, or a number: the only forms an index may have.
struct AffineIndex {
    std::optional<NodeId> variable;
    int shift = 0;
};
std::optional<AffineIndex> affine_index(const Graph& graph, NodeId index);

// One nonzero of a Jacobian of templates: the derivative of component `row`, of member k if that is a family, with
// respect to `single`: the scalar component `column`; `stencil`: member k + shift of the family `column`; `fixed`: its
// member `shift`; `full`: each of its members m.
struct JacobianTerm {
    std::size_t row, column;
    enum Kind { single, stencil, fixed, full } kind;
    int shift = 0;
    Expr value; // may use k = free_index() and, if full, m = any_index()
};
std::vector<JacobianTerm> jacobian(const Vec& f, const Vec& leaves);

// The same, given up when the graph has come to more than `most` nodes: members that read their neighbours' formulas,
// which read their neighbours' formulas, have templates that grow exponentially with the depth.
struct TooManyNodes : ExprError {
    using ExprError::ExprError;
};
std::vector<JacobianTerm> jacobian(const Vec& f, const Vec& leaves, std::size_t most);

struct ScalarEntry {
    std::uint32_t row, column;
    Expr value;
};
std::vector<ScalarEntry> expand(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns);

// Which template a node was expanded from: by the node's id, the id of the template's node, or ~id of the family of
// which it is a member. Nodes with equal entries are instances of one template.
class Templates {
  public:
    std::uint32_t of(NodeId instance) const { return of_[instance]; } // 0: of none
    void note(NodeId instance, std::uint32_t from) {                  // later notes of the same node are ignored
        if (from != 0 && of_[instance] == 0) of_.set(instance, from), any_ = true;
    }
    bool any() const { return any_; }

  private:
    ByNode of_;
    bool any_ = false;
};

} // namespace rattleback
