// A system that is solved at every node of a run, from what the node shows: in machine code as a part of the step's
// loop, or else here. It is compiled apart, so that nodes have the same bits with it and without.
#pragma once

#include <rattleback/stepper.hpp>

#include "run/step_code.hpp"

namespace rattleback {

class BesideNode {
  public:
    // `system`: from q, v, p and variational multipliers, or z; then t, the centres of charts and the parameters.
    BesideNode(const Model& model, std::shared_ptr<const CompiledSystem> system);

    const std::shared_ptr<const code::BesideLayout>& layout() const { return layout_; }
    bool read(const NodeValues<double>& node, double t, std::vector<double>& results); // false: it has no values
    void use(const StepCodeResult& made);

  private:
    std::shared_ptr<const code::BesideLayout> layout_;
    std::vector<std::vector<double> NodeValues<double>::*> fields_; // of what is given, where it is one's
    std::vector<double> parameters_;
    SystemSolver<double> solver_;
    std::shared_ptr<const StepCode> code_;
};

} // namespace rattleback
