// Blocks that are small enough are put in an order in which nobody looks for pivots; those that will be inverted are
// made smaller before.
#pragma once

#include <deque>
#include <optional>

#include "solve/equations.hpp"
#include "solve/sample.hpp"
#include "solve/samples.hpp"

namespace rattleback::solve {

// Unknowns that belong together: one that is a formula of those before, or a block to be solved.
struct Part {
    std::vector<std::uint32_t> unknowns;
    bool is_formula = false;
    Expr formula = 0;
    std::vector<Expr> guess, residuals, entries;
    Block block = {};
};

class SmallBlocks {
  public:
    // `typical`: values of the last of what is given, which is steady.
    SmallBlocks(const Equations& all, const std::vector<double>& typical);

    // Adds what the block comes to: a smaller one and, `divide`, formulas of the others.
    void prepare(Part part, bool divide, std::deque<Part>& parts);
    const std::vector<Division>& divisions() const { return divisions_; }

  private:
    bool divide_out(Part& part, std::vector<Part>& formulas);
    std::optional<std::size_t> steady_pivot(const Part& part);
    void order_pivots(Part& part);
    bool order_lastingly(Part& part);
    static bool reorder(Part& part, const std::vector<std::pair<int, int>>& order);

    const Equations& all_;
    const std::vector<double>& typical_;
    Sample sample_;
    std::optional<Samples> samples_;
    std::vector<NodeId> steady_;
    std::vector<Division> divisions_;
};

} // namespace rattleback::solve
