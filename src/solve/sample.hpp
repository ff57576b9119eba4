// Values of formulas at a few fixed points, before anything runs: by these pivots are chosen.
#pragma once

#include "expr/by_node.hpp"
#include "expr/graph.hpp"

#include <array>
#include <span>
#include <vector>

namespace rattleback::solve {

// Parameters have their typical values at every point. All other symbols have numbers that differ from point to point
// but are the same in every run: near 1 at the first point, then zeros, multiples of pi/2, small, large and negative
// numbers, where a coefficient that can vanish is likely to.
class Sample {
  public:
    static constexpr std::size_t points = 11, near_one = 0; // the first
    static constexpr std::size_t ordinary = 4;              // so many of the last, where nothing vanishes
    using Values = std::array<double, points>;

    explicit Sample(const Graph& graph) : graph_(graph) {}

    void set(const Expr& symbol);
    void set(const Expr& symbol, double value);
    void set_like(const Expr& symbol, double size); // the same numbers, multiplied
    // NaN or infinite where a formula has no value; all symbols must have been set.
    std::vector<Values> at(std::span<const Expr> formulas);
    Values at(const Expr& formula) { return at(std::span(&formula, 1))[0]; }

  private:
    Values& of(NodeId id); // made where there are none

    const Graph& graph_;
    std::vector<Values> values_;
    ByNode place_; // of a node's values, counted from 1
    unsigned symbols_ = 0, numbers_ = 0;
};

} // namespace rattleback::solve
