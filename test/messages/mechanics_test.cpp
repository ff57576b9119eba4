// Mechanics: Lagrangians, Hamiltonians, forces.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, "[mechanics]", "[mechanics]\ndissipation = \"k*x^2\"",
     R"(bad.toml:8:15: a dissipation function without a velocity in it
   8 | dissipation = "k*x^2"
     |               ^~~~~~~
     = write "c/2*x'^2")"},
    {spring, "[mechanics]", "[mechanics]\ndissipation = \"k*p_x^2\"",
     R"(bad.toml:8:18: a dissipation function depends on q, q' and t, not on momenta
   8 | dissipation = "k*p_x^2"
     |                  ^~~
     = write velocities as x')"},
    {spring, R"-([mechanics]
lagrangian = "m/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)")-",
     "", R"(bad.toml: the model has no [mechanics]
     = give lagrangian, or kinetic and potential, or hamiltonian)"},
    {spring, R"-([mechanics]
lagrangian = "m/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)")-",
     R"([mechanics]
)",
     R"(bad.toml:7:2: [mechanics] gives no mechanics
   7 | [mechanics]
     |  ^~~~~~~~~
     = write one of: lagrangian; kinetic with potential; hamiltonian)"},
    {spring, "lagrangian =", "lagrange =", R"-(bad.toml:8:1: unknown key 'lagrange' in [mechanics]
   8 | lagrange = "m/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)"
     | ^~~~~~~~
     = known keys: lagrangian, kinetic, potential, hamiltonian, force, dissipation)-"},
    {spring, "lagrangian =", "potential =", R"-(bad.toml:8:1: potential goes with kinetic
   8 | potential = "m/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)"
     | ^~~~~~~~~
     = write kinetic = "...")-"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
kinetic = "1")-",
     R"(bad.toml:9:1: [mechanics] gives lagrangian and kinetic
   9 | kinetic = "1"
     | ^~~~~~~
     = give one of: lagrangian; kinetic with potential; hamiltonian)"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
potential = "1")-",
     R"(bad.toml:9:1: potential goes with kinetic
   9 | potential = "1"
     | ^~~~~~~~~
     = remove it)"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
hamiltonian = "1")-",
     R"(bad.toml:9:1: [mechanics] gives lagrangian and hamiltonian
   9 | hamiltonian = "1"
     | ^~~~~~~~~~~
     = give one of: lagrangian; kinetic with potential; hamiltonian)"},
    {spring, the_lagrangian, R"(lagrangian = ["x"])",
     R"(bad.toml:8:14: lagrangian must be a formula in quotes or a number, not an array
   8 | lagrangian = ["x"]
     |              ^~~~~)"},
    {spring, the_lagrangian, R"(kinetic = "x'^2"
potential = "x*y'")",
     R"(bad.toml:9:16: a potential depends on q and t only
   9 | potential = "x*y'"
     |                ^~
     = give the whole lagrangian instead)"},
    {spring, the_lagrangian, R"(kinetic = "x'^2"
potential = "x*p_y")",
     R"(bad.toml:9:16: a potential depends on q and t only
   9 | potential = "x*p_y"
     |                ^~~
     = give the whole lagrangian instead)"},
    {spring, the_lagrangian, R"(hamiltonian = "p_x^2/2 + x*x'")",
     R"(bad.toml:8:28: a Hamiltonian depends on q, p and t, not on velocities
   8 | hamiltonian = "p_x^2/2 + x*x'"
     |                            ^~
     = write momenta as p_x, or give a lagrangian)"},
    {spring, the_lagrangian, R"(lagrangian = "2*v"
[definitions]
v = "x + p_y")",
     R"(bad.toml:8:17: a Lagrangian depends on q, q' and t, not on momenta
   8 | lagrangian = "2*v"
     |                 ^
     = write velocities as x', or give a hamiltonian)"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
force = "x")-",
     R"(bad.toml:9:9: force must be a table of coordinates
   9 | force = "x"
     |         ^~~
     = write force = { x = "-c*x'" })"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
