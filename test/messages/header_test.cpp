// The top of a file, parameters and coordinates.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, "coordinates =", "coordinats =", R"(bad.toml:1:1: unknown key 'coordinats' at the top of a model
   1 | coordinats = ["x", "y"]
     | ^~~~~~~~~~
     = did you mean 'coordinates'?)"},
    {spring, "", R"([forces]
x = "1"
)",
     R"(bad.toml:13:2: unknown key 'forces' at the top of a model
  13 | [forces]
     |  ^~~~~~
     = known keys: format, name, reference, coordinates, variables, parameters, definitions, tables, mechanics, hamiltonian, structure, constraints, symmetries, sections, observables, initial, run, parametrization, discrete, view, group, control, boundary)"},
    {R"-(coordinates = ["x"]
lagrangian = "x'^2/2"
)-",
     "", "", R"-(bad.toml:2:1: lagrangian belongs in [mechanics]
   2 | lagrangian = "x'^2/2"
     | ^~~~~~~~~~
     = write [mechanics] on a line of its own, and lagrangian below)-"},
    {R"-(coordinates = ["x"]
hamiltonian = "p_x^2/2"
)-",
     "", "", R"-(bad.toml:2:1: hamiltonian goes with variables; this model has coordinates
   2 | hamiltonian = "p_x^2/2"
     | ^~~~~~~~~~~
     = a Hamiltonian of q and p is given in [mechanics])-"},
    {spring, R"(coordinates = ["x", "y"])", R"(method = "midpoint"
coordinates = ["x", "y"])",
     R"(bad.toml:1:1: method belongs in [run]
   1 | method = "midpoint"
     | ^~~~~~
     = write [run] on a line of its own, and method below)"},
    {spring, "", R"([[run]]
step = 1
)",
     R"(bad.toml:13:3: run must be a table, not an array
  13 | [[run]]
     |   ^~~
     = write [run] on a line of its own, and its entries below)"},
    {spring, R"(coordinates = ["x", "y"])", R"(format = "one"
coordinates = ["x", "y"])",
     R"(bad.toml:1:10: format must be a whole number
   1 | format = "one"
     |          ^~~~~
     = write format = 1)"},
    {spring, R"(coordinates = ["x", "y"])", R"(format = 2
coordinates = ["x", "y"])",
     R"(bad.toml:1:10: this file has format 2; this version reads format 1
   1 | format = 2
     |          ^
     = install a newer version of Rattleback)"},
    {spring, R"(coordinates = ["x", "y"])", R"(name = 3
coordinates = ["x", "y"])",
     R"(bad.toml:1:8: name must be a text in quotes
   1 | name = 3
     |        ^
     = write name = "...")"},
    {spring, R"(coordinates = ["x", "y"])", R"(name = "a\u001b[2Jb"
coordinates = ["x", "y"])",
     R"(bad.toml:1:8: 'a\x1B[2Jb' has characters that cannot be shown
   1 | name = "a\u001b[2Jb"
     |        ^~~~~~~~~~~~~
     = leave out control characters, line breaks, direction marks and invisible characters)"},
    {spring, R"(coordinates = ["x", "y"])", R"(reference = "a\nb"
coordinates = ["x", "y"])",
     R"(bad.toml:1:13: 'a\nb' has characters that cannot be shown
   1 | reference = "a\nb"
     |             ^~~~~~
     = leave out control characters, line breaks, direction marks and invisible characters)"},
    {spring, "", R"([observables]
"x\u202ey" = "x")",
     R"(bad.toml:14:1: 'x\u202Ey' has characters that cannot be shown
  14 | "x\u202ey" = "x"
     | ^~~~~~~~~~
     = leave out control characters, line breaks, direction marks and invisible characters)"},
    {spring, "", R"([symmetries]
"a\u0000" = { x = 1 })",
     R"(bad.toml:14:1: 'a\x00' has characters that cannot be shown
  14 | "a\u0000" = { x = 1 }
     | ^~~~~~~~~
     = leave out control characters, line breaks, direction marks and invisible characters)"},
    {spring, R"(coordinates = ["x", "y"])", "", R"(bad.toml: the model has no coordinates
     = write coordinates = ["x", "y"])"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = "x")",
     R"(bad.toml:1:15: coordinates must be a list of names
   1 | coordinates = "x"
     |               ^~~
     = write coordinates = ["x", "y"])"},
    {spring, R"(coordinates = ["x", "y"])", "coordinates = []", R"(bad.toml:1:15: coordinates must be a list of names
   1 | coordinates = []
     |               ^~
     = write coordinates = ["x", "y"])"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", 2])",
     R"(bad.toml:1:21: a coordinate is a name in quotes
   1 | coordinates = ["x", 2]
     |                     ^
     = write "x")"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "y", "x"])",
     R"(bad.toml:1:27: the name 'x' is used twice
   1 | coordinates = ["x", "y", "x"]
     |                           ^
     = choose another name)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "2y"])", R"(bad.toml:1:22: '2y' is not a name
   1 | coordinates = ["x", "2y"]
     |                      ^~
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["θ", "y"])", R"(bad.toml:1:17: 'θ' is not a name
   1 | coordinates = ["θ", "y"]
     |                 ^
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", ""])", R"(bad.toml:1:22: '' is not a name
   1 | coordinates = ["x", ""]
     |                      ^
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "sum"])", R"(bad.toml:1:22: 'sum' is not a name
   1 | coordinates = ["x", "sum"]
     |                      ^~~
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "t"])", R"(bad.toml:1:22: 't' is the time
   1 | coordinates = ["x", "t"]
     |                      ^
     = choose another name)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "pi"])", R"(bad.toml:1:22: 'pi' is the number pi
   1 | coordinates = ["x", "pi"]
     |                      ^~
     = choose another name)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "energy"])",
     R"(bad.toml:1:22: results have a column 'energy' already
   1 | coordinates = ["x", "energy"]
     |                      ^~~~~~
     = choose another name)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "lambda_1"])",
     R"(bad.toml:1:22: results have a column 'lambda_1' already
   1 | coordinates = ["x", "lambda_1"]
     |                      ^~~~~~~~
     = choose another name)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "m"])", R"(bad.toml:1:22: the name 'm' is used twice
   1 | coordinates = ["x", "m"]
     |                      ^
     = choose another name)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "p_x"])",
     R"(bad.toml:1:22: the name 'p_x' is used twice
   1 | coordinates = ["x", "p_x"]
     |                      ^~~
     = p_x is the momentum of x)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["p_x", "x"])",
     R"(bad.toml:1:24: the name 'p_x' is used twice
   1 | coordinates = ["p_x", "x"]
     |                        ^
     = it is the momentum of 'x')"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "y'"])", R"(bad.toml:1:22: 'y'' is not a name
   1 | coordinates = ["x", "y'"]
     |                      ^~
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, R"(coordinates = ["x", "y"])", R"(coordinates = ["x", "y"]
variables = ["z"])",
     R"(bad.toml:1:1: a model has coordinates or variables, not both
   1 | coordinates = ["x", "y"]
     | ^~~~~~~~~~~
     = coordinates go with [mechanics], variables with [hamiltonian])"},
    {spring, R"([parameters]
)",
     R"([parameters]
