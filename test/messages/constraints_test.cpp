// Constraints, symmetries, sections, observables.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, "", R"([constraints]
velocity = "x' - y"
)",
     R"(bad.toml:14:12: velocity must be a list of formulas
  14 | velocity = "x' - y"
     |            ^~~~~~~~
     = write velocity = ["..."]; each is = 0)"},
    {spring, "", R"([constraints]
velocity = [3]
)",
     R"(bad.toml:14:13: a constraint is a formula in quotes
  14 | velocity = [3]
     |             ^
     = write "x - y" for x = y)"},
    {spring, "", R"([constraints]
velocty = ["x'"]
)",
     R"(bad.toml:14:1: unknown key 'velocty' in [constraints]
  14 | velocty = ["x'"]
     | ^~~~~~~
     = did you mean 'velocity'?)"},
    {spring, "", R"([constraints]
holonomic = ["x^2 + y^2 - 1 + x*y'"]
)",
     R"(bad.toml:14:33: a holonomic constraint depends on q and t only
  14 | holonomic = ["x^2 + y^2 - 1 + x*y'"]
     |                                 ^~
     = with velocities it belongs under velocity, with momenta under phase)"},
    {spring, "", R"([constraints]
holonomic = ["x*p_y"]
)",
     R"(bad.toml:14:17: a holonomic constraint depends on q and t only
  14 | holonomic = ["x*p_y"]
     |                 ^~~
     = with velocities it belongs under velocity, with momenta under phase)"},
    {spring, "", R"([constraints]
velocity = ["x'*p_y"]
)",
     R"(bad.toml:14:17: a velocity constraint depends on q, q' and t, not on momenta
  14 | velocity = ["x'*p_y"]
     |                 ^~~
     = put it under phase = [...])"},
    {spring, "", R"([constraints]
phase = ["x'*p_y"]
)",
     R"(bad.toml:14:11: a phase constraint depends on q, p and t, not on velocities
  14 | phase = ["x'*p_y"]
     |           ^~
     = put it under velocity = [...])"},
    {spring, "", R"([constraints]
holonomic = ["x = y"]
)",
     R"(bad.toml:14:17: '=' is not a comparison: write '=='
  14 | holonomic = ["x = y"]
     |                 ^
     = an equation a = b is written a - b)"},
    {spring, "", R"([constraints]
holonomic = ["[x, y]"]
)",
     R"(bad.toml:14:15: a number is needed here, not a vector of 2
  14 | holonomic = ["[x, y]"]
     |               ^~~~~~)"},
    {spring, "", R"([constraints]
velocity = ["x - y"]
)",
     R"(bad.toml:14:13: a velocity constraint without a velocity in it
  14 | velocity = ["x - y"]
     |             ^~~~~~~
     = write it under holonomic = [...])"},
    {spring, "", R"([constraints]
velocity = ["x' - y'", "x - y + 0*x'"]
)",
     R"(bad.toml:14:24: a velocity constraint without a velocity in it
  14 | velocity = ["x' - y'", "x - y + 0*x'"]
     |                        ^~~~~~~~~~~~~~
     = write it under holonomic = [...])"},
    {spring, "", R"([constraints]
holonomic = ["x*y' - y"]
)",
     R"(bad.toml:14:17: a holonomic constraint depends on q and t only
  14 | holonomic = ["x*y' - y"]
     |                 ^~
     = with velocities it belongs under velocity, with momenta under phase)"},
    {spring, "", R"([constraints]
principle = "vakonomic"
)",
     R"(bad.toml:14:13: principle must be "nonholonomic" or "variational"
  14 | principle = "vakonomic"
     |             ^~~~~~~~~~~
     = nonholonomic is d'Alembert's principle, variational the vakonomic one)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - 1 for i in 1..x"]
[initial])",
     R"(bad.toml:14:36: 'x' is a family: write x[i] or x[1]
  14 | holonomic = ["x[i] - 1 for i in 1..x"]
     |                                    ^)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - 1 for i in 1..[n, n]"]
[initial])",
     R"(bad.toml:14:36: a number is needed here, not a vector of 2
  14 | holonomic = ["x[i] - 1 for i in 1..[n, n]"]
     |                                    ^~~~~~)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - 1 for i in 1..n/2"]
[initial])",
     R"(bad.toml:14:36: a bound of 'for' must be a whole number, not 1.5
  14 | holonomic = ["x[i] - 1 for i in 1..n/2"]
     |                                    ^~~)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - 1 for i in n..1"]
