// Optimal control from costates.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

constexpr std::string_view steered = R"-(coordinates = ["x", "y"]

[control]
inputs   = ["u", "w"]
dynamics = { x = "y", y = "u + w*x" }
cost     = "(u^2 + w^2)/2"

[initial]
q = [0, 0]
p = [-12, -6]
)-";

const std::vector<Complaint> complaints = {
    {steered, "coordinates", "variables",
     R"-(bad.toml:1:1: [control] does not go with variables, which may have no costates
   1 | variables = ["x", "y"]
     | ^~~~~~~~~
     = write coordinates in place of variables)-"},
    {steered, R"-(inputs   = ["u", "w"]
)-",
     R"-()-", R"-(bad.toml:3:2: [control] has no inputs
   3 | [control]
     |  ^~~~~~~
     = write inputs = ["u"])-"},
    {steered, R"-(["u", "w"])-", R"-(["u", "x"])-", R"-(bad.toml:4:18: the name 'x' is used twice
   4 | inputs   = ["u", "x"]
     |                  ^~~
     = choose another name)-"},
    {steered, R"-(["u", "w"])-", R"-(["u", "u"])-", R"-(bad.toml:4:18: the name 'u' is used twice
   4 | inputs   = ["u", "u"]
     |                  ^~~
     = choose another name)-"},
    {steered, R"-(["u", "w"])-", R"-([])-", R"-(bad.toml:4:12: inputs must be a list of names
   4 | inputs   = []
     |            ^~
     = write inputs = ["u"])-"},
    {steered, R"-(x = "y", )-", R"-()-", R"-(bad.toml:5:12: dynamics do not give x
   5 | dynamics = { y = "u + w*x" }
     |            ^~~~~~~~~~~~~~~~~
     = write x = "0" if it is constant)-"},
    {steered, R"-(x = "y")-", R"-(x = "y'")-", R"-(bad.toml:5:19: dynamics depend on q, the inputs and t only
   5 | dynamics = { x = "y'", y = "u + w*x" }
     |                   ^~
     = write the rates themselves)-"},
    {steered, R"-(x = "y")-", R"-(x = "p_y")-", R"-(bad.toml:5:19: dynamics depend on q, the inputs and t only
   5 | dynamics = { x = "p_y", y = "u + w*x" }
     |                   ^~~
     = write the rates themselves)-"},
    {steered, R"-(x = "y")-", R"-(x = "u'")-", R"-(bad.toml:5:19: 'u' is an input: it has no time derivative
   5 | dynamics = { x = "u'", y = "u + w*x" }
     |                   ^~)-"},
    {steered, R"-(cost     = "(u^2 + w^2)/2"
)-",
     R"-()-", R"-(bad.toml:3:2: [control] has no cost
   3 | [control]
     |  ^~~~~~~
     = write cost = "u^2/2")-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-(u^4/4)-",
     R"-(bad.toml:6:1: H_uu is singular: 'w' does not enter the cost quadratically, and H_u = 0 is not linear in other inputs
   6 | cost     = "u^4/4"
     | ^~~~
     = add a term like w^2/2 to the cost)-"},
    {steered, R"-(u + w*x" }
cost     = "(u^2 + w^2)/2)-",
     R"-(u" }
