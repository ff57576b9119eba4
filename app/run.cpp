#include "common.hpp"
#include "output_times.hpp"
#include "page.hpp"
#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "output/hdf5.hpp"
#include "output/sidecar.hpp"
#include "run/accuracy.hpp"
#include "run/grid.hpp"
#include "run/memory.hpp"
#include "signals.hpp"

namespace app {
namespace {

using namespace rattleback;

std::string count_of(long long n, const std::string& thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string list_of(const std::vector<std::string>& names, const std::vector<double>& values) {
    std::string s;
    for (std::size_t i = 0; i < values.size() && i < 8; ++i)
        s += (i ? "  " : "") + names[i] + " = " + state_number(values[i]);
    return values.size() > 8 ? s + "  ..." : s;
}

// ", 2.1e-4 of it", beside an error; nothing where there is nothing to compare with.
std::string part_of(double error, double size, const char* of) {
    const bool tells = error > 0 && size > 0 && error < size;
    return tells ? " (" + short_number(error / size) + " of " + of + ")" : "";
}

// What is not conserved has no error: it is compared with what forces, constraints and the time gave.
// long_steps: of high order, for a given accuracy.
std::string balance_in_words(const Balance& b, double change, bool long_steps) {
    std::string words = "not conserved: " + b.why + "; changes by up to " + short_number(change);
    if (!b.error) return words;
    if (!(*b.error < change) && change > 0 && long_steps) return words + "; nodes are too far apart to balance that";
    if (!(*b.error < change) && change > 0)
        return words + ", which forces and the time do not account for (" + short_number(*b.error) +
               " is missing): the steps are too large to follow this motion";
    words += ", balance kept to " + short_number(*b.error) + part_of(*b.error, change, "that");
    if (b.quadrature > *b.error / 2) words += ", which the nodes tell to " + short_number(b.quadrature);
    return words;
}

std::string energy_in_words(const Summary& s) {
    const std::string first = state_number(s.energy_initial);
    if (const Balance* b = s.balance("energy"))
        return first + " at first, " + balance_in_words(*b, s.energy_error_max, s.accuracy && s.accuracy->reached());
    return first + ", largest error " + short_number(s.energy_error_max) +
           part_of(s.energy_error_max, s.energy_size, "its size") + ", drift " + short_number(s.energy_drift_per_time) +
           " per time";
}

std::string momentum_in_words(const Summary& s, std::size_t i) {
    const auto& [name, error] = s.momentum_error_max[i];
    if (const Balance* b = s.balance(name))
        return name + ", " + balance_in_words(*b, error, s.accuracy && s.accuracy->reached());
    const bool horizontal = std::find(s.horizontal.begin(), s.horizontal.end(), name) != s.horizontal.end();
    return name + (horizontal ? " (horizontal) " : " ") + short_number(s.momentum_initial.at(i)) + ", largest error " +
           short_number(error) + part_of(error, std::abs(s.momentum_initial[i]), "it");
}

std::string accuracy_in_words(const Accuracy& a, double t_end) {
    std::string words = short_number(a.asked) + " asked, " + short_number(a.estimated) + " estimated: the largest ";
    words += "difference of runs with this step and half of it, and " + short_number(a.rounding) + " by rounding";
    if (a.until != t_end)
        words += " up to t = " + short_number(a.until) + ", extrapolated as growing like t^" + short_number(a.growth);
    return words + ", components relative to their largest values";
}

void print_summary(const Run& run, const Model& model, std::FILE* to) {
    const Summary& s = run.summary();
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"model", name_of(model)});
    rows.push_back({"method", s.method + ", step " + state_number(s.step) + ", " + std::to_string(s.steps) +
                                  (s.steps == 1 ? " step to t = " : " steps to t = ") + state_number(s.t_end)});
    if (!s.note.empty()) rows.push_back({"note", s.note});
    for (const ColumnGroup& g : run.record.layout().groups) {
        const bool shown = g.role == ColumnGroup::state || g.role == ColumnGroup::multiplier;
        if (shown && !g.columns.empty() && g.name != "p") rows.push_back({g.name, list_of(g.columns, s.end[g.name])});
    }
    rows.push_back({"energy", energy_in_words(s)});
    if (!model.velocity.empty())
        rows.push_back({"constraint", "on velocities, largest residual " + short_number(s.constraint_max.value_or(0))});
    if (!model.phase.empty())
        rows.push_back({"constraint", std::string(model.z.empty() ? "of q and p" : "of z") + ", largest residual " +
                                          short_number(s.constraint_max.value_or(0))});
    if (!model.holonomic.empty())
        rows.push_back({"constraint", "holonomic, largest residual " + short_number(s.holonomic_max.value_or(0))});
    for (std::size_t i = 0; i < s.momentum_error_max.size(); ++i) rows.push_back({"momentum", momentum_in_words(s, i)});
    for (const auto& [name, residual] : s.momentum_equation_max)
        rows.push_back({"momentum", "equation of " + name + ", largest residual " + short_number(residual)});
    if (const auto& r = run.report().regularity)
        rows.push_back({"regularity", "det(D12 S - d alpha_0/d q1) " + short_number(r->start) +
                                          " at the start, smallest " + short_number(r->smallest) +
                                          " at t = " + short_number(r->time)});
    if (s.parasitic)
        rows.push_back({"multiplier", "alternating part " + short_number(s.parasitic->first) + " at first, " +
                                          short_number(s.parasitic->last) + " at the end"});
    if (!s.charts.empty()) {
        const std::string& first = s.charts[0].second;
        rows.push_back({"charts", s.charts.size() == 1
                                      ? "one, with coordinates " + first
                                      : "changed " + std::to_string(s.chart_changes) + " times; first coordinates " +
                                            first + ", then " + s.charts[1].second +
                                            " from t = " + short_number(s.charts[1].first)});
    }
    if (s.accuracy) rows.push_back({"accuracy", accuracy_in_words(*s.accuracy, s.t_end)});
    rows.push_back({"Newton", short_number(s.newton_iterations_mean) + " iterations a step"});
    rows.push_back({"time", short_number(s.seconds_setup) + " s set-up, " + short_number(s.seconds_run) + " s run"});
    std::fputs(aligned(rows).c_str(), to);
}

bool is_hdf5(const std::string& file) { return file.size() > 3 && file.ends_with(".h5"); }
bool is_csv(const std::string& file) { return file.ends_with(".csv"); }

double nodes_of(const Model& model, const RunOptions& options) {
    return static_cast<double>(make_grid(model, options).steps / options.every + 2);
}

// Where the nodes of a run go while it goes on. Files are made when the first nodes are there: a run that does not
// begin leaves older ones as they are.
class Output {
  public:
    explicit Output(const Common& common) : common_(common), hdf5_(is_hdf5(common.output)) {
        const std::string& file = common.output;
        if (common.json && file == "-") throw BadCommand("--json and -o - both want standard output");
        if (!common.columns.empty() && file.empty()) throw BadCommand("--columns needs -o FILE or -o -");
        if (hdf5_ && !common.columns.empty()) throw BadCommand("--columns is for CSV; an HDF5 file has them all");
        if (!file.empty() && file != "-" && !hdf5_ && !is_csv(file))
            throw BadCommand("-o " + file + ": results are written as .csv or .h5, or to standard output with '-'");
    }

