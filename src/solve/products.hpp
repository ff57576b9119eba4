// Reorders sums and products so that the Newton loop repeats as little as possible.
#pragma once

#include "solve/system.hpp"

namespace rattleback::solve {

// Factors are multiplied in the order of their rank: numbers, then inputs that do not change between steps (steady),
// then the other inputs (given), and last the unknowns. So m*(g*(l*sin(x))) becomes ((m*g)*l)*sin(x), whose first part
// is loop-invariant; x/m becomes x*(1/m) if m is steady; and a common factor of the terms of a sum, h/2*x + h/2*y, is
// taken out. Formulas must not contain families or linear solves.
class Products {
  public:
    enum Rank : char { number, steady, given, unknown };

    Products(Graph& graph, Templates& templates) : graph_(graph), templates_(templates) {}
    void set_rank(const Expr& symbol, Rank rank);
    // `repeated`: evaluated in every Newton iteration; `once`: once a solve.
    void rewrite(std::span<Expr* const> repeated, std::span<Expr* const> once) const;

  private:
    class Rewriting;
    Graph& graph_;
    Templates& templates_;   // a rewritten instance of a template is noted as an instance, too
    std::vector<char> rank_; // of symbols, by node id
};

} // namespace rattleback::solve
