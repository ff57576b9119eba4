#include "model/keys.hpp"

namespace rattleback::model {

std::span<const KeyInfo> all_keys() {
    using enum KeyKind;
    static constexpr KeyInfo all[] = {
        {"", "format", whole, "1: the format of this file"},
        {"", "name", text, "what the model is called"},
        {"", "reference", text, "where it comes from"},
        {"", "coordinates", names, "x; a family x[1..n] or u[1..n,1..m]; on a group R in SO(3)"},
        {"", "variables", names, "of J z' = grad H, in place of coordinates"},
        {"", "parameters", named, "numbers, or formulas of other parameters"},
        {"", "definitions", named, "names for parts of formulas, d[i,j] for every i and j; border values of families"},
        {"", "tables", named,
         "measured data as functions: a CSV file, a list of points, or a table with file or points"},
        {"", "mechanics", table, "lagrangian, or kinetic and potential, or hamiltonian"},
        {"", "hamiltonian", table, "of models with variables: formula and structure"},
        {"", "structure", matrix, "the matrix J; it may stand in [hamiltonian]"},
        {"", "constraints", table, "each formula is 0"},
        {"", "symmetries", named, "infinitesimal generators: name = { x = \"-y\", y = \"x\" }"},
        {"", "sections", named, "combinations of symmetries with coefficients that depend on q"},
        {"", "observables", named, "more columns of the results"},
        {"", "initial", table, "where a run starts"},
        {"", "run", table, "how a model is run by default"},
        {"", "parametrization", anything, "coordinates of what holonomic constraints leave, and x = \"...\" of them"},
        {"", "discrete", table, "a discrete Lagrangian of the model's own"},
        {"", "view", anything, "what a page draws: points, rods, wheels, discs, blades, frames, trails"},
        {"", "group", table, "a body on a Lie group, in place of coordinates"},
        {"", "control", table, "optimal control: inputs, dynamics, cost"},
        {"", "boundary", table, "where a path begins and ends"},
        {"mechanics", "lagrangian", formula, "L(t, q, q')"},
        {"mechanics", "kinetic", formula, "T(t, q, q'); L = T - V"},
        {"mechanics", "potential", formula, "V(t, q)"},
        {"mechanics", "hamiltonian", formula, "H(t, q, p), momenta written p_x"},
        {"mechanics", "force", formulas, "generalized forces by coordinate, of q, q' and t"},
        {"mechanics", "dissipation", formula, "Rayleigh's function R(t, q, q'): the force -dR/dq'"},
        {"hamiltonian", "formula", formula, "H(z)"},
        {"hamiltonian", "structure", matrix, "the antisymmetric matrix J"},
        {"constraints", "velocity", names, "formulas of q, q' and t that are 0"},
        {"constraints", "holonomic", names, "formulas of q and t that are 0"},
        {"constraints", "phase", names, "formulas of q, p and t that are 0"},
        {"constraints", "principle", text, "nonholonomic (d'Alembert) or variational (vakonomic)"},
        {"initial", "q", formulas, "coordinates, by name or in order"},
        {"initial", "v", formulas, "velocities"},
        {"initial", "p", formulas, "momenta, in place of v"},
        {"initial", "lambda", formulas, "multipliers of variational constraints"},
        {"initial", "t", formula, "the time of the start, 0 if absent"},
        {"initial", "z", formulas, "variables of J z' = grad H"},
        {"initial", "g", formulas, "the element of [group]"},
        {"initial", "xi", formulas, "the velocity seen from the body of [group]"},
        {"run", "method", text, "a method with its options: gauss:stages=2"},
        {"run", "step", formula, "the step size"},
        {"run", "until", formula, "the end time"},
        {"run", "steps", formula, "the number of steps, in place of until"},
        {"discrete", "lagrangian", formula, "the integral of L over a step from x_0 to x_1"},
        {"discrete", "forces", anything, "begin and end: forces at both ends"},
        {"discrete", "reaction", anything, "begin and end: reactions at both ends"},
        {"discrete", "constraint", names, "discrete constraints of x_0, x_1 and h"},
        {"group", "name", text, "SO(2), SO(3), SE(2), SE(3), R^n and products"},
        {"group", "inertia", matrix, "of the body"},
        {"group", "constraints", matrix, "rows a with <a, xi> = 0"},
        {"group", "potential", formula, "of the element"},
        {"group", "force", anything, "seen from the body"},
        {"control", "inputs", names, "what is chosen"},
        {"control", "dynamics", formulas, "q' by coordinate; left out: from [mechanics]"},
        {"control", "cost", formula, "its integral is to be least"},
        {"control", "terminal_cost", formula, "of the end, besides"},
        {"control", "parameters", names, "that are chosen, too"},
        {"control", "bounds", anything, "u = [-1, 1]"},
        {"control", "path", names, "inequalities along the path"},
        {"boundary", "from", anything, "where the path begins"},
        {"boundary", "to", anything, "where it ends"},
        {"boundary", "time", formula, "that it takes, or \"free\""},
        {"boundary", "periodic", anything, "true: it ends where it begins"},
    };
    return all;
}

std::vector<std::string> keys_of(std::string_view table) {
    std::vector<std::string> names;
    for (const KeyInfo& k : all_keys())
        if (k.table == table) names.emplace_back(k.key);
    return names;
}

} // namespace rattleback::model