cost     = "u^2/2)-",
     R"-(bad.toml:6:1: the input 'w' enters neither the dynamics nor the cost
   6 | cost     = "u^2/2"
     | ^~~~
     = remove it from inputs)-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-(u^2 + w^2 + x'^2)-",
     R"-(bad.toml:6:25: a cost depends on q, the inputs and t only
   6 | cost     = "u^2 + w^2 + x'^2"
     |                         ^~
     = write the rates themselves)-"},
    {steered, R"-(dynamics = { x = "y", y = "u + w*x" }
)-",
     R"-()-",
     R"-(bad.toml:3:2: [control] needs dynamics, a table of coordinates, or [mechanics]
   3 | [control]
     |  ^~~~~~~
     = write dynamics = { x = "u" })-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-((u + w)^2/2)-",
     R"-(bad.toml:6:1: H_uu is singular: H_u = 0 does not determine 'w'
   6 | cost     = "(u + w)^2/2"
     | ^~~~
     = the cost must grow in every direction of the inputs)-"},
    {steered, R"-(cost     =)-", R"-(bounds = [1]
cost =)-",
     R"-(bad.toml:6:10: bounds must be a table
   6 | bounds = [1]
     |          ^~~
     = write bounds = { u = [-1, 1], x = [0, "inf"] })-"},
    {steered, R"-(cost     =)-", R"-(bounds = { z = [-1, 1] }
cost =)-",
     R"-(bad.toml:6:12: bounds are for inputs and coordinates; 'z' is neither
   6 | bounds = { z = [-1, 1] }
     |            ^
     = known are u, w, x, y)-"},
    {steered, R"-(cost     =)-", R"-(bounds = { u = 1 }
cost =)-",
     R"-(bad.toml:6:16: a bound is a pair [lowest, highest]
   6 | bounds = { u = 1 }
     |                ^
     = write bounds = { u = [-1, 1], x = [0, "inf"] })-"},
    {steered, R"-(cost     =)-", R"-(bounds = { u = [1, -1] }
cost =)-",
     R"-(bad.toml:6:16: the bounds of 'u' leave nothing between them
   6 | bounds = { u = [1, -1] }
     |                ^~~~~~~
     = the lowest comes first)-"},
    {steered, R"-(cost     =)-", R"-(path = ["x + y"]
cost =)-",
     R"-(bad.toml:6:9: 'x + y' is no inequality with one >= or <=
   6 | path = ["x + y"]
     |         ^~~~~~~
     = write path = ["x^2 + y^2 - 1 >= 0"])-"},
    {steered, R"-(cost     =)-", R"-(path = ["x^2 >= foo(y)"]
cost =)-",
     R"-(bad.toml:6:17: unknown function 'foo'
   6 | path = ["x^2 >= foo(y)"]
     |                 ^~~)-"},
    {steered, R"-(cost     =)-", R"-(path = ["x^2 + >= y"]
cost =)-",
     R"-(bad.toml:6:14: expected a value after '+'
   6 | path = ["x^2 + >= y"]
     |              ^
     = write a number, a name or a bracket there; and, or, in, for are no names)-"},
    {steered, R"-(cost     =)-", R"-(path = "x >= 0"
cost =)-",
     R"-(bad.toml:6:8: path must be a list of inequalities
   6 | path = "x >= 0"
     |        ^~~~~~~~
     = write path = ["x^2 + y^2 - 1 >= 0"])-"},
    {steered, R"-(cost     =)-", R"-(terminal_cost = "u^2"
cost =)-",
     R"-(bad.toml:6:17: a terminal cost depends on q and t at the end only, not on inputs
   6 | terminal_cost = "u^2"
     |                 ^~~~~
     = inputs belong to the cost)-"},
    {steered, R"-(cost     =)-", R"-(parameters = ["m"]
cost =)-",
     R"-(bad.toml:6:15: parameters of [control] are names of [parameters], to be optimised
   6 | parameters = ["m"]
     |               ^~~
     = there are none)-"},
    {steered, R"-()-", R"-([mechanics]
lagrangian = "1")-",
     R"-(bad.toml:11:2: [control] gives dynamics, and [mechanics] gives others
  11 | [mechanics]
     |  ^~~~~~~~~
     = remove one of them)-"},
    {steered, R"-()-", R"-([constraints]
holonomic = ["x"])-",
     R"-(bad.toml:11:2: constraints go with [mechanics], and [control] gives dynamics
  11 | [constraints]
     |  ^~~~~~~~~~~
     = write dynamics that keep them, or leave dynamics out and write [mechanics])-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-((u^2 + w^2)/2 + abs(u))-",
     R"-(bad.toml:6:1: the cost or the dynamics have a corner at u = 0, where H_u jumps: H_u = 0 does not determine the input there
   6 | cost     = "(u^2 + w^2)/2 + abs(u)"
     | ^~~~
     = with bounds, abs(u) is a + b of two inputs a and b >= 0 that take the place of u = a - b)-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-((u^2 + w^2)/2 + max(w - 1, 0)/2)-",
     R"-(bad.toml:6:1: the cost or the dynamics have a corner at w = 1, where H_u jumps: H_u = 0 does not determine the input there
   6 | cost     = "(u^2 + w^2)/2 + max(w - 1, 0)/2"
     | ^~~~
     = with bounds, abs(u) is a + b of two inputs a and b >= 0 that take the place of u = a - b)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { x = 1 }
)-",
     R"-(bad.toml:11:2: [boundary] does not say how long the path takes
  11 | [boundary]
     |  ^~~~~~~~
     = write time = 1, or time = "free")-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { x = 1 }
