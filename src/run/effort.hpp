// How much a step computes, counted in its program: the same number on every machine, however busy that is.
#pragma once

#include "run/compiled.hpp"

namespace rattleback {

// Operations of one step that takes so many iterations, of Newton's method or of its stages. An operation is what an
// addition costs in machine code; one on all lanes of a vector counts once.
class Effort {
  public:
    explicit Effort(const CompiledMethod& method);
    explicit Effort(const CompiledSystem& newton); // a step by Newton's method
    explicit Effort(const CompiledStages& stages); // a step by iterations of its stages
    double of_step(double iterations) const { return once_ + iterations * iterated_; }

  private:
    double once_ = 0, iterated_ = 0; // operations of a step, and of each iteration
};

} // namespace rattleback
