// Machine code for the nodes of a run: those of many steps at once, side by side on the lanes of vectors.
#pragma once

#include <functional>

#include "run/measures.hpp"
#include "run/step_code.hpp"

namespace rattleback {

// Where a run keeps what nodes are computed from, and what they show.
class NodeRows {
  public:
    NodeRows(std::shared_ptr<const NodeCode> code, const ShownNode& node, const std::vector<double>& parameters,
             double h);

    static constexpr std::size_t most = code::steps_shown;
    // The arrays that steps fill, and the times of their nodes.
    void lend(std::array<double*, code::array_count>& arrays);
    double* times() { return times_.data(); }
    // Keeps every `parts`-th column entry alone: of the nodes, where steps have several parts.
    void keep_last_of(std::size_t parts, std::size_t count);
    // Node i, to which a single step has led; `iterations`: of Newton's method so far.
    void keep(std::size_t i, const std::vector<double>& state, const std::vector<double>& hint, double iterations);

    // Computes the first `count` nodes. Those that machine code leaves to the tape are rows that on_tape(i, row) fills
    // in; where that returns false, node i cannot be computed. Returns how many could be.
    using OnTape = std::function<bool(std::size_t, std::vector<double>&)>;
    std::size_t compute(std::size_t count, const OnTape& on_tape);
    // What node i is computed from, among the inputs of its system.
    void give(std::size_t i, const Fields& inputs, double* given) const;
    NodeColumn column(std::size_t place) const { return rows_.data() + in_front + place * code::row_stride; }
    // Columns have a number in front, for what the node before them shows: the last of those behind the column before.
    double& before(std::size_t place) { return data()[static_cast<std::ptrdiff_t>(place * code::row_stride) - 1]; }
    double* data() { return rows_.data() + in_front; }
    bool reads_time() const { return code_->reads_time; }

  private:
    static constexpr std::size_t in_front = 8;
    std::size_t pass(std::size_t first, std::size_t groups);
    std::size_t mend(std::size_t first, std::size_t count, const OnTape& on_tape);
    template <class F> void each_input(F&& f) {
        for (std::size_t c = 0; c < code_->carried.size(); ++c) f(carried(c));
        f(times_.data());
    }
    double* carried(std::size_t column) { return carried_.data() + column * code::row_stride; }

    std::shared_ptr<const NodeCode> code_;
    std::vector<double> carried_, times_, rows_, parameters_, sizes_, left_;
};

} // namespace rattleback
