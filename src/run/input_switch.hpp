// Where another root of H_u = 0 gets the least H, the inputs jump to it (a corner of the path, at which H, q and p are
// continuous). The step in which that happens is taken in two parts, with one root and then with the other: so methods
// keep their order.
#pragma once

#include <functional>

#include "run/least_inputs.hpp"
#include "run/stepper.hpp"

namespace rattleback {

class InputSwitch {
  public:
    explicit InputSwitch(const Formulas& formulas);

    bool is_needed() const { return least_.has_value(); } // the method solves for inputs, from (q, p)
    // The stepper has gone from t to t + h; `back` returns it to t. True: it has gone there again, in two parts. False:
    // the inputs are those with the least H; or one of the two parts fails, as the report says.
    bool look(Stepper<double>& stepper, double t, double h, const std::function<void()>& back, Report& report);
    std::string note() const; // about the times at which inputs jumped; empty: they did not
    std::string warning() const;

  private:
    std::vector<double> inputs(const std::vector<double>& hint) const;           // of the last stage
    double lead(Stepper<double>& stepper, double t, std::vector<double>& other); // of the other root

    std::optional<LeastInputs> least_;
    std::vector<std::optional<std::size_t>> in_hint_;
    std::vector<double> times_;
    std::size_t jumps_ = 0;
    std::optional<double> falls_; // a time at which H has no least value
};

} // namespace rattleback
