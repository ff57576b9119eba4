// Coordinates on groups in [control] and [boundary].
#include "messages/complaints.hpp"

#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

constexpr std::string_view turning = R"-(coordinates = ["R in SO(3)", "x"]

[control]
inputs = ["a", "b", "c", "u"]
dynamics = { R = ["a", "b", "c"], x = "u" }
cost = "(a^2 + b^2 + c^2 + u^2)/2"

[boundary]
from = { R = "rotz(0)", x = 0 }
to = { R = "rotz(1)", x = 1 }
time = 1
)-";

constexpr std::string_view torques = R"-(coordinates = ["R in SO(3)"]

[mechanics]
kinetic = "dot(body(R), body(R))/2"
potential = "0"
force = { R = ["a", "0", "0"] }

[control]
inputs = ["a"]
cost = "a^2/2"

[boundary]
from = { q = { R = "rotz(0)" }, v = { R = [0, 0, 0] } }
to = { q = { R = "rotx(1)" }, v = { R = [0, 0, 0] } }
time = 1
)-";

constexpr std::string_view table = R"-([group]
name = "SO(3)"
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
force = ["a", "0", "0"]

[control]
inputs = ["a"]
cost = "a^2/2"

[boundary]
from = { q = { g = "rotz(0)" } }
time = 1
)-";

constexpr std::string_view bodies = R"-(coordinates = ["R[1..2] in SO(3)"]

[mechanics]
lagrangian = "sum(i in 1..2: dot(body(R[i]), body(R[i]))/2)"

[boundary]
from = { "R[i]" = "rotz(0)" }
to = { "R[i]" = "rotz(1)" }
time = 1
)-";

const std::vector<Complaint> complaints = {
    {turning, R"-(R = ["a", "b", "c"], )-", R"-()-",
     R"-(bad.toml:5:12: dynamics do not give R
   5 | dynamics = { x = "u" }
     |            ^~~~~~~~~~~
     = write its velocity, seen from the body: ["u", "0", ...])-"},
    {turning, R"-(["a", "b", "c"], x)-", R"-(["a", "b"], x)-",
     R"-(bad.toml:5:18: dynamics of 'R' has 2 components, 3 are needed
   5 | dynamics = { R = ["a", "b"], x = "u" }
     |                  ^~~~~~~~~~
     = it is a vector seen from the body: ["...", "...", "..."])-"},
    {turning, R"-(R = ["a", "b", "c"])-", R"-(R = "body(R)")-",
     R"-(bad.toml:5:18: dynamics depend on q, the inputs and t only
   5 | dynamics = { R = "body(R)", x = "u" }
     |                  ^~~~~~~~~
     = write the rates themselves)-"},
    {turning, R"-(cost =)-", R"-(bounds = { a = [-1, 1] }
cost =)-",
     R"-(bad.toml:6:1: bounds and inequalities do not go with coordinates on groups
   6 | bounds = { a = [-1, 1] }
     | ^~~~~~
     = write coordinates of a chart)-"},
    {turning, R"-(cost =)-", R"-(path = ["R[3,3] >= 0"]
cost =)-",
     R"-(bad.toml:6:1: bounds and inequalities do not go with coordinates on groups
   6 | path = ["R[3,3] >= 0"]
     | ^~~~
     = write coordinates of a chart)-"},
    {turning, R"-(a^2 + b^2)-", R"-(a^4 + b^2)-",
     R"-(bad.toml:6:1: H_u = 0 is not linear in the inputs, and with coordinates on groups it has to be
   6 | cost = "(a^4 + b^2 + c^2 + u^2)/2"
     | ^~~~
     = write a cost that is quadratic in them, and dynamics that are linear)-"},
    {turning, R"-(from = { R = "rotz(0)", x = 0 }
to = { R = "rotz(1)", x = 1 }
)-",
     R"-(periodic = true
)-",
     R"-(bad.toml:8:2: periodic paths with coordinates on groups are not supported
   8 | [boundary]
     |  ^~~~~~~~
     = write coordinates of a chart)-"},
    {turning, R"-(R = "rotz(1)")-", R"-(R = [0, 0, 1])-",
     R"-(bad.toml:10:12: q of 'R' has 3 numbers, 9 are needed
  10 | to = { R = [0, 0, 1], x = 1 }
     |            ^~~~~~~~~
     = they are R_11, R_12, R_13, R_21, R_22, R_23, R_31, R_32, R_33)-"},
    {turning, R"-(R = "rotz(1)")-", R"-(R = [1, 0, 0, 0, 1, 0, 0, 0, 2])-",
     R"-(bad.toml:10:12: 'R' is off SO(3): R^T R differs from the identity by 3
  10 | to = { R = [1, 0, 0, 0, 1, 0, 0, 0, 2], x = 1 }
     |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~
     = give the rows of a rotation with all their digits, or a product of rotx, roty, rotz)-"},
    {turning, R"-(R = "rotz(1)")-", R"-(R = [1, 0, 0, 0, 1, 0, 0, 0, -1])-",
     R"-(bad.toml:10:12: 'R' is a reflection, not a turn: the determinant of R is -1
  10 | to = { R = [1, 0, 0, 0, 1, 0, 0, 0, -1], x = 1 }
     |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = change the sign of a row)-"},
    {turning, R"-(R = "rotz(1)")-", R"-(R = "rotz(x)")-",
     R"-(bad.toml:10:18: a number is needed here, and 'x' is none
  10 | to = { R = "rotz(x)", x = 1 }
     |                  ^
     = use numbers and parameters)-"},
    {turning, R"-(to = { R = "rotz(1)", x = 1 })-", R"-(to = [[1, 0, 0], [0, 1, 0], [0, 0, 1]])-",
     R"-(bad.toml:10:6: to has 9 values, 10 are needed
  10 | to = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
     |      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = in the order R_11, R_12, R_13, R_21, R_22, R_23, R_31, R_32, R_33, x)-"},
    {turning, R"-(R = "rotz(1)")-", R"-(R_1 = 0)-",
     R"-(bad.toml:10:8: 'R_1' is no coordinate
  10 | to = { R_1 = 0, x = 1 }
     |        ^~~
     = coordinates are R, x)-"},
    {turning, R"-(to = { R = "rotz(1)", x = 1 })-", R"-(to = ["body(R)[1]"])-",
     R"-(bad.toml:10:7: to is said of coordinates alone
  10 | to = ["body(R)[1]"]
     |       ^~~~~~~~~~~~
     = write formulas of q)-"},
    {torques, R"-(v = { R = [0, 0, 0] } }
time)-",
     R"-(v = { R = [0, 0] } }
