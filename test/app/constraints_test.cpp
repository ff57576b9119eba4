// Constraints on the command line: projected starts, refusals, what a summary shows.
#include "app/json.hpp"
#include "app/program.hpp"

namespace app_test {
namespace {

const std::string& off_constraint() {
    static const std::string path = write_file("skew.toml", R"(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
[constraints]
velocity = ["z' - y*x'"]
[initial]
q = [0, 1, 0]
v = [1, 1, 0]
[run]
method = "gni"
step = 0.1
steps = 4
)");
    return path;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Projection, IsOfferedAndDone) {
    const std::vector<std::vector<std::string>> verbs{
        {"run", off_constraint()}, {"compare", off_constraint(), "-m", "gni,gf"}, {"check", off_constraint()}};
    for (std::vector<std::string> arguments : verbs) {
        const Outcome refused = rattleback(arguments);
        EXPECT_EQ(refused.code, 2) << arguments[0];
        EXPECT_TRUE(has(refused.err, "off the constraint z' - y*x' = 0: the residual is -1\n  correct them, or use "
                                     "--project to move them onto the constraints"))
            << refused.err;
        arguments.push_back("--project");
        const Outcome done = rattleback(arguments);
        EXPECT_EQ(done.code, 0) << done.err;
        EXPECT_EQ(done.err, "") << arguments[0];
    }
    // The velocity nearest to (1, 1, 0) with z' = x'.
    const Outcome csv =
        rattleback({"run", off_constraint(), "--project", "--quiet", "-o", "-", "--columns", "x',y',z'"});
    EXPECT_TRUE(has(csv.out, "\n0.5,1,0.5\n")) << csv.out;
    const Outcome order = rattleback({"order", off_constraint(), "--project", "-m", "nh_rattle"});
    EXPECT_EQ(order.code, 0) << order.err;
}

TEST(Projection, NeedsConstraints) {
    const Outcome o = rattleback({"run", "pendulum", "--project"});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: --project: the model has no holonomic or velocity constraints\n");
}

TEST(Summaries, ShowConstraints) {
    const Outcome mixed = rattleback({"run", "sleigh_with_tow", "--steps", "1"});
    EXPECT_TRUE(has(mixed.out, "\nconstraint  on velocities, largest residual ")) << mixed.out;
    EXPECT_TRUE(has(mixed.out, "\nconstraint  holonomic, largest residual ")) << mixed.out;
    EXPECT_FALSE(has(rattleback({"run", "pendulum", "--steps", "1"}).out, "constraint"));
}

TEST(Summaries, ShowMomentumEquationsAndHorizontalSymmetries) {
    const Outcome disk = rattleback({"run", "rolling_disk", "-m", "gni", "--steps", "20"});
    EXPECT_TRUE(has(disk.out, "\nmomentum    turn (horizontal), largest error ")) << disk.out;
    EXPECT_TRUE(has(disk.out, "\nmomentum    equation of rolling, largest residual ")) << disk.out;
    const JsonValue json =
        JsonReader::read(rattleback({"run", "rolling_disk", "-m", "gni", "--steps", "20", "--json"}).out);
    EXPECT_EQ(json["horizontal"].items.at(0).string, "turn");
    EXPECT_LT(json["momentum_equation_max"]["rolling"].real, 1e-15);
    const JsonValue board = JsonReader::read(rattleback({"run", "snakeboard", "--steps", "20", "--json"}).out);
    EXPECT_LT(board["momentum_equation_max"]["g^q"].real, 1e-15);
}

TEST(Summaries, WarnOfAlternatingMultipliers) {
    const Outcome o = rattleback({"run", "chaplygin_sleigh", "-m", "gni", "--until", "20"});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.err,
              "rattleback: warning: the multipliers alternate from step to step, with a growing amplitude: a mode "
              "of the method, not of the motion; smaller steps delay it, nh_gauss and gf do not have it\n");
    EXPECT_TRUE(has(o.out, "\nmultiplier  alternating part ")) << o.out;
    EXPECT_EQ(rattleback({"run", "chaplygin_sleigh", "-m", "gni", "--until", "20", "--quiet"}).err, "");
}

TEST(Singularities, EndARunWithWhatWasComputed) {
    const Outcome o = rattleback({"run", "snakeboard", "--until", "8", "--quiet", "-o", "-", "--columns", "t"});
    EXPECT_EQ(o.code, 1);
    EXPECT_TRUE(has(o.err, "rattleback: the constraints become dependent before t = 5.1")) << o.err;
    EXPECT_TRUE(has(o.out, "\n5.0800000000000001\n")) << "the last regular state is kept";
    EXPECT_FALSE(has(o.out, "\n5.1"));
}

} // namespace
} // namespace app_test
