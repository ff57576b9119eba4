// What watches compare at the nodes at both ends of every step: the directions of the constraints, and momenta. Where
// nodes are rows, in machine code, eight steps side by side.
#pragma once

#include <memory>

#include "code/native.hpp"
#include "run/momentum.hpp"
#include "run/node_code.hpp"
#include "run/watch.hpp"

namespace rattleback {

class NodePairs {
  public:
    NodePairs(ConstraintWatch& watch, MomentumEquation<double>& momentum) : watch_(watch), momentum_(momentum) {}

    // Where the columns of rows begin that hold what the watches want, and the momenta.
    void begin(std::size_t wanted, std::size_t momenta);
    // What machine code is made of; none where there is nothing to compare, or too much.
    std::shared_ptr<const code::Listing> listing() const;

    // Compares the first `count` nodes of the rows, each with the one before. False where constraints may have become
    // dependent: then nodes are to be looked at one by one. Without code here.
    bool pass(NodeRows& rows, std::size_t count, const code::Native* code);
    // Makes the last of these nodes, at time t, the one that was passed.
    void take(const NodeRows& rows, double t);
    std::size_t passed() const { return count_; }

  private:
    static constexpr std::size_t most_lines = 4000;
    std::size_t in_code(NodeRows& rows, std::size_t count, const code::Native& code);
    bool one_by_one(const NodeRows& rows, std::size_t first, std::size_t count);

    ConstraintWatch& watch_;
    MomentumEquation<double>& momentum_;
    std::vector<std::size_t> of_watch_, of_momentum_; // columns
    MomentumResiduals<double> most_{momentum_.shape()};
    std::size_t count_ = 0;
};

} // namespace rattleback
