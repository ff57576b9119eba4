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
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rattleback/error.hpp>
#include <rattleback/real.hpp>

namespace rattleback {

class Graph; // src/expr/graph.hpp
std::shared_ptr<Graph> new_graph();
enum class Op : std::uint8_t;
using NodeId = std::uint32_t;

// What a formula may not do (an index that is not i plus a number, a family used without an index, ...).
struct ExprError : Error {
    using Error::Error;
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
    // Is it this constant? Inline, so that the compiler converts a literal.
    bool is(double value) const { return is_constant(static_cast<quad>(value)); }
    Op op() const;

    friend bool operator==(const Expr& x, const Expr& y) {
        if (!x.graph_ || !y.graph_) return x.constant() == y.constant() && x.constant().has_value();
        return x.graph_ == y.graph_ && x.id_ == y.id_;
    }

  private:
    bool is_constant(quad value) const; // one comparison of bits: equal constants are one node
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

// --- substitution ------------------------------------------------------------------------------------------------

struct Substitution {
    Vec from, to; // leaves and what replaces them, component by component
};
Expr substitute(const Expr& f, std::span<const Substitution> rules);
Vec substitute(const Vec& f, std::span<const Substitution> rules);
Expr substitute(const Expr& f, std::initializer_list<Substitution> rules);
Vec substitute(const Vec& f, std::initializer_list<Substitution> rules);

// --- expansion of families into scalars ----------------------------------------------------------------------------

std::vector<Expr> expand(const Vec& f); // scalars, members in order
std::vector<std::string> expanded_names(const Vec& f);
Expr expand(const Expr& f); // a scalar formula with sums

// --- equations -------------------------------------------------------------------------------------------------------

struct Equation {
    Vec lhs, rhs;
};
inline Equation operator==(const Vec& lhs, const Vec& rhs) { return {lhs, rhs}; }

// What is to be found from equations.
struct Unknown {
    Vec symbols;
    Vec guess; // where Newton starts, as formulas of the inputs; empty: zero
    // Inputs of the same kind as these unknowns: Newton's increments count as small relative to these values, too.
    std::vector<Expr> beside = {};
};

// --- printing ------------------------------------------------------------------------------------------------------

std::string to_text(const Expr& f, std::size_t max_length = 0); // 0: whole; else cut with "..."
std::string to_latex(const Expr& f);

} // namespace rattleback
