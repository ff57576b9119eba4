// --report and report: what is written, and what is refused, word for word.
#include "app/program.hpp"
#include "output/json.hpp"

#include <cmath>

namespace app_test {
namespace {

using ::rattleback::Json;

TEST(Report, OfARunIsOneFile) {
    const std::string page = folder() / "page.html";
    const Outcome o = rattleback({"run", "pendulum", "--steps", "100", "--report", page});
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string html = read_file(page);
    EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0u);
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
    EXPECT_LT(html.size(), 2'000'000u);
}

TEST(Report, OfAStoredResult) {
    const std::string csv = folder() / "stored.csv", page = folder() / "stored.html";
    ASSERT_EQ(rattleback({"run", "snakeboard", "--quiet", "--plain", "-o", csv}).code, 0);
    EXPECT_EQ(rattleback({"report", csv, "-o", page}).code, 0);
    EXPECT_EQ(read_file(page).find("\"view\":{"), std::string::npos);
    EXPECT_EQ(rattleback({"report", csv, "-o", page, "--model", "snakeboard"}).code, 0);
    EXPECT_NE(read_file(page).find("\"view\":{"), std::string::npos);
}

// The page's data, without what changes from run to run.
Json data_of(const std::string& page) {
    const std::string html = read_file(page), head = "id=\"data\">";
    const std::size_t from = html.find(head) + head.size();
    return Json::read(html.substr(from, html.find("</script>", from) - from));
}

TEST(Report, OfAStoredResultShowsWhatWasRun) {
    const std::string h5 = folder() / "changed.h5", fresh = folder() / "fresh.html", page = folder() / "reopened.html";
    const Outcome first = rattleback({"run", "chaplygin_sleigh", "--set", "a=0.3", "--q", "x=1", "--steps", "50",
                                      "--quiet", "-o", h5, "--report", fresh});
    ASSERT_EQ(first.code, 0) << first.err;
    const Outcome o = rattleback({"report", h5, "-o", page});
    ASSERT_EQ(o.code, 0) << o.err;
    const Json run = data_of(fresh)["runs"].items().at(0), again = data_of(page)["runs"].items().at(0);
    EXPECT_EQ(again["summary"]["parameter a"].string(), "0.3");
    EXPECT_EQ(again["summary"]["start, q"].string(), "1, 0, 0");
    for (const char* part : {"series", "path", "pictures"}) EXPECT_EQ(run[part].text(), again[part].text()) << part;
    for (const std::string& name : run["summary"].keys())
        EXPECT_EQ(run["summary"][name].string(), again["summary"][name].string()) << name;
}

TEST(Report, OfTwoPrinciples) {
    const std::string page = folder() / "principles.html";
    const Outcome o =
        rattleback({"compare", "heisenberg", "--principles", "nonholonomic,variational", "--report", page});
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string html = read_file(page);
    EXPECT_NE(html.find("\"method\":\"nonholonomic, "), std::string::npos);
    EXPECT_NE(html.find("\"method\":\"variational, "), std::string::npos);
}

TEST(Report, RefusesWhatIsNoResult) {
    const auto error = [](const std::vector<std::string>& arguments, int code = 2) {
        const Outcome o = rattleback(arguments);
        EXPECT_EQ(o.code, code);
        EXPECT_EQ(o.err.rfind("rattleback: ", 0), 0u);
        return o.err.substr(12);
    };
    const std::string page = folder() / "no.html";
    const auto of = [&](const std::string& text) {
        const std::string file = write_file("no.csv", text), message = error({"report", file, "-o", page});
        return message.substr(file.size());
    };
    EXPECT_EQ(of(""), " is no result: it is empty\n");
    EXPECT_EQ(of("\x89HDF garbage\n1,2\n"), " is no result: its first line must name columns, 't' before all others\n");
    EXPECT_EQ(of("t,x,energy\n"), " is no result: it has no rows\n");
    EXPECT_EQ(of("t,x,energy\n0,1,2\n0.1,1\n"), ":3: 2 numbers, the first line names 3; is the file cut short?\n");
    EXPECT_EQ(of("t,x,energy\n0,1,2\n0.1,1,2.5e\n"), ":3: '2.5e' is no finite number\n");
    EXPECT_EQ(of("t,x,energy\n0,1,nan\n"), ":2: 'nan' is no finite number\n");
    EXPECT_EQ(of("t,x,energy\n0,1,\"2\n"), ":2: a comma in quotes, or quotes that do not end\n");
    EXPECT_EQ(error({"report", "/nowhere.csv", "-o", page}), "cannot read /nowhere.csv: No such file or directory\n");
    EXPECT_EQ(error({"report", "/nowhere.h5", "-o", page}), "cannot read /nowhere.h5: No such file or directory\n");
    const std::string directory = folder() / "directory.csv";
    std::filesystem::create_directory(directory);
    EXPECT_EQ(error({"report", directory, "-o", page}), "cannot read " + directory + ": Is a directory\n");
    const std::string other = write_file("other.csv", "t,x,energy\n0,1,2\n1,1,2\n");
    EXPECT_EQ(error({"report", other, "--model", "pendulum", "-o", page}),
              other + " is no result of pendulum.toml: it has no column 'theta'\n");
    EXPECT_EQ(error({"run", "pendulum", "-o", "/nowhere/a.h5"}, 1),
              "cannot write /nowhere/a.h5: No such file or directory\n");
    EXPECT_EQ(error({"report", "a.txt", "-o", page}), "a.txt: report takes results of run: FILE.csv or FILE.h5\n");
    EXPECT_EQ(error({"report", "a.csv"}), "report needs -o page.html\n");
    EXPECT_EQ(error({"run", "pendulum", "--report", "/nowhere/page.html"}, 1),
              "cannot write /nowhere/page.html: No such file or directory\n");
    EXPECT_EQ(error({"papers", "003", "--report", "/nowhere/page.html"}, 1),
              "cannot write /nowhere/page.html: No such file or directory\n");
}

TEST(Compare, MeasuresWorkAndRecommends) {
    const Outcome o =
        rattleback({"compare", "henon_heiles", "-m", "midpoint,gauss:stages=3", "--until", "10", "--json"});
    ASSERT_EQ(o.code, 0) << o.err;
    const Json json = Json::read(o.out);
    EXPECT_LT(json["reference_error"].number(), 1e-11);
    ASSERT_EQ(json["methods"].items().size(), 2u);
    const Json gauss = json["methods"].items()[1];
    EXPECT_LT(gauss["error_end"].number(), 1e-7);
    EXPECT_GT(gauss["seconds_per_time"].number(), 0);
    const std::vector<Json> errors = gauss["work_precision"]["errors"].items();
    ASSERT_EQ(errors.size(), 5u);
    EXPECT_NEAR(std::log2(errors[0].number() / errors[1].number()), 6, 0.5) << "half the step, order 6";
    EXPECT_EQ(json["recommendation"].string().rfind("For short accurate runs: gauss:stages=3, ", 0), 0u)
        << json["recommendation"].string();
    EXPECT_NE(json["recommendation"].string().find(".\nFor long runs: gauss:stages=3 (keeps: symplectic, bounded "),
              std::string::npos);
}

TEST(Compare, LeavesOutWhatDoesNotFit) {
    const Outcome o = rattleback({"compare", "pendulum", "-m", "baumgarte,rk4", "--steps", "20", "--json"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err, "rattleback: warning: baumgarte is left out: method 'baumgarte' needs constraints to stabilize\n");
    const Json json = Json::read(o.out);
    EXPECT_EQ(json["methods"].items().size(), 1u);
    EXPECT_EQ(json["left_out"].items().at(0)["method"].string(), "baumgarte");
    EXPECT_TRUE(json["long_runs"].items().empty()); // rk4 keeps nothing
    EXPECT_EQ(rattleback({"compare", "pendulum", "-m", "baumgarte"}).code, 2);
}

TEST(Compare, ShowsNoErrorOfWhatIsNotConserved) {
    const Json damped =
        Json::read(rattleback({"compare", "damped_oscillator", "-m", "rk4", "--steps", "20", "--json"}).out);
    EXPECT_FALSE(damped["methods"].items().at(0).has("energy_error_max"));
    const Json free = Json::read(rattleback({"compare", "pendulum", "-m", "rk4", "--steps", "20", "--json"}).out);
    EXPECT_TRUE(free["methods"].items().at(0).has("energy_error_max"));
}

} // namespace
} // namespace app_test
