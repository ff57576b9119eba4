// `solve`: optimal control and boundary values.
#include "common.hpp"
#include "page.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "expr/constant.hpp"
#include "model/copy.hpp"
#include "orbit.hpp"
#include "output/hdf5.hpp"
#include "output/json.hpp"
#include "signals.hpp"
#include "wavefront.hpp"

namespace app {
namespace {

using namespace rattleback;

constexpr int most_shown = 8; // paths of a page

struct SolveCommand {
    Common common;
    std::optional<double> accuracy;
    std::optional<long long> starts;
    std::string along; // of --continue
    std::string solver;
    long long seed = 1;
    WavefrontCommand wavefront;
};

// What --json says of the best path, or of none.
std::string verdict_of(const Solution& s) {
    if (s.orbit) return s.orbit->is_stable ? "stable" : "unstable";
    if (!s.extremals.empty()) return std::string(to_text(s.best().verdict));
    return s.status == Solution::Status::infeasible ? "infeasible" : "failed";
}

std::string status_of(const Solution& s) {
    switch (s.status) {
    case Solution::Status::solved: return "finished";
    case Solution::Status::interrupted: return "interrupted";
    default: return s.what;
    }
}

// Of a control problem: H as a function of the inputs.
void add_inputs(const Extremal& e, Json& to) {
    if (!e.inputs) return;
    const auto condition = [](double smallest, double time, const std::optional<double>& lost) {
        Json j;
        j.add("smallest", smallest).add("time", time);
        if (lost) j.add("lost", *lost);
        return j;
    };
    const InputOptimality& of = *e.inputs;
    if (of.has_squares) to.add("legendre", condition(of.smallest, of.time, of.lost));
    if (of.kelley) {
        Json j = condition(of.kelley->smallest, of.kelley->time, of.kelley->lost);
        to.add("kelley", j.add("commute", of.kelley->commute ? "yes" : "no"));
    }
    if (e.inputs->lower)
        to.add("lower_H", Json()
                              .add("time", *e.inputs->lower)
                              .add("by", e.inputs->lower_by) // null: without end
                              .add("u", e.inputs->inputs));
}

std::string json_of(const Model& model, const Solution& s) {
    Json j;
    j.add("model", model.name)
        .add("method", s.method)
        .add("solver", s.solver)
        .add("steps", s.steps)
        .add("status", status_of(s));
    j.add("verdict", verdict_of(s));
    if (!s.extremals.empty()) {
        const Extremal& best = s.best();
        j.add("cost", best.cost).add("cost_error", s.cost_error).add("time", best.time);
        j.add("q", best.q).add("q0", best.q0).add("p0", best.p0).add("p_end", best.p);
        if (!s.u_first.empty()) j.add("u_first", s.u_first).add("u_last", s.u_last);
        if (!best.parameters.empty()) j.add("parameters", best.parameters);
        if (!s.orbit) j.add("conjugate", best.conjugate);
        j.add("residual", best.residual);
        add_inputs(best, j);
        if (best.last_set) j.add("last_set", *best.last_set);
    } else if (s.residual > 0) { // of the nearest path, where that is known
        j.add("residual", s.residual);
    }
    if (s.orbit) {
        add_orbit(s, j);
        j.add("starts", s.starts).add("iterations", s.iterations);
        return j.add("seconds_setup", s.seconds_setup).add("seconds_run", s.seconds_run).text();
    }
    std::vector<Json> all;
    for (const Extremal& e : s.extremals) {
        Json one;
        one.add("cost", e.cost).add("verdict", std::string(to_text(e.verdict))).add("time", e.time);
        one.add("p0", e.p0).add("conjugate", e.conjugate).add("starts", e.hits);
        add_inputs(e, one);
        all.push_back(std::move(one));
    }
    j.add("extremals", std::move(all)).add("starts", s.starts).add("iterations", s.iterations);
    j.add("seconds_setup", s.seconds_setup).add("seconds_run", s.seconds_run);
    return j.text();
}

std::vector<std::string> listed(const std::vector<std::string>& names, const std::vector<double>& values) {
    std::vector<std::string> items;
    constexpr std::size_t most = 9; // a rotation matrix
    for (std::size_t i = 0; i < values.size() && i <= most; ++i)
        items.push_back(i == most ? "..." : names[i] + " = " + short_number(values[i]));
    return items;
}

std::string in_a_line(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : "  ") + item;
    return text;
}

// Rows that fit 80 columns, the first with a title.
void add_items(std::vector<std::vector<std::string>>& rows, std::string title, const std::string& prefix,
               const std::vector<std::string>& items) {
    constexpr std::size_t width = 70; // what titles leave of 80 columns
    std::string line = prefix;
    for (const std::string& item : items) {
        if (line.size() > prefix.size() && line.size() + 2 + item.size() > width) {
            rows.push_back({std::exchange(title, ""), line});
            line = std::string(prefix.size(), ' ');
        }
        line += (line.size() > prefix.size() ? "  " : "") + item;
    }
    rows.push_back({title, line});
}

std::string without_kelley(const KelleyCondition& k) {
    if (!k.commute)
        return "stationary, not a minimum: {H_u, H_w} of two inputs without a square does not vanish at t = " +
               short_number(*k.lost) + " (Goh)";
    return "stationary, not a minimum: {H_u, {H_u, H}} is not positive at t = " + short_number(*k.lost) + ", it is " +
           short_number(k.smallest) + " at t = " + short_number(k.time) + " (Kelley)";
}

std::string in_words(const Extremal& e, const Solution& of) {
    if (e.verdict == Extremal::Verdict::stationary && of.solver == "ipopt")
        return "stationary: second derivatives do not show a minimum";
    switch (e.verdict) {
    case Extremal::Verdict::minimum: return "a local minimum: no path nearby costs less";
    case Extremal::Verdict::conjugate:
        return "not a minimum: " +
               (e.conjugate.size() == 1 ? "a conjugate point"
                                        : std::to_string(e.conjugate.size()) + " conjugate points") +
               " at t = " + short_number(e.conjugate[0]);
    case Extremal::Verdict::stationary:
        if (e.inputs && e.inputs->kelley && e.inputs->kelley->lost) return without_kelley(*e.inputs->kelley);
        if (!e.is_judged) return "stationary: second derivatives were not found along the path";
        if (e.inputs && e.inputs->lost)
            return "stationary, not a minimum: H_uu is not positive at t = " + short_number(*e.inputs->lost) +
                   ", its smallest eigenvalue is " + short_number(e.inputs->smallest) +
                   " at t = " + short_number(e.inputs->time);
        if (e.inputs && e.inputs->lower && !std::isfinite(e.inputs->lower_by))
            return "stationary, not a minimum: H falls without end as an input grows, at t = " +
                   short_number(*e.inputs->lower);
        if (e.inputs && e.inputs->lower)
            return "stationary, no minimum but for inputs nearby: at t = " + short_number(*e.inputs->lower) +
                   " others make H lower by " + short_number(e.inputs->lower_by);
        return "stationary, not a minimum: another end nearby costs less";
    case Extremal::Verdict::abnormal: return "abnormal: the costates are not determined by the path";
    }
    return "";
}

void print_solution(const Model& model, const Solution& s, std::FILE* to) {
    if (s.orbit) return print_orbit(model, s, to);
    const Extremal& best = s.best();
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"model", name_of(model)});
    const std::string by = s.solver == "newton" ? "" : s.solver == "ipopt" ? " by Ipopt" : " by " + s.solver;
    rows.push_back(
        {"method", s.method + by + ", " + std::to_string(s.steps) + " steps, time " + short_number(best.time)});
    if (!s.note.empty()) rows.push_back({"note", s.note});
    rows.push_back(
        {model.control ? "cost" : "action", state_number(best.cost) + ", error about " + short_number(s.cost_error)});
    rows.push_back({"verdict", in_words(best, s)});
    if (best.last_set)
        rows.push_back(
            {"singular", "the path lies on the last set of the chain, of dimension " + std::to_string(*best.last_set)});
    const std::vector<std::string> q = expanded_names(shown_positions(model)), p = expanded_names(model.p);
    add_items(rows, "start", "", listed(p, best.p0));
    add_items(rows, "end", "", listed(q, best.q));
    for (std::size_t i = 0; i < best.parameters.size(); ++i)
        rows.push_back({"chosen", model.control->chosen[i] + " = " + real::to_text(best.parameters[i])});
    std::vector<std::string> names;
    if (model.control) names = expanded_names(model.control->inputs);
    if (!s.u_first.empty()) add_items(rows, "inputs", "first ", listed(names, s.u_first));
    if (!s.u_last.empty()) add_items(rows, "", "last  ", listed(names, s.u_last));
    for (std::size_t i = 1; i < s.extremals.size() && i < 6; ++i)
        rows.push_back(
            {i == 1 ? "others" : "", short_number(s.extremals[i].cost) + ", " + in_words(s.extremals[i], s)});
    if (s.extremals.size() > 6) rows.push_back({"", std::to_string(s.extremals.size() - 6) + " more"});
    rows.push_back({"search", std::to_string(s.starts) + (s.starts == 1 ? " start, " : " starts, ") +
                                  std::to_string(s.iterations) + " iterations, residual " +
                                  short_number(best.residual)});
    rows.push_back({"time", short_number(s.seconds_setup) + " s set-up, " + short_number(s.seconds_run) + " s search"});
    std::fputs(aligned(rows).c_str(), to);
}

