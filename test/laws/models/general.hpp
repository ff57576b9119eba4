// J z' = grad H(z).
#pragma once

#include "laws/test_model.hpp"

namespace rattleback::laws {

inline std::vector<TestModel> general_models() {
    return {
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
    };
}

} // namespace rattleback::laws