    void prepare(const Run& run) {
        prepared_ = &run;
        if (hdf5_) require_hdf5(common_.output);
        if (!hdf5_ && !common_.output.empty())
            csv_ = std::make_unique<CsvWriter>(common_.output, run, common_.column_list(), common_.plain_names);
    }
    void add(const NodeView& node) {
        ++rows_;
        if (hdf5_ && !stored_) stored_ = std::make_unique<Hdf5Writer>(common_.output, *prepared_, common_.sync);
        if (stored_) stored_->add(node);
        if (csv_) csv_->add(node);
    }
    void finish(const Run& run) { // also after a failure: what was computed is kept
        if (stored_) stored_->finish(run);
        if (csv_) csv_->finish();
        if (csv_ && kept() && !common_.plain && std::filesystem::is_regular_file(common_.output))
            write_sidecar(common_.output, run);
    }
    long long rows() const { return rows_; }
    bool kept() const { return rows_ > 0 && !common_.output.empty() && common_.output != "-"; }

  private:
    const Common& common_;
    bool hdf5_;
    const Run* prepared_ = nullptr; // while it goes on
    long long rows_ = 0;
    std::unique_ptr<Hdf5Writer> stored_;
    std::unique_ptr<CsvWriter> csv_;
};

// Method and step for --accuracy, with a note that says so.
Picked pick(const Model& model, const RunOptions& options, bool quiet) {
    const Picked picked = pick_for_accuracy(model, options);
    if (!quiet)
        note("--accuracy " + short_number(*options.accuracy) + ": " + picked.method + " with steps of " +
             short_number(picked.step) + " is taken (" + picked.accuracy.why + ")");
    return picked;
}

// The run, with its nodes written on the way. They are kept in memory for a page alone.
Run integrate_into(Output& output, Plot& plot, const Model& model, const Common& common) {
    RunOptions options = common.run_options();
    std::optional<OutputTimes> at;
    const auto times = [&](double step) { return output_times(common.at, static_cast<double>(model.t0), step); };
    if (!common.at.empty()) {
        if (common.until || common.steps || common.every != 1)
            throw BadCommand(
                "--at says itself where a run ends and what is recorded: leave out --until, --steps and --every");
        at = times(common.step.value_or(model.run.step.value_or(1)));
        options.until = at->until;
        if (!common.accuracy) options.step = at->step;
    }
    options.interrupt = interrupt_flag();
    std::optional<Picked> picked;
    if (common.accuracy) {
        picked = pick(model, options, common.quiet);
        if (at) at = times(picked->step);
        options.step = at ? at->step : picked->step, options.until = picked->until, options.method = picked->method;
    }
    Progress progress(common.quiet);
    if (progress) options.progress = [&](long long done, long long total) { progress.show(done, total); };
    options.keep_record = !common.report.empty();
    std::optional<Interruptible> running; // from the first node on there is something to finish
    options.prepared = [&](const Run& run) {
        if (options.keep_record) require_memory(run.record.layout(), nodes_of(model, options));
        output.prepare(run);
        if (plot) plot.prepare(run.record.layout());
    };
    options.at_node = [&](const NodeView& node) {
        if (!running) running.emplace();
        if (!at || at->has(node.step)) output.add(node);
        if (plot) plot.add(node);
        return true;
    };
    Run run = picked ? integrate_picked(model, options, *picked) : integrate(model, options);
    progress.erase();
    output.finish(run);
    return run;
}

int run_verb(const Common& common) {
    Files files = common.files();
    Output output(common);
    Plot plot(common.plot);
    if (plot && (common.json || common.output == "-")) throw BadCommand("--plot and results both want standard output");
    if (common.model.empty() && common.stored.empty())
        throw BadCommand("run needs a model, or --from FILE.h5 or FILE.csv");
    Model model = common.stored.empty() ? common.load() : continued(common);
    choose_defaults(model, common);
    files.reads_method(model.run.method);
    check_report(common.report);
    const Run run = integrate_into(output, plot, model, common);
    if (run.summary().end.values.empty() && !run.report().ok()) { // it never began: nothing to sum up
        complain(run.report().text());
        return bad_input;
    }
    if (!common.report.empty()) {
        ReportPage page = page_of("run", (model.name.empty() ? model.file : model.name) + ": " + run.summary().method);
        page.model = &model, page.note = run.summary().note;
        page.runs.push_back(report_run(run));
        page.runs[0].file = common.output == "-" ? "" : common.output;
        write_report(common.report, page);
    }
    if (common.json)
        std::printf("%s\n", summary_json(run).c_str());
    else if (!common.quiet)
        print_summary(run, model, common.output == "-" ? stderr : stdout);
    if (output.kept() && run.report().ok()) say_written(common, common.output, count_of(output.rows(), "row"));
    say_written(common, common.report, "page");
    if (plot && !common.quiet) std::printf("\n%s", plot.draw(std::min<std::size_t>(80, width_of(stdout))).c_str());
    if (!common.quiet)
        for (const std::string& warning : run.summary().warnings) warn(warning);
    if (run.report().ok()) return run.summary().accuracy && !run.summary().accuracy->reached() ? failed : done;
    const std::string kept = output.kept() ? "\n  results up to there are in " + common.output : "";
    // A table that refuses what is outside its points is the root of a negative number there.
    const bool outside = run.report().status == Report::not_finite &&
                         run.report().text().find("sqrt(min(") != std::string::npos &&
                         model.text.find("[tables]") != std::string::npos;
    const std::string tables = outside ? "\n  a table has no values outside its points; outside = \"hold\" or "
                                         "\"extrapolate\" in [tables] continues it"
                                       : "";
    complain(run.report().text() + tables + kept);
    return run.report().status == Report::interrupted ? interrupted : failed;
}

} // namespace

Verb make_run() {
    auto common = std::make_shared<Common>();
    std::vector<Option> options = model_options(
        *common, true,
        {{"-o,--output", &common->output, "write the trajectory: FILE.csv, FILE.h5, or - for CSV on standard output"},
         {"--plot", &common->plot, "draw a column against time, or two: theta, or x,y"},
         {"--accuracy", &common->accuracy,
          "1e-9: choose method, stages and step for this error at the end; -m METHOD: its step alone"},
         {"--at", &common->at, "t1,t2,...: record these times alone; the step is shortened so that it meets them"},
         {"--columns", &common->columns, "columns of the output, separated by commas"},
         {"--plain-names", &common->plain_names, "name columns of CSV as programs do: x_dot, x_3"},
         {"--sync", &common->sync, "wait for the disk after every block of FILE.h5"},
         {"--plain", &common->plain, "write no FILE.csv.json, which has the model, beside FILE.csv"},
         {"--from", &common->stored, "continue a stored run: FILE.h5 or FILE.csv"},
         report_option(common->report)});
    options[0].required = false; // a stored run has its model inside
    return {"run", "integrate a model", options, [common] { return run_verb(*common); }};
}

} // namespace app
