// Small nonlinear models with the traits on which the conditions of claims depend.
#pragma once

#include <rattleback/rattleback.hpp>

#include <string>
#include <vector>

namespace rattleback::laws {

struct TestModel {
    std::string name, text;
    bool forces = false, time = false; // has them
    bool even = true;                  // L even in v or H even in p, forces even in v: motions can be run backwards
    bool quadratic = false;            // H quadratic
    bool affine = false;               // all declared symmetries have generators affine in q
    bool linear = false;               // and their momenta are linear in (q, v) and in (q, p)
    bool horizontal = true;            // and they lie in the constraint distribution
    bool homogeneous = true;           // velocity constraints are homogeneous in v
    bool quadratic_g = false;          // holonomic constraints and their rates are quadratic in (q, p)
    double step = 0.1;                 // for symplecticity, symmetry, momentum: large, so that errors would show
    double until = 1;     // for orders, so short that 8 steps are in the asymptotic range; 0: not for these
    bool typical = false; // the orders of all methods are measured on it, not only those of Gauss methods
    double long_step = 0; // for long runs of a method of order 2; 0: not for these

    Model read() const { return read_model(text, name + ".toml"); }
};

inline const std::vector<TestModel>& models() {
    static const std::vector<TestModel> all = {
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
        {.name = "massive photon",
         .text = R"toml(
variables = ["a_l", "a_t", "p_l", "p_t", "a_0"]
[definitions]
A2 = "a_0^2 - a_l^2 - a_t^2"
[hamiltonian]
formula = "(p_l^2 + p_t^2)/2 - p_l*a_0 + a_t^2/2 - 0.72*A2 + 0.075*A2^2"
structure = [[0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]
[initial]
z = { a_l = 0.6, a_t = 0.4, p_l = 0.5, p_t = -0.2 }
)toml",
         .step = 0.1,
         .typical = true},
        {.name = "charged particle",
         .text = R"toml(
variables = ["x", "y", "u", "v"]
[hamiltonian]
formula = "(u^2 + v^2)/2 + (x^2 + 2*y^2)/2 + x^2*y^2 + x^4/4"
structure = [[0, 1.5, -1, 0], [-1.5, 0, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]]
[initial]
z = [0.5, -0.2, 0.3, 0.6]
)toml",
         .step = 0.1,
         .long_step = 0.05},
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
        {.name = "linear, singular J",
         .text = R"toml(
variables = ["x", "y", "l"]
[hamiltonian]
formula = "(x^2 + 2*y^2 + l^2)/2 + 0.4*x*l - 0.3*y*l"
structure = [[0, -1, 0.5], [1, 0, 0.25], [-0.5, -0.25, 0]]
[initial]
z = { x = 0.6, y = 0.4 }
)toml",
         .quadratic = true,
         .step = 0.2},
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
         .text = R"toml(
coordinates = ["x", "y", "th", "ph"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + 1.2*th'^2 + 0.8*ph'^2)/2 - cos(y)"
[constraints]
velocity = ["x'*sin(ph) - y'*cos(ph)", "x'*sin(th) - y'*cos(th) + 0.5*th'"]
principle = "variational"
[symmetries]
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
         .even = false,
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
    return all;
}

} // namespace rattleback::laws