[initial])",
     R"(bad.toml:14:24: the range of 'for' is empty
  14 | holonomic = ["x[i] - 1 for i in n..1"]
     |                        ^~~~~~~~~~~~~
     = it ends before it begins)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - 1 for i in 1..1e8"]
[initial])",
     R"(bad.toml:14:24: a range has at most 200,000 members
  14 | holonomic = ["x[i] - 1 for i in 1..1e8"]
     |                        ^~~~~~~~~~~~~~~)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - x[i]' for i in 1..n"]
[initial])",
     R"(bad.toml:14:22: a holonomic constraint depends on q and t only
  14 | holonomic = ["x[i] - x[i]' for i in 1..n"]
     |                      ^~~~~
     = with velocities it belongs under velocity, with momenta under phase)"},
    {chain, "[initial]", R"([constraints]
holonomic = ["x[i] - 1 for 3 in 1..n"]
[initial])",
     R"(bad.toml:14:24: expected a name after 'for'
  14 | holonomic = ["x[i] - 1 for 3 in 1..n"]
     |                        ^~~
     = write for i in 1..n)"},
    {field, "", R"([constraints]
holonomic = ["x"]
)",
     R"(bad.toml:10:1: constraints of a general Hamiltonian are phase constraints, of z and t
  10 | holonomic = ["x"]
     | ^~~~~~~~~
     = write phase = [...])"},
    {spring, "[parameters]", R"(constraints = 3
[parameters])",
     R"(bad.toml:3:1: constraints must be a table, not an integer
   3 | constraints = 3
     | ^~~~~~~~~~~
     = write [constraints] on a line of its own, and its entries below)"},
    {spring, "", R"([symmetries]
a = "x"
)",
     R"(bad.toml:14:5: a symmetry is a table of coordinates
  14 | a = "x"
     |     ^~~
     = write name = { x = "-y", y = "x" })"},
    {spring, "", R"([symmetries]
a = { x = "y'" }
)",
     R"(bad.toml:14:12: a generator depends on q and t only
  14 | a = { x = "y'" }
     |            ^~
     = velocities and momenta follow the coordinates)"},
    {spring, "", R"([symmetries]
a = { x = "[y]" }
)",
     R"(bad.toml:14:12: a number is needed here, not a vector of 1
  14 | a = { x = "[y]" }
     |            ^~~)"},
    {spring, "", R"([symmetries]
x = { x = "y" }
)",
     R"(bad.toml:14:1: the name 'x' is used twice
  14 | x = { x = "y" }
     | ^
     = choose another name)"},
    {spring, "", R"([symmetries]
energy = { x = "y" }
)",
     R"(bad.toml:14:1: results have a column 'energy' already
  14 | energy = { x = "y" }
     | ^~~~~~
     = choose another name)"},
    {spring, "", R"([symmetries]
a = { x = ["y"] }
)",
     R"(bad.toml:14:11: a generator must be a formula in quotes or a number, not an array
  14 | a = { x = ["y"] }
     |           ^~~~~)"},
    {field, "", R"([symmetries]
a = { x = "1" }
)",
     R"(bad.toml:9:2: [symmetries] goes with coordinates; this model has variables
   9 | [symmetries]
     |  ^~~~~~~~~~
     = observe what it preserves: [observables])"},
    {chain, "[initial]", R"([symmetries]
a = { x = "1" }
[initial])",
     R"(bad.toml:14:7: 'x' is a family
  14 | a = { x = "1" }
     |       ^
     = write "x[i]" for all its members, "x[1]" for one of them)"},
    {spring, "", R"([observables]
a = "[x, y]"
)",
     R"(bad.toml:14:6: a number is needed here, not a vector of 2
  14 | a = "[x, y]"
     |      ^~~~~~)"},
    {spring, "", R"([observables]
a = ["x"]
)",
     R"(bad.toml:14:5: an observable must be a formula in quotes or a number, not an array
  14 | a = ["x"]
     |     ^~~~~)"},
    {spring, "", R"([observables]
x = "y"
)",
     R"(bad.toml:14:1: the name 'x' is used twice
  14 | x = "y"
     | ^
     = choose another name)"},
    {spring, "", R"([observables]
"x'" = "y"
)",
     R"(bad.toml:14:1: the name 'x'' is used twice
  14 | "x'" = "y"
     | ^~~~
     = choose another name)"},
    {spring, "", R"([observables]
"" = "y"
)",
     R"(bad.toml:14:1: a name is missing
  14 | "" = "y"
     | ^~
     = write a name before the '=')"},
    {spring, "", R"([symmetries]
a = { x = "y" }
[observables]
a = "x"
)",
     R"(bad.toml:16:1: the name 'a' is used twice
  16 | a = "x"
     | ^
     = choose another name)"},
    {spring, "", R"([symmetries]
a = { theta = "1" }
)",
     R"(bad.toml:14:7: 'theta' is no coordinate
  14 | a = { theta = "1" }
     |       ^~~~~
     = coordinates are x, y)"},
    {spring, "", R"([constraints]
velocity = ["x' - foo"]
)",
     R"(bad.toml:14:19: unknown name 'foo'
  14 | velocity = ["x' - foo"]
     |                   ^~~)"},
    {spring, "", R"([symmetries]
turn = { x = "-y", y = "x" }
[sections]
s = { tur = "x" }
)",
     R"(bad.toml:16:7: 'tur' is no symmetry
  16 | s = { tur = "x" }
     |       ^~~
     = did you mean 'turn'?)"},
    {spring, "", R"([symmetries]
turn = { x = "-y", y = "x" }
[sections]
s = { turn = "x'" }
)",
     R"(bad.toml:16:15: a section depends on q and t only
  16 | s = { turn = "x'" }
     |               ^~
     = use coordinates only)"},
    {spring, "", R"([sections]
s = "x"
)",
     R"(bad.toml:14:5: a section is a table of symmetries
  14 | s = "x"
     |     ^~~
     = write name = { rotation = "x" })"},
    {spring, "", R"([symmetries]
turn = { x = "-y", y = "x" }
[sections]
s = {}
)",
     R"(bad.toml:16:5: a section without symmetries
  16 | s = {}
     |     ^~
     = write name = { rotation = "x" })"},
    {spring, "", R"([sections]
s = { turn = "x" }
)",
     R"(bad.toml:14:7: 'turn' is no symmetry
  14 | s = { turn = "x" }
     |       ^~~~
     = there are none)"},
    {spring, "", R"([symmetries]
turn = { x = "-y", y = "x" }
[sections]
turn = { turn = "x" }
)",
     R"(bad.toml:16:1: the name 'turn' is used twice
  16 | turn = { turn = "x" }
     | ^~~~
     = choose another name)"},
    {spring, "", R"([observables]
speed = "foo"
)",
     R"(bad.toml:14:10: unknown name 'foo'
  14 | speed = "foo"
     |          ^~~)"},
    {spring, "", R"-([parametrization]
coordinates = ["a"]
)-",
     R"-(bad.toml:13:2: [parametrization] goes with holonomic constraints
  13 | [parametrization]
     |  ^~~~~~~~~~~~~~~
     = it describes the set they leave)-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
