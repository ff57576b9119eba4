// What a page carries: decimation that loses no burst, data that no text can break out of.
#include <gtest/gtest.h>

#include <cmath>

#include "output/json.hpp"
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
