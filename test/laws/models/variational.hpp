// Constraints inside the action.
#pragma once

#include "laws/models/vehicle.hpp"
#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> variational_models() {
    return {
        {.name = "Heisenberg with a potential",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)/2 - (x^2 + y^2)^2/4"
[constraints]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[symmetries]
up = { z = "1" }
rotation = { x = "-y", y = "x" }
[initial]
q = [0.4, 0.1, 0]
v = [0.2, 0.5, -0.18]
lambda = [0.7]
)toml",
         .affine = true,
         .step = 0.1,
         .typical = true,
         .long_step = 0.05},
        {.name = "two-wheeled vehicle",
         .text = vehicle_equations() + R"toml([symmetries]
east = { x = "1" }
[initial]
q = [0.1, 0.2, 0.3, 0.8]
v = ["cos(0.8)", "sin(0.8)", "2*sin(0.5)", 0.4]
lambda = [0.3, -0.2]
)toml",
         .affine = true,
         .step = 0.1,
         .until = 0.35,
         .typical = true},
        {.name = "nonlinear inside the action",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2*(1 + x^2/4) + z'^2)/2 - 0.4*z*x"
[constraints]
velocity = ["z' - y*x' - 0.2*y'^2 - 0.1"]
principle = "variational"
[initial]
q = [0.3, 0.1, 0]
v = [0.5, 0.4, "0.05 + 0.032 + 0.1"]
lambda = [0.4]
)toml",
         .homogeneous = false,
         .step = 0.1,
         .until = 0.5,
         .typical = true},
        {.name = "driven inside the action", // an indefinite metric; time in L and in the constraint
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "((1 + 0.2*sin(t))*x'^2 - y'^2*(1 + x^2/4) + z'^2)/2 - 0.4*z*x*cos(t)"
[constraints]
velocity = ["2*z' - y*x' - 0.2*y'^2 - 0.1*cos(2*t)"]
principle = "variational"
[initial]
q = [0.3, 0.1, 0]
v = [0.5, 0.4, "(0.05 + 0.032 + 0.1*cos(0.6))/2"]
lambda = [0.4]
t = 0.3
)toml",
         .time = true,
         .even = false,
         .homogeneous = false,
         .step = 0.1,
         .until = 0.8},
        {.name = "pulled inside the action",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - 0.4*z*x"
force = { x = "-0.02*x'", y = "-0.01*y'" }
[constraints]
velocity = ["z' - y*x'"]
principle = "variational"
[initial]
q = [0.3, 0.1, 0]
v = [0.5, 0.4, 0.05]
lambda = [0.4]
)toml",
         .forces = true,
         .even = false,
         .step = 0.1,
         .until = 0,
         .long_step = 0.02},
        {.name = "Heisenberg on a sphere",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
holonomic = ["(x^2 + y^2 + z^2 - 1)/2"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [0.8, 0, -0.6]
v = [0.3, -0.5, 0.4]
lambda = [0.5]
)toml",
         .affine = true,
         .quadratic_g = true,
         .step = 0.02,
         .until = 0.4,
         .typical = true},
        {.name = "Heisenberg on a quartic",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z + 0.2*x*y"
[constraints]
holonomic = ["x^4 + y^2 + z^2 - 1"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[initial]
q = [1, 0, 0]
v = [0, 0.4, -0.4]
lambda = [0.5]
)toml",
         .step = 0.02,
         .until = 0.4,
         .typical = true},
        {.name = "pulled on a sphere",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
force = { x = "-0.2*x' + 0.3*cos(t)" }
[constraints]
holonomic = ["(x^2 + y^2 + z^2 - 1)/2"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[initial]
q = [0.8, 0, -0.6]
v = [0.3, -0.5, 0.4]
lambda = [0.5]
)toml",
         .forces = true,
         .time = true,
         .even = false,
         .quadratic_g = true,
         .step = 0.02},
        {.name = "Heisenberg in a stiffer potential",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)^2"
[constraints]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[initial]
q = [0.5, 0.1, 0]
v = [0.2, 0.6, -0.28]
lambda = [0.3]
)toml",
         .even = false,
         .step = 0.1,
         .long_step = 0.05},
        {.name = "bent line inside the action",
         .text = R"toml(
coordinates = ["u", "x", "y", "z"]
[mechanics]
lagrangian = "cosh(u)^2*u'^2/2 + (x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)/2"
[constraints]
velocity = ["z' - y*x'"]
principle = "variational"
[symmetries]
along = { u = "1/cosh(u)" }
[initial]
q = [0.2, 0.4, 0.1, 0]
v = [1.3, 0.2, 0.5, 0.02]
lambda = [0.2]
)toml",
         .even = false,
         .step = 0.1},
        {.name = "Heisenberg on an ellipsoid",
         .text = R"toml(
coordinates = ["u", "x", "y", "z"]
[mechanics]
lagrangian = "(u'^2 + x'^2 + y'^2 + z'^2)/2 - z - u*z"
[constraints]
holonomic = ["(x^2 + y^2 + 2*z^2 - 1)/2"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [0, 1, 0, 0]
v = [0.2, 0, 0.4, -0.4]
lambda = [0.5]
)toml",
         .affine = true,
         .quadratic_g = true,
         .step = 0.02},
        {.name = "bent line beside a sphere",
         .text = R"toml(
coordinates = ["u", "x", "y", "z"]
[mechanics]
lagrangian = "cosh(u)^2*u'^2/2 + (x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
holonomic = ["(x^2 + y^2 + z^2 - 1)/2"]
velocity = ["z' - y*x' + x*y'"]
principle = "variational"
[symmetries]
along = { u = "1/cosh(u)" }
[initial]
q = [0.2, 0.8, 0, -0.6]
v = [1.3, 0.3, -0.5, 0.4]
lambda = [0.5]
)toml",
         .even = false,
         .quadratic_g = true,
         .step = 0.02},
    };
}

} // namespace rattleback::laws
