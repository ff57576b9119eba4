// Paths from which a search begins: the straight line between the ends, then the same bent by sines with random
// amplitudes, which fall off like 1/j.
#pragma once

#include <functional>

#include "boundary/problem.hpp"

namespace rattleback::boundary {

class RandomBends {
  public:
    RandomBends(const Problem& problem, unsigned long long seed);
    // q and its slope; time from 0 to 1; number 0: straight
    std::function<void(double time, double* q, double* slope)> path(int number);

  private:
    double normal();
    const Problem& problem_;
    unsigned long long random_;
};

} // namespace rattleback::boundary
