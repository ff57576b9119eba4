// verify: claims measured on a model, certificates, and certificates measured again.
#include "app/program.hpp"
#include "output/json.hpp"

namespace app_test {
namespace {

using ::rattleback::Json;

std::string verdict_of(const Json& certificate, const std::string& claim) {
    for (const Json& c : certificate["claims"].items())
        if (c["name"].string() == claim) return c["verdict"].string();
    return "";
}

Json verify(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"verify"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.push_back("--json");
    const Outcome o = rattleback(all);
    EXPECT_EQ(o.code, 0) << o.err;
    return Json::read(o.out);
}

TEST(Verify, MeasuresEveryClaimOfTheMethod) {
    const Json gauss = verify({"henon_heiles", "-m", "gauss:stages=2"});
    for (const char* claim : {"symplectic", "energy_bounded", "symmetric", "reversible", "order"})
        EXPECT_EQ(verdict_of(gauss, claim), "pass") << claim;
    EXPECT_EQ(verdict_of(gauss, "energy_exact"), "not applicable") << "H is not quadratic";
    EXPECT_EQ(verdict_of(gauss, "momentum_exact"), "not applicable") << "no symmetries";
    const Json rk4 = verify({"henon_heiles", "-m", "rk4"});
    EXPECT_EQ(verdict_of(rk4, "symplectic"), "pass") << "it says no, and it is not";
    for (const Json& c : rk4["claims"].items())
        EXPECT_TRUE(c["name"].string() != "symplectic" || c["measured"].number() > 1e-8);
}

TEST(Verify, OfConstraintsAndMomenta) {
    const Json disk = verify({"rolling_disk", "-m", "nh_gauss"});
    for (const char* claim : {"constraint_exact", "momentum_exact", "symmetric", "order"})
        EXPECT_EQ(verdict_of(disk, claim), "pass") << claim;
    const Json pendulum = verify({"cartesian_pendulum", "-m", "rattle"});
    for (const char* claim : {"holonomic_exact", "symplectic", "energy_bounded"})
        EXPECT_EQ(verdict_of(pendulum, claim), "pass") << claim;
}

// Of what a command prints.
std::string first_word_of(const std::string& command) {
    std::FILE* const pipe = popen(command.c_str(), "r");
    char word[256] = "";
    if (!pipe || std::fscanf(pipe, "%255s", word) != 1) word[0] = '\0';
    if (pipe) pclose(pipe);
    return word;
}

TEST(Certificate, IsMeasuredAgain) {
    const std::string file = folder() / "certificate.json";
    ASSERT_EQ(rattleback({"verify", "pendulum", "-m", "midpoint", "--set", "g=2", "--q", "theta=1", "-o", file}).code,
              0);
    const Json written = Json::read(read_file(file));
    EXPECT_EQ(written["model"].string(), "pendulum");
    // As sha256sum prints it; no digest is written down, since models may change.
    const std::string text_file = folder() / "certified.toml";
    std::ofstream(text_file, std::ios::binary) << written["model_text"].string();
    EXPECT_EQ(written["model_sha256"].string(), first_word_of("sha256sum '" + text_file + "'"));
    const Outcome again = rattleback({"verify", "--certificate", file});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out.find("DIFFERS"), std::string::npos) << again.out;
}

TEST(Certificate, ThatWasChangedDoesNotHold) {
    const std::string file = folder() / "changed.json";
    ASSERT_EQ(rattleback({"verify", "pendulum", "-m", "midpoint", "-o", file}).code, 0);
    const std::string text = read_file(file);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        const std::size_t at = other.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        other.replace(at, from.size(), to);
        return rattleback({"verify", "--certificate", write_file("other.json", other)});
    };
    const Outcome verdict = with("\"verdict\":\"not applicable\"", "\"verdict\":\"pass\"");
    EXPECT_EQ(verdict.code, 1);
    EXPECT_NE(verdict.out.find("DIFFERS"), std::string::npos);
    const Outcome model = with("g = 9.81", "g = 9.82");
    EXPECT_EQ(model.code, 1);
    EXPECT_EQ(model.err,
              "rattleback: " + (folder() / "other.json") + ": the model in it was changed after it was certified\n");
    const Outcome method = with("\"settings\":{\"method\":\"midpoint\"", "\"settings\":{\"method\":\"rk4\"");
    EXPECT_EQ(method.code, 1);
}

TEST(Certificate, ThatIsNoneIsRefused) {
    const auto refused = [](const std::string& text) {
        const std::string file = write_file("no.json", text);
        const Outcome o = rattleback({"verify", "--certificate", file});
        EXPECT_EQ(o.code, 2);
        return o.err.substr(std::string("rattleback: " + file + " ").size());
    };
    EXPECT_EQ(
        refused(""),
        "is no certificate: it is no JSON: line 1, column 1: syntax error while parsing value - unexpected end of "
        "input; expected '[', '{', or a literal\n");
    EXPECT_EQ(refused("{\"claims\": []}"), "is no certificate: 'certificate' is missing\n");
    EXPECT_EQ(refused("{\"certificate\": 2}"), "is no certificate: it is of a newer form\n");
    EXPECT_EQ(
        refused("{\"certificate\": 1, \"mo"),
        "is no certificate: it is no JSON: line 1, column 23: syntax error while parsing object key - invalid string: "
        "missing closing quote; last read: '\"mo'; expected string literal\n");
    EXPECT_EQ(refused("{\"certificate\": 1}"), "is no certificate: 'model_text' is missing\n");
    EXPECT_EQ(refused(std::string(100000, '[')), "is no certificate: it is JSON nested more than 64 deep\n");
    EXPECT_EQ(rattleback({"verify", "--certificate", "/nowhere.json"}).err,
              "rattleback: cannot read /nowhere.json: No such file or directory\n");
}

TEST(Verify, SaysWhatItNeeds) {
    const auto error = [](const std::vector<std::string>& arguments) {
        const Outcome o = rattleback(arguments);
        EXPECT_EQ(o.code, 2);
        return o.err;
    };
    EXPECT_EQ(error({"verify"}), "rattleback: verify needs a model, or --certificate FILE\n");
    EXPECT_EQ(error({"verify", "pendulum", "-m", "rk4,midpoint"}), "rattleback: verify takes one method\n");
    EXPECT_EQ(error({"verify", "pendulum", "-m", "rk4", "--until", "2"}),
              "rattleback: verify takes --steps of the long run, not --until\n");
    EXPECT_EQ(error({"verify", "pendulum", "-m", "rk4", "-s", "0"}),
              "rattleback: --step must be a number other than 0\n");
    const Outcome o = rattleback({"verify", "pendulum", "-m", "rk4", "-o", "/nowhere/c.json"});
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.err, "rattleback: cannot write /nowhere/c.json: No such file or directory\n");
}

} // namespace
} // namespace app_test
