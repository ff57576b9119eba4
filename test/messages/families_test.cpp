// Families of coordinates and their border values.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {chain, "x[1..n]", "x[1..n", R"(bad.toml:1:16: 'x[1..n' is neither a name nor a family
   1 | coordinates = ["x[1..n"]
     |                ^~~~~~~~
     = a family is written x[1..n])"},
    {chain, "x[1..n]", "x[n]", R"(bad.toml:1:16: 'x[n]' is neither a name nor a family
   1 | coordinates = ["x[n]"]
     |                ^~~~~~
     = a family is written x[1..n])"},
    {chain, "x[1..n]", "x[1..n/2]", R"(bad.toml:1:22: a bound of a family must be a whole number, not 1.5
   1 | coordinates = ["x[1..n/2]"]
     |                      ^~~)"},
    {chain, "x[1..n]", "x[2..1]", R"(bad.toml:1:16: the family has no members: x[2..1]
   1 | coordinates = ["x[2..1]"]
     |                ^~~~~~~~~
     = it ends before it begins)"},
    {chain, "x[1..n]", "x[1..2000000]", R"(bad.toml:1:16: a model has at most 200,000 coordinates
   1 | coordinates = ["x[1..2000000]"]
     |                ^~~~~~~~~~~~~~~)"},
    {chain, "x[1..n]", "x[1..1e12]",
     R"(bad.toml:1:22: a bound of a family must lie within 100,000,000, unlike 1000000000000
   1 | coordinates = ["x[1..1e12]"]
     |                      ^~~~)"},
    {chain, "x[1..n]", "x[1..]", R"(bad.toml:1:22: empty formula
   1 | coordinates = ["x[1..]"]
     |                      ^
     = write a value, for example 0)"},
    {chain, R"(["x[1..n]"])", R"(["x[1..n]", "x"])", R"(bad.toml:1:28: the name 'x' is used twice
   1 | coordinates = ["x[1..n]", "x"]
     |                            ^
     = choose another name)"},
    {chain, R"("x[0]" = 0)", R"("x[1]" = 0)", R"(bad.toml:7:1: x[1] is a coordinate: a definition cannot give it a value
   7 | "x[1]" = 0
     | ^~~~~~
     = border values lie outside 1..3)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"x[n-3]" = 1)",
     R"(bad.toml:8:1: x[0] is given twice
   8 | "x[n-3]" = 1
     | ^~~~~~~~
     = give each value once)"},
    {chain, R"("x[0]" = 0)", R"("x[1.5]" = 0)", R"(bad.toml:7:4: the index must be a whole number, not 1.5
   7 | "x[1.5]" = 0
     |    ^~~)"},
    {chain, R"("x[0]" = 0)", R"("x[t]" = 0)",
     R"(bad.toml:7:4: the index 't' cannot be read: a number is needed here, and 't' is none
   7 | "x[t]" = 0
     |    ^
     = an index is a whole number, or a new name, which stands for every index)"},
    {chain, R"("x[0]" = 0)", R"("y[0]" = 0)", R"(bad.toml:7:1: 'y' is no family of coordinates, it has no border values
   7 | "y[0]" = 0
     | ^~~~~~
     = a definition for every index is written "y[i]" = "...")"},
    {chain, R"("x[0]" = 0)", R"("x[" = 0)", R"(bad.toml:7:1: 'x[' is neither a name nor a name with an index
   7 | "x[" = 0
     | ^~~~
     = write x, "x[3]", "x[n+1]" or "x[i]")"},
    {chain, R"("x[0]" = 0)", R"("x[i+1]" = 0)", R"(bad.toml:7:4: the index 'i+1' cannot be read: unknown name 'i'
   7 | "x[i+1]" = 0
     |    ^~~
     = an index is a whole number, or a new name, which stands for every index)"},
    {chain, R"("x[0]" = 0)", R"("x[i]" = 0)",
     R"(bad.toml:7:1: 'x' has its members as coordinates: a definition cannot give them
   7 | "x[i]" = 0
     | ^~~~~~
     = border values have numbers as indices: "x[0]")"},
    {chain, "x[1..n]", "x[1..foo]", R"(bad.toml:1:22: unknown name 'foo'
   1 | coordinates = ["x[1..foo]"]
     |                      ^~~)"},
    {chain, R"(["x[1..n]"])", R"(["x[1..n]", "y[1..150000]", "z[1..150000]"])",
     R"(bad.toml:1:43: a model has at most 200,000 coordinates
   1 | coordinates = ["x[1..n]", "y[1..150000]", "z[1..150000]"]
     |                                           ^~~~~~~~~~~~~~)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = "foo")", R"(bad.toml:7:11: unknown name 'foo'
   7 | "x[0]" = "foo"
     |           ^~~)"},
    {chain, "x[i]'^2/2", "x'^2/2", R"-(bad.toml:11:30: 'x' is a family: write x[i] or x[1]
  11 | lagrangian = "sum(i in 1..n: x'^2/2) - sum(i in 1..n+1: (x[i] - x[i-1])^2/2)"
     |                              ^)-"},
    {chain, "x[i-1]", "x[i-2]", R"-(bad.toml:11:68: x[-1] does not exist: x has members 1..3
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[i-2])^2/2)"
     |                                                                    ^~~~~~
     = shorten the range, or give a border value in [definitions])-"},
    {chain, "x[i-1]", "x[2*i]",
     R"-(bad.toml:11:68: an index is a whole number, or an index plus or minus one: x[3], x[i], x[i-1]
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[2*i])^2/2)"
     |                                                                    ^~~~~~)-"},
    {chain, "x[i-1]", "x[9]",
     R"-(bad.toml:11:68: x[9] does not exist: x has members 1..3 (a border value is a definition "x[9]" = "...")
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[9])^2/2)"
     |                                                                    ^~~~)-"},
    {chain, "x[i-1]", "x[i,1]", R"-(bad.toml:11:68: 'x' is a family: write x[i] or x[1]
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[i,1])^2/2)"
     |                                                                    ^~~~~~)-"},
    {chain, "x[i-1]", "x[[1, 2]]", R"-(bad.toml:11:68: an index is a whole number or an index name
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[[1, 2]])^2/2)"
     |                                                                    ^~~~~~~~~)-"},
    {chain, "x[i-1]", "p_x[i]", R"-(bad.toml:11:68: a Lagrangian depends on q, q' and t, not on momenta
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - p_x[i])^2/2)"
     |                                                                    ^~~~~~
     = write velocities as x', or give a hamiltonian)-"},
    {chain, "x[i-1]", "p_x[i]'",
     R"-(bad.toml:11:68: a momentum has no prime: only coordinates and definitions of them do
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - p_x[i]')^2/2)"
     |                                                                    ^~~~~~~)-"},
    {chain, "x[i-1]", "x[n/2]", R"-(bad.toml:11:68: an index and a bound of a sum must be whole numbers: 1.5 is none
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[n/2])^2/2)"
     |                                                                    ^~~~~~)-"},
    {chain, "x[i]'^2/2", "if(i > 1, x[i-1], 0) + x[i+2]", R"-(bad.toml:11:53: x[5] does not exist: x has members 1..3
  11 | lagrangian = "sum(i in 1..n: if(i > 1, x[i-1], 0) + x[i+2]) - sum(i in 1..n+1: (x[i] - x[i-1])^2/2)"
     |                                                     ^~~~~~
     = shorten the range, or give a border value in [definitions])-"},
    {chain, "x[i-1]", "foo[i]", R"-(bad.toml:11:68: unknown name 'foo'
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - foo[i])^2/2)"
     |                                                                    ^~~)-"},
    {chain, R"-("x[n+1]" = "sin(t)"

[mechanics]
lagrangian = ")-",
     R"-("x[n+1]" = "sin(t)"
"r[i]" = "x[i] - x[i-1]"

[mechanics]
lagrangian = "r[0] + )-",
     R"-(bad.toml:12:15: x[-1] does not exist: x has members 1..3
  12 | lagrangian = "r[0] + sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[i-1])^2/2)"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = shorten the range, or give a border value in [definitions])-"},
    // Of numbers and indices alone. A condition on an index may leave out where there is no value.
    {chain, "(x[i] - x[i-1])^2/2", "1/(i - 1)",
     R"-(bad.toml:11:60: 1/(i - 1) is not a finite number at i = 1
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: 1/(i - 1))"
     |                                                            ^~~~~~~~~)-"},
    {chain, "(x[i] - x[i-1])^2/2", "0*(1/(i - 1))",
     R"-(bad.toml:11:63: 1/(i - 1) is not a finite number at i = 1
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: 0*(1/(i - 1)))"
     |                                                               ^~~~~~~~~)-"},
    {chain, "(x[i] - x[i-1])^2/2", "if(i > 2, 1/(i - 3), 0)*x[i]",
     R"-(bad.toml:11:70: 1/(i - 3) is not a finite number at i = 3
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: if(i > 2, 1/(i - 3), 0)*x[i])"
     |                                                                      ^~~~~~~~~)-"},
    {chain, "(x[i] - x[i-1])^2/2", "sum(j in 1..i: x[i]*log(i - j))",
     R"-(bad.toml:11:80: log(i - j) is not a finite number at i = 1, j = 1
  11 | lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: sum(j in 1..i: x[i]*log(i - j)))"
     |                                                                                ^~~~~~~~~~)-"},
    {chain, "n = 3", R"-(n = 3
b = "sum(i in 1..n: 1/(i - 2))")-",
     R"-(bad.toml:5:21: 1/(i - 2) is not a finite number at i = 2
   5 | b = "sum(i in 1..n: 1/(i - 2))"
     |                     ^~~~~~~~~)-"},
    {chain, "[initial]", R"-([constraints]
holonomic = ["0*sqrt(i - 2) + x[i] for i in 1..2"]
[initial])-",
     R"-(bad.toml:14:17: sqrt(i - 2) is not a finite number at i = 1
  14 | holonomic = ["0*sqrt(i - 2) + x[i] for i in 1..2"]
     |                 ^~~~~~~~~~~)-"},
    {chain, R"-("x[n+1]" = "sin(t)"

[mechanics]
lagrangian = "sum(i in 1..n: )-",
     R"-("x[n+1]" = "sin(t)"
"k[i]" = "1/(i - 2)"

[mechanics]
lagrangian = "sum(i in 1..n: 0*k[i]) + sum(i in 1..n: )-",
     R"-(bad.toml:12:32: k[i] is not a finite number at i = 2
  12 | lagrangian = "sum(i in 1..n: 0*k[i]) + sum(i in 1..n: x[i]'^2/2) - sum(i in 1..n+1: (x[i] - x[i-1])^2/2)"
     |                                ^~~~)-"},
    {chain, "(x[i] - x[i-1])^2/2", "if(i == 1, 0, 1/(i - 1))*x[i]^2", "nothing"},
};

TEST(FamiliesMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