"2m" = 1
)",
     R"(bad.toml:4:1: '2m' is not a name
   4 | "2m" = 1
     | ^~~~
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, R"([parameters]
)",
     R"([parameters]
t = 1
)",
     R"(bad.toml:4:1: 't' is the time
   4 | t = 1
     | ^
     = choose another name)"},
    {spring, "m = 2", "m = inf", R"(bad.toml:4:5: the number must be finite
   4 | m = inf
     |     ^~~
     = write a number)"},
    {spring, "m = 2", "m = nan", R"(bad.toml:4:5: the number must be finite
   4 | m = nan
     |     ^~~
     = write a number)"},
    {spring, "m = 2", R"(m = "1/0")", R"(bad.toml:4:6: 1/0 is not a finite number
   4 | m = "1/0"
     |      ^~~)"},
    {spring, "m = 2", R"(m = "1e308*10")",
     R"(bad.toml:4:6: the value is out of the range of a double, which ends at 1.8e308
   4 | m = "1e308*10"
     |      ^~~~~~~~)"},
    {spring, "m = 2", R"(m = "9^9^9^9")", R"(bad.toml:4:8: 9^9^9 is not a finite number
   4 | m = "9^9^9^9"
     |        ^~~~~)"},
    {spring, "m = 2", "m = true",
     R"(bad.toml:4:5: a parameter must be a formula in quotes or a number, not true or false
   4 | m = true
     |     ^~~~)"},
    {spring, "m = 2", "m = [1, 2]", R"(bad.toml:4:5: a parameter must be a formula in quotes or a number, not an array
   4 | m = [1, 2]
     |     ^~~~~~)"},
    {spring, "m = 2", R"(m = "[1, 2]")", R"(bad.toml:4:6: a number is needed here, not a vector of 2
   4 | m = "[1, 2]"
     |      ^~~~~~)"},
    {spring, "m = 2", R"(m = "k")", R"(bad.toml:4:5: parameters refer to each other in a circle: m -> k -> m
   4 | m = "k"
     |     ^~~
     = give one of them a value of its own)"},
    {spring, R"(m = 2
k = "3*m")",
     R"(a = "b"
b = "c + 1"
c = "2*d"
d = "b"
m = 1
k = 1)",
     R"(bad.toml:5:5: parameters refer to each other in a circle: b -> c -> d -> b
   5 | b = "c + 1"
     |     ^~~~~~~
     = give one of them a value of its own)"},
    {spring, R"([parameters]
m = 2
k = "3*m")",
     "parameters = 3", R"(bad.toml:3:1: parameters must be a table, not an integer
   3 | parameters = 3
     | ^~~~~~~~~~
     = write [parameters] on a line of its own, and its entries below)"},
    {spring, "m = 2", R"(m = "2*foo")", R"(bad.toml:4:8: unknown name 'foo'
   4 | m = "2*foo"
     |        ^~~)"},
    {spring, "[parameters]", R"(view = 1
structure = [[0]]
[parameters])",
     R"(bad.toml:4:1: structure goes with variables; this model has coordinates
   4 | structure = [[0]]
     | ^~~~~~~~~
     = a Hamiltonian of q and p is given in [mechanics])"},
};

TEST(HeaderMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
