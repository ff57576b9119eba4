// Where a run starts, and how it is run.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, R"([initial]
q = { x = 1, y = 0 }
v = { x = 0, y = 1 })",
     "", R"(bad.toml: the model has no [initial]
     = give q and v (or p))"},
    {field, R"([initial]
z = [1, 0])",
     "", R"(bad.toml: the model has no [initial]
     = give z)"},
    {spring, "q = { x = 1, y = 0 }", "", R"(bad.toml:10:2: [initial] needs q
  10 | [initial]
     |  ^~~~~~~
     = write q = { x = 0, ... } or an array in coordinate order)"},
    {spring, "v = { x = 0, y = 1 }", "", R"(bad.toml:10:2: [initial] needs v or p, it has neither
  10 | [initial]
     |  ^~~~~~~
     = write v = { x = 0, ... } or an array in coordinate order)"},
    {spring, "v = { x = 0, y = 1 }", R"(v = { x = 0, y = 1 }
p = [0, 0])",
     R"(bad.toml:10:2: [initial] needs v or p, not both
  10 | [initial]
     |  ^~~~~~~
     = remove one of them)"},
    {spring, R"([initial]
q = { x = 1, y = 0 }
v = { x = 0, y = 1 })",
     R"([[initial]]
q = { x = 1, y = 0 })",
     R"(bad.toml:10:3: initial must be a table, not an array
  10 | [[initial]]
     |   ^~~~~~~
     = write [initial] on a line of its own, and its entries below)"},
    {spring, "q = { x = 1, y = 0 }", "q = [1]", R"(bad.toml:11:5: q has 1 value, 2 are needed
  11 | q = [1]
     |     ^~~
     = in the order x, y)"},
    {spring, "q = { x = 1, y = 0 }", "q = [1, 2, 3]", R"(bad.toml:11:5: q has 3 values, 2 are needed
  11 | q = [1, 2, 3]
     |     ^~~~~~~~~
     = in the order x, y)"},
    {spring, "q = { x = 1, y = 0 }", "q = 1", R"(bad.toml:11:5: q must be a table by name or an array, not an integer
  11 | q = 1
     |     ^
     = write q = { x = 0, ... })"},
    {spring, "q = { x = 1, y = 0 }", "q = { x = 1 }", R"(bad.toml:11:5: q does not give y
  11 | q = { x = 1 }
     |     ^~~~~~~~~
     = a table names every coordinate, or whole families: "x[i]" = "...")"},
    {spring, "q = { x = 1, y = 0 }", "q = { x = 1, yy = 0 }", R"(bad.toml:11:14: 'yy' is no coordinate
  11 | q = { x = 1, yy = 0 }
     |              ^~
     = did you mean 'y'?)"},
    {spring, "q = { x = 1, y = 0 }", R"(q = { x = 1, "y[1]" = 0 })",
     R"(bad.toml:11:14: 'y' is not a family, it takes no index
  11 | q = { x = 1, "y[1]" = 0 }
     |              ^~~~~~
     = write y)"},
    {spring, "q = { x = 1, y = 0 }", R"(q = { x = 1, y = "x" })",
     R"(bad.toml:11:19: a number is needed here, and 'x' is none
  11 | q = { x = 1, y = "x" }
     |                   ^
     = use numbers and parameters)"},
    {spring, "q = { x = 1, y = 0 }", R"(q = { x = 1, y = "2*t" })",
     R"(bad.toml:11:21: a number is needed here, and 't' is none
  11 | q = { x = 1, y = "2*t" }
     |                     ^
     = use numbers and parameters)"},
    {spring, "q = { x = 1, y = 0 }", "q = { x = 1, y = inf }", R"(bad.toml:11:18: the number must be finite
  11 | q = { x = 1, y = inf }
     |                  ^~~
     = write a number)"},
    {spring, "q = { x = 1, y = 0 }", "q = { x = 1, y = [0] }",
     R"(bad.toml:11:18: q must be a formula in quotes or a number, not an array
  11 | q = { x = 1, y = [0] }
     |                  ^~~)"},
    {spring, R"([initial]
q = { x = 1, y = 0 })",
     R"([definitions]
