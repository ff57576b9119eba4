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

// A start in decimals is off its constraints by the last digit that was written; the claims are not.
std::string decimals(const char* file, const std::string& mechanics, const std::string& initial) {
    return write_file(file,
                      "coordinates = [\"x\", \"y\"]\n[mechanics]\n" + mechanics + "\n[initial]\n" + initial + "\n");
}

TEST(Verify, OfStartsInDecimals) {
    const std::string circle = "lagrangian = \"(x'^2 + y'^2)/2 - y\"\n[constraints]\nholonomic = [\"x^2+y^2-1\"]";
    const std::string pendulum =
        decimals("decimals.toml", circle, "q = [0.7071067811865476, 0.7071067811865476]\nv = [0.5, -0.5]");
    for (const char* method : {"rattle", "lobatto:stages=3", "state_space", "dirac_weak"}) {
        const Json found = verify({pendulum, "-m", method, "--steps", "200"});
        EXPECT_EQ(verdict_of(found, "holonomic_exact"), "pass") << method;
        EXPECT_EQ(verdict_of(found, "order"), "pass") << method;
    }
    const Outcome order = rattleback({"order", pendulum, "-m", "lobatto:stages=4", "--json"});
    EXPECT_NEAR(Json::read(order.out)["order"].number(), 6, 0.02) << order.err;
    const Outcome off =
        rattleback({"verify", decimals("six.toml", circle, "q = [0.7071068, 0.707106]\nv = [0, 0]"), "-m", "rattle"});
    EXPECT_EQ(off.code, 2);
    EXPECT_NE(off.err.find("off the constraint x^2+y^2-1 = 0: the residual is -1.08e-06, 1.08e-06 of its largest term"),
              std::string::npos)
        << off.err;
}

// Planets in metres: round-off of x^2 is 1e-12 in quad.
TEST(Verify, OfLargeConstraintsIsRelativeToTheirTerms) {
    const std::string path = decimals(
        "planet.toml", "lagrangian = \"(x'^2 + y'^2)/2 - y/100\"\n[constraints]\nholonomic = [\"x^2 + y^2 - 2.25e22\"]",
        "q = [0.9e11, 1.2e11]\nv = [-24000, 18000]");
    const Json found = verify({path, "-m", "rattle", "--step", "86400", "--steps", "200"});
    for (const char* claim : {"holonomic_exact", "holonomic_at_stages", "order"})
        EXPECT_EQ(verdict_of(found, claim), "pass") << claim;
}

// The circle and its rate are hidden constraints here, which Dirac's methods do not bring the start back to.
TEST(Verify, OfHiddenConstraintsInDecimals) {
    const std::string path = write_file("multiplier_in_decimals.toml", R"(coordinates = ["x", "y", "l"]
[mechanics]
hamiltonian = "p_x^2/2 + p_y^2/2 + y + l*(x^2+y^2-1)/2"
[constraints]
phase = ["p_l"]
[initial]
q = [0.7071067811865476, 0.7071067811865476, -0.4571067811865476]
p = [0.3535533905932738, -0.3535533905932738, 0]
)");
    const Outcome order =
        rattleback({"order", path, "-m", "dirac:stages=5", "--step", "0.2", "--until", "1", "--json"});
    EXPECT_NEAR(Json::read(order.out)["order"].number(), 10, 0.01) << order.err; // 0 from the decimals themselves
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
