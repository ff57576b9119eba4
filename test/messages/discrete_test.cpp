// [discrete]: discrete Lagrangians, forces and constraints of the user's own.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, "", R"-([discrete]
)-",
     R"-(bad.toml:13:2: [discrete] has no lagrangian
  13 | [discrete]
     |  ^~~~~~~~
     = write lagrangian = "...", the integral of L over a step from x_0 to x_1)-"},
    {spring, "coordinates", R"-(discrete = 3
coordinates)-",
     R"-(bad.toml:1:1: discrete must be a table, not an integer
   1 | discrete = 3
     | ^~~~~~~~
     = write [discrete] on a line of its own, and its entries below)-"},
    {field, "", R"-([discrete]
lagrangian = "0"
)-",
     R"-(bad.toml:9:2: [discrete] goes with coordinates; this model has variables
   9 | [discrete]
     |  ^~~~~~~~
     = remove it)-"},
    {spring, "", R"-([discrete]
lagrangan = "0"
)-",
     R"-(bad.toml:14:1: unknown key 'lagrangan' in [discrete]
  14 | lagrangan = "0"
     | ^~~~~~~~~
     = did you mean 'lagrangian'?)-"},
    {spring, "", R"-([discrete]
lagrangian = ["0"]
)-",
     R"-(bad.toml:14:14: a discrete Lagrangian must be a formula in quotes or a number, not an array
  14 | lagrangian = ["0"]
     |              ^~~~~)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x^2"
)-",
     R"-(bad.toml:14:17: formulas of [discrete] depend on both ends of a step
  14 | lagrangian = "h*x^2"
     |                 ^
     = write x_0 and x_1 for the coordinate x, (x_1 - x_0)/h for its velocity, t_0 and t_1 for the time)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_0^2 + x'"
)-",
     R"-(bad.toml:14:25: formulas of [discrete] depend on both ends of a step
  14 | lagrangian = "h*x_0^2 + x'"
     |                         ^~
     = write x_0 and x_1 for the coordinate x, (x_1 - x_0)/h for its velocity, t_0 and t_1 for the time)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_0^2 + p_x"
)-",
     R"-(bad.toml:14:25: formulas of [discrete] depend on both ends of a step
  14 | lagrangian = "h*x_0^2 + p_x"
     |                         ^~~
     = write x_0 and x_1 for the coordinate x, (x_1 - x_0)/h for its velocity, t_0 and t_1 for the time)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*t"
)-",
     R"-(bad.toml:14:17: formulas of [discrete] depend on both ends of a step
  14 | lagrangian = "h*t"
     |                 ^
     = write x_0 and x_1 for the coordinate x, (x_1 - x_0)/h for its velocity, t_0 and t_1 for the time)-"},
    {spring, "", R"-([discrete]
lagrangian = "x_0'"
)-",
     R"-(bad.toml:14:15: 'x_0' has no prime: a step knows velocities as (x_1 - x_0)/h
  14 | lagrangian = "x_0'"
     |               ^~~~)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_2"
)-",
     R"-(bad.toml:14:17: unknown name 'x_2'
  14 | lagrangian = "h*x_2"
     |                 ^~~
     = did you mean 'x_0'?)-"},
    {spring, "", R"-([definitions]
h = "x"
[discrete]
lagrangian = "h"
)-",
     R"-(bad.toml:15:2: the name 'h' is used twice: in [discrete] it is the size of the step
  15 | [discrete]
     |  ^~~~~~~~
     = choose another name for the one that the model has)-"},
    {spring, "", R"-([definitions]
x_1 = "x"
[discrete]
lagrangian = "h"
)-",
     R"-(bad.toml:15:2: the name 'x_1' is used twice: in [discrete] it is where the step of 'x' ends
  15 | [discrete]
     |  ^~~~~~~~
     = choose another name for the one that the model has)-"},
    {spring, "", R"-([definitions]
t_0 = "x"
[discrete]
lagrangian = "h"
)-",
     R"-(bad.toml:15:2: the name 't_0' is used twice: in [discrete] it is the time at which the step begins
  15 | [discrete]
     |  ^~~~~~~~
     = choose another name for the one that the model has)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_0"
forces = { begin = { x = "1" }, end = { x = "1" } }
)-",
     R"-(bad.toml:15:1: forces of [discrete] stand for the force of [mechanics], and this model has none
  15 | forces = { begin = { x = "1" }, end = { x = "1" } }
     | ^~~~~~
     = give force in [mechanics], too)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_0"
reaction = { begin = { x = "1" }, end = { x = "1" } }
)-",
     R"-(bad.toml:15:1: reaction is the force of velocity constraints, and this model has none
  15 | reaction = { begin = { x = "1" }, end = { x = "1" } }
     | ^~~~~~~~
     = remove it)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_0"
