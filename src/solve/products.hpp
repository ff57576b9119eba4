// How sums and products are computed: as an expert would write them down.
#pragma once

#include <rattleback/solve.hpp>

namespace rattleback::solve {

// Factors that stay the same come first: numbers, what is steady from one solution to the next, what is given, and last
// the unknowns. So m*(g*(l*sin(x))) becomes ((m*g)*l)*sin(x), whose first part is not computed again in every
// iteration; x/m becomes x*(1/m) if m is steady, and a factor that all terms of a sum have, h/2*x + h/2*y, is taken
// once. Formulas are without families and linear solves.
class Products {
  public:
    enum Rank : char { number, steady, given, unknown };

    Products(Graph& graph, Templates& templates) : graph_(graph), templates_(templates) {}
    void set_rank(const Expr& symbol, Rank rank);
    // Those that an iteration repeats, and those that are computed once.
    void rewrite(std::span<Expr* const> repeated, std::span<Expr* const> once) const;

  private:
    class Rewriting;
    Graph& graph_;
    Templates& templates_;   // what becomes of an instance is one, too
    std::vector<char> rank_; // of symbols, by node id
};

} // namespace rattleback::solve
