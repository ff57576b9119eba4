// A two-wheeled vehicle on a slope: what laws and schemes are tested on, with their own symmetries and starts.
#pragma once

#include <string>

namespace rattleback {

inline std::string vehicle_equations() {
    return R"toml(
coordinates = ["x", "y", "th", "ph"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + 1.2*th'^2 + 0.8*ph'^2)/2 - cos(y)"
[constraints]
velocity = ["x'*sin(ph) - y'*cos(ph)", "x'*sin(th) - y'*cos(th) + 0.5*th'"]
principle = "variational"
)toml";
}

} // namespace rattleback