constraint = ["x_1 - x_0"]
)-",
     R"-(bad.toml:15:14: constraint has 1 formula, the model has 0 velocity constraints
  15 | constraint = ["x_1 - x_0"]
     |              ^~~~~~~~~~~~~
     = give one for each, in the same order)-"},
    {spring, "", R"-([discrete]
lagrangian = "h*x_0"
constraint = "x_1 - x_0"
)-",
     R"-(bad.toml:15:14: constraint must be a list of formulas
  15 | constraint = "x_1 - x_0"
     |              ^~~~~~~~~~~
     = write constraint = ["..."]; each is = 0)-"},
    {spring, "", R"-([constraints]
velocity = ["x' - y"]
[discrete]
lagrangian = "h*x_0"
reaction = ["x"]
)-",
     R"-(bad.toml:17:12: reaction must be a table with begin and end
  17 | reaction = ["x"]
     |            ^~~~~
     = write reaction = { begin = { x = "..." }, end = { x = "..." } })-"},
    {spring, "", R"-([constraints]
velocity = ["x' - y"]
[discrete]
lagrangian = "h*x_0"
reaction = { begin = { x = "1" } }
)-",
     R"-(bad.toml:17:12: reaction does not say what acts at the end of a step
  17 | reaction = { begin = { x = "1" } }
     |            ^~~~~~~~~~~~~~~~~~~~~~~
     = write reaction = { begin = { x = "..." }, end = { x = "..." } })-"},
    {spring, "", R"-([constraints]
velocity = ["x' - y"]
[discrete]
lagrangian = "h*x_0"
reaction = { begin = "1", end = { x = "1" } }
)-",
     R"-(bad.toml:17:22: begin must be a table
  17 | reaction = { begin = "1", end = { x = "1" } }
     |                      ^~~
     = write reaction = { begin = { x = "..." }, end = { x = "..." } })-"},
    {spring, "", R"-([constraints]
velocity = ["x' - y"]
[discrete]
lagrangian = "h*x_0"
reaction = { begin = { x = "h*y" }, end = { x = "1" } }
)-",
     R"-(bad.toml:17:31: formulas of [discrete] depend on both ends of a step
  17 | reaction = { begin = { x = "h*y" }, end = { x = "1" } }
     |                               ^
     = write x_0 and x_1 for the coordinate x, (x_1 - x_0)/h for its velocity, t_0 and t_1 for the time)-"},
    {spring, "", R"-([constraints]
velocity = ["x' - y"]
[discrete]
lagrangian = "h*x_0"
reaction = { begin = { x_0 = "h" }, end = { x = "1" } }
)-",
     R"-(bad.toml:17:24: 'x_0' is no coordinate
  17 | reaction = { begin = { x_0 = "h" }, end = { x = "1" } }
     |                        ^~~
     = coordinates are x, y)-"},
    {spring, "", R"-([constraints]
velocity = ["x' - y"]
[discrete]
lagrangian = "h*x_0"
reaction = { before = { x = "h" }, end = { x = "1" } }
)-",
     R"-(bad.toml:17:14: unknown key 'before' in reaction
  17 | reaction = { before = { x = "h" }, end = { x = "1" } }
     |              ^~~~~~
     = known keys: begin, end)-"},
    {chain, "", R"-([discrete]
lagrangian = "h*x_0"
)-",
     R"-(bad.toml:17:17: 'x_0' is a family: write x_0[i] or x_0[1]
  17 | lagrangian = "h*x_0"
     |                 ^~~)-"},
    {chain, "", R"-([discrete]
lagrangian = "sum(i in 1..n+1: x_0[i+1])"
)-",
     R"-(bad.toml:17:15: x_0[5] does not exist: x_0 has members 1..3
  17 | lagrangian = "sum(i in 1..n+1: x_0[i+1])"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~
     = shorten the range, or give a border value in [definitions])-"},
    {chain, "", R"-([discrete]
lagrangian = "h*x_0[5]"
)-",
     R"-(bad.toml:17:17: x_0[5] does not exist: x_0 has members 1..3 (a border value is a definition "x[5]" = "...")
  17 | lagrangian = "h*x_0[5]"
     |                 ^~~~~~)-"},
    {chain, "", R"-([discrete]
lagrangian = "h*x_0[1]'"
)-",
     R"-(bad.toml:17:17: 'x_0' has no prime: a step knows velocities as (x_1[i] - x_0[i])/h
  17 | lagrangian = "h*x_0[1]'"
     |                 ^~~~~~~)-"},
};

TEST(DiscreteMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