time = -1)-",
     R"-(bad.toml:14:8: the time of a path must be positive
  14 | time = -1
     |        ^~
     = write time = 1)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { x = 1 }
time = 1
until = 2)-",
     R"-(bad.toml:15:1: unknown key 'until' in [boundary]
  15 | until = 2
     | ^~~~~
     = known keys: from, to, time, periodic)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { z = 1 }
time = 1)-",
     R"-(bad.toml:13:8: 'z' is no coordinate
  13 | to = { z = 1 }
     |        ^
     = coordinates are x, y)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = 1
time = 1)-",
     R"-(bad.toml:13:6: to must be a table of coordinates
  13 | to = 1
     |      ^
     = write to = { x = 0 })-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = [1]
time = 1)-",
     R"-(bad.toml:13:6: to has 1 value, 2 are needed
  13 | to = [1]
     |      ^~~
     = in the order x, y)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = ["x - 1", "2"]
time = 1)-",
     R"-(bad.toml:13:16: a formula that vanishes at an end depends on coordinates
  13 | to = ["x - 1", "2"]
     |                ^~~
     = write a table for numbers: { x = 0 })-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { x = "p_x" }
time = 1)-",
     R"-(bad.toml:13:13: to is said of coordinates alone
  13 | to = { x = "p_x" }
     |             ^~~
     = write formulas of q)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = ["x - u"]
time = 1)-",
     R"-(bad.toml:13:7: to is said of coordinates alone, not of inputs
  13 | to = ["x - u"]
     |       ^~~~~~~
     = write formulas of q)-"},
    {steered, R"-([control])-", R"-([parameters]
k = 1
[control]
parameters = ["k", "k"])-",
     R"-(bad.toml:6:20: the parameter 'k' is named twice
   6 | parameters = ["k", "k"]
     |                    ^~~
     = name it once)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { x = 1 }
time = 1
periodic = 2)-",
     R"-(bad.toml:15:12: periodic is true or false
  15 | periodic = 2
     |            ^
     = write periodic = true)-"},
    {steered, R"-()-", R"-([boundary]
from = { x = 0, y = 0 }
to = { x = 1 }
time = 1
periodic = true)-",
     R"-(bad.toml:12:1: a periodic path has no ends
  12 | from = { x = 0, y = 0 }
     | ^~~~
     = remove from and to; [initial] is a guess)-"},
    {steered, R"-([control])-", R"-([controls])-", R"-(bad.toml:3:2: unknown key 'controls' at the top of a model
   3 | [controls]
     |  ^~~~~~~~
     = did you mean 'control'?)-"},
};

TEST(ControlMessages, AreWordForWord) { expect_word_for_word(complaints); }

TEST(ControlMessages, TheRightModelIsRead) { EXPECT_EQ(told(std::string(steered)), "nothing"); }

} // namespace
} // namespace rattleback
