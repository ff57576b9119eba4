// Problems that no start solves, led there from easier ones.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

using Status = Solution::Status;

// Three trailers, and only as far to go as the car and its trailers are long: 600 starts find nothing.
Model near_lane() {
    std::string text;
    for (const GalleryItem& item : gallery())
        if (item.name == "trailers_lane_change") text = item.text;
    const std::string far = "x = \"2*n + 3\"";
    const std::size_t at = text.find(far);
    EXPECT_NE(at, std::string::npos);
    return read_model(text.replace(at, far.size(), "x = \"n + 3\""), "near_lane.toml", {.set = {{"n", "3"}}});
}

// From two lengths of the axles the same path, and the end is met.
TEST(Continuation, LeadsFromAnotherParameter) {
    const Model model = near_lane();
    const Solution short_axles = find_path(model, {.along = {{"d", 0.3}}}),
                   others = find_path(model, {.along = {{"d", 0.6}}});
    for (const Solution* s : {&short_axles, &others}) {
        ASSERT_EQ(s->status, Status::solved) << s->what;
        EXPECT_LT(s->best().residual, 1e-10);
        EXPECT_NEAR(s->best().q[0], 6, 1e-12);
        EXPECT_NEAR(s->best().q[1], 1, 1e-12);
    }
    EXPECT_EQ(short_axles.note, "by continuation from d = 0.3");
    EXPECT_NEAR(short_axles.best().cost, others.best().cost, 1e-6);
}

// Unasked, where no start leads to a path. A run from its costates, by another method, ends where the path does.
TEST(Continuation, IsTriedWhereNoStartLeadsToAPath) {
    Model model = near_lane();
    const Solution s = find_path(model);
    ASSERT_EQ(s.status, Status::solved) << s.what;
    EXPECT_EQ(s.note.substr(0, 20), "by continuation from") << s.note;
    EXPECT_LT(s.best().cost, 62.7);
    const std::vector<double>& p = s.best().p0;
    model.p0.assign(p.begin(), p.end()), model.v0.clear();
    const auto run = integrate(model, {.method = "dop853", .step = 0.01, .until = 1.0});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_LT(apart({run.q(100, 0), run.q(100, 1)}, {6, 1}), 2e-4); // the last axle swings: errors of p grow 1e6 times
}

TEST(Continuation, ThroughTimeAndEnds) {
    for (const double time : {0.2, 7.0}) {
        const Solution s = solved(double_integrator, {.along = {{"time", time}}});
        ASSERT_EQ(s.status, Status::solved) << s.what;
        EXPECT_NEAR(s.best().cost, 6, 1e-12);
    }
}

TEST(Continuation, SaysHowFarItCame) {
    const std::string bowl = R"-(coordinates = ["x"]
[parameters]
a = -1
[control]
inputs   = ["u"]
dynamics = { x = "u*(1 + 1e-9*log(a + 0.5))" }
cost     = "u^2/2"
[boundary]
from = [0]
to   = [1]
time = 1
)-";
    const Solution s = solved(bowl, {.along = {{"a", 1}}});
    EXPECT_EQ(s.status, Status::failed);
    EXPECT_NE(s.what.find("paths with a = 1 were followed for 7"), std::string::npos) << s.what;
}

TEST(Continuation, RefusesWhatCannotChange) {
    const auto refusal = [](const Model& model, const std::string& name, double from) -> std::string {
        try {
            find_path(model, {.along = {{name, from}}});
        } catch (const BadRun& e) { return e.what(); }
        return "";
    };
    const Model model = near_lane();
    EXPECT_EQ(refusal(model, "b", 1), "--continue b: there is no such parameter; time is one, too");
    EXPECT_EQ(refusal(model, "n", 1),
              "--continue n: the parameter is part of the structure, a number of coordinates say");
    EXPECT_EQ(refusal(model, "time", 0), "--continue time: a time must be positive");
    for (const GalleryItem& item : gallery())
        if (item.name == "figure_eight_orbit") {
            EXPECT_EQ(refusal(read_model(item.text, item.name), "time", 8),
                      "--continue: periodic paths begin at the motion from [initial]; change that instead");
        }
    const std::string text = double_integrator;
    const std::size_t at = text.find("[boundary]");
    const Model bounded =
        read_model(text.substr(0, at) + "bounds = { u = [-9, 9] }\n" + text.substr(at), "bounded.toml");
    EXPECT_EQ(refusal(bounded, "time", 8), "--continue: problems with bounds are solved by Ipopt, which begins anew");
}

} // namespace
} // namespace rattleback::boundary_test
