// `solve`, as a person runs it: exit codes, messages, files, and strange problems.
#include "program.hpp"

namespace app_test {
namespace {

const std::string problem = R"-(coordinates = ["x", "v"]
[control]
inputs = ["u"]
dynamics = { x = "v", v = "u" }
cost = "u^2/2"
[boundary]
from = { x = 0, v = 0 }
to = { x = 1, v = 0 }
time = 1
)-";

std::string with(const std::string& what, const std::string& by) {
    std::string text = problem;
    return text.replace(text.find(what), what.size(), by);
}

TEST(Solve, SaysWhatItFound) {
    const Outcome o = rattleback({"solve", write_file("lqr.toml", problem)});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("cost     6"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("a local minimum: no path nearby costs less"), std::string::npos) << o.out;
    const Outcome json = rattleback({"solve", write_file("lqr.toml", problem), "--json"});
    for (const char* key : {"status", "verdict", "cost", "cost_error", "time", "q", "p0", "p_end", "u_first", "u_last",
                            "conjugate", "extremals", "starts", "iterations", "residual"})
        EXPECT_NE(json.out.find("\"" + std::string(key) + "\":"), std::string::npos) << key;
}

TEST(Solve, SaysWhatAnOrbitIs) {
    const Outcome o = rattleback({"solve", "lyapunov_orbit"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const char* line : {"period       2.75, as it was asked for",
                             "verdict      unstable: what is near it goes away by a factor of 2322 in a period",
                             "multipliers  2322, 1 (2 times), 0.0004306"})
        EXPECT_NE(o.out.find(line), std::string::npos) << line << "\n" << o.out;
    const Outcome json = rattleback({"solve", "lyapunov_orbit", "--json"});
    for (const char* text : {"\"verdict\":\"unstable\"", "\"period\":2.75", "\"period_error\":", "\"energy\":-1.586",
                             "\"multipliers\":[[2322.4", "\"monodromy\":[["})
        EXPECT_NE(json.out.find(text), std::string::npos) << text << "\n" << json.out;
    const Outcome path =
        rattleback({"solve", "lyapunov_orbit", "--quiet", "--steps", "100", "-o", "-", "--columns", "t,x"});
    EXPECT_EQ(split(path.out, '\n').size(), 102u) << path.err;
    const Outcome check = rattleback({"check", "lyapunov_orbit"});
    EXPECT_NE(check.out.find("none, a periodic path, period 2.75: 'rattleback solve' finds it near the start"),
              std::string::npos)
        << check.out;
}

TEST(Solve, WritesWavefronts) {
    const std::string file = write_file("grushin.toml", R"-(coordinates = ["x", "y"]
[control]
inputs = ["u", "v"]
dynamics = { x = "u", y = "x*v" }
cost = "(u^2 + v^2)/2"
[boundary]
from = { x = 0, y = 0 }
to = { x = 1, y = 1 }
time = 1
)-");
    const Outcome o = rattleback({"solve", file, "--wavefront", "--fan", "p_y=-6:6:7", "--at", "0.4,0.8"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const char* line : {"metric     sub-Riemannian: 1 of 2 directions are allowed at the start",
                             "fan        2 directions, p_y from -6 to 6 in 7",
                             "t = 0.4    14 points, of which 14 are on the sphere of this radius",
                             "t = 0.8    14 points, of which 6 are on the sphere of this radius",
                             "conjugate  4 of 14 geodesics, at t = 0.7489 to 0.7489",
                             "cut        8 of 14 geodesics, at t = 0.5236 to 0.7854"})
        EXPECT_NE(o.out.find(line), std::string::npos) << line << "\n" << o.out;
    const std::vector<std::string> few = {"solve",   file, "--spheres", "--fan",   "p_y=-6:6:7", "--at",
                                          "0.4,0.8", "-o", "-",         "--quiet", "--columns",  "t,x,p0_y,cut,sphere"};
    const Outcome csv = rattleback(few);
    EXPECT_EQ(csv.code, 0) << csv.err;
    EXPECT_EQ(split(csv.out, '\n').size(), 21u) << csv.out; // a head, 14 points and 6
    const Outcome json = rattleback({"solve", file, "--wavefront", "--fan", "p_y=6:6:1", "--json"});
    for (const char* text : {"\"rank\":1", "\"times\":[1.0]", "\"geodesics\":[{\"p0\":[1.0,6.0]",
                             "\"cut\":0.5235987755", "\"q_cut\":[", "\"p0_other\":[-1.0"})
        EXPECT_NE(json.out.find(text), std::string::npos) << text << "\n" << json.out;
}

TEST(Solve, RefusesOptionsOfAnotherQuestion) {
    const std::string file = write_file("lqr.toml", problem);
    const Outcome path = rattleback({"solve", file, "--fan", "p_x=0:1:2"});
    EXPECT_EQ(path.code, 2);
    EXPECT_NE(path.err.find("--at, --directions, --fan and --angles belong to --wavefront"), std::string::npos);
    const Outcome front = rattleback({"solve", file, "--wavefront", "--starts", "3"});
    EXPECT_EQ(front.code, 2);
    EXPECT_NE(front.err.find("belong to paths between two ends, not to --wavefront"), std::string::npos) << front.err;
    const Outcome drift = rattleback({"solve", file, "--wavefront"});
    EXPECT_EQ(drift.code, 2);
    EXPECT_NE(drift.err.find("the dynamics have a drift"), std::string::npos) << drift.err;
    const Outcome range = rattleback({"solve", "heisenberg_arc", "--wavefront", "--fan", "p_z=3"});
    EXPECT_EQ(range.code, 2);
    EXPECT_NE(range.err.find("--fan p_z=3: write name=from:to:count, like p_z=-8:8:25"), std::string::npos)
        << range.err;
}

TEST(Solve, WritesThePathWithInputsAndCostates) {
    const Outcome o =
        rattleback({"solve", "unicycle_parking", "--steps", "10", "-o", "-", "--columns", "t,x,p_theta,v"});
    EXPECT_EQ(o.code, 0) << o.err;
    const std::vector<std::string> lines = split(o.out, '\n');
    ASSERT_EQ(lines.size(), 12u);
    EXPECT_EQ(lines[0], "t,x,p_theta,v");
    EXPECT_EQ(lines[1].substr(0, 4), "0,0,");
    EXPECT_EQ(lines[11].substr(0, 2), "1,");
    const Outcome h5 =
        rattleback({"solve", "unicycle_parking", "--steps", "10", "--quiet", "-o", folder() / "path.h5"});
    EXPECT_EQ(h5.code, 0) << h5.err;
    EXPECT_TRUE(std::filesystem::exists(folder() / "path.h5"));
}

// Inputs, costates, H along the path, and all extremals: here two mirror images.
TEST(Solve, AReportHasAllExtremals) {
    const std::string page = folder() / "parking.html";
    const Outcome o = rattleback({"solve", "unicycle_parking", "--steps", "20", "--quiet", "--report", page});
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string text = read_file(page);
    for (const char* part : {"\"Extremals\"", "a local minimum: no path nearby costs less", "\"H\"", "\"p_theta\"",
                             "\"w\"", "p_x = -2.988", "p_x = 2.988"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Solve, TheSameSeedGivesTheSameBits) {
    const auto path = [](const std::string& seed) {
        return rattleback({"solve", "vehicle_turn", "--seed", seed, "--starts", "6", "--quiet", "-o", "-"}).out;
    };
    const std::string once = path("3");
    EXPECT_GT(once.size(), 1000u);
    EXPECT_EQ(once, path("3"));
}

TEST(Solve, EndsOutOfReachFail) {
    const std::string text = with("x = \"v\", v = \"u\"", "x = \"v^2\", v = \"u\"");
    const std::string file =
        write_file("out_of_reach.toml", std::string(text).replace(text.find("x = 1"), 5, "x = -1"));
    const Outcome o = rattleback({"solve", file, "--starts", "10"});
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(
        o.err,
        "rattleback: the end is out of reach, locally at least: the nearest path ends with x = 0 in place of -1, off "
        "by 1\n  try another time, nearer ends, or --starts 600\n");
    EXPECT_NE(rattleback({"solve", file, "--starts", "10", "--json"}).out.find("\"verdict\":\"infeasible\""),
              std::string::npos);
}

TEST(Solve, AnInterruptKeepsTheBestPath) {
    const std::string file = folder() / "kept.csv";
    const Outcome o = rattleback({"solve", "vehicle_turn", "--starts", "100000", "-o", file}, {.interrupt_after = 2});
    EXPECT_EQ(o.code, 3) << o.err;
    EXPECT_NE(o.err.find("starts: this is the best path so far"), std::string::npos) << o.err;
    EXPECT_NE(o.out.find("13.266289"), std::string::npos) << o.out;
    EXPECT_TRUE(std::filesystem::exists(file));
}

// Whatever they ask for: an answer or a message, in time.
TEST(Solve, StrangeProblems) {
    const std::string ends = "from = { x = 0, v = 0 }\nto = { x = 1, v = 0 }", cost = "\"u^2/2\"", v = "v = \"u\" }";
    const std::vector<std::string> all = {
        with("time = 1", "time = 1e300"),
        with("time = 1", "time = 1e-300"),
        with("time = 1", "time = \"0/0\""),
        with("time = 1", "time = \"free\""),
        with("x = 1", "x = 1e300"),
        with("x = 1", "x = \"1/0\""),
        with(cost, "\"-u^2/2\""),
        with(cost, "\"x*u^2/2\""),
        with(cost, "\"0*u^2\""),
        with(cost, "\"1e200*u^2\""),
        with(cost, "\"u^2/2 + sqrt(x - 2)\""),
        with(cost, "\"u^2/2 + if(x > 0.5, 100, 0)\""),
        with(cost, "\"u^2/2\"\nterminal_cost = \"-x^4\""),
        with(v, "v = \"u + log(x)\" }"),
        with(v, "v = \"u + exp(50*x)\" }"),
        with(v, "v = \"u/(t - 0.5)\" }"),
        with(v, "v = \"0\" }"),
        with(ends, "from = {}\nto = {}"),
        with(ends, "to = []"),
        with(ends, "to = [\"x - 1\", \"x - 2\"]"),
        with(ends, "from = { x = 0, v = 0 }\nto = [\"(x - 1)^2 + v^2\"]"),
        with(ends, "from = { x = 0, v = 0 }\nto = [\"x^2 + v^2 + 1\"]"),
        with(ends, "from = { x = 0, v = 0 }\nto = { x = 0, v = 0 }"),
        with("[\"u\"]", "[\"u\", \"w\"]"),
    };
    for (const std::string& text : all) {
        const Outcome o = rattleback({"solve", write_file("strange.toml", text), "--starts", "8", "--quiet"});
        EXPECT_TRUE(o.code >= 0 && o.code <= 2) << o.code << "\n" << text;
        EXPECT_EQ(o.code == 0, o.err.empty()) << o.err << "\n" << text;
        EXPECT_LT(o.cpu_seconds, 10) << text;
    }
}

} // namespace
} // namespace app_test