force = { xx = "x" })-",
     R"(bad.toml:9:11: 'xx' is no coordinate
   9 | force = { xx = "x" }
     |           ^~
     = did you mean 'x'?)"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
force = { x = "p_x" })-",
     R"(bad.toml:9:16: a force depends on q, q' and t, not on momenta
   9 | force = { x = "p_x" }
     |                ^~~
     = write velocities as x')"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
force = { x = "[x]" })-",
     R"(bad.toml:9:16: a number is needed here, not a vector of 1
   9 | force = { x = "[x]" }
     |                ^~~)"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
force = { "x[1]" = "x" })-",
     R"(bad.toml:9:11: 'x' is not a family, it takes no index
   9 | force = { "x[1]" = "x" }
     |           ^~~~~~
     = write x)"},
    {chain, R"-(^2/2)"
)-",
     R"-(^2/2)"
force = { x = "1" }
)-",
     R"(bad.toml:12:11: 'x' is a family
  12 | force = { x = "1" }
     |           ^
     = write "x[i]" for all its members, "x[1]" for one of them)"},
    {chain, R"-(^2/2)"
)-",
     R"-(^2/2)"
force = { "x[9]" = "1" }
)-",
     R"(bad.toml:12:11: x[9] does not exist
  12 | force = { "x[9]" = "1" }
     |           ^~~~~~
     = x has members 1..3)"},
    {chain, R"-(^2/2)"
)-",
     R"-(^2/2)"
force = { "x[i]" = "1", "x[j]" = "2" }
)-",
     R"(bad.toml:12:25: 'x[j]' is given twice
  12 | force = { "x[i]" = "1", "x[j]" = "2" }
     |                         ^~~~~~
     = give each value once)"},
    {chain, R"-(^2/2)"
)-",
     R"-(^2/2)"
force = { "x[i]" = "x[i] for i in 1..n" }
)-",
     R"(bad.toml:12:26: 'for' is for constraints
  12 | force = { "x[i]" = "x[i] for i in 1..n" }
     |                          ^~~~~~~~~~~~~
     = write sum(i in 1..n: ...) to add up)"},
    {spring, R"-((x^2 + y^2)")-", R"-((x^2 + y^2)"
force = { theta = "x" })-",
     R"(bad.toml:9:11: 'theta' is no coordinate
   9 | force = { theta = "x" }
     |           ^~~~~
     = coordinates are x, y)"},
    {chain, R"-(^2/2)"
)-",
     R"-(^2/2)"
