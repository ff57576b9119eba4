// Of an end that no path reaches: how near paths come to it.
//
// In place of the end there is the price W |miss|^2 / 2, in the units of the coordinates. Where the end is within
// reach, the miss falls like 1/W; where it is not, it stays, and where it stays is a local minimum of the distance.
#pragma once

#include <rattleback/boundary.hpp>

namespace rattleback::boundary {

struct NearestEnd {
    bool out_of_reach = false;
    double miss = 0; // the distance that stays
    std::string at;  // "x = 0.5 (to be 1)": of the condition that is missed most, or a formula and its value
};
// Of a control problem; none: nothing was found out, or the user has interrupted it.
std::optional<NearestEnd> nearest_end(const Model& model, const SolveOptions& options);

} // namespace rattleback::boundary
