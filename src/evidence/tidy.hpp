// Formulas as people write them: multiplied out, like terms collected, sin^2 + cos^2 = 1.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "expr/graph.hpp"

namespace rattleback {

// For formulas that are shown or written to a file; what is computed keeps the form it was derived in. A formula
// becomes a sum of products of powers of *atoms*: symbols, functions, and sums that something is divided by.
class Tidy {
  public:
    explicit Tidy(Graph& graph) : graph_(graph) {}
    Expr operator()(const Expr& formula); // the same function; the same formula where it has too many terms
    bool exhausted() const { return work_ > most_work; }       // from then on formulas stay as they are
    std::string text(const Expr& formula, bool latex = false); // tidied, without brackets that are not needed

  private:
    using Product = std::map<NodeId, int>;                            // exponents of atoms, which may be negative
    using Terms = std::map<Product, quad>;                            // coefficients
    using Pair = std::pair<NodeId, NodeId>;                           // sin(u), cos(u)
    static constexpr std::size_t most_terms = 300, most_parts = 3000; // of a formula that is tidied
    static constexpr std::size_t most_work = 3'000'000;               // of all formulas: a third of a second

    Terms terms_of(NodeId id);
    Terms reciprocal_of(NodeId id);
    std::optional<int> whole_number(NodeId id) const;
    std::optional<Terms> tidied(const Expr& formula);
    Terms atom(const Expr& e);
    Terms function(const Node& node);
    Terms times(const Terms& a, const Terms& b);
    Terms reciprocal(const Terms& a);
    Terms raised(const Terms& a, int exponent);
    Terms reduced(Terms all, bool without_cos);
    Terms cancelled(Terms all);
    bool divide(Terms from, const Terms& by, Terms& quotient) const;
    Expr written(const Terms& terms);

    Graph& graph_;
    std::unordered_map<NodeId, Terms> known_;        // by node of the formulas met so far
    std::unordered_map<NodeId, Terms> denominators_; // by atom
    std::vector<Pair> angles_;
    bool too_many_ = false;
    mutable std::size_t work_ = 0; // terms looked at
};

} // namespace rattleback
