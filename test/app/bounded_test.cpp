// `solve` on control problems with bounds, as a person sees it.
#include "app/program.hpp"

namespace app_test {
namespace {

std::string effort(const std::string& bound) {
    return write_file("effort" + bound + ".toml", R"(name = "effort"
coordinates = ["x", "v"]
[control]
inputs   = ["u"]
dynamics = { x = "v", v = "u" }
cost     = "u^2/2"
bounds   = { u = [-)" + bound + ", " + bound + R"(] }
[observables]
power = "u*v"
[boundary]
from = { x = 0, v = 0 }
to   = { x = 1, v = 0 }
time = 1
)");
}

class BoundedSolve : public testing::Test {
  protected:
    void SetUp() override {
        const std::string module = std::filesystem::path(RATTLEBACK_PROGRAM).parent_path() / "librattleback_ipopt.so";
        if (!std::filesystem::exists(module)) GTEST_SKIP() << "built without Ipopt";
    }
};

TEST_F(BoundedSolve, SaysWhatOthersSay) {
    const Outcome o = rattleback({"solve", effort("5"), "--json"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const char* key : {"cost", "cost_error", "time", "q", "p0", "p_end", "u_first", "u_last", "extremals",
                            "starts", "iterations", "residual", "verdict", "status", "solver"})
        EXPECT_NE(o.out.find('"' + std::string(key) + "\":"), std::string::npos) << key;
    EXPECT_NE(o.out.find(R"("solver":"ipopt")"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find(R"("verdict":"minimum","cost":6.04502775)"), std::string::npos) << o.out;
}

TEST_F(BoundedSolve, WritesThePath) {
    const std::string csv = folder() / "path.csv", h5 = folder() / "path.h5";
    const Outcome o = rattleback({"solve", effort("5"), "--steps", "10", "-o", csv});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(read_file(csv).substr(0, 50), "t,x,v,x',v',p_x,p_v,u,energy,constraint,power\n0,0,");
    EXPECT_NE(o.out.find("gauss:stages=3 by Ipopt, 10 steps, time 1\n"), std::string::npos) << o.out;
    EXPECT_EQ(rattleback({"solve", effort("5"), "--steps", "10", "-o", h5}).code, 0);
}

TEST_F(BoundedSolve, FailsWithTheResidual) {
    const Outcome o = rattleback({"solve", effort("3"), "--starts", "1", "--json"});
    EXPECT_EQ(o.code, 1);
    EXPECT_NE(o.out.find(R"("verdict":"infeasible","extremals":[])"), std::string::npos) << o.out;
    EXPECT_EQ(o.err.substr(0, 85), // the second start is the path of the problem without bounds
              "rattleback: no path satisfies all conditions: of 2 starts the nearest misses by 0.006");
}

TEST_F(BoundedSolve, OtherVerbsSayWhy) {
    const std::string why =
        "rattleback: 'u' is bounded: costates alone do not give the inputs then; `rattleback solve` "
        "finds the path between the ends of [boundary]\n";
    for (const char* verb : {"order", "verify"}) {
        const Outcome o = rattleback({verb, effort("5"), "-m", "midpoint", "--step", "0.1"});
        EXPECT_EQ(o.code, 2) << verb;
        EXPECT_EQ(o.err, why) << verb;
    }
    EXPECT_EQ(rattleback({"check", effort("5")}).out, "coordinates  2: x, v\n"
                                                      "given by     a control problem\n"
                                                      "inputs       1: u\n"
                                                      "bounds       u: costates alone do not give the inputs, so no "
                                                      "method runs it\n"
                                                      "solved by    'solve', with Ipopt\n");
    EXPECT_EQ(rattleback({"check", effort("5"), "--equations", "-m", "midpoint"}).err, why);
}

} // namespace
} // namespace app_test
