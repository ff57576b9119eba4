// What [view] refuses, word for word, and what it takes.
#include "messages/complaints.hpp"
#include "model/view.hpp"

namespace rattleback {
namespace {

std::string complaint(std::string_view model, const std::string& view) {
    try {
        read_model(std::string(model) + "\n[view]\n" + view + "\n", "bad.toml");
    } catch (const BadModel& e) { return e.what(); }
    return "";
}

TEST(View, ComplainsWordForWord) {
    EXPECT_EQ(complaint(spring, R"-(balls = [{ at = ["x", "y"] }])-"),
              R"-(bad.toml:15:1: unknown key 'balls' in [view]
  15 | balls = [{ at = ["x", "y"] }]
     | ^~~~~
     = known keys: snapshots, points, rods, wheels, discs, blades, frames, trails)-");
    EXPECT_EQ(complaint(spring, R"-(points = { at = ["x", "y"] })-"),
              R"-(bad.toml:15:10: points must be a list of tables
  15 | points = { at = ["x", "y"] }
     |          ^~~~~~~~~~~~~~~~~~~
     = write points = [{ ... }])-");
    EXPECT_EQ(complaint(spring, R"-(points = ["x"])-"),
              R"-(bad.toml:15:11: a point is a table
  15 | points = ["x"]
     |           ^~~
     = write { at = ["x", "y"] })-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ size = 1 }])-"),
              R"-(bad.toml:15:11: a point needs 'at'
  15 | points = [{ size = 1 }]
     |           ^~~~~~~~~~~~)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], paint = "red" }])-"),
              R"-(bad.toml:15:30: unknown key 'paint' of a point
  15 | points = [{ at = ["x", "y"], paint = "red" }]
     |                              ^~~~~
     = known keys: name, label, colour, for, at, size)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], colour = "mauve" }])-"),
              R"-(bad.toml:15:39: colour must be one of blue, orange, green, pink, yellow, sky, violet, grey, red
  15 | points = [{ at = ["x", "y"], colour = "mauve" }]
     |                                       ^~~~~~~
     = write colour = "orange")-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], colour = "orange" }])-"), "");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x"] }])-"),
              R"-(bad.toml:15:18: at of a point must be 2 numbers in the plane, or 3 in space
  15 | points = [{ at = ["x"] }]
     |                  ^~~~~
     = all places of a view have the same dimension)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"] }, { at = ["x", "y", "0"] }])-"),
              R"-(bad.toml:15:39: at of a point must be 2 numbers
  15 | points = [{ at = ["x", "y"] }, { at = ["x", "y", "0"] }]
     |                                       ^~~~~~~~~~~~~~~
     = all places of a view have the same dimension)-");
    EXPECT_EQ(complaint(spring, R"-(rods = [{ from = ["0", "0"], to = ["x", "yy"] }])-"),
              R"-(bad.toml:15:42: unknown name 'yy'
  15 | rods = [{ from = ["0", "0"], to = ["x", "yy"] }]
     |                                          ^~
     = did you mean 'y'?)-");
    EXPECT_EQ(complaint(spring, R"-(wheels = [{ at = ["x", "y"], radius = ["1", "2"] }])-"),
              R"-(bad.toml:15:39: radius of a wheel must be one number
  15 | wheels = [{ at = ["x", "y"], radius = ["1", "2"] }]
     |                                       ^~~~~~~~~~
     = write a formula for each)-");
    EXPECT_EQ(complaint(spring, R"-(discs = [{ at = ["x", "y"], radius = 1, axis = ["0", "1"] }])-"),
              R"-(bad.toml:15:48: axis of a disc must be 3 numbers
  15 | discs = [{ at = ["x", "y"], radius = 1, axis = ["0", "1"] }]
     |                                                ^~~~~~~~~~
     = write a formula for each)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], for = "i from 1 to 3" }])-"),
              R"-(bad.toml:15:36: for must name an index and its range
  15 | points = [{ at = ["x", "y"], for = "i from 1 to 3" }]
     |                                    ^~~~~~~~~~~~~~~
     = write for = "i in 1..n")-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], for = "i in 3..1" }])-"),
              R"-(bad.toml:15:36: the range of 'for' is empty
  15 | points = [{ at = ["x", "y"], for = "i in 3..1" }]
     |                                    ^~~~~~~~~~~
     = it ends before it begins)-");
    EXPECT_EQ(complaint(spring, R"-(snapshots = 0)-"),
              R"-(bad.toml:15:13: the time between snapshots must be positive
  15 | snapshots = 0
     |             ^)-");
    EXPECT_EQ(complaint(spring, R"-(snapshots = "often")-"),
              R"-(bad.toml:15:14: unknown name 'often'
  15 | snapshots = "often"
     |              ^~~~~)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], name = 1 }])-"),
              R"-(bad.toml:15:37: name must be a text in quotes
  15 | points = [{ at = ["x", "y"], name = 1 }]
     |                                     ^)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = ["x", "y"], name = "a", label = "b" }])-"),
              R"-(bad.toml:15:50: a shape has a name or a label
  15 | points = [{ at = ["x", "y"], name = "a", label = "b" }]
     |                                                  ^~~
     = they are the same: leave one out)-");
    EXPECT_EQ(complaint(spring, R"-(points = [{ at = "x" }])-"),
              R"-(bad.toml:15:18: at of a point must be 2 numbers in the plane, or 3 in space
  15 | points = [{ at = "x" }]
     |                  ^~~
     = all places of a view have the same dimension)-");
    EXPECT_EQ(complaint(chain, R"-(points = [{ at = ["x[i]", "i"], for = "i in 1..n+2" }])-"),
              R"-(bad.toml:18:20: x[5] does not exist: x has members 1..3
  18 | points = [{ at = ["x[i]", "i"], for = "i in 1..n+2" }]
     |                    ^~~~
     = shorten the range, or give a border value in [definitions])-");
    EXPECT_EQ(complaint(chain, R"-(points = [{ at = ["x[j]", "0"], for = "i in 1..n" }])-"),
              R"-(bad.toml:18:22: unknown name 'j'
  18 | points = [{ at = ["x[j]", "0"], for = "i in 1..n" }]
     |                      ^
     = did you mean 't'?)-");
}

