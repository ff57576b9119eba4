// --at: a step that meets given times.
#pragma once

#include <string>
#include <vector>

#include <rattleback/rattleback.hpp>

namespace app {

// Runs keep one step size, which is what structure-preserving methods are made for. So the step is shortened until
// every time is a whole number of steps from the start: nothing is interpolated, and no order is lost.
struct OutputTimes {
    double step = 0, until = 0;
    std::vector<long long> nodes; // ascending
    bool has(long long node) const;
};
// Throws BadCommand for what is no list of numbers, for times on both sides of the start, and for those that no step of
// at least a thousandth of the wanted one meets.
OutputTimes output_times(const std::string& list, double t0, double step);

} // namespace app
