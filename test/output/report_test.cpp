// What a page carries: decimation that loses no burst, data that no text can break out of.
#include <gtest/gtest.h>

#include <cmath>

#include "output/json.hpp"
#include "output/pictures.hpp"
#include "output/report.hpp"

namespace rattleback {
namespace {

TEST(Decimate, KeepsTheSmallestAndTheLargest) {
    const std::size_t n = 1000003;
    std::vector<double> t(n), x(n), spikes(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) t[k] = 1e-3 * static_cast<double>(k), x[k] = std::sin(t[k] * 37) * t[k];
    spikes[500001] = 7, spikes[3] = -2, spikes[n - 1] = 5;
    const MinMax few = decimate(t, {&x, &spikes}, 1500);
    EXPECT_EQ(few.t.size(), 3000u);
    for (const auto& [whole, part] : {std::pair(&x, &few.values[0]), std::pair(&spikes, &few.values[1])}) {
        EXPECT_EQ(*std::max_element(whole->begin(), whole->end()), *std::max_element(part->begin(), part->end()));
        EXPECT_EQ(*std::min_element(whole->begin(), whole->end()), *std::min_element(part->begin(), part->end()));
    }
    EXPECT_TRUE(std::is_sorted(few.t.begin(), few.t.end()));
    EXPECT_EQ(few.t.front(), t.front());
    EXPECT_EQ(few.t.back(), t.back());
}

TEST(Decimate, LeavesFewNodesAlone) {
    const std::vector<double> t{0, 1, 2}, x{3, 1, 2};
    const MinMax all = decimate(t, {&x}, 2);
    EXPECT_EQ(all.t, t);
    EXPECT_EQ(all.values[0], x);
}

TEST(Followed, KeepsTheBeginningThatStraightLinesFollow) {
    const auto turning = [](double nodes_a_turn) {
        return [=](std::size_t k) {
            const double angle = 2 * 3.14159265358979 * static_cast<double>(k) / nodes_a_turn;
            return std::vector<double>{std::cos(angle) / 2, std::sin(angle) / 2};
        };
    };
    // 100 of n nodes: a chord over an angle of 2 a is (1 - cos a) / 2 off.
    EXPECT_EQ(followed(1000, 100, 0.02, turning(1000)), 1000u);
    EXPECT_EQ(followed(100'000, 100, 0.02, turning(100'000)), 100'000u);
    const std::size_t some = followed(64'000, 100, 0.02, turning(1000)); // steps of about 2 acos(0.96)
    EXPECT_LE(some, 1.25 * 100 * 1000 * std::acos(0.96) / 3.14159265358979);
    EXPECT_GE(some, 50 * 1000 * std::acos(0.96) / 3.14159265358979);
    EXPECT_LE(followed(64'000, 100, 0.02, turning(2)), 200u) << "every second node at least";
    EXPECT_EQ(followed(64'000, 100, 0.02, [](std::size_t) { return std::vector<double>{1}; }), 64'000u) << "at rest";
    EXPECT_EQ(followed(0, 100, 0.02, turning(2)), 0u);
}

TEST(Page, ShowsALongRunAsFarAsItsMotionCanBeFollowed) {
    const Model model = read_model(R"-(coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2"
[initial]
q = [1, 0]
v = [0, 1]
[view]
points = [{ at = ["x", "y"] }]
)-",
                                   "circle.toml");
    ReportPage page;
    page.model = &model;
    page.runs.push_back(report_run(integrate(model, {.method = "verlet", .step = 0.25, .steps = 200'000})));
    const Json run = Json::read(report_json(page))["runs"].items()[0];
    const auto count = [](const Json& base64) { return base64.string().size() / 4 * 3 / 8; }; // doubles, about
    EXPECT_NEAR(static_cast<double>(count(run["pictures"]["t"])), 6000, 2);
    EXPECT_GT(run["path"]["stride"].number_if_any().value_or(0), 0);
    EXPECT_LT(run["path"]["stride"].number_if_any().value_or(99), 3) << "25 nodes a turn: every third is too few";
}

TEST(Page, CarriesTextThatCannotEndItsScript) {
    Model model = read_model(R"-(name = "</script><script>alert(1)</script><!--"
coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2"
[initial]
q = [0]
v = [1]
)-",
                             "a.toml");
    ReportPage page;
    page.kind = "run", page.title = model.name, page.model = &model, page.command = "run '</script>'";
    page.runs.push_back(report_run(integrate(model, {.method = "midpoint", .step = 0.1, .steps = 5})));
    const std::string html = report_html(page, "SCRIPT", "STYLE");
    std::size_t ends = 0;
    for (std::size_t at = 0; (at = html.find("</script", at)) != std::string::npos; ++at) ++ends;
    EXPECT_EQ(ends, 2u) << "that of the data and that of the program";
    EXPECT_NE(html.find("<title>&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos);
    const std::string head = "id=\"data\">";
    const std::size_t from = html.find(head) + head.size();
    const Json data = Json::read(html.substr(from, html.find("</script>", from) - from));
    EXPECT_EQ(data["title"].string(), model.name);
    EXPECT_EQ(data["model"]["text"].string(), model.text);
    EXPECT_EQ(html.find("http"), html.find("http-equiv")) << "no address but that of the policy's name";
}

} // namespace
} // namespace rattleback
