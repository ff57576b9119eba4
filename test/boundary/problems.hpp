// Problems that several tests here solve, and how they are solved.
#pragma once

#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace rattleback::boundary_test {

inline Solution solved(const std::string& text, const SolveOptions& options = {}) {
    return find_path(read_model(text, "problem.toml"), options);
}

inline double apart(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double most = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

inline const std::string double_integrator = R"-(coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "u" }
cost     = "u^2/2"
[boundary]
from = { x = 0, v = 0 }
to   = { x = 1, v = 0 }
time = 1
)-";

inline const std::string swing_up = R"-(coordinates = ["theta", "omega"]
[control]
inputs   = ["u"]
dynamics = { theta = "omega", omega = "u - sin(theta)" }
cost     = "u^2/2"
[boundary]
from = { theta = 0, omega = 0 }
to   = { theta = "pi", omega = 0 }
time = 5
)-";

inline const std::string unicycle = R"-(coordinates = ["x", "y", "theta"]
[control]
inputs   = ["v", "w"]
dynamics = { x = "v*cos(theta)", y = "v*sin(theta)", theta = "w" }
cost     = "(v^2 + w^2)/2"
[boundary]
from = { x = 0, y = 0, theta = 0 }
to   = { x = 1, y = "3/4", theta = "-1/2" }
time = 1
)-";

inline const std::string heisenberg = R"-(coordinates = ["x", "y", "z"]
[control]
inputs   = ["u", "v"]
dynamics = { x = "u", y = "v", z = "(x*v - y*u)/2" }
cost     = "(u^2 + v^2)/2"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 1, y = 0, z = "3/10" }
time = 1
)-";

// The same extremals as those of Lagrange problems: velocities are constrained. Nothing descends to minima here, so the
// search finds others, too.
inline const std::string unicycle_lagrange = R"-(coordinates = ["x", "y", "theta"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + theta'^2)/2"
[constraints]
velocity  = ["x'*sin(theta) - y'*cos(theta)"]
principle = "variational"
[boundary]
from = { x = 0, y = 0, theta = 0 }
to   = { x = 1, y = "3/4", theta = "-1/2" }
time = 1
)-";

inline const std::string heisenberg_lagrange = R"-(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + (z' - (x*y' - y*x')/2)^2)/2"
[constraints]
velocity  = ["z' - (x*y' - y*x')/2"]
principle = "variational"
[boundary]
from = { x = 0, y = 0, z = 0 }
to   = { x = 1, y = 0, z = "3/10" }
time = 1
)-";

inline std::string with_area(std::string text, double area) { // swept on the way from (0, 0) to (1, 0)
    return text.replace(text.find("\"3/10\""), 6, std::to_string(area));
}

} // namespace rattleback::boundary_test