force = { "x[i]" = "foo[i]" }
)-",
     R"(bad.toml:12:21: unknown name 'foo'
  12 | force = { "x[i]" = "foo[i]" }
     |                     ^~~)"},
    {spring, "", R"([hamiltonian]
formula = "x"
)",
     R"(bad.toml:13:2: hamiltonian goes with variables; this model has coordinates
  13 | [hamiltonian]
     |  ^~~~~~~~~~~
     = a Hamiltonian of q and p is given in [mechanics])"},
    {spring, "[parameters]", R"(structure = [[0]]
[parameters])",
     R"(bad.toml:3:1: structure goes with variables; this model has coordinates
   3 | structure = [[0]]
     | ^~~~~~~~~
     = a Hamiltonian of q and p is given in [mechanics])"},
    {field, R"([hamiltonian]
formula = "(x^2 + y^2)/2"
structure = [[0, -1], [1, 0]])",
     "", R"(bad.toml: a model with variables needs [hamiltonian]
     = give formula = "..." and structure = [[...], ...])"},
    {field, R"(formula = "(x^2 + y^2)/2"
)",
     "", R"(bad.toml:3:2: [hamiltonian] has no formula
   3 | [hamiltonian]
     |  ^~~~~~~~~~~
     = write formula = "...")"},
    {field, "structure = [[0, -1], [1, 0]]", "",
     R"(bad.toml:3:2: [hamiltonian] has no structure, the matrix J of J z' = grad H
   3 | [hamiltonian]
     |  ^~~~~~~~~~~
     = write structure = [[0, -1], [1, 0]])"},
    {field, "formula", "formla", R"(bad.toml:4:1: unknown key 'formla' in [hamiltonian]
   4 | formla = "(x^2 + y^2)/2"
     | ^~~~~~
     = did you mean 'formula'?)"},
    {field, "[hamiltonian]", R"([mechanics]
lagrangian = "1"
[hamiltonian])",
     R"(bad.toml:3:2: [mechanics] goes with coordinates; this model has variables
   3 | [mechanics]
     |  ^~~~~~~~~
     = give formula and structure in [hamiltonian])"},
    {field, "[[0, -1], [1, 0]]", "[[0, -1]]", R"(bad.toml:5:13: structure must be a 2 x 2 matrix: one row a variable
   5 | structure = [[0, -1]]
     |             ^~~~~~~~~
     = it has 1 row)"},
    {field, "[[0, -1], [1, 0]]", "3", R"(bad.toml:5:13: structure must be a 2 x 2 matrix: one row a variable
   5 | structure = 3
     |             ^
     = write [[0, -1], [1, 0]])"},
    {field, "[[0, -1], [1, 0]]", "[[0, -1], [1]]",
     R"(bad.toml:5:23: structure must be a 2 x 2 matrix: this row is of another length
   5 | structure = [[0, -1], [1]]
     |                       ^~~
     = a row has 2 numbers)"},
    {field, "[[0, -1], [1, 0]]", "[[0, -1], 1]", R"(bad.toml:5:23: structure must be a 2 x 2 matrix: this row is no list
   5 | structure = [[0, -1], 1]
     |                       ^
     = a row has 2 numbers)"},
    {field, "[[0, -1], [1, 0]]", "[[0, -1], [2, 0]]",
     R"(bad.toml:5:24: structure must be antisymmetric: 2 is not minus the entry in row 1, column 2, their sum is 1
   5 | structure = [[0, -1], [2, 0]]
     |                        ^
     = write 1)"},
    {field, "[[0, -1], [1, 0]]", "[[0, -1], [1, 1]]",
     R"(bad.toml:5:27: structure must be antisymmetric: 1 stands where 0 belongs, on the diagonal
   5 | structure = [[0, -1], [1, 1]]
     |                           ^
     = write 0)"},
    {field, "[[0, -1], [1, 0]]", "[[0, -1], [1, 1e-18]]",
     R"(bad.toml:5:27: structure must be antisymmetric: 1e-18 stands where 0 belongs, on the diagonal
   5 | structure = [[0, -1], [1, 1e-18]]
     |                           ^~~~~
     = write 0)"},
    {field, "[[0, -1], [1, 0]]", R"([[0, "-1 + 1e-18"], [1, 0]])",
     R"(bad.toml:5:34: structure must be antisymmetric: 1 is not minus the entry in row 1, column 2, their sum is 1e-18
   5 | structure = [[0, "-1 + 1e-18"], [1, 0]]
     |                                  ^
     = write the same formula with the other sign)"},
    {field, "[[0, -1], [1, 0]]", R"([[0, "-x"], [1, 0]])", R"(bad.toml:5:20: a number is needed here, and 'x' is none
   5 | structure = [[0, "-x"], [1, 0]]
     |                    ^
     = use numbers and parameters)"},
    {field, R"(variables = ["x", "y"])", R"(variables = ["x", "y"]
structure = [[0]])",
     R"(bad.toml:2:1: structure is given twice
   2 | structure = [[0]]
     | ^~~~~~~~~
     = it belongs in [hamiltonian])"},
    {field, R"(variables = ["x", "y"])", R"(variables = "x")", R"(bad.toml:1:13: variables must be a list of names
   1 | variables = "x"
     |             ^~~
     = write variables = ["x", "y"])"},
    {field, R"(variables = ["x", "y"])", R"(variables = ["x", "y[1..2]"])",
     R"(bad.toml:1:19: variables are single names, not families
   1 | variables = ["x", "y[1..2]"]
     |                   ^~~~~~~~~
     = name each variable)"},
};

TEST(MechanicsMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
