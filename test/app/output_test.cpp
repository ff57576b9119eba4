// What a run writes: CSV, JSON, the summary.
#include "app/program.hpp"
#include "output/json.hpp"

#include <rattleback/rattleback.hpp>

namespace app_test {
namespace {

using ::rattleback::Json;

using Strings = std::vector<std::string>;

const std::string& model() {
    static const std::string path = write_file("pendulum.toml", pendulum);
    return path;
}

TEST(Csv, HasTheColumnsInOrder) {
    const Outcome o = rattleback({"run", model(), "--steps", "2", "-o", "-"});
    EXPECT_EQ(o.code, 0);
    const Strings lines = split(o.out, '\n');
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0], "t,theta,theta',p_theta,energy,constraint,turn,height,\"twice, the angle\"");
    EXPECT_NE(o.err.find("midpoint, step 0.01, 2 steps to t = 0.02"), std::string::npos) << o.err;
}

TEST(Csv, OfAFamilyAndOfVariables) {
    const std::string chain = write_file("chain.toml", R"-(coordinates = ["a", "x[1..2]"]
[mechanics]
lagrangian = "a'^2 + sum(i in 1..2: x[i]'^2) - a*x[1]"
[initial]
q = [0, 1, 2]
v = [0, 0, 0]
)-");
    const Outcome o = rattleback({"run", chain, "-m", "midpoint", "-s", "0.1", "--steps", "0", "-o", "-", "--quiet"});
    EXPECT_EQ(o.out.substr(0, o.out.find('\n')), "t,a,x[1],x[2],a',x[1]',x[2]',p_a,p_x[1],p_x[2],energy,constraint");
    EXPECT_EQ(o.err, "");
    const std::string field = write_file("field.toml", R"-(variables = ["x", "y"]
[hamiltonian]
formula = "(x^2 + y^2)/2"
structure = [[0, -1], [1, 0]]
[initial]
z = [1, 0]
)-");
    const Outcome z = rattleback({"run", field, "-m", "midpoint", "-s", "0.1", "--steps", "1", "-o", "-", "--quiet"});
    EXPECT_EQ(z.out.substr(0, z.out.find('\n')), "t,x,y,energy,constraint");
    const Json json =
        Json::read(rattleback({"run", field, "-m", "midpoint", "-s", "0.1", "--steps", "1", "--json"}).out);
    EXPECT_EQ(json["z"].items().size(), 2u);
}

TEST(Csv, ReadsBackAsTheSameNumbers) {
    const Outcome o = rattleback({"run", model(), "--steps", "50", "-o", "-", "--quiet"});
    const ::rattleback::Run run =
        ::rattleback::integrate(::rattleback::read_model(std::string(pendulum), "pendulum.toml"),
                                {.method = {}, .step = {}, .until = {}, .steps = 50});
    const Strings lines = split(o.out, '\n');
    ASSERT_EQ(lines.size(), 52u);
    for (std::size_t k = 0; k <= 50; ++k) {
        const Strings words = split(lines[k + 1], ',');
        ASSERT_EQ(words.size(), 9u);
        const std::vector<double> wanted{run.t[k],
                                         run.q(k, 0),
                                         run.v(k, 0),
                                         run.p(k, 0),
                                         run.energy()[k],
                                         0,
                                         run["momenta"](k, 0),
                                         run["observables"](k, 0),
                                         run["observables"](k, 1)};
        for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(std::strtod(words[i].c_str(), nullptr), wanted[i]);
    }
}

TEST(Csv, ToAFileByColumnsAndEveryFewSteps) {
    const std::string file = folder() / "out.csv";
    const Outcome o =
        rattleback({"run", model(), "--steps", "5", "--every", "2", "-o", file, "--columns", "height, t"});
    EXPECT_EQ(o.code, 0);
    EXPECT_NE(o.out.find("pendulum"), std::string::npos) << "the summary is on standard output";
    EXPECT_EQ(o.err, "");
    const Strings lines = split(read_file(file), '\n');
    ASSERT_EQ(lines.size(), 5u); // nodes 0, 2, 4 and the last
    EXPECT_EQ(lines[0], "height,t");
    EXPECT_EQ(split(lines[3], ',')[1], "0.040000000000000001");
    EXPECT_EQ(split(lines[4], ',')[1], "0.050000000000000003");
}

TEST(Json, OfARunHasExactlyItsFields) {
    const Outcome o = rattleback({"run", model(), "--json"});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.err, "");
    const Json json = Json::read(o.out);
    EXPECT_EQ(json.keys(), (Strings{"model",
                                    "method",
                                    "step",
                                    "steps",
                                    "t_end",
                                    "q",
                                    "q_names",
                                    "v",
                                    "v_names",
                                    "p",
                                    "p_names",
                                    "lambda",
                                    "lambda_names",
                                    "energy_initial",
                                    "energy_error_max",
                                    "energy_drift_per_time",
                                    "constraint_max",
                                    "holonomic_max",
                                    "momentum_error_max",
                                    "energy_size",
                                    "energy_conserved",
                                    "momentum_initial",
                                    "balance",
                                    "newton_iterations_mean",
                                    "seconds_setup",
                                    "seconds_run",
                                    "status",
                                    "parameters",
                                    "start",
                                    "command",
                                    "version"}));
    EXPECT_EQ(json["model"].string(), "pendulum");
    EXPECT_EQ(json["method"].string(), "midpoint");
    EXPECT_EQ(json["step"].number(), 0.01);
    EXPECT_EQ(json["steps"].number(), 100);
    EXPECT_EQ(json["t_end"].number(), 1);
    EXPECT_EQ(json["q"].items().size(), 1u);
    EXPECT_EQ(json["lambda"].items().size(), 0u);
    EXPECT_EQ(json["momentum_error_max"].keys(), (Strings{"turn"}));
    EXPECT_EQ(json["status"].string(), "finished");
}

