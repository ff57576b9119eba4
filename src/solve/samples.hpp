// Numbers for formulas at several points before anything runs: to see which of their coefficients never vanish.
#pragma once

#include <rattleback/by_node.hpp>
#include <rattleback/expr.hpp>

#include <array>
#include <span>
#include <vector>

namespace rattleback::solve {

class Samples {
  public:
    static constexpr std::size_t count = 10, ordinary = 4; // the last of them, where nothing vanishes
    using Values = std::array<double, count>;

    explicit Samples(const Graph& graph) : graph_(graph) {}

    // Numbers that are always the same: near 1, of either sign, large and small, and where functions of angles vanish.
    void set(const Expr& symbol);
    void set(const Expr& symbol, double value);
    // Not finite where a formula has no value.
    std::vector<Values> at(std::span<const Expr> formulas);

  private:
    Values& of(NodeId id); // made where there are none

    const Graph& graph_;
    std::vector<Values> values_;
    ByNode place_; // of a node's values, counted from 1
    unsigned numbers_ = 0;
};

} // namespace rattleback::solve
