// Coordinates on groups, and [group].
#include "messages/complaints.hpp"

#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

constexpr std::string_view body = R"-(coordinates = ["R in SO(3)", "x"]

[mechanics]
lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - R[3, 3]"

[initial]
q = { R = "rotz(0.3)", x = 0 }
v = { R = [0.1, 0.2, 0.3], x = 1 }
)-";

constexpr std::string_view bodies = R"-(coordinates = ["R[1..n] in SO(3)"]

[parameters]
n = 3

[mechanics]
lagrangian = "sum(i in 1..n: dot(body(R[i]), body(R[i]))/2)"

[initial]
q = { "R[i]" = "rotx(i)" }
v = { "R[i]" = [0, 0, "i"] }
)-";

constexpr std::string_view suslov = R"-([group]
name = "SO(3)"
inertia = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
constraints = [[0, 0, 1]]

[initial]
g = [1, 0, 0, 0, 1, 0, 0, 0, 1]
xi = [1, 2, 0]
)-";

const std::vector<Complaint> complaints = {
    {body, R"-(R in SO(3))-", R"-(R in SO(4))-", R"-(bad.toml:1:22: 'SO(4)' is no group that coordinates can be on
   1 | coordinates = ["R in SO(4)", "x"]
     |                      ^~~~~
     = did you mean 'SO(2)'?)-"},
    {body, R"-("x"])-", R"-("R_1"])-", R"-(bad.toml:1:31: the name 'R_1' is used twice
   1 | coordinates = ["R in SO(3)", "R_1"]
     |                               ^~~
     = choose another name)-"},
    {body, R"-(R in SO(3))-", R"-(R in R^3)-", R"-(bad.toml:1:22: 'R^3' is no group that coordinates can be on
   1 | coordinates = ["R in R^3", "x"]
     |                      ^~~
     = groups are SO(2), SO(3), SE(2), SE(3))-"},
    {body, R"-(- R[3, 3])-", R"-(- R)-", R"-(bad.toml:4:15: cannot subtract a number and a 3 x 3 matrix
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - R"
     |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- R[4, 1])-", R"-(bad.toml:4:52: the index must be a whole number from 1 to 3
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - R[4, 1]"
     |                                                    ^)-"},
    {body, R"-(- R[3, 3])-", R"-(- body(R)[4])-", R"-(bad.toml:4:58: the index must be a whole number from 1 to 3
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - body(R)[4]"
     |                                                          ^)-"},
    {body, R"-(- R[3, 3])-", R"-(- body(x))-",
     R"-(bad.toml:4:50: body takes the name of a coordinate on a group, like R of "R in SO(3)"
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - body(x)"
     |                                                  ^~~~~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- body(R*R)[1])-",
     R"-(bad.toml:4:50: body takes the name of a coordinate on a group, like R of "R in SO(3)"
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - body(R*R)[1]"
     |                                                  ^~~~~~~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- body(R[1]))-",
     R"-(bad.toml:4:55: 'R' is a 3 x 3 matrix and cannot be indexed like this
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - body(R[1])"
     |                                                       ^~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- position(R)[1])-", R"-(bad.toml:4:50: elements of SO(3) have no position
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - position(R)[1]"
     |                                                  ^~~~~~~~~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- angle(R))-",
     R"-(bad.toml:4:50: elements of SO(3) have no angle: it belongs to SO(2) and SE(2)
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - angle(R)"
     |                                                  ^~~~~~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- p_R[1])-", R"-(bad.toml:4:50: a Lagrangian depends on q, q' and t, not on momenta
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - p_R[1]"
     |                                                  ^~~~~~
     = write velocities as x', or give a hamiltonian)-"},
    {body, R"-(- R[3, 3])-", R"-(- p_R'[1])-", R"-(bad.toml:4:53: only a name, a call or a bracket can be indexed
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - p_R'[1]"
     |                                                     ^~
     = write x[i]', not x'[i]; A[i, j], not A[i][j])-"},
    {body, R"-(- R[3, 3])-", R"-(- dot(R + 1, R))-", R"-(bad.toml:4:54: cannot add a 3 x 3 matrix and a number
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - dot(R + 1, R)"
     |                                                      ^~~~~)-"},
    {body, R"-(- R[3, 3])-", R"-(- norm(R))-", R"-(bad.toml:4:50: norm needs a vector, not a 3 x 3 matrix
   4 | lagrangian = "dot(body(R), body(R))/2 + x'^2/2 - norm(R)"
     |                                                  ^~~~~~~)-"},
    {body, R"-()-", R"-([constraints]
holonomic = ["x - R[1, 3]"]
[parametrization]
coordinates = ["a"])-",
     R"-(bad.toml:11:2: [parametrization] does not go with coordinates on groups
  11 | [parametrization]
     |  ^~~~~~~~~~~~~~~
     = they have coordinates everywhere; use rattle, or write coordinates of a chart)-"},
    {body, R"-(R = "rotz(0.3)")-", R"-(R = "rotz(0.3)*1.001")-",
     R"-(bad.toml:7:11: 'R' is off SO(3): R^T R differs from the identity by 0.002
   7 | q = { R = "rotz(0.3)*1.001", x = 0 }
     |           ^~~~~~~~~~~~~~~~~
     = give the rows of a rotation with all their digits, or a product of rotx, roty, rotz)-"},
    {body, R"-(R = "rotz(0.3)")-", R"-(R = [1, 0, 0])-", R"-(bad.toml:7:11: q of 'R' has 3 numbers, 9 are needed
   7 | q = { R = [1, 0, 0], x = 0 }
     |           ^~~~~~~~~
     = they are R_11, R_12, R_13, R_21, R_22, R_23, R_31, R_32, R_33)-"},
    {body, R"-(R = "rotz(0.3)")-", R"-(R = [[0, 1, 0], [1, 0, 0], [0, 0, 1]])-",
     R"-(bad.toml:7:11: 'R' is a reflection, not a turn: the determinant of R is -1
   7 | q = { R = [[0, 1, 0], [1, 0, 0], [0, 0, 1]], x = 0 }
     |           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = change the sign of a row)-"},
    {body, R"-(R = "rotz(0.3)", )-", R"-()-", R"-(bad.toml:7:5: q does not give R
   7 | q = { x = 0 }
     |     ^~~~~~~~~
     = write R = "rotz(0.3)*rotx(0.6)", or its numbers in a list)-"},
    {body, R"-(R = "rotz(0.3)")-", R"-(R = "rotz(y)")-", R"-(bad.toml:7:17: unknown name 'y'
   7 | q = { R = "rotz(y)", x = 0 }
     |                 ^
     = did you mean 't'?)-"},
    {body, R"-(R = "rotz(0.3)")-", R"-(R = "rotz(x)")-", R"-(bad.toml:7:17: a number is needed here, and 'x' is none
   7 | q = { R = "rotz(x)", x = 0 }
     |                 ^
     = use numbers and parameters)-"},
    {body, R"-(R = [0.1, 0.2, 0.3])-", R"-(R = [0.1, 0.2])-", R"-(bad.toml:8:11: v of 'R' has 2 numbers, 3 are needed
   8 | v = { R = [0.1, 0.2], x = 1 }
     |           ^~~~~~~~~~
     = one for each component seen from the body)-"},
    {body, R"-(R = [0.1, 0.2, 0.3], )-", R"-()-", R"-(bad.toml:8:5: v does not give R
   8 | v = { x = 1 }
     |     ^~~~~~~~~
     = write R = [...], seen from the body: 3 numbers)-"},
    {body, R"-(R = [0.1, 0.2, 0.3])-", R"-(R = "1")-", R"-(bad.toml:8:11: v of 'R' has 1 number, 3 are needed
   8 | v = { R = "1", x = 1 }
     |           ^~~
     = one for each component seen from the body)-"},
    {body, R"-(q = { R = "rotz(0.3)", x = 0 })-", R"-(q = [1, 0])-",
     R"-(bad.toml:7:5: the start has 2 values, 10 are needed
   7 | q = [1, 0]
     |     ^~~~~~
     = in the order R_11, R_12, R_13, R_21, R_22, R_23, R_31, R_32, R_33, x)-"},
    {body, R"-()-", R"-([symmetries]
a = { R = "transpose(R)*[0, 1]" })-",
     R"-(bad.toml:10:12: cannot multiply a 3 x 3 matrix and a vector of 2
  10 | a = { R = "transpose(R)*[0, 1]" }
     |            ^~~~~~~~~~~~~~~~~~~)-"},
    {body, R"-()-", R"-([symmetries]
a = { R = "body(R)" })-",
     R"-(bad.toml:10:11: a generator depends on q and t only
  10 | a = { R = "body(R)" }
     |           ^~~~~~~~~
     = velocities and momenta follow the coordinates)-"},
    {body, R"-()-", R"-([symmetries]
a = { R_1 = "1" })-",
     R"-(bad.toml:10:7: 'R_1' is no coordinate
  10 | a = { R_1 = "1" }
     |       ^~~
     = coordinates are R, x)-"},
    {bodies, R"-(R[i]), body(R[i]))-", R"-(R), body(R[i]))-", R"-(bad.toml:7:39: 'R' is a family: write R[i] or R[1]
   7 | lagrangian = "sum(i in 1..n: dot(body(R), body(R[i]))/2)"
     |                                       ^)-"},
    {bodies, R"-("R[i]" = "rotx(i)")-", R"-(R = "rotx(1)")-", R"-(bad.toml:10:7: 'R' is a family
  10 | q = { R = "rotx(1)" }
     |       ^
     = write "R[i]" for all its members)-"},
    {bodies, R"-("R[i]" = "rotx(i)")-", R"-("R[1]" = "rotx(1)")-", R"-(bad.toml:10:5: q does not give R[2]
  10 | q = { "R[1]" = "rotx(1)" }
     |     ^~~~~~~~~~~~~~~~~~~~~~
     = write R = "rotz(0.3)*rotx(0.6)", or its numbers in a list)-"},
    {bodies, R"-("R[i]" = "rotx(i)")-", R"-("R[4]" = "rotx(1)")-", R"-(bad.toml:10:7: R[4] does not exist
  10 | q = { "R[4]" = "rotx(1)" }
     |       ^~~~~~
     = R has members 1..3)-"},
    {bodies, R"-()-", R"-([definitions]
"R[0]" = "0")-",
     R"-(bad.toml:1:1: 'R' is on a group: such families have no border values
   1 | coordinates = ["R[1..n] in SO(3)"]
     | ^~~~~~~~~~~
     = write the end bodies' terms)-"},
    {bodies, R"-(q = { "R[i]" = "rotx(i)" })-", R"-(q = [0, 1, 2])-",
     R"-(bad.toml:10:5: the start has 3 values, 27 are needed
  10 | q = [0, 1, 2]
     |     ^~~~~~~~~
     = in the order R_11[1], R_11[2], R_11[3], R_12[1], R_12[2], R_12[3], R_13[1], R_13[2], R_13[3], R_21[1], R_21[2], R_21[3], ...)-"},
    {suslov, R"-("SO(3)")-", R"-("SO(4)")-", R"-(bad.toml:2:9: 'SO(4)' is no group
   2 | name = "SO(4)"
     |         ^~~~~
     = did you mean 'SO(2)'?)-"},
    {suslov, R"-("SO(3)")-", R"-("SO(3) x R^0")-", R"-(bad.toml:2:17: 'R^0' is no group
   2 | name = "SO(3) x R^0"
     |                 ^~~
     = groups are R^n, SO(2), SO(3), SE(2), SE(3))-"},
    {suslov, R"-("SO(3)")-", R"-(3)-", R"-(bad.toml:1:2: [group] has no name
   1 | [group]
     |  ^~~~~
     = write name = "SO(3)"; groups are SO(2), SO(3), SE(2), SE(3), R^n and products)-"},
    {suslov, R"-(name = "SO(3)"
)-",
     R"-()-", R"-(bad.toml:1:2: [group] has no name
   1 | [group]
     |  ^~~~~
     = write name = "SO(3)"; groups are SO(2), SO(3), SE(2), SE(3), R^n and products)-"},
    {suslov, R"-(inertia = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
)-",
     R"-()-", R"-(bad.toml:1:2: [group] has no inertia
   1 | [group]
     |  ^~~~~
     = write inertia = [[...], ...])-"},
    {suslov, R"-([0, 0, 3]])-", R"-([0, 0, 0]])-", R"-(bad.toml:3:1: inertia is singular: some motion has no energy
   3 | inertia = [[1, 0, 0], [0, 2, 0], [0, 0, 0]]
     | ^~~~~~~
     = it is the matrix of the kinetic energy, <xi, inertia xi>/2)-"},
    {suslov, R"-([0, 0, 3]])-", R"-([0, 0, -3]])-",
     R"-(bad.toml:3:1: inertia is not positive: some motion has a negative energy
   3 | inertia = [[1, 0, 0], [0, 2, 0], [0, 0, -3]]
     | ^~~~~~~
     = it is the matrix of the kinetic energy, <xi, inertia xi>/2)-"},
    {suslov, R"-([0, 2, 0])-", R"-([0, 2, 1])-",
     R"-(bad.toml:3:38: inertia must be symmetric: this is not the entry in row 2, column 3
   3 | inertia = [[1, 0, 0], [0, 2, 1], [0, 0, 3]]
     |                                      ^)-"},
    {suslov, R"-([0, 0, 3]])-", R"-([0, 0]])-", R"-(bad.toml:3:34: a row of inertia must be a list of 3 formulas
   3 | inertia = [[1, 0, 0], [0, 2, 0], [0, 0]]
     |                                  ^~~~~~
     = one for each component of the velocity xi)-"},
    {suslov, R"-([0, 0, 3]])-", R"-(])-", R"-(bad.toml:3:11: inertia must be a 3 x 3 matrix
   3 | inertia = [[1, 0, 0], [0, 2, 0], ]
     |           ^~~~~~~~~~~~~~~~~~~~~~~~
     = one row and one column for each component of the velocity xi)-"},
    {suslov, R"-([[0, 0, 1]])-", R"-([[0, 0, 0]])-", R"-(bad.toml:4:16: a row of zeros constrains nothing
   4 | constraints = [[0, 0, 0]]
     |                ^~~~~~~~~
     = remove it)-"},
    {suslov, R"-([[0, 0, 1]])-", R"-([[0, 1]])-", R"-(bad.toml:4:16: a row of constraints must be a list of 3 formulas
   4 | constraints = [[0, 1]]
     |                ^~~~~~
     = one for each component of the velocity xi)-"},
    {suslov, R"-([[0, 0, 1]])-", R"-(1)-", R"-(bad.toml:4:15: constraints must be a list of rows
   4 | constraints = 1
     |               ^
     = write constraints = [[0, 0, 1]])-"},
    {suslov, R"-(0, 1, 0, 0, 0, 1])-", R"-(0, 1, 0, 0, 0.1, 1])-",
     R"-(bad.toml:7:6: 'g' is off SO(3): R^T R differs from the identity by 0.1
   7 | g = [1, 0, 0, 0, 1, 0, 0, 0.1, 1]
     |      ^
     = give the rows of a rotation with all their digits, or a product of rotx, roty, rotz)-"},
    {suslov, R"-(0, 1, 0, 0, 0, 1])-", R"-(0, 1])-", R"-(bad.toml:7:5: the start has 5 values, 9 are needed
   7 | g = [1, 0, 0, 0, 1]
     |     ^~~~~~~~~~~~~~~
     = in the order g_11, g_12, g_13, g_21, g_22, g_23, g_31, g_32, g_33)-"},
    {suslov, R"-(xi = [1, 2, 0])-", R"-(xi = [1, 2])-", R"-(bad.toml:8:6: xi has 2 values, 3 are needed
   8 | xi = [1, 2]
     |      ^~~~~~
     = in the order g_1, g_2, g_3)-"},
    {suslov, R"-(xi = [1, 2, 0]
)-",
     R"-()-", R"-(bad.toml:6:2: [initial] needs xi
   6 | [initial]
     |  ^~~~~~~
     = write xi = [...], the velocity seen from the body)-"},
    {suslov, R"-(xi =)-", R"-(v =)-", R"-(bad.toml:8:1: unknown key 'v' in [initial] of a model with [group]
   8 | v = [1, 2, 0]
     | ^
     = known keys: g, xi, t)-"},
    {suslov, R"-()-", R"-([mechanics]
lagrangian = "1")-",
     R"-(bad.toml:9:2: mechanics does not go with [group], which has inertia and potential
   9 | [mechanics]
     |  ^~~~~~~~~
     = write coordinates = ["R in SO(3)"] instead of [group])-"},
    {suslov, R"-([group])-", R"-(coordinates = ["x"]
[group])-",
     R"-(bad.toml:1:1: a model has coordinates or [group], not both
   1 | coordinates = ["x"]
     | ^~~~~~~~~~~
     = a coordinate on a group is written "R in SO(3)")-"},
    {suslov, R"-([0, 0, 1]])-", R"-([0, 0, "xi"]])-", R"-(bad.toml:4:24: unknown name 'xi'
   4 | constraints = [[0, 0, "xi"]]
     |                        ^~
     = did you mean 'pi'?)-"},
    {suslov, R"-([0, 0, 1]])-", R"-([0, 0, "body(g)[1]"]])-", R"-(bad.toml:4:23: entries depend on g and t only
   4 | constraints = [[0, 0, "body(g)[1]"]]
     |                       ^~~~~~~~~~~~)-"},
};