TEST(View, TakesShapesOfEveryKind) {
    const Model plane = read_model(std::string(spring) + R"-(
[definitions]
place = ["x", "y + m"]
[view]
points = [{ at = "place", name = "here", size = 2 }]
rods = [{ from = ["0", "0"], to = "place", width = "m/2" }]
wheels = [{ at = ["x", "y"], heading = "x'", radius = 1 }]
discs = [{ at = ["x", "y"], angle = "t", radius = 1 }]
blades = [{ at = ["x", "y"], heading = "p_x", length = 1 }]
frames = [{ at = ["x", "y"], angle = "x", size = 1 }]
trails = [{ at = ["x", "y"], seconds = 3 }]
snapshots = "1/2"
)-",
                                   "plane.toml");
    EXPECT_EQ(plane.view->dimension, 2);
    EXPECT_EQ(plane.view->shapes.size(), 7u);
    EXPECT_EQ(plane.view->snapshots, 0.5);
    const Model line = read_model(std::string(chain) + R"-(
[view]
rods = [{ from = ["x[i-1]", "0", "i"], to = ["x[i]", "0", "i + 1"], for = "i in 1..n+1" }]
)-",
                                  "line.toml");
    EXPECT_EQ(line.view->dimension, 3);
    EXPECT_EQ(line.view->shapes[0].members, 4);
    EXPECT_EQ(line.view->shapes[0].parts[0].formulas.size(), 12u);
}

TEST(View, DrawsEveryFewthOfTooMany) {
    const Model model = read_model(std::string(spring) + R"-(
[view]
points = [{ at = ["x", "i"], for = "i in -3..9996", label = "bead" }, { at = ["x", "y"] }]
rods = [{ from = ["x", "i"], to = ["y", "i"], for = "i in 1..4000" }]
)-",
                                   "many.toml");
    const std::vector<ViewShape>& shapes = model.view->shapes;
    EXPECT_EQ(shapes[0].name, "bead");
    EXPECT_EQ(shapes[0].of, 10000);
    EXPECT_EQ(shapes[0].first, -3);
    EXPECT_EQ(shapes[0].every, 3); // 3334 + 1 + 1334 of them
    EXPECT_EQ(shapes[0].members, 3334);
    EXPECT_EQ(shapes[1].members, 1);
    EXPECT_EQ(shapes[1].every, 1);
    EXPECT_EQ(shapes[2].members, 1334);
    const std::vector<Expr>& at = shapes[0].parts[0].formulas; // x, i of each member
    ASSERT_EQ(at.size(), 6668u);
    EXPECT_EQ(to_text(at[1]), "-3");
    EXPECT_EQ(to_text(at[5]), "3");
    EXPECT_EQ(to_text(at[6667]), "9996");
    EXPECT_NE(complaint(chain, R"-(points = [{ at = ["x[i]", "0"], for = "i in 1..50000" }])-").find("does not exist"),
              std::string::npos);
}

} // namespace
} // namespace rattleback