// H along the path, which a page shows of other runs as an error.
ReportRun shown_path(const Run& run, const Extremal& extremal, const Model& model, std::size_t number) {
    ReportRun shown = report_run(run);
    if (model.control) {
        const Table& energy = run.energy();
        ReportColumn H{"H", "H", ColumnGroup::Role::observable, {}};
        for (std::size_t k = 0; k < energy.rows(); ++k) H.values.push_back(energy[k]);
        shown.columns.push_back(std::move(H));
    }
    shown.method = std::to_string(number) + ": " + (model.control ? "cost " : "action ") + short_number(extremal.cost) +
                   ", " + std::string(to_text(extremal.verdict));
    return shown;
}

// The best path, those that cost more, and a table of all.
void write_page(const Common& common, const Model& model, const Solution& solution) {
    ReportPage page = page_of("solve", (model.name.empty() ? model.file : model.name) + ": " + solution.method);
    page.model = &model;
    page.runs.push_back(shown_path(solution.run, solution.best(), model, 1));
    for (std::size_t i = 0; i < solution.others.size(); ++i)
        page.runs.push_back(shown_path(solution.others[i], solution.extremals[i + 1], model, i + 2));
    if (!solution.orbit) {
        ReportTable table{
            "Extremals", {"", model.control ? "cost" : "action", "verdict", "time", "starts", "first p"}, {}};
        const std::vector<std::string> p = expanded_names(model.p);
        for (const Extremal& e : solution.extremals)
            table.rows.push_back({std::to_string(table.rows.size() + 1), real::to_text(e.cost), in_words(e, solution),
                                  short_number(e.time), std::to_string(e.hits), in_a_line(listed(p, e.p0))});
        page.tables.push_back(std::move(table));
    }
    write_report(common.report, page);
}