TEST(Json, OfARunSaysWhatItWasMadeFrom) {
    const Json json =
        Json::read(rattleback({"run", model(), "--set", "g=1/3", "--q", "theta=0.7", "--steps", "3", "--json"}).out);
    EXPECT_EQ(json["parameters"]["g"].number(), 1.0 / 3);
    EXPECT_EQ(json["start"].keys(), (Strings{"t", "q", "v"}));
    EXPECT_EQ(json["start"]["q"].numbers(), std::vector<double>{0.7});
    EXPECT_EQ(json["command"].string().rfind("rattleback run ", 0), 0u);
    EXPECT_EQ(json["version"].string(), RATTLEBACK_VERSION);
}

TEST(Json, OfTheOtherVerbs) {
    const auto keys = [](const Strings& arguments) {
        const Outcome o = rattleback(arguments);
        EXPECT_EQ(o.code, 0) << o.err;
        return Json::read(o.out).keys();
    };
    EXPECT_EQ(keys({"order", model(), "-m", "midpoint", "--json"}),
              (Strings{"model", "method", "until", "steps", "errors", "orders", "order", "claimed"}));
    EXPECT_EQ(keys({"compare", model(), "-m", "midpoint,rk4", "--steps", "10", "--json"}),
              (Strings{"model", "step", "steps", "methods", "reference", "reference_error", "reference_until",
                       "ranked_until", "short_runs", "long_runs", "recommendation"}));
    EXPECT_EQ(keys({"check", model(), "--json"}), (Strings{"model", "facts", "methods", "preserves"}));
    EXPECT_EQ(keys({"methods", "--json"}), (Strings{"methods"}));
    EXPECT_EQ(keys({"methods", "gauss:stages=2", "--json"}),
              (Strings{"id", "title", "takes", "order", "cite", "options", "claims"}));
    EXPECT_EQ(keys({"gallery", "--json"}), (Strings{"models"}));
    const Json order = Json::read(rattleback({"order", model(), "-m", "midpoint", "--json"}).out);
    EXPECT_EQ(order["orders"].items().size() + 1, order["errors"].items().size());
    EXPECT_NEAR(order["order"].number(), 2, 0.01);
    const Json gauss = Json::read(rattleback({"methods", "gauss:stages=2", "--json"}).out);
    EXPECT_EQ(gauss["order"].number(), 4);
}

TEST(Json, NamesWithQuotes) {
    const std::string odd =
        write_file("odd.toml", "name = \"a \\\"b\\\" \\\\ é\"\n" + std::string(pendulum).substr(18));
    const Outcome o = rattleback({"run", odd, "--steps", "1", "--json"});
    EXPECT_EQ(Json::read(o.out)["model"].string(), "a \"b\" \\ é");
}

TEST(Summary, TellsAShorterStep) {
    const Outcome o = rattleback({"run", model(), "-s", "0.3", "--until", "1"});
    EXPECT_NE(o.out.find("the step was shortened to 0.25 to divide the interval"), std::string::npos) << o.out;
    const Json json = Json::read(rattleback({"run", model(), "-s", "0.3", "--until", "1", "--json"}).out);
    EXPECT_EQ(json["note"].string(), "the step was shortened to 0.25 to divide the interval");
    EXPECT_EQ(json["t_end"].number(), 1);
}

TEST(Summary, OfNoStepsAndOfStepsBack) {
    const Json none = Json::read(rattleback({"run", model(), "--steps", "0", "--json"}).out);
    EXPECT_EQ(none["steps"].number(), 0);
    EXPECT_EQ(none["q"].items().at(0).number(), 1);
    EXPECT_EQ(none["energy_error_max"].number(), 0);
    const Json back = Json::read(rattleback({"run", model(), "-s", "-0.1", "--until", "-1", "--json"}).out);
    EXPECT_EQ(back["steps"].number(), 10);
    EXPECT_EQ(back["t_end"].number(), -1);
    const Json set = Json::read(rattleback({"run", model(), "--set", "g=0", "--q", "theta=pi/2", "--v", "theta=-1/2",
                                            "--steps", "100", "--json"})
                                    .out);
    EXPECT_NEAR(set["q"].items().at(0).number(), 1.5707963267948966 - 0.5, 1e-12);
}

TEST(Summary, QuietSaysNothing) {
    const Outcome o = rattleback({"run", model(), "--steps", "3", "--quiet"});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.out + o.err, "");
}

} // namespace
} // namespace app_test
