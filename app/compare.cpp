#include "common.hpp"
#include "page.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "evidence/studies.hpp"
#include "expr/shown.hpp"
#include "output/json.hpp"
#include "run/grid.hpp"

namespace app {
namespace {

using namespace rattleback;

double residual_of(const Summary& s) { return std::max(s.constraint_max.value_or(0), s.holonomic_max.value_or(0)); }

double momentum_of(const Summary& s) {
    double worst = 0;
    for (const auto& [name, e] : s.momentum_error_max) worst = std::max(worst, e);
    return worst;
}

double micro_of(const Summary& s) { return s.steps ? 1e6 * s.seconds_run / static_cast<double>(s.steps) : 0; }

std::vector<std::vector<std::string>> table_of(const Comparison& all, const Model& model) {
    std::vector<std::vector<std::string>> rows{{"method", "error at end", "constraint", "energy error", "energy drift",
                                                "momentum error", "Newton/step", "us/step", "s/time", "status"}};
    for (const ComparedMethod& m : all.methods) {
        const Summary& s = m.run.summary();
        rows.push_back({s.method, m.error ? short_number(*m.error) : "-",
                        model.constrained() ? short_number(residual_of(s)) : "-", short_number(s.energy_error_max),
                        short_number(s.energy_drift_per_time),
                        s.momentum_error_max.empty() ? "-" : short_number(momentum_of(s)),
                        short_number(s.newton_iterations_mean), short_number(micro_of(s)),
                        short_number(m.seconds_per_time), m.run.report().ok() ? "finished" : m.run.report().what});
    }
    return rows;
}

std::vector<std::vector<std::string>> work_of(const Comparison& all) {
    std::vector<std::vector<std::string>> rows{{"method", "step", "s/time", "error at end"}};
    for (const ComparedMethod& m : all.methods)
        for (std::size_t i = 0; i < m.work_cost.size(); ++i)
            rows.push_back({m.run.summary().method, short_number(m.work_steps[i]), short_number(m.work_cost[i]),
                            short_number(m.work_error[i])});
    return rows;
}

Json as_json(const ComparedMethod& m, const Model& model) {
    const Summary& s = m.run.summary();
    Json j;
    j.add("method", s.method).add("steps", s.steps).add("energy_error_max", s.energy_error_max);
    j.add("energy_drift_per_time", s.energy_drift_per_time);
    if (m.error) j.add("error_end", *m.error);
    if (model.constrained()) j.add("constraint_max", residual_of(s));
    j.add("momentum_error_max", momentum_of(s)).add("newton_iterations_mean", s.newton_iterations_mean);
    j.add("microseconds_per_step", micro_of(s)).add("seconds_per_time", m.seconds_per_time);
    j.add("work_precision",
          Json().add("steps", m.work_steps).add("seconds_per_time", m.work_cost).add("errors", m.work_error));
    return j.add("status", m.run.report().ok() ? "finished" : m.run.report().text());
}

std::string reference_in_words(const Comparison& all) {
    if (!all.reference) return "no reference solution could be had";
    return "reference: " + all.reference_method + ", converged to " + short_number(all.reference_error);
}

ReportPage page_of_comparison(const Comparison& all, const Model& model) {
    ReportPage page = page_of("compare", model.name + ": " + std::to_string(all.methods.size()) + " methods compared");
    page.model = &model, page.note = all.recommendation;
    for (const auto& [title, rows] :
         {std::pair("Methods", table_of(all, model)), std::pair("Work and precision", work_of(all))})
        page.tables.push_back({title, rows[0], {rows.begin() + 1, rows.end()}});
    for (const ComparedMethod& m : all.methods) {
        page.runs.push_back(report_run(m.run));
        page.work.push_back({m.run.summary().method, m.work_cost, m.work_error});
    }
    return page;
}

int compare_verb(const Common& common) {
    if (!common.principles.empty()) return compare_principles_verb(common);
    Files files = common.files();
    const Model model = common.load();
    files.reads_method(model.run.method);
    if (common.method.empty()) throw BadCommand("compare needs methods: -m midpoint,gauss:stages=2,rk4");
    check_report(common.report);
    RunOptions options = common.run_options();
    const Grid grid = make_grid(model, options);
    // A page draws some of the nodes; a table needs none.
    options.every = common.report.empty() ? std::max(1LL, grid.steps) : std::max(1LL, grid.steps / 20000);
    const Comparison all = compare(model, parse_methods(common.method), options);
    const bool ok = std::all_of(all.methods.begin(), all.methods.end(),
                                [](const ComparedMethod& m) { return m.run.report().ok(); });
    if (!common.report.empty()) write_report(common.report, page_of_comparison(all, model));
    if (common.json) {
        std::vector<Json> list;
        for (const ComparedMethod& m : all.methods) list.push_back(as_json(m, model));
        Json j;
        j.add("model", model.name).add("step", grid.h).add("steps", grid.steps).add("methods", list);
        j.add("reference", all.reference_method).add("reference_error", all.reference_error);
        std::printf("%s\n", j.add("recommendation", all.recommendation).text().c_str());
    } else if (!common.quiet) {
        std::printf("%s: %lld steps of %s; %s\n", model.name.c_str(), grid.steps, real::to_text(grid.h).c_str(),
                    shown(reference_in_words(all)).c_str());
        std::printf("%s\n%s\n%s\n", aligned(table_of(all, model)).c_str(), aligned(work_of(all)).c_str(),
                    shown(all.recommendation).c_str());
    }
    for (const ComparedMethod& m : all.methods)
        if (!m.run.report().ok()) complain(m.run.summary().method + ": " + m.run.report().text());
    return ok ? done : failed;
}

} // namespace

Verb make_compare() {
    auto common = std::make_shared<Common>();
    return {"compare", "several methods side by side: errors, invariants, cost",
            model_options(*common, true,
                          {{"--principles", &common->principles,
                            "nonholonomic,variational: the same model under both, where and why they differ"},
                           report_option(common->report)}),
            [common] { return compare_verb(*common); }};
}

} // namespace app
