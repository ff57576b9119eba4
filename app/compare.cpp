#include "common.hpp"
#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "evidence/studies.hpp"
#include "expr/shown.hpp"
#include "output/json.hpp"
#include "run/accuracy.hpp"
#include "run/grid.hpp"

namespace app {
namespace {

using namespace rattleback;

constexpr std::size_t most_by_default = 5; // methods

double residual_of(const Summary& s) { return std::max(s.constraint_max.value_or(0), s.holonomic_max.value_or(0)); }

// The largest error of momenta that the motion conserves; empty: there is none.
std::optional<double> momentum_of(const Summary& s, const Comparison& all) {
    std::optional<double> worst;
    for (const auto& [name, e] : s.momentum_error_max)
        if (std::count(all.momenta_conserved.begin(), all.momenta_conserved.end(), name))
            worst = std::max(worst.value_or(0), e);
    return worst;
}

double micro_of(const ComparedMethod& m) { return 1e6 * m.seconds_per_time * std::abs(m.run.summary().step); }

std::string short_or_none(std::optional<double> x) { return x ? short_number(*x) : "-"; }

std::string error_title(const Comparison& all) {
    return all.resolved() ? "error at end" : "error at t = " + short_number(all.holds_until);
}

std::vector<std::vector<std::string>> table_of(const Comparison& all, const Model& model) {
    std::vector<std::vector<std::string>> rows{
        {"method", error_title(all), "constraint", all.energy_conserved ? "energy error" : "energy balance",
         "energy drift", "momentum error", "Newton/step", "us/step", "s/time", "start s", "status"}};
    for (const ComparedMethod& m : all.methods) {
        const Summary& s = m.run.summary();
        const Balance* balance = s.balance("energy"); // in place of an error, where the motion conserves none
        rows.push_back({s.method, short_or_none(m.error), model.constrained() ? short_number(residual_of(s)) : "-",
                        short_or_none(balance ? balance->error : s.energy_error_max),
                        balance ? "-" : short_number(s.energy_drift_per_time), short_or_none(momentum_of(s, all)),
                        short_number(s.newton_iterations_mean), short_number(micro_of(m)),
                        short_number(m.seconds_per_time), short_number(m.seconds_start),
                        m.run.report().ok() ? "finished" : m.run.report().what});
    }
    return rows;
}

std::vector<std::vector<std::string>> work_of(const Comparison& all) {
    std::vector<std::vector<std::string>> rows{
        {"method", "step", "s/time",
         all.ranked_until == all.t_end ? "error at end" : "error at t = " + short_number(all.ranked_until)}};
    for (const ComparedMethod& m : all.methods)
        for (std::size_t i = 0; i < m.work_cost.size(); ++i)
            rows.push_back({m.run.summary().method, short_number(m.work_steps[i]), short_number(m.work_cost[i]),
                            short_number(m.work_error[i])});
    return rows;
}

Json as_json(const ComparedMethod& m, const Comparison& all, const Model& model) {
    const Summary& s = m.run.summary();
    Json j;
    j.add("method", s.method).add("steps", s.steps);
    if (all.energy_conserved)
        j.add("energy_error_max", s.energy_error_max).add("energy_drift_per_time", s.energy_drift_per_time);
    if (const Balance* b = s.balance("energy"); b && b->error) j.add("energy_balance_max", *b->error);
    if (m.error) j.add("error", *m.error);
    if (m.error && all.resolved()) j.add("error_end", *m.error);
    if (model.constrained()) j.add("constraint_max", residual_of(s));
    if (const auto error = momentum_of(s, all)) j.add("momentum_error_max", *error);
    j.add("newton_iterations_mean", s.newton_iterations_mean)
        .add("microseconds_per_step", micro_of(m))
        .add("seconds_per_time", m.seconds_per_time)
        .add("seconds_start", m.seconds_start);
    j.add("work_precision",
          Json().add("steps", m.work_steps).add("seconds_per_time", m.work_cost).add("errors", m.work_error));
    return j.add("status", m.run.report().ok() ? "finished" : m.run.report().text());
}

std::string reference_in_words(const Comparison& all) {
    if (all.reference_method.empty()) return "no reference solution could be had";
    const std::string words =
        "reference: " + all.reference_method + ", converged to " + short_number(all.reference_error);
    if (all.resolved()) return words;
    return words + " up to t = " + short_number(all.holds_until) +
           "; beyond, the motion is chaotic or not resolved, and errors say nothing";
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

// What run --accuracy takes; empty where nothing fits, or where a model is so large that the search takes long.
std::string accurate_method(const Model& model, const Common& common) {
    constexpr int large = 60;
    if (model.q.count() + model.z.count() > large) return {};
    const Grid grid = make_grid(model, common.run_options());
    RunOptions options;
    options.until = static_cast<double>(model.t0) + grid.h * static_cast<double>(grid.steps), options.accuracy = 1e-9;
    options.project = common.project;
    try {
        return grid.steps > 0 ? method_for_accuracy(model, options) : "";
    } catch (const BadRun&) { return {}; } // the comparison says why
}

// Those of the command, or some that fit: the file's first.
std::string methods_to_compare(Model& model, const Common& common) {
    if (!common.method.empty()) return common.method;
    std::vector<std::string> all = default_methods(model, common);
    if (!model.run.method.empty() && !std::count(all.begin(), all.end(), model.run.method))
        all.insert(all.begin(), model.run.method);
    all.resize(std::min(all.size(), most_by_default));
    if (model.run.method.empty()) model.run.method = all[0];
    choose_defaults(model, common);
    const std::string accurate = accurate_method(model, common);
    if (!accurate.empty() && !std::count(all.begin(), all.end(), accurate)) all.push_back(accurate);
    std::string list, words; // with blanks, where lines may end
    for (const std::string& each : all)
        list += (list.empty() ? "" : ",") + each, words += (words.empty() ? "" : ", ") + each;
    if (!common.quiet) note("no methods are given: " + words + " are compared; -m gives others");
    return list;
}

int compare_verb(const Common& common) {
    if (!common.principles.empty()) return compare_principles_verb(common);
    Files files = common.files();
    Model model = common.load();
    files.reads_method(model.run.method);
    const std::string methods = methods_to_compare(model, common);
    choose_defaults(model, common);
    check_report(common.report);
    RunOptions options = common.run_options();
    const Grid grid = make_grid(model, options);
    // A page draws some of the nodes; a table needs none.
    options.every = common.report.empty() ? std::max(1LL, grid.steps) : std::max(1LL, grid.steps / 20000);
    Progress progress(common.quiet, "comparing " + methods);
    progress.tell(options.progress);
    const Comparison all = compare(model, parse_methods(methods), options);
    progress.erase();
    const bool ok = std::all_of(all.methods.begin(), all.methods.end(),
                                [](const ComparedMethod& m) { return m.run.report().ok(); });
    if (!common.report.empty()) write_report(common.report, page_of_comparison(all, model));
    if (common.json) {
        std::vector<Json> list;
        for (const ComparedMethod& m : all.methods) list.push_back(as_json(m, all, model));
        Json j;
        j.add("model", model.name).add("step", grid.h).add("steps", grid.steps).add("methods", list);
        j.add("reference", all.reference_method).add("reference_error", all.reference_error);
        j.add("reference_until", all.holds_until).add("ranked_until", all.ranked_until);
        j.add("short_runs", all.short_runs).add("long_runs", all.long_runs);
        std::vector<Json> out;
        for (const auto& [method, why] : all.left_out) out.push_back(Json().add("method", method).add("why", why));
        if (!out.empty()) j.add("left_out", out);
        std::printf("%s\n", j.add("recommendation", all.recommendation).text().c_str());
    } else if (!common.quiet) {
        print_text(name_of(model) + ": " + std::to_string(grid.steps) + " steps of " + state_number(grid.h) + "; " +
                   shown(reference_in_words(all)));
        std::printf("%s\n%s\n", aligned(table_of(all, model)).c_str(), aligned(work_of(all)).c_str());
        print_text(shown_message(all.recommendation), 2);
        say_written(common, common.report, "page");
    }
    for (const auto& [method, why] : all.left_out) warn(method + " is left out: " + why);
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
