// Semantic analysis: turns a parsed formula into expressions, with the names looked up in a Scope.
#pragma once

#include "expr/graph.hpp"
#include "expr/syntax.hpp"
#include "expr/tensor.hpp"

namespace rattleback {

// An error at the bytes [begin, end) of a formula.
struct FormulaError : Error {
    FormulaError(std::uint32_t from, std::uint32_t to, const std::string& message, std::string what_to_do = {})
        : Error(message), begin(from), end(to), remedy(std::move(what_to_do)) {}
    std::uint32_t begin, end;
    std::string remedy;
};

// What names mean. Functions return nothing for names they do not know; they throw ExprError for misuse.
class Scope {
  public:
    virtual ~Scope() = default;
    virtual std::optional<Tensor> name(const std::string& name, bool primed) = 0;
    virtual std::optional<Tensor> element(const std::string& name, const Expr& index, bool primed) = 0;
    // A member of a family with two indices.
    virtual std::optional<Tensor> element(const std::string&, const Expr&, const Expr&, bool) { return {}; }
    // A function of what a coordinate is, beyond its value; index: of which member of a family.
    virtual std::optional<Tensor> function_of(const std::string&, const std::string&, const std::optional<Expr>&) {
        return {};
    }
    virtual std::optional<Expr> table(const std::string&, const Expr&) { return {}; } // a function given by data
    virtual std::vector<std::string> known() const = 0;                               // for "did you mean"
    virtual Expr structural(const Expr& e) { return e; }        // e as a bound or an index: with parameters as numbers
    virtual bool wants_finite_numbers() const { return false; } // refuse 0/0, log(-1) wherever they are written
};

Tensor elaborate(Graph& graph, const syntax::Tree& tree, Scope& scope);
Expr elaborate_node(Graph& graph, const syntax::Tree& tree, std::uint32_t root, Scope& scope); // e.g. a loop's bound
struct IndexRange {
    int lo, hi;
};
// With one more name: `index_name` means `index`, which goes through `range` where that is known.
Tensor elaborate(Graph& graph, const syntax::Tree& tree, Scope& scope, const std::string& index_name, const Expr& index,
                 std::optional<IndexRange> range = {});
using IndexNames = std::vector<std::pair<std::string, Expr>>;
Tensor elaborate(Graph& graph, const syntax::Tree& tree, Scope& scope, const IndexNames& indices);

} // namespace rattleback
