// The scalar equations of a System: families expanded, linear solves replaced by unknowns, in block-triangular order.
#pragma once

#include "expr/expander.hpp"
#include "solve/structure.hpp"

#include "solve/system.hpp"

namespace rattleback::solve {

class Equations {
  public:
    explicit Equations(const System& system);

    Graph& graph;
    Vec results;
    std::vector<Expr> given;
    // Of each unknown: its symbol, where Newton starts, and its kind; and as many residuals.
    std::vector<Expr> symbol, start, residual;
    std::vector<std::string> names;
    std::vector<std::uint32_t> kind;
    std::vector<std::vector<Expr>> beside; // by kind: see Unknown::beside
    BlockStructure structure;
    std::vector<Expr> results_one_by_one() { return expander_.members(results); }
    Templates& templates() { return expander_.templates(); }

    std::size_t equation_of(std::uint32_t unknown) const {
        return static_cast<std::size_t>(structure.equation_of[unknown]);
    }
    std::span<const ScalarEntry> row(std::size_t equation) const { // of the Jacobian
        return std::span(entries_).subspan(first_[equation], first_[equation + 1] - first_[equation]);
    }
    // Whether an equation of the block has an unknown of the block in a condition.
    bool switches(const std::vector<std::uint32_t>& block) const;
    bool depends(std::span<const Expr> formulas, const std::vector<std::uint32_t>& block) const;
    // The derivative of the equation of a block of one unknown, if the equation is smooth in it.
    std::optional<Expr> slope_of_one(const std::vector<std::uint32_t>& block) const;

  private:
    void gather(const System& system);
    void replace_linear_solves();
    void order();
    void add_switches(std::vector<std::vector<std::uint32_t>>& pattern);

    Expander expander_;
    Vec unknowns_, guess_, residuals_;
    std::uint32_t kinds_ = 0;
    bool rolled_ = false;                               // whether there are families
    std::vector<ScalarEntry> entries_;                  // of the Jacobian, row by row
    std::vector<std::size_t> first_;                    // of each row, and the end of the last
    std::vector<std::vector<std::uint32_t>> switches_;  // by equation: unknowns in its conditions
    std::vector<std::vector<std::uint32_t>> mentioned_; // by equation: unknowns that cancel in it
};

} // namespace rattleback::solve
