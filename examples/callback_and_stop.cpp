// A callback at every recorded node, which ends the run when it has seen enough: when a ball on a slope of sines comes
// to the first crest. What was computed until then is kept.
#include <rattleback/rattleback.hpp>

#include <cstdio>

int main() {
    using namespace rattleback;
    const Model model = read_model(R"toml(
coordinates = ["x"]
[mechanics]
lagrangian = "(1 + cos(x)^2)*x'^2/2 - sin(x)"
[observables]
height = "sin(x)"
[initial]
q = [0]
v = [1.6]
)toml",
                                   "slope.toml");
    RunOptions options{.method = "gauss:stages=3", .step = 0.001, .until = 100};
    double highest = -1;
    options.at_node = [&](const NodeView& node) {
        if (node["observables"][0] < highest) return false; // downhill: stop
        highest = node["observables"][0];
        return true;
    };
    const Run run = integrate(model, options);
    std::printf("stopped at t = %g (%s), highest %.6f after %zu nodes\n", run.summary().t_end,
                run.report().what.c_str(), highest, run.t.size());
    return run.report().status == Report::stopped && highest > 0.99999 ? 0 : 1;
}
