// Definitions.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, "", R"([definitions]
a = "b"
b = "c"
c = "a"
)",
     R"(bad.toml:14:1: definitions refer to each other in a circle: a -> b -> c -> a
  14 | a = "b"
     | ^
     = a definition uses others, never itself)"},
    {spring, "", R"([definitions]
a = "a + 1"
)",
     R"(bad.toml:14:1: definitions refer to each other in a circle: a -> a
  14 | a = "a + 1"
     | ^
     = a definition uses others, never itself)"},
    {spring, "", R"([definitions]
m = "x"
)",
     R"(bad.toml:14:1: the name 'm' is used twice
  14 | m = "x"
     | ^
     = choose another name)"},
    {spring, "", R"([definitions]
x = "1"
)",
     R"(bad.toml:14:1: the name 'x' is used twice
  14 | x = "1"
     | ^
     = choose another name)"},
    {spring, "", R"([definitions]
p_x = "1"
)",
     R"(bad.toml:14:1: the name 'p_x' is used twice
  14 | p_x = "1"
     | ^~~
     = p_x is the momentum of x)"},
    {spring, "", R"([definitions]
"a b" = "1"
)",
     R"(bad.toml:14:2: 'a b' is not a name
  14 | "a b" = "1"
     |  ^~~
     = names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none)"},
    {spring, "", R"([definitions]
pi = "3"
)",
     R"(bad.toml:14:1: 'pi' is the number pi
  14 | pi = "3"
     | ^~
     = choose another name)"},
    {spring, "", R"([definitions]
a = []
)",
     R"(bad.toml:14:5: an empty list defines nothing
  14 | a = []
     |     ^~
     = write ["x", "y"])"},
    {spring, "", R"([definitions]
a = [["x", "y"], ["x"]]
)",
     R"(bad.toml:14:18: the rows of a matrix must have one length
  14 | a = [["x", "y"], ["x"]]
     |                  ^~~~~
     = the first has 2 entries)"},
    {spring, "", R"([definitions]
a = ["x", ["y"]]
)",
     R"(bad.toml:14:11: the rows of a matrix must have one length
  14 | a = ["x", ["y"]]
     |           ^~~~~
     = a vector has numbers as entries)"},
    {spring, "", R"([definitions]
a = ["x", "[x, y]"]
)",
     R"(bad.toml:14:12: a number is needed here, not a vector of 2
  14 | a = ["x", "[x, y]"]
     |            ^~~~~~)"},
    {spring, "", R"([definitions]
a = true
)",
     R"(bad.toml:14:5: a definition must be a formula in quotes or a number, not true or false
  14 | a = true
     |     ^~~~)"},
    {spring, "", R"([definitions]
a = "x'"
b = "a'"
)",
     R"(bad.toml:15:6: a' would need accelerations: 'a' contains velocities
  15 | b = "a'"
     |      ^~)"},
    {spring, "", R"([definitions]
a = "p_x"
b = "a'"
)",
     R"(bad.toml:15:6: a' would need the rates of momenta: 'a' contains momenta
  15 | b = "a'"
     |      ^~)"},
    {spring, "", R"([definitions]
a = ["x", "y"]
b = "a[3]"
)",
     R"(bad.toml:15:8: the index must be a whole number from 1 to 2
  15 | b = "a[3]"
     |        ^)"},
    {spring, "", R"([definitions]
a = ["x", "y"]
b = "a[1, 1]"
)",
     R"(bad.toml:15:6: 'a' is a vector of 2 and cannot be indexed like this
  15 | b = "a[1, 1]"
     |      ^~~~~~~)"},
    {spring, "", R"([definitions]
a = [["x", "y"], [1, 2]]
b = "a[1]"
)",
     R"(bad.toml:15:6: 'a' is a 2 x 2 matrix and cannot be indexed like this
  15 | b = "a[1]"
     |      ^~~~)"},
    {spring, "", R"([definitions]
a = [["x", "y"], [1, 2]]
b = "a[2, 3]"
)",
     R"(bad.toml:15:11: the index must be a whole number from 1 to 2
  15 | b = "a[2, 3]"
     |           ^)"},
    {spring, "", R"([definitions]
a = "x"
b = "a[1]"
)",
     R"(bad.toml:15:6: 'a' is a number and cannot be indexed like this
  15 | b = "a[1]"
     |      ^~~~)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = "0*t + x[n]")",
     R"(bad.toml:7:17: a border value cannot depend on coordinates
   7 | "x[0]" = "0*t + x[n]"
     |                 ^~~~
     = of a ring, write the term that closes it on its own: sum(i in 1..n-1: (x[i+1] - x[i])^2/2) + (x[1] - x[n])^2/2)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[i]" = ["x[i]"])",
     R"(bad.toml:8:10: a definition for every i must be a number, not a list
   8 | "r[i]" = ["x[i]"]
     |          ^~~~~~~~
     = give each component a definition of its own)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[i]" = "[x[i], 1]")",
     R"(bad.toml:8:11: a number is needed here, not a vector of 2
   8 | "r[i]" = "[x[i], 1]"
     |           ^~~~~~~~~)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[i]" = "x[i]"
r = 1)",
     R"(bad.toml:9:1: the name 'r' is used twice
   9 | r = 1
     | ^
     = choose another name)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[i]" = "x[i]"
a = "r")",
     R"(bad.toml:9:6: 'r' is a family: write r[i] or r[1]
   9 | a = "r"
     |      ^)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[x]" = "x[1]")",
     R"(bad.toml:8:4: the index 'x' cannot be read: 'x' is a family: write x[i] or x[1]
   8 | "r[x]" = "x[1]"
     |    ^
     = an index is a whole number, or a new name, which stands for every index)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[i]" = "x[i]'"
a = "r[1]'")",
     R"(bad.toml:9:6: r' would need accelerations: 'r' contains velocities
   9 | a = "r[1]'"
     |      ^~~~~)"},
    {spring, "[parameters]", R"(definitions = 3
[parameters])",
     R"(bad.toml:3:1: definitions must be a table, not an integer
   3 | definitions = 3
     | ^~~~~~~~~~~
     = write [definitions] on a line of its own, and its entries below)"},
    {chain, R"("x[0]" = 0)", R"("x[0]" = 0
"r[i]" = "x[foo]")",
     R"(bad.toml:8:13: unknown name 'foo'
   8 | "r[i]" = "x[foo]"
     |             ^~~)"},
    {spring, "", R"([definitions]
a = ["x", "x", "x", true]
)",
     R"(bad.toml:14:21: a definition must be a formula in quotes or a number, not true or false
  14 | a = ["x", "x", "x", true]
     |                     ^~~~)"},
    {spring, "", R"([definitions]
a = "sum(b in 1..2: b) + c"
b = "a"
c = "b"
)",
     R"(bad.toml:14:1: definitions refer to each other in a circle: a -> c -> b -> a
  14 | a = "sum(b in 1..2: b) + c"
     | ^
     = a definition uses others, never itself)"},
};

TEST(DefinitionsMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
