// Regular mechanics without constraints.
#pragma once

#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> unconstrained_models() {
    return {
        {.name = "double pendulum",
         .text = R"toml(
coordinates = ["a", "b"]
[definitions]
one = ["sin(a)", "-cos(a)"]
two = ["sin(a) + 0.8*sin(b)", "-cos(a) - 0.8*cos(b)"]
[mechanics]
lagrangian = "dot(one', one')/2 + 0.7*dot(two', two')/2 - 2*(one[2] + 0.7*two[2])"
[initial]
q = [1.2, 0.7]
v = [0.3, -0.4]
)toml",
         .step = 0.1,
         .until = 0.5,
         .typical = true},
        {.name = "Henon-Heiles",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2)/2 + (x^2 + y^2)/2 + x^2*y - y^3/3"
[initial]
q = [0.1, -0.25]
p = [0.32, 0.1]
)toml",
         .step = 0.2,
         .long_step = 0.1},
        {.name = "nonseparable Hamiltonian",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2*(1 + y^2) + p_y^2/(1 + x^2) + p_x^2*p_y^2)/2 + x^2/2 + y^2 + x*y^3/2"
[initial]
q = [0.3, -0.4]
p = [0.5, 0.2]
)toml",
         .step = 0.1,
         .typical = true},
        {.name = "magnetic Hamiltonian",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "((p_x + y - x*y^2)^2 + (p_y - x)^2)/2 + x^2/2 + y^2 + x^4/4"
[initial]
q = [0.4, -0.1]
p = [0.2, 0.5]
)toml",
         .even = false,
         .step = 0.1},
        {.name = "relativistic Kepler",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "-4*sqrt(1 - (x'^2 + y'^2)/4) + 1/hypot(x, y)"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [1, 0.2]
v = [0.1, 0.9]
)toml",
         .affine = true,
         .step = 0.1,
         .typical = true,
         .long_step = 0.05},
        {.name = "driven Duffing",
         .text = R"toml(
coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2*(1 + x^2/4) + x^2/2 - x^4/4 + 0.5*x*cos(1.2*t)"
[initial]
q = [1]
v = [0.3]
t = 0.4
)toml",
         .time = true,
         .step = 0.1,
         .typical = true},
        {.name = "reversible force",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2*(1 + x^2))/2 - (x^2 + y^2)/2 - (x^2 + y^2)^2/4"
force = { x = "-0.3*y + 0.1*y'^2", y = "0.3*x + 0.2*x*x'*y'" }
[initial]
q = [0.3, 0.2]
v = [0.2, 0.5]
)toml",
         .forces = true,
         .step = 0.1,
         .typical = true},
        {.name = "friction and drive",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - x^4/4 + x^2/2"
force = { x = "-0.2*x' - 0.1*x'^3 + 0.3*cos(t)*y'" }
[symmetries]
along = { y = "1" }
[initial]
q = [0.6, 0]
v = [0.2, 0.5]
)toml",
         .forces = true,
         .time = true,
         .even = false,
         .affine = true,
         .linear = true,
         .step = 0.1},
        {.name = "slow friction",
         .text = R"toml(
coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - x^2/2 - x^4/4"
force = { x = "-0.0001*x'" }
[initial]
q = [0.6]
v = [0.5]
)toml",
         .forces = true,
         .even = false,
         .step = 0.1,
         .until = 0,
         .long_step = 0.1},
        {.name = "nonlinear springs",
         .text = R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
[definitions]
r2 = "(x1 - x2)^2 + (y1 - y2)^2"
[mechanics]
lagrangian = "(x1'^2 + y1'^2)/2 + 0.8*(x2'^2 + y2'^2)/2 - r2/2 - r2^2/4"
[symmetries]
east = { x1 = "1", x2 = "1" }
north = { y1 = "1", y2 = "1" }
[initial]
q = [0.4, 0.1, -0.3, 0.2]
v = [0.2, 0.5, -0.3, 0.4]
)toml",
         .affine = true,
         .linear = true,
         .step = 0.1},
        {.name = "quartic in space",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[definitions]
r2 = "x^2 + y^2 + z^2"
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2*(1 + r2/5) - r2/2 - r2^2/4"
[symmetries]
about_x = { y = "-z", z = "y" }
about_y = { z = "-x", x = "z" }
about_z = { x = "-y", y = "x" }
[initial]
q = [0.5, -0.2, 0.3]
v = [0.1, 0.6, 0.4]
)toml",
         .affine = true,
         .step = 0.1,
         .long_step = 0.1},
        {.name = "bent line",
         .text = R"toml(
coordinates = ["u"]
[mechanics]
lagrangian = "cosh(u)^2*u'^2/2"
[symmetries]
along = { u = "1/cosh(u)" }
[initial]
q = [0.2]
v = [1.3]
)toml",
         .step = 0.3,
         .until = 0.4},
        {.name = "linear, magnetic",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "((p_x + 0.7*y)^2 + 2*(p_y - 0.3*x)^2)/2 + x^2 + y^2 + x*y"
[initial]
q = [0.4, -0.1]
p = [0.2, 0.5]
)toml",
         .even = false,
         .quadratic = true,
         .step = 0.2},
        {.name = "Hamiltonian with a rotation",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2)*(1 + 0.3*(x^2 + y^2))/2 + (x^2 + y^2)^2/4 + 0.2*(x*p_y - y*p_x)^2"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [0.6, -0.2]
p = [0.3, 0.7]
)toml",
         .affine = true,
         .step = 0.1,
         .typical = true,
         .long_step = 0.05},
        {.name = "Hamiltonian with a force, driven",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "p_x^2/2 + p_y^2*(1 + x^2)/2 + x^4/4 + y^2*(1 + sin(t)/2) + p_x*y/5"
force = { x = "-0.3*x'*(1 + y^2)" }
[initial]
q = [0.6, -0.2]
p = [0.3, 0.7]
)toml",
         .forces = true,
         .time = true,
         .even = false,
         .step = 0.1,
         .long_step = 0.05},
        // NOTE: with p_y = 0.2 the error of gauss:stages=6 is 4.8e-10 h^12 - 6.6e-9 h^14, which vanishes at h = 0.27:
        // orders of 13.9, 9.65, 11.73 come before 12, and then round-off.
        {.name = "Hamiltonian with a stretched line",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "p_x^2/(2*(1 + x^2)^2) + p_y^2/2 + y^4/4"
[symmetries]
stretched = { x = "1/(1 + x^2)" }
[initial]
q = [0.3, 0.5]
p = [0.8, 0.9]
)toml",
         .step = 0.1},
        {.name = "Hamiltonian with a shift",
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "p_x^2*(1 + y^2)/2 + p_y^2/2 + y^4/4 + y^2"
[symmetries]
shift = { x = "1" }
[initial]
q = [0.3, 0.5]
p = [0.8, 0.2]
)toml",
         .affine = true,
         .step = 0.1},
    };
}

} // namespace rattleback::laws
