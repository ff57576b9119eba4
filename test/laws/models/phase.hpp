// Phase constraints, of (q, p) and beside J z' = grad H: what Dirac's algorithm is for.
#pragma once

#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> phase_models() {
    return {
        {.name = "drift across a field", // second class, neither even nor odd
         .text = R"toml(
coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(x^2 + y^2)/2 + 0.1*x^4 + 0.2*sin(y)"
[constraints]
phase = ["p_x + y/2", "p_y - x/2 - 0.1*x^3"]
[initial]
q = [0.8, 0.3]
p = [-0.15, 0.4512]
)toml",
         .even_phase = false,
         .step = 0.1,
         .typical = true},
        {.name = "pendulum with its multiplier as a coordinate", // four levels; p_l is odd
         .text = R"toml(
coordinates = ["x", "y", "l"]
[mechanics]
hamiltonian = "p_x^2/2 + p_y^2/2 + y + l*(x^2 + y^2 - 1)/2"
[constraints]
phase = ["p_l"]
[initial]
q = [1, 0, 1.44]
p = [0, -1.2, 0]
)toml",
         .step = 0.05,
         .until = 0.5,
         .typical = true},
        {.name = "J z' = grad H on a symplectic level set", // constraints beside J
         .text = R"toml(
variables = ["x", "y", "u", "v"]
[hamiltonian]
formula = "(u^2 + v^2)/2 + x^2*y^2/2 + x^4/4 + y^2"
structure = [[0, 0.5, -1, 0], [-0.5, 0, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]]
[constraints]
phase = ["u + y/2 - 0.1*x^2", "v - x/2"]
[initial]
z = [0.5, -0.2, 0.125, 0.25]
)toml",
         .step = 0.1,
         .typical = true},
    };
}

// J z' = grad H of index 3, which Gauss methods refuse: a pendulum whose multiplier is a variable.
inline TestModel pendulum_of_index_3() {
    return {.name = "pendulum of index 3",
            .text = R"toml(
variables = ["x", "y", "u", "v", "l"]
[hamiltonian]
formula = "(u^2 + v^2)/2 + y + l*(x^2 + y^2 - 1)/2"
structure = [[0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]
[initial]
z = [1, 0, 0, -0.5, 0.25]
)toml",
            .step = 0.05,
            .until = 0.5};
}

} // namespace rattleback::laws
