// Sines and cosines of sums by the addition theorems, where those of the parts are needed anyway.
#pragma once

#include <rattleback/solve.hpp>

namespace rattleback::solve {

// sin(x - y) becomes sin(x) cos(y) - cos(x) sin(y) unless that asks for more sines and cosines than it saves. The error
// is that of rounding x and y. Systems with families are left as they are.
System share_angles(System system);

} // namespace rattleback::solve
