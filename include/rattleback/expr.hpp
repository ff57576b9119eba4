// Formulas as a directed acyclic graph with hash consing: equal formulas are the same node.
//
// A Graph owns its nodes in an arena. A node is made after its children and so has a larger id than they: every pass
// over a formula is a loop over ascending ids, and no pass recurses, however deep the formula is. An Expr is a handle
// to a node: cheap to copy, valid as long as its Graph.
//
// Besides functions of numbers the graph has
//   * families x[lo..hi], with element nodes x[i+c] and sum nodes over an index i. They stay templates, with the index
//     as a variable, while formulas are derived (a chain of 100,000 links is differentiated once, not 100,000 times);
//     expand() writes their members out at the end;
//   * solve(A, b): the solution of a linear system as a value that can be differentiated and substituted into.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rattleback/by_node.hpp>
#include <rattleback/error.hpp>
#include <rattleback/growing.hpp>
#include <rattleback/real.hpp>

namespace rattleback {

class Graph;
using NodeId = std::uint32_t;
using FamilyId = std::uint32_t;

// What a formula may not do (an index that is not i plus a number, a family used without an index, ...).
struct ExprError : Error {
    using Error::Error;
};

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

class Expr {
  public:
    Expr() : Expr(0.0) {}
    Expr(double number) : number_(number) {} // a number belongs to no graph until it meets a formula
    Expr(int number) : number_(number) {}
    Expr(quad number) : number_(number) {}
    Expr(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

    Graph* graph() const { return graph_; }
    NodeId id() const { return id_; } // only for formulas
    NodeId in(Graph& graph) const;    // id in that graph; a plain number becomes a node of it
    std::optional<quad> constant() const;
    bool is(double value) const; // is it this constant? (one comparison of bits: equal constants are one node)
    Op op() const;

    friend bool operator==(const Expr& x, const Expr& y) {
        if (!x.graph_ || !y.graph_) return x.constant() == y.constant() && x.constant().has_value();
        return x.graph_ == y.graph_ && x.id_ == y.id_;
    }

  private:
    Graph* graph_ = nullptr;
    NodeId id_ = 0;
    quad number_ = 0;
};

Expr operator+(const Expr& x, const Expr& y);
Expr operator-(const Expr& x, const Expr& y);
Expr operator*(const Expr& x, const Expr& y);
Expr operator/(const Expr& x, const Expr& y);
Expr operator-(const Expr& x);
Expr pow(const Expr& x, const Expr& y);
Expr call(Op function, std::span<const Expr> arguments); // any row of functions.def, simplified (src/expr/fold.cpp)
#define RATTLEBACK_FUNCTION(id, arity, ...) RATTLEBACK_DECLARE_##arity(id)
#define RATTLEBACK_DECLARE_1(id) Expr id(const Expr& x);
#define RATTLEBACK_DECLARE_2(id) Expr id(const Expr& x, const Expr& y);
#define RATTLEBACK_DECLARE_3(id) Expr id(const Expr& x, const Expr& y, const Expr& z);
namespace fn {
#include <rattleback/functions.def>
}
#undef RATTLEBACK_FUNCTION
#undef RATTLEBACK_DECLARE_1
#undef RATTLEBACK_DECLARE_2
#undef RATTLEBACK_DECLARE_3

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
    const std::string& name(NodeId id) const { return names_[nodes_[id].a]; }
    const Family& family(FamilyId id) const { return families_[id]; }
    const LinearSystem& system(std::uint32_t id) const { return systems_[id]; }
    Expr solution(std::uint32_t system, std::uint32_t component);
    std::size_t system_count() const { return systems_.size(); }

    NodeId make(Op op, NodeId a = 0, NodeId b = 0, NodeId c = 0, NodeId d = 0); // finds or adds; does not simplify

    // Calls f(child) for every child of a node.
    template <class F> void for_children(NodeId id, F&& f) const;

    // Marks for one traversal at a time: visit(id) is true at its first call since begin_visit().
    void begin_visit() const;
    bool visit(NodeId id) const { return stamps_[id] != epoch_ && (stamps_[id] = epoch_, true); }

    static constexpr std::size_t max_nodes = std::size_t(1) << 28; // more are refused: they would not fit in memory

