// Names in results: of lattices, for programs, in exported C; times that are asked for.
#include "program.hpp"

namespace app_test {
namespace {

constexpr std::string_view lattice = R"-(coordinates = ["u[1..2,1..3]"]
[mechanics]
kinetic = "sum(i in 1..2: sum(j in 1..3: u[i,j]'^2/2))"
potential = "sum(i in 1..2: sum(j in 1..3: u[i,j]^2/2))"
[initial]
q = { "u[i,j]" = "i + j/10" }
v = { "u[i,j]" = 0 }
[run]
method = "midpoint"
step = 0.1
steps = 2
)-";

TEST(Names, OfLatticesHaveTwoIndices) {
    const std::string file = write_file("lattice.toml", lattice);
    const std::string out = rattleback({"run", file, "-o", "-", "--quiet", "--columns", "t,u[2,3],u[1,1]'"}).out;
    EXPECT_EQ(out.substr(0, out.find("\n0.1")), "t,\"u[2,3]\",\"u[1,1]'\"\n0,2.2999999999999998,0");
    EXPECT_EQ(
        rattleback({"run", file, "--q", "u[2,3]=5", "-o", "-", "--quiet", "--columns", "u[2,3]"}).out.substr(0, 11),
        "\"u[2,3]\"\n5\n");
    EXPECT_NE(rattleback({"run", file, "--plot", "u[2,3]"}).out.find(" u[2,3]\n"), std::string::npos);
}

TEST(Names, ForPrograms) {
    const std::string file = write_file("pendulum.toml", pendulum), plane = write_file("lattice.toml", lattice);
    const std::string out = rattleback({"run", file, "-o", "-", "--quiet", "--plain-names"}).out;
    EXPECT_EQ(out.substr(0, out.find('\n')),
              "t,theta,theta_dot,p_theta,energy,constraint,turn,height,twice__the_angle");
    const std::string two = rattleback({"run", plane, "-o", "-", "--quiet", "--plain-names"}).out;
    EXPECT_EQ(two.substr(0, 18), "t,u_1_1,u_1_2,u_1_");
    const std::string json = rattleback({"run", file, "--json"}).out;
    EXPECT_NE(json.find("\"q_names\":[\"theta\"]"), std::string::npos) << json;
    EXPECT_NE(json.find("\"v_names\":[\"theta'\"]"), std::string::npos) << json;
}

// The header names what is where; the start from q and v is that of the model, to the bit; the example runs.
TEST(Names, OfExportedC) {
    const std::string model = write_file("pendulum.toml", pendulum), c = folder() / "swing.c";
    for (const char* method : {"midpoint", "del:ld=verlet", "nh_gauss"}) {
        const bool fits = method != std::string("nh_gauss");
        const Outcome o = rattleback({"export", model, "-m", method, "-o", c});
        EXPECT_EQ(o.code, fits ? 0 : 2) << o.err;
        if (!fits) continue;
        const std::string header = read_file(folder() / "swing.h");
        EXPECT_NE(header.find("swing_state_theta = 0, swing_state_p_theta = 1"), std::string::npos) << header;
        EXPECT_NE(header.find("swing_parameter_g = 0"), std::string::npos) << header;
        EXPECT_NE(header.find(" on pendulum ("), std::string::npos) << header;
        const std::string main = write_file("main.c", R"-(#include "swing.h"
#include <string.h>
int main(void)
{
    const double q[1] = {1}, v[1] = {0};
    swing_carried a, b;
    swing_start(&a);
    if (swing_start_from(&b, swing_default, 0, 0.01, q, v)) return 2;
    return memcmp(a.state, b.state, sizeof a.state) != 0;
}
)-");
        const std::string program = folder() / "start";
        EXPECT_EQ(std::system(("cc -std=c99 -o " + program + " " + main + " " + c + " -lm && " + program).c_str()), 0);
        const std::string run = "cc -std=c99 -Dswing_EXAMPLE -o " + program + " " + c + " -lm && " + program + " > " +
                                (folder() / "example.csv");
        EXPECT_EQ(std::system(run.c_str()), 0);
        const std::string ours =
            rattleback({"run", model, "-m", method, "-o", "-", "--quiet", "--columns", "theta"}).out;
        const std::string theirs = read_file(folder() / "example.csv");
        const std::string last_line = split(theirs, '\n').back(), last = split(last_line, ',').at(1);
        EXPECT_EQ(last, split(ours, '\n').back()) << method;
    }
}

TEST(OutputTimes, AreMetByTheSteps) {
    const std::string file = write_file("pendulum.toml", pendulum);
    const auto times = [&](const std::string& list, const std::string& step) {
        const Outcome o = rattleback({"run", file, "--at", list, "--step", step, "-o", "-", "--columns", "t,theta"});
        EXPECT_EQ(o.code, 0) << o.err;
        return o;
    };
    const Outcome o = times("0.5,0.2,1.1", "0.03");
    const std::vector<std::string> lines = split(o.out, '\n');
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "t,theta");
    for (const auto& [line, t] : {std::pair(1, 0.2), std::pair(2, 0.5), std::pair(3, 1.1)})
        EXPECT_NEAR(std::stod(lines[static_cast<std::size_t>(line)]), t, 1e-12);
    EXPECT_NE(o.err.find("step 0.025, 44 steps"), std::string::npos) << o.err; // 0.1 in four
    // The values are those of steps of that size: nothing is interpolated.
    const std::string all =
        rattleback({"run", file, "--step", "0.025", "--until", "1.1", "-o", "-", "--quiet", "--columns", "theta"}).out;
    EXPECT_NEAR(std::stod(split(all, '\n').back()), std::stod(split(lines[3], ',')[1]), 1e-14);
    EXPECT_EQ(split(times("0,1", "0.1").out, '\n')[1].substr(0, 2), "0,");
    const auto refusal = [&](const std::string& list) { return rattleback({"run", file, "--at", list}).err; };
    EXPECT_EQ(refusal("-1,1"), "rattleback: --at -1,1: the times lie on both sides of the start, t = 0\n");
    EXPECT_EQ(refusal("0"), "rattleback: --at 0: a time other than the start is needed\n");
    EXPECT_EQ(refusal("1,x"), "rattleback: --at 1,x: unknown name 'x'\n");
    EXPECT_EQ(refusal("1,sqrt(2)"),
              "rattleback: --at 1,sqrt(2): no step above a thousandth of 0.01 meets all these times; "
              "write them with fewer digits, or ask for them in several runs\n");
    EXPECT_EQ(rattleback({"run", file, "--at", "1", "--until", "2"}).err,
              "rattleback: --at says itself where a run ends and what is recorded: leave out --until, --steps and "
              "--every\n");
}

TEST(Equations, OfMotionNeedNoMethod) {
    std::string text(pendulum);
    text.replace(text.find("method = \"midpoint\"\n"), 20, "");
    const std::string file = write_file("plain.toml", text);
    EXPECT_EQ(rattleback({"check", file, "--equations"}).out, "equations of motion\n  d/dt(theta') = -g*sin(theta)\n");
    EXPECT_EQ(
        rattleback({"check", file, "--equations", "--latex"}).out,
        "% equations of motion\n  \\frac{d}{dt} \\left( \\dot \\theta \\right) = -g \\, \\sin\\left(\\theta\\right)\n");
    text.replace(text.find("lagrangian = \"theta'^2/2"), 24,
                 "force = { theta = \"-theta'/6\" }\nlagrangian = \"1/6*theta'^2");
    const std::string forced = write_file("forced.toml", text);
    const std::string latex = rattleback({"check", forced, "--latex"}).out;
    EXPECT_NE(latex.find("\\frac{1}{6}"), std::string::npos) << latex;
    EXPECT_NE(latex.find("F_{\\theta} = "), std::string::npos) << latex;
    EXPECT_EQ(latex.find("0.1666"), std::string::npos) << latex;
}

} // namespace
} // namespace app_test