time)-",
     R"-(bad.toml:14:41: v of 'R' has 2 numbers, 3 are needed
  14 | to = { q = { R = "rotx(1)" }, v = { R = [0, 0] } }
     |                                         ^~~~~~
     = one for each component seen from the body)-"},
    {torques, R"-("R in SO(3)")-", R"-("R[1..2] in SO(3)")-",
     R"-(bad.toml:1:1: control of mechanics takes single coordinates, 'R' is a family
   1 | coordinates = ["R[1..2] in SO(3)"]
     | ^~~~~~~~~~~
     = name each body)-"},
    {torques, R"-(dot(body(R), body(R))/2)-", R"-(body(R)[1]^2/2)-",
     R"-(bad.toml:3:2: L_vv is singular: 'R'_2' does not enter the Lagrangian quadratically
   3 | [mechanics]
     |  ^~~~~~~~~
     = control takes regular Lagrangians)-"},
    {torques, R"-([control]
)-",
     R"-([control]
dynamics = { R = ["a", "0", "0"] }
)-",
     R"-(bad.toml:3:2: [control] gives dynamics, and [mechanics] gives others
   3 | [mechanics]
     |  ^~~~~~~~~
     = remove one of them)-"},
    {table, R"-(cost =)-", R"-(dynamics = { g = ["a", "0", "0"] }
cost =)-",
     R"-(bad.toml:1:2: [control] gives dynamics, and [group] gives others
   1 | [group]
     |  ^~~~~
     = remove one of them)-"},
    {bodies, nothing, nothing,
     R"-(bad.toml:6:2: families of coordinates on groups have no boundary values, and 'R' is one
   6 | [boundary]
     |  ^~~~~~~~
     = name each body)-"},
};

TEST(Messages, PathsOnGroupsWithOneThingWrong) { expect_word_for_word(complaints); }

TEST(Messages, IpoptDoesNotTakeCoordinatesOnGroups) {
    try {
        find_path(read_model(std::string(turning), "turning.toml"), {.solver = "ipopt"});
        FAIL() << "it does";
    } catch (const Unsuitable& e) {
        EXPECT_STREQ(e.what(),
                     "Ipopt does not take coordinates on groups: take newton, or write coordinates of a chart");
    }
}

} // namespace
} // namespace rattleback
