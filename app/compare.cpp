#include "common.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace app {
namespace {

using namespace rattleback;

// Largest difference in (q, v) or z at the end.
double difference(const Summary& x, const Summary& y) {
    double d = 0;
    const auto add = [&](const std::vector<double>& a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
    };
    add(x.q, y.q), add(x.v, y.v), add(x.z, y.z);
    return d;
}

int compare_verb(const Common& common) {
    if (!common.principles.empty()) return compare_principles_verb(common);
    const Model model = common.load();
    if (common.method.empty()) throw BadCommand("compare needs methods: -m midpoint,gauss:stages=2,rk4");
    std::vector<Run> runs;
    RunOptions options = common.run_options();
    watch_interrupts();
    options.interrupt = interrupt_flag();
    const Grid grid = make_grid(model, options);
    options.every = std::max(1LL, grid.steps); // only the summary is needed
    for (const MethodName& name : parse_methods(common.method)) {
        options.method = name.text;
        runs.push_back(integrate(model, options));
        if (runs.back().report().status == Report::interrupted) return interrupted;
    }
    RunOptions reference_options = options;
    reference_options.method = "dop853:tol=1e-14";
    std::optional<Run> reference;
    try {
        reference = integrate(model, reference_options);
    } catch (const Unsuitable&) { // no reference for this kind of model
    }
    bool all_ok = true;
    std::vector<std::vector<std::string>> rows{{"method", "error at end", "constraint", "energy error", "energy drift",
                                                "momentum error", "Newton/step", "us/step", "status"}};
    std::vector<Json> list;
    for (const Run& run : runs) {
        const Summary& s = run.summary();
        const bool comparable = reference && reference->report().ok() && run.report().ok();
        double momentum = 0;
        for (const auto& [name, e] : s.momentum_error_max) momentum = std::max(momentum, e);
        const double micro = s.steps ? 1e6 * s.seconds_run / static_cast<double>(s.steps) : 0;
        all_ok &= run.report().ok();
        const double residual = std::max(s.constraint_max.value_or(0), s.holonomic_max.value_or(0));
        rows.push_back({s.method, comparable ? short_number(difference(s, reference->summary())) : "-",
                        model.constrained() ? short_number(residual) : "-", short_number(s.energy_error_max),
                        short_number(s.energy_drift_per_time),
                        s.momentum_error_max.empty() ? "-" : short_number(momentum),
                        short_number(s.newton_iterations_mean), short_number(micro),
                        run.report().ok() ? "finished" : run.report().what});
        Json j;
        j.add("method", s.method)
            .add("steps", s.steps)
            .add("energy_error_max", s.energy_error_max)
            .add("energy_drift_per_time", s.energy_drift_per_time);
        if (comparable) j.add("error_end", difference(s, reference->summary()));
        if (model.constrained()) j.add("constraint_max", residual);
        j.add("momentum_error_max", momentum)
            .add("newton_iterations_mean", s.newton_iterations_mean)
            .add("microseconds_per_step", micro);
        list.push_back(j.add("status", run.report().ok() ? "finished" : run.report().text()));
    }
    if (common.json) {
        std::printf("%s\n", Json()
                                .add("model", model.name)
                                .add("step", grid.h)
                                .add("steps", grid.steps)
                                .add("methods", list)
                                .text()
                                .c_str());
    } else {
        std::printf("%s: %lld steps of %s\n", model.name.c_str(), grid.steps, real::to_text(grid.h).c_str());
        std::fputs(aligned(rows).c_str(), stdout);
    }
    for (const Run& run : runs)
        if (!run.report().ok())
            std::fprintf(stderr, "rattleback: %s: %s\n", run.summary().method.c_str(), run.report().text().c_str());
    return all_ok ? done : failed;
}

} // namespace

void add_compare(CLI::App& program, int& exit_code) {
    auto common = std::make_shared<Common>();
    CLI::App* verb = program.add_subcommand("compare", "several methods side by side: errors, invariants, cost");
    add_model_options(*verb, *common, true);
    verb->add_option("--principles", common->principles,
                     "nonholonomic,variational: the same model under both, where and why they differ");
    verb->callback([common, &exit_code] { exit_code = compare_verb(*common); });
}

} // namespace app
