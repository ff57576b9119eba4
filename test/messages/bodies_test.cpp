// Coordinates on groups.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

constexpr std::string_view body = R"-(coordinates = ["R in SO(3)", "x"]

[mechanics]
kinetic = "dot(body(R), body(R))/2 + x'^2/2"
potential = "R[3,3]"

[initial]
q = { R = "rotx(0.3)", x = 0 }
v = { R = [0, 1, 2], x = 1 }
)-";
constexpr std::string_view the_name = R"-("R in SO(3)")-", the_potential = R"-("R[3,3]")-",
                           the_element = R"-(R = "rotx(0.3)")-", the_velocity = "R = [0, 1, 2], ";

const std::vector<Complaint> complaints = {
    {body, the_name, R"-("R in SO(4)")-",
     R"-(bad.toml:1:22: 'SO(4)' is no group that coordinates can be on
   1 | coordinates = ["R in SO(4)", "x"]
     |                      ^~~~~
     = did you mean 'SO(2)'?)-"},
    {body, the_potential, R"-("R + 1")-",
     R"-(bad.toml:5:14: cannot add a 3 x 3 matrix and a number
   5 | potential = "R + 1"
     |              ^~~~~)-"},
    {body, the_potential, R"-("R*R")-",
     R"-(bad.toml:5:14: a number is needed here, not a 3 x 3 matrix
   5 | potential = "R*R"
     |              ^~~)-"},
    {body, the_potential, R"-("body(x)[1]")-",
     R"-(bad.toml:5:14: body takes the name of a coordinate on a group, like R of "R in SO(3)"
   5 | potential = "body(x)[1]"
     |              ^~~~~~~)-"},
    {body, the_potential, R"-("position(R)[1]")-",
     R"-(bad.toml:5:14: elements of SO(3) have no position
   5 | potential = "position(R)[1]"
     |              ^~~~~~~~~~~)-"},
    {body, the_element, "R = [1, 0, 0, 0, 1, 0, 0, 0.1, 1]",
     R"-(bad.toml:8:11: 'R' is off SO(3): R^T R differs from the identity by 0.1
   8 | q = { R = [1, 0, 0, 0, 1, 0, 0, 0.1, 1], x = 0 }
     |           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = give the rows of a rotation with all their digits, or a product of rotx, roty, rotz)-"},
    {body, the_element, "R = [1, 0, 0, 0, 1, 0, 0, 0, -1]",
     R"-(bad.toml:8:11: 'R' is a reflection, not a turn: the determinant of R is -1
   8 | q = { R = [1, 0, 0, 0, 1, 0, 0, 0, -1], x = 0 }
     |           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = change the sign of a row)-"},
    {body, the_element, "R = [1, 0, 0]",
     R"-(bad.toml:8:11: q of 'R' has 3 numbers, 9 are needed
   8 | q = { R = [1, 0, 0], x = 0 }
     |           ^~~~~~~~~
     = they are R_11, R_12, R_13, R_21, R_22, R_23, R_31, R_32, R_33)-"},
    {body, the_element, R"-(R = "rotx(0.3)", R_1 = 0.1)-",
     R"-(bad.toml:8:24: 'R_1' is no coordinate
   8 | q = { R = "rotx(0.3)", R_1 = 0.1, x = 0 }
     |                        ^~~
     = coordinates are R, x)-"},
    {body, the_velocity, "",
     R"-(bad.toml:9:5: v does not give R
   9 | v = { x = 1 }
     |     ^~~~~~~~~
     = write R = [...], seen from the body: 3 numbers)-"},
    {body, the_velocity, "R = [0, 1], ",
     R"-(bad.toml:9:11: v of 'R' has 2 numbers, 3 are needed
   9 | v = { R = [0, 1], x = 1 }
     |           ^~~~~~
     = one for each component seen from the body)-"},
    {body,
     nothing,
     nothing,
     R"-(--v R=[1, 2]: 'R' needs 3 numbers
     = write them as a list: [0.1, 0.2, ...])-",
     {.v = {{"R", "[1, 2]"}}}},
    {body,
     nothing,
     nothing,
     R"-(--q R_1=0.3: the model has no coordinate 'R_1'
     = coordinates are R, x)-",
     {.q = {{"R_1", "0.3"}}}},
    {body, nothing, R"-([view]
frames = [{ at = ["x", "0", "0"], size = 1, axes = "R*[1, 0, 0]" }]
)-",
     R"-(bad.toml:11:52: axes of a frame must be 9 numbers
  11 | frames = [{ at = ["x", "0", "0"], size = 1, axes = "R*[1, 0, 0]" }]
     |                                                    ^~~~~~~~~~~~~
     = give a matrix whose columns are the axes, like R of "R in SO(3)" or rotation(X))-"},
};

TEST(BodyMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
