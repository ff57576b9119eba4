// Bodies: coordinates on groups, alone and beside others. Here `affine` says that all declared symmetries are
// translations of the groups, affine in the other coordinates.
#pragma once

#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> group_models() {
    return {
        {.name = "heavy top",
         .text = R"toml(
coordinates = ["R in SO(3)"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2)/2 - dot([0, 0, 1], R*[0.1, 0.2, 0.7])"
[symmetries]
vertical = { R = "transpose(R)*[0, 0, 1]" }
[initial]
q = { R = "rotz(0.3)*rotx(0.6)" }
v = { R = [0.5, -0.3, 0.8] }
)toml",
         .affine = true,
         .typical = true,
         .long_step = 0.05},
        {.name = "satellite with a rotor",
         .text = R"toml(
coordinates = ["R in SO(3)", "a"]
[definitions]
height = "dot([0, 0, 1], R*[0.2, 0.3, 0.8])"
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2)/2 + 0.3*(body(R)[3] + a')^2 - height^2"
[symmetries]
vertical = { R = "transpose(R)*[0, 0, 1]" }
rotor = { a = "1" }
[initial]
q = { R = "rotz(0.3)*rotx(0.6)", a = 0 }
v = { R = [0.5, -0.3, 0.8], a = 2 }
)toml",
         .affine = true,
         .typical = true,
         .long_step = 0.05},
        // Translations of the plane in polar coordinates: conserved by the motion, not by discrete Lagrangians.
        {.name = "top carried in polar coordinates",
         .text = R"toml(
coordinates = ["R in SO(3)", "r", "phi"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2 + r'^2 + r^2*phi'^2)/2 - dot([0, 0, 1], R*[0, 0, 0.4])"
[symmetries]
along = { r = "cos(phi)", phi = "-sin(phi)/r" }
[initial]
q = { R = "rotz(0.3)*rotx(0.6)", r = 1, phi = 0.2 }
v = { R = [0.5, -0.3, 0.8], r = 0.1, phi = 0.7 }
)toml",
         .until = 0},
        {.name = "driven top with friction",
         .text = R"toml(
coordinates = ["R in SO(3)"]
[definitions]
field = "body(R)[1]*dot([0, 0, 1], R*[0, 0, 1])"
height = "dot([0, 0, 1], R*[0.1, 0.2, 0.7])"
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2)/2 + field - (1 + sin(t))*height"
force = { R = "-0.05*body(R)" }
[initial]
q = { R = "rotz(0.3)*rotx(0.6)" }
v = { R = [0.5, -0.3, 0.8] }
)toml",
         .forces = true,
         .time = true,
         .even = false,
         .until = 0,
         .long_step = 0.05},
        {.name = "body on a ball joint",
         .text = R"toml(
coordinates = ["X in SE(3)"]
[definitions]
pivot = "position(X) + rotation(X)*[0, 0, 1]"
moving = "body(X)[4]^2 + body(X)[5]^2 + body(X)[6]^2"
[mechanics]
lagrangian = "(body(X)[1]^2 + 1.5*body(X)[2]^2 + 2*body(X)[3]^2 + moving)/2 - position(X)[3]"
[constraints]
holonomic = ["pivot[1]", "pivot[2]", "pivot[3]"]
[initial]
q = { X = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1] }
v = { X = [0.3, 0.4, -0.5, -0.4, 0.3, 0] }
)toml",
         .typical = true,
         .long_step = 0.05},
        {.name = "Suslov's body in a field",
         .text = R"toml(
coordinates = ["R in SO(3)"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 1.5*body(R)[3]^2)/2 - dot([0.3, 0, 1], R*[1, 0, 0])"
[constraints]
velocity = ["body(R)[3]"]
[symmetries]
spin = { R = [1, 0, 0] }
[initial]
q = { R = "rotz(0.3)*rotx(0.6)" }
v = { R = [0.5, -0.3, 0] }
)toml",
         .affine = true,
         .typical = true},
        {.name = "Suslov's body",
         .text = R"toml(
[group]
name = "SO(3)"
inertia = [[1, 0.2, 0.1], [0.2, 1.5, 0.3], [0.1, 0.3, 2]]
constraints = [[0, 0, 1]]
[symmetries]
left = { g = "transpose(g)*[0, 0, 1]" }
[initial]
g = [1, 0, 0, 0, 1, 0, 0, 0, 1]
xi = [0.6, 0.8, 0]
)toml",
         .affine = true,
         .horizontal = false,
         .typical = true},
        {.name = "Chaplygin's ball on a slope", // its height is a coordinate
         .text = R"toml(
coordinates = ["R in SO(3)", "x", "y", "z"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2 + x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
velocity = ["x' - space(R)[2]", "y' + space(R)[1]"]
holonomic = ["z - 0.2*x"]
[symmetries]
vertical = { R = "transpose(R)*[0, 0, 1]" }
[initial]
q = { R = [1, 0, 0, 0, 1, 0, 0, 0, 1], x = 0, y = 0, z = 0 }
v = { R = [0.5, -0.3, 0.8], x = -0.3, y = -0.5, z = -0.06 }
)toml",
         .affine = true,
         .until = 0},
        {.name = "ball on a turntable",
         .text = R"toml(
coordinates = ["R in SO(3)", "x", "y"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2 + x'^2 + y'^2)/2 - x^2/4"
[constraints]
velocity = ["x' - space(R)[2] + 0.5*y", "y' + space(R)[1] - 0.5*x"]
[initial]
q = { R = [1, 0, 0, 0, 1, 0, 0, 0, 1], x = 0.4, y = 0.2 }
v = { R = [0.5, -0.3, 0.8], x = -0.4, y = -0.3 }
)toml",
         .homogeneous = false,
         .until = 0},
    };
}

} // namespace rattleback::laws
