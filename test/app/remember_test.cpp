// Results remember what they came from; what cannot begin is refused.
#include "app/program.hpp"
#include "output/json.hpp"

#include <filesystem>

namespace app_test {
namespace {

using ::rattleback::Json;

Json data_of(const std::string& page) {
    const std::string html = read_file(page), head = "id=\"data\">";
    const std::size_t from = html.find(head) + head.size();
    return Json::read(html.substr(from, html.find("</script>", from) - from));
}

TEST(Remember, ACsvFileHasItsModelBesideIt) {
    const std::string csv = folder() / "dp.csv", page = folder() / "dp.html";
    ASSERT_EQ(rattleback({"run", "double_pendulum", "--set", "l2=3", "--steps", "20", "--quiet", "-o", csv}).code, 0);
    EXPECT_EQ(read_file(csv).rfind("t,a,b,", 0), 0u) << "the first line names columns";
    EXPECT_EQ(read_file(csv).find('#'), std::string::npos);
    const Json beside = Json::read(read_file(csv + ".json"));
    EXPECT_EQ(beside["parameters"]["l2"].number(), 3);
    EXPECT_EQ(beside["method"].string(), beside["summary"]["method"].string());
    ASSERT_EQ(rattleback({"report", csv, "-o", page}).code, 0);
    const Json data = data_of(page);
    EXPECT_TRUE(data.has("view"));
    EXPECT_EQ(data["runs"].items().at(0)["summary"]["parameter l2"].string(), "3");
}

TEST(Remember, PlainLeavesItOutAndAnOlderOneIsNotTaken) {
    const std::string csv = folder() / "plain.csv", page = folder() / "plain.html";
    ASSERT_EQ(rattleback({"run", "pendulum", "--steps", "20", "--quiet", "--plain", "-o", csv}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(csv + ".json"));
    ASSERT_EQ(rattleback({"run", "double_pendulum", "--steps", "20", "--quiet", "-o", csv}).code, 0);
    ASSERT_EQ(rattleback({"run", "pendulum", "--steps", "20", "--quiet", "--plain", "-o", csv}).code, 0);
    ASSERT_EQ(rattleback({"report", csv, "-o", page}).code, 0);
    EXPECT_FALSE(data_of(page).has("view")) << "that of the double pendulum";
}

TEST(Remember, ARunIsContinued) {
    const std::string a = folder() / "a.h5", b = folder() / "b.h5";
    ASSERT_EQ(rattleback({"run", "double_pendulum", "--set", "l2=2", "--until", "1", "--quiet", "-o", a}).code, 0);
    const Outcome rest = rattleback({"run", "--from", a, "--until", "2", "--json", "-o", b});
    ASSERT_EQ(rest.code, 0) << rest.err;
    const Json end = Json::read(rest.out);
    const Json whole =
        Json::read(rattleback({"run", "double_pendulum", "--set", "l2=2", "--until", "2", "--json"}).out);
    EXPECT_EQ(end["t_end"].number(), 2);
    EXPECT_EQ(end["method"].string(), whole["method"].string());
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(end["q"].numbers().at(i), whole["q"].numbers().at(i), 1e-12);
    EXPECT_EQ(rattleback({"run", "--from", a}).code, 2);
    EXPECT_EQ(rattleback({"run", "pendulum", "--from", a, "--until", "2"}).code, 2);
    EXPECT_EQ(rattleback({"run", "--from", "a.csv", "--until", "2"}).code, 2);
    EXPECT_EQ(rattleback({"run", "--from", "a.txt", "--until", "2"}).code, 2);
}

TEST(Remember, ARunIsContinuedFromCsvWithItsBits) {
    const std::string h5 = folder() / "c.h5";
    const auto continued = [](const std::string& file) {
        const Outcome o = rattleback({"run", "--from", file, "--until", "2", "-o", "-", "--quiet"});
        EXPECT_EQ(o.code, 0) << o.err;
        return o.out;
    };
    const auto run = [](const std::string& model, std::vector<std::string> more) {
        std::vector<std::string> command{"run", model, "--until", "1", "--quiet"};
        command.insert(command.end(), more.begin(), more.end());
        EXPECT_EQ(rattleback(command).code, 0) << model;
    };
    for (const std::string model : {"double_pendulum", "vehicle_bowl", "rolling_disk_variational", "free_rigid_body",
                                    "point_vortices", "kepler"}) {
        const std::string csv = folder() / (model + ".csv"), plain = folder() / (model + "_plain.csv");
        run(model, {"-o", h5}), run(model, {"-o", csv}), run(model, {"-o", plain, "--plain-names"});
        const std::string whole = continued(h5);
        EXPECT_GT(split(whole, '\n').size(), 2u) << model;
        EXPECT_EQ(continued(csv), whole) << model;
        EXPECT_EQ(continued(plain), whole) << model;
    }
}

TEST(Remember, ACsvFileWithoutItsModelIsNoticed) {
    const std::string csv = folder() / "lost.csv", page = folder() / "lost.html";
    const std::string aside = csv + ".json belongs to another file of that name: it is left aside",
                      lost = csv + ".json, which has its model, is not there";
    const auto says = [&](const std::string& words) {
        const Outcome report = rattleback({"report", csv, "-o", page});
        EXPECT_EQ(report.code, 0) << report.err;
        EXPECT_EQ(report.err.rfind("rattleback: warning: " + words, 0), 0u) << report.err;
        EXPECT_FALSE(data_of(page).has("view"));
        const Outcome run = rattleback({"run", "--from", csv, "--until", "9"});
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.err.rfind("rattleback: --from " + csv + ": " + words, 0), 0u) << run.err;
        EXPECT_EQ(rattleback({"report", csv, "-o", page, "--model", "double_pendulum"}).err, "");
        EXPECT_TRUE(data_of(page).has("view"));
    };
    ASSERT_EQ(rattleback({"run", "double_pendulum", "--steps", "20", "--quiet", "-o", csv}).code, 0);
    std::string text = read_file(csv);
    char& digit = text[text.size() - 2]; // of the same size, but of another run
    digit = digit == '5' ? '6' : '5';
    write_file("lost.csv", text);
    says(aside);
    write_file("lost.csv", text + text.substr(text.find('\n') + 1));
    says(aside);
    std::filesystem::remove(csv + ".json");
    says(lost);
    const std::string few = folder() / "few.csv";
    ASSERT_EQ(rattleback({"run", "double_pendulum", "--steps", "20", "--quiet", "-o", few, "--columns", "t,a"}).code,
              0);
    const Outcome o = rattleback({"run", "--from", few, "--until", "9"});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: " + few +
                         " has no column 'b': a run is continued from a file with all columns, "
                         "written without --columns\n");
}

TEST(Remember, APageIsHtml) {
    const std::string pdf = folder() / "page.pdf";
    const Outcome o = rattleback({"run", "pendulum", "--steps", "5", "--report", pdf});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: " + pdf + ": a page is an HTML file; name it page.html\n");
    EXPECT_FALSE(std::filesystem::exists(pdf));
}

TEST(Remember, WhatCannotBeginIsRefused) {
    const std::string model = write_file(
        "singular.toml", "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"x'^2*(y - 1)^2/2 + y'^2/2\"\n"
                         "[initial]\nq = [0, 1]\nv = [1, 0]\n");
    const Outcome o = rattleback({"run", model, "-m", "midpoint", "-s", "0.1", "--steps", "3"});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.out, "") << "no summary of 0 steps";
    EXPECT_EQ(o.err.rfind("rattleback: the Lagrangian is singular", 0), 0u) << o.err;
}

} // namespace
} // namespace app_test