// "name=value" of --continue, or "convex".
std::pair<std::string, double> continuation(const std::string& text) {
    if (text == "convex") return {text, 0};
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw BadCommand("--continue " + text +
                         ": write --continue name=value, of a parameter or time, or --continue convex");
    try {
        return {text.substr(0, equals), static_cast<double>(constant_value(text.substr(equals + 1)))};
    } catch (const Error& e) { throw BadCommand("--continue " + text + ": " + e.what()); }
}

int solve_verb(const SolveCommand& command) {
    const Common& common = command.common;
    Files files = common.files();
    const std::string& file = common.output;
    if (common.json && file == "-") throw BadCommand("--json and -o - both want standard output");
    if (!file.empty() && file != "-" && !file.ends_with(".h5") && !file.ends_with(".csv"))
        throw BadCommand("-o " + file + ": results are written as .csv or .h5, or to standard output with '-'");
    const WavefrontCommand& front = command.wavefront;
    if (front.asked || front.spheres) {
        if (command.accuracy || command.starts || !command.solver.empty())
            throw BadCommand("--accuracy, --starts and --solver belong to paths between two ends, not to --wavefront");
        return wavefront_verb(common, front);
    }
    if (front.directions || !front.fan.empty() || !front.angles.empty() || !common.at.empty())
        throw BadCommand("--at, --directions, --fan and --angles belong to --wavefront");
    const Model model = common.load();
    files.reads_method(model.run.method);
    check_report(common.report);
    SolveOptions options;
    options.method = common.method, options.steps = common.steps, options.accuracy = command.accuracy;
    const long long starts = command.starts.value_or(1);
    if (starts < 1 || starts > 100'000) throw BadCommand("--starts must be from 1 to 100000");
    if (command.starts) options.starts = static_cast<int>(starts);
    if (!command.along.empty()) {
        if (!command.solver.empty()) throw BadCommand("--continue leads paths by Newton's method: leave out --solver");
        options.along = continuation(command.along);
    }
    options.solver = command.solver, options.seed = static_cast<unsigned long long>(command.seed);
    options.command = command_line(), options.interrupt = interrupt_flag();
    if (!common.report.empty()) options.others = most_shown - 1;
    Progress progress(common.quiet);
    if (progress) options.progress = [&](long long done, long long total) { progress.show(done, total); };
    const Interruptible running;
    const Solution solution = find_path(model, options);
    progress.erase();
    if (!solution.extremals.empty()) {
        write_path(common, solution.run);
        if (!common.report.empty()) write_page(common, model, solution);
    }
    if (common.json)
        std::printf("%s\n", json_of(model, solution).c_str());
    else if (!common.quiet && !solution.extremals.empty())
        print_solution(model, solution, file == "-" ? stderr : stdout);
    if (!solution.extremals.empty()) say_written(common, file, "path"), say_written(common, common.report, "page");
    if (solution.status == Solution::Status::solved) return done;
    complain(solution.what + (solution.remedy.empty() ? "" : "\n  " + solution.remedy));
    return solution.status == Solution::Status::interrupted ? interrupted : failed;
}

} // namespace

