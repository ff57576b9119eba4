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
    {steered, R"-(dynamics = { x = "y", y = "u + w*x" }
)-",
     R"-()-", R"-(bad.toml:3:2: [control] needs dynamics, a table of coordinates
   3 | [control]
     |  ^~~~~~~
     = write dynamics = { x = "u" })-"},
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
    {steered, R"-((u^2 + w^2)/2)-", R"-(u^2/2)-",
     R"-(bad.toml:6:1: H_uu is singular: 'w' does not enter the cost quadratically
   6 | cost     = "u^2/2"
     | ^~~~
     = add a term like w^2/2 to the cost)-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-((u^4 + w^2)/2)-",
     R"-(bad.toml:6:1: H_u = 0 is not linear in the inputs: 'u' enters as p_y + 2*u^3
   6 | cost     = "(u^4 + w^2)/2"
     | ^~~~
     = this version takes costs that are quadratic and dynamics that are affine in the inputs)-"},
    {steered, R"-((u^2 + w^2)/2)-", R"-(u^2 + w^2 + x'^2)-",
     R"-(bad.toml:6:25: a cost depends on q, the inputs and t only
   6 | cost     = "u^2 + w^2 + x'^2"
     |                         ^~
     = write the rates themselves)-"},
    {steered, R"-(cost     =)-", R"-(bounds = { u = [-1, 1] }
cost =)-",
     R"-(bad.toml:6:1: bounds goes with boundary values, which are not supported by this version
   6 | bounds = { u = [-1, 1] }
     | ^~~~~~
     = remove it)-"},
    {steered, R"-()-", R"-([mechanics]
lagrangian = "1")-",
     R"-(bad.toml:11:2: control of mechanics is not supported by this version
  11 | [mechanics]
     |  ^~~~~~~~~
     = write the equations of motion as dynamics of [control])-"},
    {steered, R"-()-", R"-([constraints]
holonomic = ["x"])-",
     R"-(bad.toml:11:2: constraints of control problems are not supported by this version
  11 | [constraints]
     |  ^~~~~~~~~~~
     = remove them)-"},
    {steered, R"-()-", R"-([boundary]
time = 1)-",
     R"-(bad.toml:11:2: boundary values are not supported by this version
  11 | [boundary]
     |  ^~~~~~~~
     = it runs control problems from [initial] q and p, the costates)-"},
    {steered, R"-([control])-", R"-([controls])-", R"-(bad.toml:3:2: unknown key 'controls' at the top of a model
   3 | [controls]
     |  ^~~~~~~~
     = did you mean 'control'?)-"},
};

TEST(ControlMessages, AreWordForWord) { expect_word_for_word(complaints); }

TEST(ControlMessages, TheRightModelIsRead) { EXPECT_EQ(told(std::string(steered)), "nothing"); }

} // namespace
} // namespace rattleback
