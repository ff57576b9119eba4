// Writes the solution of a system's implicit blocks as lines: linear systems, and Newton's loop, on all lanes at once.
#pragma once

#include "code/block_solver.hpp"
#include "code/formulas.hpp"

namespace rattleback::code {

class BlockWriter {
  public:
    // Lanes in which something rare happens are added to `trouble`.
    BlockWriter(Listing& listing, const CompiledSystem& system, const Variable<Mask>& trouble, int lanes)
        : listing_(listing), system_(system), trouble_(trouble), formulas_(system, listing, trouble), lanes_(lanes) {}

    // Once, before all loops: declares the variables that keep matrices.
    void declare() {
        for (const Block& block : system_.blocks) matrices_.emplace_back(listing_, block);
    }
    // With one lane, from here on: leaves the steps as soon as there is trouble, which `left` then says.
    void stop_alone(const Variable<Mask>& left) { stops_ = true, left_ = left; }

    // All blocks in order, for the lanes that are active; adds to `iterations` those of Newton's method.
    void write(const Mask& active, const Variable<Number>& iterations);

    Formulas& formulas() { return formulas_; }
    void stop_if_alone();
    void demand_finite(const std::vector<Number>& values) { trouble_.set(trouble_.get() | ~finite(values)); }
    // Are all values finite? 0 * sum is NaN if one is NaN or infinite, and for a sum that overflows: then the tape
    // decides. The sum is a tree: a chain of additions would be bound by their latency.
    Mask finite(std::vector<Number> values);
    Mask within(const Mask& lanes, const Mask& condition) { return lanes_ > 1 ? lanes & condition : condition; }

  private:
    struct Sizes;

    Number constant(double x) { return number(listing_, x); }
    void renew(const std::vector<Variable<Number>>& variables, const std::vector<Number>& values, const Mask& lanes);
    std::vector<Number> residuals(const Block& block);
    std::vector<Number> entries(const Block& block);
    void linear(const Block& block, BlockSolver& solver);
    void newton(const Block& block, BlockSolver& solver, const Mask& active, const Variable<Number>& iterations);
    Sizes sizes_of(const Block& block, const std::vector<Number>& unknowns, const std::vector<Number>& du);
    void look_for_noise(const Block& block, const Sizes& sizes, const std::vector<Number>& residuals, const Mask& where,
                        const Variable<Mask>& converged);
    Number largest_of(const std::vector<Number>& values);

    Listing& listing_;
    const CompiledSystem& system_;
    Variable<Mask> trouble_;
    Formulas formulas_;
    int lanes_;
    std::vector<BlockSolver> matrices_;
    bool stops_ = false;
    Variable<Mask> left_;
};

} // namespace rattleback::code
