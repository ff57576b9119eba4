// The directions that constraints on velocities allow, and those reached by their brackets.
#pragma once

#include "evidence/sample.hpp"

namespace rattleback {

// phi(t, q, v) = A v + b = 0. Where b or time enters, space-time is looked at: the field (v0, 1) with A v0 + b = 0 is
// one of the directions.
struct Distribution {
    Distribution(const Sample& sample, const Vec& phi);

    bool linear_in_v = false;       // A does not depend on v
    bool homogeneous = false;       // b = 0
    bool in_time = false;           // b or t enters: the vectors below are of space-time
    int dimension = 0;              // of the space
    int rank = 0, generic_rank = 0; // of A at the start; the largest around it
    bool known = false;             // brackets were computed
    // Dimensions of the distribution, with first brackets, with second ones, ..., at the start; empty: not known there.
    std::vector<int> growth;
    std::vector<int> generic; // at a point near the start

  private:
    void bracket(const Sample& sample, const Vec& space, const std::vector<std::vector<Expr>>& basis);
};

} // namespace rattleback