d = "x"
[initial]
q = { x = 1, y = "d" })",
     R"(bad.toml:13:19: a number is needed here; this depends on 'x'
  13 | q = { x = 1, y = "d" }
     |                   ^)"},
    {spring, "v = { x = 0, y = 1 }", R"(v = { "x'" = 0, y = 1 })", R"(bad.toml:12:7: 'x'' is no coordinate
  12 | v = { "x'" = 0, y = 1 }
     |       ^~~~
     = did you mean 'x'?)"},
    {spring, "v = { x = 0, y = 1 }", R"(v = [0, "1 +"])", R"(bad.toml:12:12: expected a value after '+'
  12 | v = [0, "1 +"]
     |            ^
     = write a number, a name or a bracket there; and, or, in, for are no names)"},
    {spring, "v = { x = 0, y = 1 }", R"(v = { x = 0, y = 1 }
lambda = 1)",
     R"(bad.toml:13:10: lambda must be an array
  13 | lambda = 1
     |          ^
     = write one number a velocity constraint)"},
    {spring, "v = { x = 0, y = 1 }", R"(v = { x = 0, y = 1 }
lambda = [1])",
     R"(bad.toml:13:1: lambda is for variational problems with velocity constraints
  13 | lambda = [1]
     | ^~~~~~
     = remove it, or set principle = "variational" in [constraints])"},
    {spring, "v = { x = 0, y = 1 }", R"(v = { x = 0, y = 1 }
lambda = [1, 2]
[constraints]
velocity = ["x'"]
principle = "variational"
)",
     R"(bad.toml:13:10: lambda has 2 values, 1 is needed
  13 | lambda = [1, 2]
     |          ^~~~~~
     = one a velocity constraint)"},
    {chain, R"("x[i]" = "i")", R"("x[1]" = 1)", R"(bad.toml:14:5: q does not give x[2], x[3]
  14 | q = { "x[1]" = 1 }
     |     ^~~~~~~~~~~~~~
     = a table names every coordinate, or whole families: "x[i]" = "...")"},
    {chain, R"("x[i]" = "i")", R"("x" = 1)", R"(bad.toml:14:7: 'x' is a family
  14 | q = { "x" = 1 }
     |       ^~~
     = write "x[i]" for all its members, "x[1]" for one of them)"},
    {chain, R"("x[i]" = "i")", R"("x[i]" = "x[i]")", R"(bad.toml:14:17: a number is needed here, and 'x' is none
  14 | q = { "x[i]" = "x[i]" }
     |                 ^~~~
     = use numbers and parameters)"},
    {chain, R"("x[i]" = "i")", R"-("x[i]" = "1/(i - 1)")-", R"-(bad.toml:14:17: 1/0 is not a finite number
  14 | q = { "x[i]" = "1/(i - 1)" }
     |                 ^~~~~~~~~)-"},
    {chain, R"("x[i]" = "i")", R"("x[i]" = "i", "x[4]" = 0)", R"(bad.toml:14:21: x[4] does not exist
  14 | q = { "x[i]" = "i", "x[4]" = 0 }
     |                     ^~~~~~
     = x has members 1..3)"},
    {chain, R"("x[i]" = "i")", R"("x[i]" = "i", "x[3]" = 0, "x[n]" = 0)", R"(bad.toml:14:33: 'x[n]' is given twice
  14 | q = { "x[i]" = "i", "x[3]" = 0, "x[n]" = 0 }
     |                                 ^~~~~~
     = give each value once)"},
    {chain, R"("x[i]" = "i")", R"("x[i+1]" = "i")", R"(bad.toml:14:10: the index 'i+1' cannot be read: unknown name 'i'
  14 | q = { "x[i+1]" = "i" }
     |          ^~~
     = an index is a whole number, or a new name, which stands for every index)"},
    {chain, R"("x[i]" = "i")", R"("x[i]" = "[i]")", R"(bad.toml:14:17: a number is needed here, not a vector of 1
  14 | q = { "x[i]" = "[i]" }
     |                 ^~~)"},
    {chain, R"("x[i]" = "i")", R"-("x[i]" = "sum(j in 1..100000000: j)")-",
     R"-(bad.toml:14:17: the sums and families of this model unroll into more than 20,000,000 terms
  14 | q = { "x[i]" = "sum(j in 1..100000000: j)" }
     |                 ^~~~~~~~~~~~~~~~~~~~~~~~~
     = shorten the ranges)-"},
    {chain, R"({ "x[i]" = "i" })", "[1, 2]", R"(bad.toml:14:5: q has 2 values, 3 are needed
  14 | q = [1, 2]
     |     ^~~~~~
     = in the order x[1], x[2], x[3])"},
    {field, "z = [1, 0]", "z = [1]", R"(bad.toml:8:5: z has 1 value, 2 are needed
   8 | z = [1]
     |     ^~~
     = in the order x, y)"},
    {field, "z = [1, 0]", "q = [1]", R"(bad.toml:8:1: unknown key 'q' in [initial]
   8 | q = [1]
     | ^
     = known keys: z, t)"},
    {field, "z = [1, 0]", "z = 1", R"(bad.toml:8:5: z must be a table by name or an array, not an integer
   8 | z = 1
     |     ^
     = write z = { x = 0, ... })"},
    {field, "z = [1, 0]", "t = 1", R"(bad.toml:7:2: [initial] needs z
   7 | [initial]
     |  ^~~~~~~
     = write z = [...] in the order of the variables)"},
    {spring, "", R"([run]
methods = "rk4"
)",
     R"(bad.toml:14:1: unknown key 'methods' in [run]
  14 | methods = "rk4"
     | ^~~~~~~
     = did you mean 'method'?)"},
    {spring, "", R"([run]
method = 4
)",
     R"(bad.toml:14:10: method must be a name in quotes
  14 | method = 4
     |          ^
     = 'rattleback methods' lists them)"},
    {spring, "", R"([run]
step = 0
)",
     R"(bad.toml:14:8: the step must not be 0
  14 | step = 0
     |        ^
     = write step = 0.01)"},
    {spring, "", R"([run]
step = "0.1*x"
)",
     R"(bad.toml:14:13: a number is needed here, and 'x' is none
  14 | step = "0.1*x"
     |             ^
     = use numbers and parameters)"},
    {spring, "", R"([run]
step = nan
)",
     R"(bad.toml:14:8: the number must be finite
  14 | step = nan
     |        ^~~
     = write a number)"},
    {spring, "", R"([run]
steps = 1.5
)",
     R"(bad.toml:14:9: steps must be a whole number, not negative
  14 | steps = 1.5
     |         ^~~
     = write steps = 1000)"},
    {spring, "", R"([run]
steps = 10
until = 3
)",
     R"(bad.toml:14:1: [run] takes until or steps, not both
  14 | steps = 10
     | ^~~~~
     = remove one of them)"},
    {spring, "", R"([run]
step = true
)",
     R"(bad.toml:14:8: step must be a formula in quotes or a number, not true or false
  14 | step = true
     |        ^~~~)"},
    {spring, "q = { x = 1, y = 0 }", "q = { x = 1, theta = 0 }", R"(bad.toml:11:14: 'theta' is no coordinate
  11 | q = { x = 1, theta = 0 }
     |              ^~~~~
     = coordinates are x, y)"},
    {field, "z = [1, 0]", "z = { theta = 1 }", R"(bad.toml:8:7: 'theta' is no variable
   8 | z = { theta = 1 }
     |       ^~~~~
     = variables are x, y)"},
    {spring, "v = { x = 0, y = 1 }", R"(v = { x = 0, y = 1 }
start = 1)",
     R"(bad.toml:13:1: unknown key 'start' in [initial]
  13 | start = 1
     | ^~~~~
     = known keys: q, v, p, lambda, t)"},
    {spring, "q = { x = 1, y = 0 }", R"(q = { x = 1, y = "1/0" })", R"(bad.toml:11:19: 1/0 is not a finite number
  11 | q = { x = 1, y = "1/0" }
     |                   ^~~)"},
    {spring, "", R"([run]
until = "foo"
)",
     R"(bad.toml:14:10: unknown name 'foo'
  14 | until = "foo"
     |          ^~~)"},
};

TEST(InitialMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