  private:
    struct Cell { // of a hash table
        NodeId id = 0;
        std::uint32_t tag = 0; // some bits of the hash: most mismatches are seen without reading the node
    };
    Cell& cell(Op op, NodeId a, NodeId b, NodeId c, NodeId d, std::uint32_t tag, std::uint64_t hash);
    std::uint32_t add_system(LinearSystem system); // the same is found again
    void grow_table();
    void grow_symbols();
    Growing<Node> nodes_;
    std::vector<Cell> table_; // of all nodes: hash table with open addressing
    std::vector<std::string> names_;
    std::vector<Cell> symbols_; // by name: hash table with open addressing
    std::deque<Family> families_;
    std::vector<std::vector<NodeId>> members_; // of leaf families: the symbols made so far
    std::unordered_map<std::string, FamilyId> family_index_;
    std::vector<LinearSystem> systems_;
    std::unordered_map<std::string, std::uint32_t> system_index_;
    std::uint32_t next_index_ = 2;
    mutable Growing<std::uint32_t> stamps_;
    mutable std::uint32_t epoch_ = 0;
};

inline bool Expr::is(double value) const {
    const quad number = value;
    if (!graph_) return number_ == number;
    const Node& n = graph_->node(id_);
    return n.op == Op::constant && std::memcmp(&n.a, &number, quad_bytes) == 0;
}

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

// --- vectors whose components may be whole families ------------------------------------------------------------

struct Component {
    std::string name;
    Expr value; // of a family: the formula of member k, k = Graph::free_index()
    bool family = false;
    int lo = 1, hi = 1;
    std::vector<std::pair<int, Expr>> border = {}; // values outside lo..hi

    int count() const { return family ? hi - lo + 1 : 1; }
};

class Vec {
  public:
    Vec() = default;
    explicit Vec(std::vector<Component> components) : components_(std::move(components)) {}

    std::size_t size() const { return components_.size(); } // components; a family is one
    int count() const;                                      // scalars
    bool empty() const { return components_.empty(); }
    const Component& operator[](std::size_t i) const { return components_[i]; }
    Component& operator[](std::size_t i) { return components_[i]; }
    auto begin() const { return components_.begin(); }
    auto end() const { return components_.end(); }
    void push_back(Component c) { components_.push_back(std::move(c)); }

  private:
    std::vector<Component> components_;
};

Vec operator+(const Vec& x, const Vec& y);
Vec operator-(const Vec& x, const Vec& y);
Vec operator-(const Vec& x);
Vec operator*(const Expr& s, const Vec& x);
Vec operator/(const Vec& x, const Expr& s);
Expr dot(const Vec& x, const Vec& y);
Vec concat(std::initializer_list<Vec> parts);
Vec zeros_like(const Vec& like);
Vec zero_border(Vec x); // with border values 0: increments vanish where values are prescribed
Vec named(Vec x, std::string_view prefix);
Vec symbols_like(Graph& graph, std::string_view prefix, const Vec& like); // new leaves with the same components

// --- derivatives (with respect to leaf symbols only) ---------------------------------------------------------------

Vec gradient(const Expr& f, const Vec& leaves);                              // reverse mode
Vec derivative_along(const Vec& f, const Vec& leaves, const Vec& direction); // (df/dleaves) direction, forward mode
Expr derivative_along(const Expr& f, const Vec& leaves, const Vec& direction);
Expr derivative(const Expr& f, const Expr& symbol);

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

// --- substitution ------------------------------------------------------------------------------------------------

struct Substitution {
    Vec from, to; // leaves and what replaces them, component by component
};
Expr substitute(const Expr& f, std::span<const Substitution> rules);
Vec substitute(const Vec& f, std::span<const Substitution> rules);
inline Vec substitute(const Vec& f, std::initializer_list<Substitution> r) {
    return substitute(f, std::span(r.begin(), r.size()));
}
inline Expr substitute(const Expr& f, std::initializer_list<Substitution> r) {
    return substitute(f, std::span(r.begin(), r.size()));
}

// --- expansion of families into scalars ----------------------------------------------------------------------------

std::vector<Expr> expand(const Vec& f); // scalars, members in order
std::vector<std::string> expanded_names(const Vec& f);
Expr expand(const Expr& f); // a scalar formula with sums
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

// --- printing ------------------------------------------------------------------------------------------------------

std::string to_text(const Expr& f, std::size_t max_length = 0); // 0: whole; else cut with "..."
std::string to_latex(const Expr& f);

} // namespace rattleback
