// Names and shapes in formulas.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, the_lagrangian, R"(lagrangian = "mm*x")", R"(bad.toml:8:15: unknown name 'mm'
   8 | lagrangian = "mm*x"
     |               ^~
     = did you mean 'm'?)"},
    {spring, the_lagrangian, R"-(lagrangian = "sine(x)")-", R"-(bad.toml:8:15: unknown function 'sine'
   8 | lagrangian = "sine(x)"
     |               ^~~~
     = did you mean 'sin'?)-"},
    {spring, the_lagrangian, R"-(lagrangian = "foo(x)")-", R"-(bad.toml:8:15: unknown function 'foo'
   8 | lagrangian = "foo(x)"
     |               ^~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "Sin(x)")-", R"-(bad.toml:8:15: unknown function 'Sin'
   8 | lagrangian = "Sin(x)"
     |               ^~~
     = did you mean 'sin'?)-"},
    {spring, the_lagrangian, R"-(lagrangian = "x'^2 + 0/0*x")-", R"-(bad.toml:8:22: 0/0 is not a finite number
   8 | lagrangian = "x'^2 + 0/0*x"
     |                      ^~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "x'^2 + 0*(1/0)")-", R"-(bad.toml:8:25: 1/0 is not a finite number
   8 | lagrangian = "x'^2 + 0*(1/0)"
     |                         ^~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "max(x, log(-1))")-", R"-(bad.toml:8:22: log(-1) is not a finite number
   8 | lagrangian = "max(x, log(-1))"
     |                      ^~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "if(log(-1) > 0, x, y)")-",
     R"-(bad.toml:8:18: log(-1) is not a finite number
   8 | lagrangian = "if(log(-1) > 0, x, y)"
     |                  ^~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "if(1 > 2, sqrt(0 - 1), x)")-",
     R"-(bad.toml:8:25: sqrt(0 - 1) is not a finite number
   8 | lagrangian = "if(1 > 2, sqrt(0 - 1), x)"
     |                         ^~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "dot([1, 2]/0, [x, y])")-",
     R"-(bad.toml:8:19: [1, 2]/0 is not a finite number
   8 | lagrangian = "dot([1, 2]/0, [x, y])"
     |                   ^~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "x*exp(1e6)")-", R"-(bad.toml:8:17: exp(1e6) is not a finite number
   8 | lagrangian = "x*exp(1e6)"
     |                 ^~~~~~~~)-"},
    {spring, the_lagrangian, R"(lagrangian = "m'")",
     R"(bad.toml:8:15: 'm' is a parameter: only coordinates and definitions have a time derivative
   8 | lagrangian = "m'"
     |               ^~)"},
    {spring, the_lagrangian, R"(lagrangian = "t'")",
     R"(bad.toml:8:15: 't' is the time: only coordinates and definitions have a time derivative
   8 | lagrangian = "t'"
     |               ^~)"},
    {spring, the_lagrangian, R"(lagrangian = "pi'")",
     R"(bad.toml:8:15: 'pi' is a number: only coordinates and definitions have a time derivative
   8 | lagrangian = "pi'"
     |               ^~~)"},
    {spring, the_lagrangian, R"(lagrangian = "x''")", R"(bad.toml:8:15: second time derivatives do not occur in a model
   8 | lagrangian = "x''"
     |               ^~~
     = a Lagrangian depends on q and q' only)"},
    {spring, the_lagrangian, R"(lagrangian = "(x + y)'")",
     R"(bad.toml:8:15: a prime belongs to a coordinate or a definition
   8 | lagrangian = "(x + y)'"
     |               ^~~~~~~~
     = name this formula in [definitions] and write name')"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..3: i')")-",
     R"-(bad.toml:8:30: an index has no time derivative
   8 | lagrangian = "sum(i in 1..3: i')"
     |                              ^~)-"},
    {spring, the_lagrangian, R"(lagrangian = "x + p_x'")",
     R"(bad.toml:8:19: a momentum has no prime: only coordinates and definitions of them do
   8 | lagrangian = "x + p_x'"
     |                   ^~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "x*p_q")", R"(bad.toml:8:17: unknown name 'p_q'
   8 | lagrangian = "x*p_q"
     |                 ^~~
     = did you mean 'p_x'?)"},
    {spring, the_lagrangian, R"-(lagrangian = "sin(x, y)")-", R"-(bad.toml:8:15: sin takes 1 argument, 2 are given
   8 | lagrangian = "sin(x, y)"
     |               ^~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "atan2(x)")-", R"-(bad.toml:8:15: atan2 takes 2 arguments, 1 is given
   8 | lagrangian = "atan2(x)"
     |               ^~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "if(x > 0, 1)")-", R"-(bad.toml:8:15: if takes 3 arguments, 2 are given
   8 | lagrangian = "if(x > 0, 1)"
     |               ^~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"(lagrangian = "[x, y]")", R"(bad.toml:8:15: a number is needed here, not a vector of 2
   8 | lagrangian = "[x, y]"
     |               ^~~~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "[x, y] + 1")", R"(bad.toml:8:15: cannot add a vector of 2 and a number
   8 | lagrangian = "[x, y] + 1"
     |               ^~~~~~~~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "[x, y]*[x, y]")",
     R"(bad.toml:8:15: cannot multiply two vectors: write dot(a, b) or cross(a, b)
   8 | lagrangian = "[x, y]*[x, y]"
     |               ^~~~~~~~~~~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "1/[x, y]")", R"(bad.toml:8:15: cannot divide by a vector of 2
   8 | lagrangian = "1/[x, y]"
     |               ^~~~~~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "[x, y]^2")", R"(bad.toml:8:15: a power needs numbers, not a vector of 2
   8 | lagrangian = "[x, y]^2"
     |               ^~~~~~~~)"},
    {spring, the_lagrangian, R"-(lagrangian = "dot([x, y], 1)")-",
     R"-(bad.toml:8:15: dot needs two vectors of the same length, not a vector of 2 and a number
   8 | lagrangian = "dot([x, y], 1)"
     |               ^~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "cross([x], [y])")-",
     R"-(bad.toml:8:15: cross needs two vectors of 3 (or of 2, for the number x1*y2 - x2*y1), not a vector of 1 and a vector of 1
   8 | lagrangian = "cross([x], [y])"
     |               ^~~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "transpose([x, y])")-",
     R"-(bad.toml:8:15: transpose needs a matrix, not a vector of 2
   8 | lagrangian = "transpose([x, y])"
     |               ^~~~~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"(lagrangian = "[x, y]*[[1, 0], [0, 1]]")",
     R"(bad.toml:8:15: cannot multiply a vector by a matrix from the right: write transpose(A)*a
   8 | lagrangian = "[x, y]*[[1, 0], [0, 1]]"
     |               ^~~~~~~~~~~~~~~~~~~~~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "[[1, 2], [3]]")",
     R"(bad.toml:8:15: the rows of a matrix are vectors of one length
   8 | lagrangian = "[[1, 2], [3]]"
     |               ^~~~~~~~~~~~~)"},
    {spring, the_lagrangian, R"(lagrangian = "[[1, 2, 3], [4, 5, 6]]*[x, y]")",
     R"(bad.toml:8:15: cannot multiply a 2 x 3 matrix and a vector of 2
   8 | lagrangian = "[[1, 2, 3], [4, 5, 6]]*[x, y]"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~)"},
    {spring, the_lagrangian, R"-(lagrangian = "rotx([x, y])")-",
     R"-(bad.toml:8:15: a rotation needs an angle, not a vector of 2
   8 | lagrangian = "rotx([x, y])"
     |               ^~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "solve([x, y], [x, y])")-",
     R"-(bad.toml:8:15: solve(A, b) needs a square matrix and a vector of its size, not a vector of 2 and a vector of 2
   8 | lagrangian = "solve([x, y], [x, y])"
     |               ^~~~~~~~~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sinc([x])")-", R"-(bad.toml:8:15: sinc needs a number, not a vector of 1
   8 | lagrangian = "sinc([x])"
     |               ^~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sin([x])")-", R"-(bad.toml:8:15: sin needs a number, not a vector of 1
   8 | lagrangian = "sin([x])"
     |               ^~~~~~~~)-"},
    {spring, the_lagrangian, R"(lagrangian = "x < [y]")", R"(bad.toml:8:19: a number is needed here, not a vector of 1
   8 | lagrangian = "x < [y]"
     |                   ^~~)"},
    {spring, the_lagrangian, R"(lagrangian = "x[1]")", R"(bad.toml:8:15: 'x' is a number and cannot be indexed like this
   8 | lagrangian = "x[1]"
     |               ^~~~)"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..m/4: x)")-",
     R"-(bad.toml:8:15: an index and a bound of a sum must be whole numbers: 0.5 is none
   8 | lagrangian = "sum(i in 1..m/4: x)"
     |               ^~~~~~~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..x: y)")-",
     R"-(bad.toml:8:15: an index and a bound of a sum must be whole numbers: x is none
   8 | lagrangian = "sum(i in 1..x: y)"
     |               ^~~~~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..1000000000: x)")-",
     R"-(bad.toml:8:15: the sums and families of this model unroll into more than 20,000,000 terms
   8 | lagrangian = "sum(i in 1..1000000000: x)"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~
     = shorten the ranges)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..1000: sum(j in 1..1000: sum(l in 1..1000: x*i*j*l)))")-",
     R"-(bad.toml:8:15: the sums and families of this model unroll into more than 20,000,000 terms
   8 | lagrangian = "sum(i in 1..1000: sum(j in 1..1000: sum(l in 1..1000: x*i*j*l)))"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = shorten the ranges)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..[1, 2]: x)")-",
     R"-(bad.toml:8:27: a number is needed here, not a vector of 2
   8 | lagrangian = "sum(i in 1..[1, 2]: x)"
     |                           ^~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..3: [x, y])")-",
     R"-(bad.toml:8:30: a number is needed here, not a vector of 2
   8 | lagrangian = "sum(i in 1..3: [x, y])"
     |                              ^~~~~~)-"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..3: sum(j in 1..sin(i): x))")-",
     R"-(bad.toml:8:15: a bound of a sum is made of whole numbers and indices with + - *
   8 | lagrangian = "sum(i in 1..3: sum(j in 1..sin(i): x))"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~)-"},
    {spring, the_lagrangian, R"(lagrangian = "xdot^2/2")", R"(bad.toml:8:15: unknown name 'xdot'
   8 | lagrangian = "xdot^2/2"
     |               ^~~~
     = a velocity is written with a prime: x')"},
    {spring, the_lagrangian, R"(lagrangian = "x_dot^2/2")", R"(bad.toml:8:15: unknown name 'x_dot'
   8 | lagrangian = "x_dot^2/2"
     |               ^~~~~
     = a velocity is written with a prime: x')"},
    {spring, the_lagrangian, R"(lagrangian = "x'^2/2 - cos")",
     R"(bad.toml:8:24: 'cos' is a function and needs an argument
   8 | lagrangian = "x'^2/2 - cos"
     |                        ^~~
     = write cos(x))"},
    {spring, the_lagrangian, R"-(lagrangian = "x'^2/2 - ln(x)")-", R"-(bad.toml:8:24: unknown function 'ln'
   8 | lagrangian = "x'^2/2 - ln(x)"
     |                        ^~
     = did you mean 'log'?)-"},
    {spring, the_lagrangian, R"(lagrangian = "foo")", R"(bad.toml:8:15: unknown name 'foo'
   8 | lagrangian = "foo"
     |               ^~~)"},
    {spring, the_lagrangian, R"(lagrangian = "foo'")", R"(bad.toml:8:15: unknown name 'foo'
   8 | lagrangian = "foo'"
     |               ^~~)"},
    {spring, the_lagrangian, R"(lagrangian = "sin(x)'")",
     R"(bad.toml:8:15: a prime belongs to a coordinate or a definition
   8 | lagrangian = "sin(x)'"
     |               ^~~~~~~
     = name this formula in [definitions] and write name')"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..3: foo)")-", R"-(bad.toml:8:30: unknown name 'foo'
   8 | lagrangian = "sum(i in 1..3: foo)"
     |                              ^~~)-"},
    {field, "x^2 + y^2", "x'^2",
     R"(bad.toml:4:13: the Hamiltonian of J z' = grad H depends on the variables, not on their derivatives
   4 | formula = "(x'^2)/2"
     |             ^~)"},
    {field, "x^2 + y^2", "p_x^2", R"(bad.toml:4:13: unknown name 'p_x'
   4 | formula = "(p_x^2)/2"
     |             ^~~)"},
};

TEST(MeaningMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
