// run --accuracy: what is said, stored and refused, and with which exit code.
#include "program.hpp"

#include "output/json.hpp"

namespace app_test {
namespace {

using rattleback::Json;

std::string text_of(const std::string& file) {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
}

TEST(Accuracy, SaysWhatWasPickedAndWhatIsKnownOfTheError) {
    const Outcome o = rattleback({"run", "pendulum", "--accuracy", "1e-9"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find("note: --accuracy 1e-09: gauss:stages="), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("counted operations for a unit of time; "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("; others: "), std::string::npos) << o.err;
    EXPECT_NE(o.out.find("accuracy  1e-09 asked, "), std::string::npos) << o.out;
    EXPECT_EQ(rattleback({"run", "pendulum", "--accuracy", "1e-9", "--quiet"}).err, "");
}

TEST(Accuracy, TheSameCommandGivesTheSameBits) {
    const auto end = [](const std::string& backend) {
        const Outcome o = rattleback({"run", "kepler", "--accuracy", "1e-10", "--json", "--backend", backend});
        EXPECT_EQ(o.code, 0) << o.err;
        const Json j = Json::read(o.out), a = j["accuracy"];
        EXPECT_EQ(a["asked"].number(), 1e-10);
        EXPECT_LE(a["estimated"].number(), 1e-10);
        EXPECT_EQ(a["method"].string(), j["method"].string());
        EXPECT_EQ(a["step"].number(), j["step"].number());
        EXPECT_EQ(a["checked_until"].number(), j["t_end"].number());
        return j["q"].text() + j["v"].text() + j["method"].string() + a["estimated"].text();
    };
    EXPECT_EQ(end("interpret"), end("jit"));
}

TEST(Accuracy, ResultsKnowMethodAndStepAndAreContinued) {
    const std::string file = folder() / "accurate.csv", page = folder() / "accurate.html";
    const Outcome o = rattleback({"run", "pendulum", "--accuracy", "1e-8", "--until", "5", "-o", file, "--json"});
    ASSERT_EQ(o.code, 0) << o.err;
    const Json j = Json::read(o.out);
    const Json beside = Json::read(text_of(file + ".json"));
    EXPECT_EQ(beside["method"].string(), j["method"].string());
    EXPECT_EQ(beside["step"].number(), j["step"].number());
    const Outcome more = rattleback({"run", "--from", file, "--until", "10", "--json"});
    ASSERT_EQ(more.code, 0) << more.err;
    EXPECT_EQ(Json::read(more.out)["method"].string(), j["method"].string());
    const Outcome again = rattleback({"run", "--from", file, "--until", "10", "--accuracy", "1e-8", "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_NEAR(Json::read(again.out)["q"].numbers()[0], Json::read(more.out)["q"].numbers()[0], 1e-6);
    EXPECT_EQ(rattleback({"report", file, "-o", page}).code, 0);
}

TEST(Accuracy, WantedTimesAreMet) {
    const Outcome o =
        rattleback({"run", "pendulum", "--accuracy", "1e-8", "--at", "0.7,2.1", "-o", "-", "--columns", "t"});
    ASSERT_EQ(o.code, 0) << o.err;
    std::istringstream rows(o.out);
    std::string title, first, second, more;
    rows >> title >> first >> second;
    EXPECT_NEAR(std::stod(first), 0.7, 1e-15);
    EXPECT_NEAR(std::stod(second), 2.1, 1e-15);
    EXPECT_FALSE(rows >> more) << o.out;
}

// What --accuracy takes is compared with the usual methods, at steps as long as its order wants; and what keeps nothing
// is not for long runs, however fast it is.
TEST(Accuracy, CompareTakesItsMethodAlong) {
    const Outcome o = rattleback({"compare", "cartesian_pendulum", "--until", "2", "--json"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find(":iteration=fixed are compared; -m gives others"), std::string::npos) << o.err;
    const Json j = Json::read(o.out);
    const Json last = j["methods"].items().back();
    EXPECT_TRUE(last["method"].string().ends_with(":iteration=fixed"));
    EXPECT_GT(last["work_precision"]["steps"].numbers()[0], 15 * j["step"].number());
    const std::string lasting = j["long_runs"].text();
    EXPECT_NE(lasting, "[]");
    for (const char* nothing : {"rk4", "dop853", "projected", "baumgarte"})
        EXPECT_EQ(lasting.find(nothing), std::string::npos) << lasting;
}

TEST(Accuracy, ChaosEndsWithOne) {
    const Outcome o = rattleback({"run", "duffing_driven", "--until", "300", "--accuracy", "1e-9", "--json"});
    EXPECT_EQ(o.code, 1);
    EXPECT_NE(o.err.find("the accuracy of 1e-09 is not reached: it holds up to t = "), std::string::npos) << o.err;
    const Json a = Json::read(o.out)["accuracy"];
    EXPECT_GT(a["estimated"].number(), 1e-9);
    EXPECT_GT(a["holds_until"].number(), 20);
}

TEST(Accuracy, ContradictionsAreRefused) {
    const auto refusal = [](std::vector<std::string> more) {
        std::vector<std::string> words = {"run", "pendulum", "--accuracy", "1e-9"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome o = rattleback(words);
        EXPECT_EQ(o.code, 2) << o.err;
        return o.err;
    };
    EXPECT_NE(refusal({"--step", "0.1"}).find("leave out --step"), std::string::npos);
    EXPECT_NE(refusal({"--steps", "10"}).find("--until T"), std::string::npos);
    EXPECT_NE(refusal({"--tol", "1e-9"}).find("leave out --tol"), std::string::npos);
    EXPECT_NE(refusal({"-m", "dop853"}).find("use --tol with it"), std::string::npos);
    EXPECT_NE(refusal({"-m", "underlying"}).find("needs holonomic constraints"), std::string::npos);
    EXPECT_NE(rattleback({"run", "pendulum", "--accuracy", "2"}).err.find("between 1e-15"), std::string::npos);
    EXPECT_NE(rattleback({"run", "goddard", "--accuracy", "1e-6"}).err.find("no [initial]"), std::string::npos);
}

} // namespace
} // namespace app_test