x = "1"
)-",
     R"-(bad.toml:15:2: [parametrization] needs coordinates
  15 | [parametrization]
     |  ^~~~~~~~~~~~~~~
     = write coordinates = ["a"])-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a", "b"]
)-",
     R"-(bad.toml:16:15: a parametrization has fewer coordinates than the model
  16 | coordinates = ["a", "b"]
     |               ^~~~~~~~~~
     = as many as the constraints leave free)-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a"]
x = "cos(a)"
y = "sin(a) + x"
)-",
     R"-(bad.toml:18:5: a parametrization depends on its own coordinates and t, not on x
  18 | y = "sin(a) + x"
     |     ^~~~~~~~~~~~
     = use a)-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a"]
x = "cos(a)"
y = "sin(a)"
z = "1"
)-",
     R"-(bad.toml:19:1: unknown key 'z' in [parametrization]
  19 | z = "1"
     | ^
     = known keys: coordinates, start, x, y)-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a"]
x = "cos(a)"
y = "sin(a)"
start = { b = 1 }
)-",
     R"-(bad.toml:19:9: start does not give a
  19 | start = { b = 1 }
     |         ^~~~~~~~~
     = a table names every coordinate)-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a"]
x = "cos(a)"
)-",
     R"-(bad.toml:15:1: the parametrization does not give y
  15 | [parametrization]
     | ^~~~~~~~~~~~~~~~~
     = write y = "...", a formula of its coordinates)-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a"]
x = "cos(a)"
y = "sin(a)"
start = 1
)-",
     R"-(bad.toml:19:9: start must be a table by name
  19 | start = 1
     |         ^
     = write start = { a = 0 })-"},
    {spring, "", R"-([constraints]
holonomic = ["x^2 + y^2 - 1"]
[parametrization]
coordinates = ["a"]
x = "cos(a)"
y = "sin(a)"
start = { a = 1, b = 1 }
)-",
     R"-(bad.toml:19:18: 'b' is no coordinate of the parametrization
  19 | start = { a = 1, b = 1 }
     |                  ^
     = they are a)-"},
};

TEST(ConstraintsMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
