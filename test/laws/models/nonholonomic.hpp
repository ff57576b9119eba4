// Constraints on velocities, d'Alembert's principle.
#pragma once

#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> nonholonomic_models() {
    return {
        {.name = "nonholonomic particle",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - x^2/2 - x^4/4 - z^2/3 - x*z^3/5"
[constraints]
velocity = ["z' - y*x'"]
[symmetries]
along_y = { y = "1" }
[initial]
q = [0.6, 0.5, 0.1]
v = ["0.4", "0.5", "0.2"]
)toml",
         .affine = true,
         .step = 0.1,
         .typical = true},
        {.name = "blade with inertia",
         .text = R"toml(
coordinates = ["x", "y", "th"]
[definitions]
c = ["x + 0.3*cos(th)", "y + 0.3*sin(th)"]
[mechanics]
lagrangian = "dot(c', c')/2 + 0.4*th'^2 - 0.5*x^2 - sin(y)*x - 0.2*x^2*y^2"
[constraints]
velocity = ["x'*sin(th) - y'*cos(th)"]
[symmetries]
east = { x = "1" }
[initial]
q = [0.1, 0.2, 0.4]
v = ["cos(0.4)", "sin(0.4)", 0.7]
)toml",
         .affine = true,
         .horizontal = false,
         .step = 0.1,
         .typical = true},
        {.name = "blade on a moving sheet",
         .text = R"toml(
coordinates = ["x", "y", "th"]
[mechanics]
lagrangian = "(x'^2 + y'^2*(1 + x^2/4))/2 + 0.4*th'^2 - cos(x)*y + 0.3*th*y"
[constraints]
velocity = ["x'*sin(th) - y'*cos(th) - 0.4*y - 0.2"]
[initial]
q = [0.1, 0.2, 0.4]
v = ["0.28*sin(0.4) + cos(0.4)", "sin(0.4) - 0.28*cos(0.4)", 0.7]
)toml",
         .homogeneous = false,
         .step = 0.1,
         .typical = true},
        {.name = "particle of a Hamiltonian",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "(p_x^2 + p_y^2*(1 + x^2/4) + p_z^2)/2 + x^2/2 + x^4/4 + z^2/3"
[constraints]
velocity = ["z' - y*x'"]
[symmetries]
along_y = { y = "1" }
[initial]
q = [0.6, 0.5, 0.1]
v = [0.4, 0.5, 0.2]
)toml",
         .affine = true,
         .step = 0.1,
         .typical = true},
        {.name = "relativistic blade",
         .text = R"toml(
coordinates = ["x", "y", "th"]
[mechanics]
hamiltonian = "sqrt(1 + p_x^2 + p_y^2) + p_th^2/2 + p_th^4/20 + x^2/2 + x*sin(y)/5"
[constraints]
velocity = ["x'*sin(th) - y'*cos(th)"]
[initial]
q = [0.2, 0.1, 0.3]
p = ["0.8*cos(0.3)", "0.8*sin(0.3)", 0.6]
)toml",
         .step = 0.1,
         .typical = true},
        {.name = "relativistic, nonlinear velocity constraint",
         .text = R"toml(
coordinates = ["x", "y", "z", "w"]
[mechanics]
hamiltonian = "sqrt(1 + p_x^2 + p_y^2 + p_z^2) + (1 + x^2/4)*p_z^4/20 + p_w^2*(1 + p_x^2/9)/2 + 0.8*z + x^2*y/5"
[constraints]
velocity = ["x'^2 + y'^2*(1 + x^2/3) - z'^2/2"]
[symmetries]
along_w = { w = "1" }
[initial]
q = [0.3, 0.1, 0, 0]
v = ["0.3", "0.2", "sqrt(2*(0.09 + 0.04*1.03))", "0.6"]
)toml",
         .affine = true,
         .step = 0.05,
         .until = 0.4,
         .typical = true},
        {.name = "relativistic skate on a sphere",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
hamiltonian = "sqrt(1 + p_x^2 + p_y^2 + p_z^2) + z + 0.3*x*y^2"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
velocity = ["z' - y*x' + x*y'*(1 + z)"]
[initial]
q = ["0.6", "0", "-0.8"]
v = ["-0.08", "0.5", "-0.06"]
)toml",
         .step = 0.05,
         .until = 0.4,
         .typical = true},
        {.name = "nonlinear velocity constraint",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - 1.3*z - 0.2*x^2*y"
[constraints]
velocity = ["x'^2 + y'^2*(1 + x^2/3) - z'^2"]
[initial]
q = [0.3, 0.1, 0]
v = ["0.8", "0.5", "sqrt(0.64 + 0.25*1.03)"]
)toml",
         .step = 0.05,
         .until = 0.4,
         .typical = true},
        {.name = "nonlinear constraint, quartic L",
         .text = R"toml(
coordinates = ["x", "y", "z", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2 + w'^2)/2 + 0.1*(x'^4 + x'^2*w'^2 + (1 + x^2)*z'^4) + 0.3*z - 0.2*x^2*y"
[constraints]
velocity = ["x'^2 + y'^2*(1 + x^2/3) - z'^2"]
[symmetries]
along_w = { w = "1" }
[initial]
q = [0.3, 0.1, 0, 0]
v = ["0.8", "0.5", "sqrt(0.64 + 0.25*1.03)", 0.6]
)toml",
         .affine = true,
         .step = 0.05,
         .until = 0.4,
         .typical = true},
        {.name = "two skates, pulled and driven",
         .text = R"toml(
coordinates = ["x", "y", "th", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + 0.4*th'^2 + 0.3*w'^2*(1 + th^2/5) - sin(w)*x"
force = { th = "0.3*cos(t)*w - 0.1*th'", w = "-0.2*w'*x" }
[constraints]
velocity = ["x'*sin(th) - y'*cos(th)", "w' - x*th'"]
[initial]
q = [0.3, 0.2, 0.4, 0.1]
v = ["cos(0.4)", "sin(0.4)", 0.7, 0.21]
)toml",
         .forces = true,
         .time = true,
         .even = false,
         .step = 0.1,
         .typical = true},
        {.name = "skate on a sphere",
         .text = R"toml(
coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z - 0.3*x*y^2"
[constraints]
holonomic = ["x^2 + y^2 + z^2 - 1"]
velocity = ["z' - y*x' + x*y'*(1 + z)"]
[initial]
q = [0.6, 0, -0.8]
v = [-0.08, 0.5, -0.06]
)toml",
         .step = 0.05},
        {.name = "skate with a rotor",
         .text = R"toml(
coordinates = ["x", "y", "th", "w"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + 0.4*th'^2 + 0.3*(w' + th')^2*(1 + 0.2*sin(x)) - cos(y)*x"
[constraints]
velocity = ["x'*sin(th) - y'*cos(th)"]
[symmetries]
rotor = { w = "1" }
[initial]
q = [0.3, 0.2, 0.4, 0.1]
v = ["cos(0.4)", "sin(0.4)", 0.7, 0.21]
)toml",
         .affine = true,
         .step = 0.1},
    };
}

} // namespace rattleback::laws
