// Regularity of steps with a generating function (de Leon, Martin de Diego and Santamaria 2004, (19) and (24)): p0 =
// -D1 S + alpha_0 determines q1 where R = D12 S - d alpha_0/d q1 is regular. Since d q1/d p0 = -R^-1, with q0 fixed,
// the determinant comes from the step's exact derivative.
#pragma once

#include <rattleback/run.hpp>

#include "run/compiled.hpp"
#include "solve/implicit.hpp"

namespace rattleback {

class RegularityWatch {
  public:
    explicit RegularityWatch(const Formulas& own); // idle for methods without a generating function

    // Looks at nodes 0, 1, 2, 4, 8, ...: what is looked for changes slowly.
    void at_node(long long k, const Stepper<double>& stepper, double t, Report& report);
    // At the last node or, where a step from there failed, at the one before.
    void at_end(Report& report);

  private:
    struct Place {
        std::vector<double> given;
        double t = 0;
    };
    bool look(const Place& place, Report& report);

    std::optional<solve::Implicit<double>> derivative_; // of q1 by p0
    std::size_t coordinates_ = 0, inputs_ = 0;
    Place last_, before_;
};

} // namespace rattleback