void write_path(const Common& common, const Run& run) {
    const std::string& file = common.output;
    if (file.empty()) return;
    if (!file.ends_with(".h5")) return write_csv(run, file, common.column_list());
    Hdf5Writer writer(file, run, common.sync);
    const std::vector<Record::Column> columns = run.record.columns();
    Row row{run.summary().end.layout, std::vector<double>(columns.size())};
    for (std::size_t k = 0; k < run.t.rows(); ++k) {
        for (std::size_t i = 0; i < columns.size(); ++i) row.values[i] = columns[i][k];
        writer.add({static_cast<long long>(k), run.t[k], row});
    }
    writer.finish(run);
}

Verb make_solve() {
    auto command = std::make_shared<SolveCommand>();
    Common& c = command->common;
    WavefrontCommand& w = command->wavefront;
    return {"solve", "find the cheapest path between the ends that [boundary] gives",
            model_options(
                c, false,
                {{"-m,--method", &c.method, "id:option=value:...; left out: one that suits the problem"},
                 {"--steps", &c.steps, "number of steps; left out: as many as the accuracy asks for"},
                 {"--accuracy", &command->accuracy, "of the cost: steps are halved until it is known that well"},
                 {"--solver", &command->solver,
                  "newton, shooting, multiple_shooting or ipopt; left out: newton, with bounds ipopt"},
                 {"--starts", &command->starts, "paths from which the search begins (60, with Ipopt 8)"},
                 {"--continue", &command->along,
                  "name=value: begin with this value of a parameter or of time, and follow the path to the model's; "
                  "convex: begin with the linearised problem"},
                 {"--seed", &command->seed, "of the random bends of these paths (1)"},
                 {"-o,--output", &c.output, "write the path: FILE.csv, FILE.h5, or - for CSV on standard output"},
                 {"--columns", &c.columns, "columns of the output, separated by commas"},
                 report_option(c.report),
                 {"--wavefront", &w.asked, "no path, but all geodesics from the start: where they are, at speed 1"},
                 {"--spheres", &w.spheres, "the same, without points that a shorter way leads to"},
                 {"--at", &c.at, "times of wavefronts, separated by commas (the time of [boundary], else 1)"},
                 {"--directions", &w.directions, "in which geodesics begin (48; of a surface 180)"},
                 {"--fan", &w.fan,
                  "p_z=from:to:count: a momentum that speed 1 does not bound; left out: as far as spheres need"},
                 {"--angles", &w.angles, "coordinates that are counted modulo 2 pi, separated by commas"}}),
            [command] { return solve_verb(*command); }};
}

} // namespace app