TEST(Messages, CoordinatesOnGroups) { expect_word_for_word(complaints); }

TEST(Messages, TheRightModelsOfGroupsAreRead) {
    for (std::string_view model : {body, bodies, suslov}) EXPECT_EQ(told(std::string(model)), "nothing");
}

// A list of rows, a flat list, a product of turns: the same start.
TEST(Messages, ElementsOfGroupsAreWrittenInManyWays) {
    const auto start = [](const std::string& R) {
        return read_model(changed(body, "\"rotz(0.3)\"", R), "odd.toml").centre0;
    };
    EXPECT_EQ(start("\"rotz(pi/2)\""), start("[[0, -1, 0], [1, 0, 0], [0, 0, 1]]"));
    EXPECT_EQ(start("[0, -1, 0, 1, 0, 0, 0, 0, 1]"), start("[[0, -1, 0], [1, 0, 0], [0, 0, 1]]"));
}

// A turn by pi in a step, at its end or at a stage, on the tape and in machine code.
TEST(Messages, AStepThatTurnsABodyTooFarIsRefused) {
    const auto refused = [](std::string_view model, const char* method, double step, RunOptions::Engine engine) {
        const Model read = read_model(std::string(model), "odd.toml");
        return integrate(read, {.method = method, .step = step, .steps = 100, .engine = engine}).report().text();
    };
    const std::string fast = changed(body, "[0.1, 0.2, 0.3]", "[0, 0, 3.5]");
    for (RunOptions::Engine engine : {RunOptions::Engine::interpreted, RunOptions::Engine::compiled}) {
        EXPECT_EQ(refused(fast, "midpoint", 1, engine),
                  "the step turns 'R' too far: by 3.5 rad from the centre of its chart, which ends at pi\n"
                  "  in step 1, at t = 0\n"
                  "  try a smaller step");
        EXPECT_EQ(refused(bodies, "gauss:stages=2", 1.1, engine),
                  "the step turns 'R[3]' too far: by 3.3 rad from the centre of its chart, which ends at pi\n"
                  "  in step 1, at t = 0\n"
                  "  try a smaller step");
        EXPECT_EQ(refused(bodies, "lie_del:ld=log", 1.1, engine),
                  "the step turns 'R[3]' too far: by 3.3 rad: it must be less than pi\n"
                  "  in step 1, at t = 0\n"
                  "  try a smaller step");
        EXPECT_EQ(refused(fast, "lie_rattle:ld=cay", 1, engine),
                  "the step turns 'R' too far: by 3.5 rad: it must be less than pi\n"
                  "  in step 1, at t = 0\n"
                  "  try a smaller step");
        const std::string moser = refused(fast, "lie_del", 0.5, engine);
        EXPECT_TRUE(moser.ends_with("in step 1, at t = 0\n  try a smaller step, or ld=log: with ld=mv no step turns a "
                                    "body by more than about 1 rad"))
            << moser;
        EXPECT_EQ(refused(fast, "lie_del", 0.25, engine), "finished");
        EXPECT_EQ(refused(fast, "lie_del:ld=log", 0.8, engine), "finished");
        EXPECT_EQ(refused(fast, "midpoint", 0.8, engine), "finished"); // by 2.8 rad: it is charts that end at pi
        EXPECT_EQ(refused(fast, "dop853", 1, engine), "finished");     // takes smaller steps
    }
}

// R[i][1, 3] is an entry of a member; x[i][j] stays refused.
TEST(Messages, EntriesOfMembersAreRead) {
    const std::string sum = "sum(i in 1..n: dot(body(R[i]), body(R[i]))/2 - ";
    const auto energy = [&](const std::string& entry) {
        return to_text(
            read_model(changed(bodies, "sum(i in 1..n: dot(body(R[i]), body(R[i]))/2", sum + entry), "odd.toml")
                .function);
    };
    EXPECT_EQ(energy("R[i][1, 3]"), energy("rotation(R[i])[1, 3]"));
    EXPECT_NE(energy("R[i][1, 3]"), energy("R[i][3, 1]"));
}

} // namespace
} // namespace rattleback
