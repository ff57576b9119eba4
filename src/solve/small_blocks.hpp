// Prepares implicit blocks of at most 40 unknowns: chooses the order of their pivots before any number is known and, of
// linear blocks of at most 8 unknowns, eliminates some unknowns symbolically.
#pragma once

#include <deque>
#include <optional>
#include <set>

#include "expr/graph.hpp"
#include "solve/equations.hpp"
#include "solve/sample.hpp"

namespace rattleback::solve {

// A step of the solution: one unknown that is a formula of earlier ones, or a block of unknowns solved together.
struct Part {
    std::vector<std::uint32_t> unknowns;
    bool is_formula = false;
    Expr formula = 0;
    std::vector<Expr> guess, residuals, entries;
    Block block = {};
};

class SmallBlocks {
  public:
    // typical, sizes, step_like: see System.
    SmallBlocks(const Equations& all, const System& system);

    // Appends the parts that the block comes to: a smaller block and, with `divide`, formulas for the unknowns that
    // were eliminated from it.
    void prepare(Part part, bool divide, std::deque<Part>& parts);
    const std::set<NodeId>& divides_by() const { return divides_by_; }
    // The size of a formula of the inputs where the model starts, a power of two; 0: not known.
    double size_of(const Expr& formula);

  private:
    bool divide_out(Part& part, std::vector<Part>& formulas);
    std::optional<std::size_t> steady_pivot(const Part& part);
    bool is_refused(const Part& part); // as it is ordered
    bool order_pivots(Part& part);
    static bool reorder(Part& part, const std::vector<std::pair<int, int>>& order);
    using Matrix = std::vector<std::vector<double>>;
    std::vector<Matrix> matrices_at_start(const Part& part);
    std::vector<double> units_of(const Part& part, const std::vector<Matrix>& matrices) const;
    void fit_to_start(Part& part);

    const Equations& all_;
    bool reorder_refused_; // see System
    Sample sample_;
    std::deque<Sample> start_; // with inputs and unknowns as large as where the model starts: two step sizes, or none
    std::vector<double> unknown_; // sizes there; 0: not known
    std::vector<NodeId> steady_;  // parameters and the step size
    std::set<NodeId> divides_by_; // of these
};

} // namespace rattleback::solve
