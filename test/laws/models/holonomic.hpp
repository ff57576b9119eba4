// Constraints on positions.
#pragma once

#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> holonomic_models() {
    return {
        {.name = "spherical pendulum",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - 2*z - 0.5*z^3"
[constraints]
holonomic = ["(x^2 + y^2 + z^2 - 1)/2"]
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [0.6, 0, -0.8]
v = [0.4, 0.7, 0.3]
)toml",
         .affine = true,
         .quadratic_g = true,
         .step = 0.1,
         .typical = true,
         .long_step = 0.05},
        {.name = "two rods",
         .text = R"toml(
coordinates = ["x", "y", "u", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + 0.35*(u'^2 + w'^2) - y - 0.7*w"
[constraints]
holonomic = ["x^2 + y^2 - 1", "(u - x)^2 + (w - y)^2 - 0.64"]
[initial]
q = [0.6, -0.8, 0.6, "-1.6"]
v = [0.4, 0.3, 0.8, 0.3]
)toml",
         .quadratic = true,
         .quadratic_g = true,
         .step = 0.1},
        {.name = "one rod",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2)/2 + y"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [0.6, -0.8]
p = [0.4, 0.3]
)toml",
         .quadratic = true,
         .quadratic_g = true,
         .step = 0.1},
        {.name = "relativistic bead",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "sqrt(1 + p_x^2 + p_y^2) + y + x*y/5"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [0.8, -0.6]
p = [0.6, 0.8]
)toml",
         .step = 0.1,
         .typical = true},
        {.name = "bead on a quartic",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2*(1 + y^2/3) + y'^2 + z'^2 + 0.4*x'*z')/2 - z + 0.2*x*y"
[constraints]
holonomic = ["x^4 + y^2 + z^2 - 1"]
[initial]
q = [0, 0.6, -0.8]
v = [0.4, 0.4, 0.3]
)toml",
         .step = 0.1,
         .typical = true},
        {.name = "nonseparable on a curve",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2*(1 + y^2) + p_y^2)/2 + x*y + y"
[constraints]
holonomic = ["x^2 + x*y + y^2 - 1"]
[initial]
q = [1, 0]
p = [0.3, -0.6]
)toml",
         .step = 0.1,
         .until = 0.4,
         .typical = true},
        {.name = "pulsating rod with friction",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 2*y"
force = { x = "-0.2*x'", y = "-0.3*y' + 0.1*x" }
[constraints]
holonomic = ["x^2 + y^2 - (1 + 0.1*sin(2*t))^2"]
[initial]
q = [0.6, -0.8]
v = ["0.12 + 0.8", "-0.16 + 0.6"]
)toml",
         .forces = true,
         .time = true,
         .even = false,
         .quadratic_g = true,
         .step = 0.1,
         .long_step = 0.05},
        {.name = "free rod",
         .text = R"toml(
coordinates = ["x", "y", "u", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + 0.35*(u'^2 + w'^2) - (x - u)^3/3"
[constraints]
holonomic = ["(u - x)^2 + (w - y)^2 - 1"]
[symmetries]
east = { x = "1", u = "1" }
north = { y = "1", w = "1" }
[initial]
q = [0.6, -0.8, 0, 0]
v = [0.8, 0.6, 0, 0]
)toml",
         .affine = true,
         .linear = true,
         .quadratic_g = true,
         .step = 0.1},
        {.name = "bent line beside a rod",
         .text = R"toml(
coordinates = ["u", "x", "y"]
[mechanics]
lagrangian = "cosh(u)^2*u'^2/2 + (x'^2 + y'^2)/2 - y"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[symmetries]
along = { u = "1/cosh(u)" }
[initial]
q = [0.2, 0.6, -0.8]
v = [1.3, 0.4, 0.3]
)toml",
         .quadratic_g = true,
         .step = 0.1},
        {.name = "magnetic on a sphere",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + 0.5*(x*y' - y*x')*z - z"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
[initial]
q = [0.6, 0, -0.8]
v = [0.4, 0.7, 0.3]
)toml",
         .even = false,
         .quadratic_g = true,
         .step = 0.1},
        {.name = "bead on an ellipsoid",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
holonomic = ["x^2 + y^2 + 2*z^2 - 1"]
[initial]
q = ["sqrt(0.5)", 0, -0.5]
v = [0.4, 0.4, "0.4*sqrt(0.5)"]
)toml",
         .quadratic_g = true,
         .step = 0.1,
         .long_step = 0.03},
        {.name = "rod with slow friction",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - y"
force = { x = "-0.003*x'", y = "-0.003*y'" }
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [0.6, -0.8]
v = [0.4, 0.3]
)toml",
         .forces = true,
         .even = false,
         .quadratic_g = true,
         .step = 0.1,
         .long_step = 0.05},
        {.name = "tied oscillators",
         .text = R"toml(
coordinates = ["x", "y", "u", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + 2*u'^2 + w'^2)/2 - (x^2 + y^2)^2/4 - (x^2 + y^2)*u/3 - u^2 - w^4/4"
[constraints]
holonomic = ["u + 2*w - 0.5"]
[symmetries]
turn = { x = "-y", y = "x" }
[initial]
q = [0.6, 0.2, 0.1, 0.2]
v = [0.3, -0.5, 0.4, -0.2]
)toml",
         .affine = true,
         .quadratic_g = true,
         .step = 0.1,
         .typical = true,
         .long_step = 0.05},
        {.name = "tied Henon-Heiles",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2 + p_z^2/3)/2 + (x^2 + y^2 + z^2)/2 + x^2*y - y^3/3 + z^4/4"
[constraints]
holonomic = ["x - y + 2*z"]
[initial]
q = [0.1, -0.1, -0.1]
p = [0.2, 0.3, 0.15]
)toml",
         .quadratic_g = true,
         .step = 0.1,
         .typical = true,
         .long_step = 0.05},
        {.name = "tied masses in a growing field",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + 2*y'^2)/2 - exp(t/200)*(x^2/2 + y^4/4)"
[constraints]
holonomic = ["x + 2*y"]
[initial]
q = [0.4, -0.2]
v = [0.2, -0.1]
)toml",
         .time = true,
         .quadratic_g = true,
         .step = 0.1,
         .long_step = 0.05},
        {.name = "bead on a swinging sphere",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
holonomic = ["x^2 + y^2 + (z - 0.1*sin(2*t))^2 - 1"]
[symmetries]
turn = { x = "-y", y = "x" }
[initial]
q = [0.6, 0, -0.8]
v = [0.4, 0.7, 0.5]
)toml",
         .time = true,
         .affine = true,
         .quadratic_g = true,
         .step = 0.1},
    };
}

} // namespace rattleback::laws
