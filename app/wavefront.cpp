#include "wavefront.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "boundary/wavefront.hpp"
#include "expr/constant.hpp"
#include "output/json.hpp"
#include "output_times.hpp"
#include "page.hpp"
#include "signals.hpp"

namespace app {
namespace {

using namespace rattleback;
using boundary::CostateRange;
using boundary::Geodesic;
using boundary::Wavefront;

double number_in(const std::string& text, const std::string& option) {
    try {
        return static_cast<double>(constant_value(text));
    } catch (const std::exception& e) { throw BadCommand(option + ": " + e.what()); }
}

// p_z=-8:8:25
CostateRange range_in(const std::string& text) {
    const std::string option = "--fan " + text;
    const std::size_t equals = text.find('='), first = text.find(':', equals), second = text.find(':', first + 1);
    if (equals == std::string::npos || first == std::string::npos || second == std::string::npos)
        throw BadCommand(option + ": write name=from:to:count, like p_z=-8:8:25");
    const double count = number_in(text.substr(second + 1), option);
    if (!(count >= 1 && count <= 1e6 && count == std::floor(count)))
        throw BadCommand(option + ": the count must be a whole number from 1 to 1000000");
    return {text.substr(0, equals), number_in(text.substr(equals + 1, first - equals - 1), option),
            number_in(text.substr(first + 1, second - first - 1), option), static_cast<int>(count)};
}

boundary::WavefrontOptions options_of(const Common& common, const WavefrontCommand& command) {
    boundary::WavefrontOptions o;
    o.method = common.method, o.steps = common.steps, o.directions = command.directions;
    if (!common.at.empty())
        for (const std::string& time : split_list(common.at)) o.times.push_back(number_in(time, "--at " + common.at));
    if (command.directions && (*command.directions < 2 || *command.directions > 100'000))
        throw BadCommand("--directions must be from 2 to 100000");
    for (const std::string& range : command.fan) o.fan.push_back(range_in(range));
    if (!command.angles.empty()) o.angles = split_list(command.angles);
    o.from_initial = !common.q.empty();
    o.interrupt = interrupt_flag();
    return o;
}

// A row for each geodesic at each time, as the writers of runs take it.
Run rows_of(const Model& model, const Wavefront& front, bool spheres) {
    std::vector<std::string> q = expanded_names(model.q), p = expanded_names(model.p), p0;
    for (const std::string& name : q) p0.push_back("p0_" + name);
    auto layout = std::make_shared<Layout>();
    layout->add({"t", ColumnGroup::time, {"t"}});
    for (const auto& [group, names] : {std::pair("q", &q), std::pair("p", &p), std::pair("p0", &p0)})
        layout->add({group, ColumnGroup::state, *names, {names->size()}});
    layout->add({"observables", ColumnGroup::observable, {"geodesic", "conjugate", "cut", "sphere"}, {4}});
    Run run(layout);
    Summary& s = run.summary_;
    s.end.layout = layout, s.model = model.name, s.method = front.method, s.t_end = front.times.back();
    s.steps = front.steps, s.step = front.times.back() / static_cast<double>(front.steps);
    run.origin.model = model.name, run.origin.reference = model.reference, run.origin.model_file = model.file;
    run.origin.model_text = model.text, run.origin.method = front.method, run.origin.command = command_line();
    run.origin.version = RATTLEBACK_VERSION, run.origin.step = s.step, run.origin.start.q = front.start;
    for (const Parameter& parameter : model.parameters)
        run.origin.parameters.emplace_back(parameter.name, static_cast<double>(parameter.value));
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < front.times.size(); ++k)
        for (std::size_t i = 0; i < front.geodesics.size(); ++i) {
            const Geodesic& g = front.geodesics[i];
            const bool shortest = g.is_shortest(front.times[k]);
            if (spheres && !shortest) continue;
            std::vector<double> row{front.times[k]};
            for (const auto* part : {&g.q[k], &g.p[k], &g.p0}) row.insert(row.end(), part->begin(), part->end());
            for (double x :
                 {static_cast<double>(i + 1), g.conjugate.value_or(none), g.cut.value_or(none), shortest ? 1.0 : 0.0})
                row.push_back(x);
            run.record.append(row);
            s.end.values = row;
        }
    return run;
}

std::string json_of(const Model& model, const Wavefront& front, bool spheres) {
    Json j;
    j.add("model", model.name).add("method", front.method).add("steps", front.steps);
    j.add("status", front.status == Wavefront::Status::finished ? "finished" : "interrupted");
    j.add("start", front.start).add("rank", front.rank).add("times", front.times).add("error", front.error);
    std::vector<Json> fan, points;
    for (const CostateRange& r : front.fan)
        fan.push_back(Json().add("name", r.name).add("from", r.from).add("to", r.to).add("count", r.count));
    const auto or_null = [](const std::optional<double>& x) { return Json(x.value_or(NAN)); };
    for (std::size_t i = 0; i < front.geodesics.size(); ++i) {
        const Geodesic& g = front.geodesics[i];
        if (spheres && !g.is_shortest(front.times[0])) continue;
        std::vector<Json> q, p, sphere;
        for (std::size_t k = 0; k < front.times.size(); ++k) {
            q.emplace_back(g.q[k]), p.emplace_back(g.p[k]);
            sphere.emplace_back(g.is_shortest(front.times[k]) ? 1 : 0);
        }
        Json one;
        one.add("p0", g.p0).add("q", std::move(q)).add("p", std::move(p)).add("sphere", std::move(sphere));
        one.add("conjugate", or_null(g.conjugate)).add("cut", or_null(g.cut));
        if (g.conjugate) one.add("q_conjugate", g.q_conjugate);
        if (g.cut) one.add("q_cut", g.q_cut).add("p0_other", g.p0_other);
        points.push_back(std::move(one));
    }
    j.add("fan", std::move(fan)).add("geodesics", std::move(points)).add("lost", front.lost);
    return j.add("seconds_setup", front.seconds_setup).add("seconds_run", front.seconds_run).text();
}

std::string first_of(const Wavefront& front, std::optional<double> Geodesic::*what, const std::string& none) {
    std::size_t count = 0;
    double first = std::numeric_limits<double>::infinity(), last = 0;
    for (const Geodesic& g : front.geodesics)
        if (const auto& time = g.*what) ++count, first = std::min(first, *time), last = std::max(last, *time);
    if (count == 0) return none;
    return std::to_string(count) + " of " + std::to_string(front.geodesics.size()) +
           " geodesics, at t = " + short_number(first) + (count > 1 ? " to " + short_number(last) : "");
}

std::string fan_of(const Wavefront& front) {
    std::size_t directions = front.geodesics.size() + static_cast<std::size_t>(front.lost);
    std::string ranges;
    for (const CostateRange& r : front.fan) {
        directions /= static_cast<std::size_t>(r.count);
        ranges += ", " + r.name + " from " + short_number(r.from) + " to " + short_number(r.to) + " in " +
                  std::to_string(r.count);
    }
    return std::to_string(directions) + " directions" + ranges;
}

std::vector<std::vector<std::string>> facts_of(const Model& model, const Wavefront& front) {
    const std::size_t n = front.start.size();
    const std::vector<std::string> names = expanded_names(model.q);
    std::string start;
    for (std::size_t i = 0; i < n && i < 8; ++i) start += "  " + names[i] + " = " + short_number(front.start[i]);
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"metric", static_cast<std::size_t>(front.rank) == n
                                  ? "Riemannian, of dimension " + std::to_string(n)
                                  : "sub-Riemannian: " + std::to_string(front.rank) + " of " + std::to_string(n) +
                                        " directions are allowed at the start"});
    rows.push_back({"start", start.substr(2)});
    rows.push_back({"method", front.method + ", " + std::to_string(front.steps) + " steps, places off by about " +
                                  short_number(front.error)});
    rows.push_back({"fan", fan_of(front)});
    if (front.lost > 0)
        rows.push_back({"lost", std::to_string(front.lost) + " geodesics could not be followed to the last time"});
    for (std::size_t k = 0; k < front.times.size(); ++k) {
        const auto shortest = std::count_if(front.geodesics.begin(), front.geodesics.end(),
                                            [&](const Geodesic& g) { return g.is_shortest(front.times[k]); });
        rows.push_back({"t = " + short_number(front.times[k]), std::to_string(front.geodesics.size()) +
                                                                   " points, of which " + std::to_string(shortest) +
                                                                   " are on the sphere of this radius"});
    }
    rows.push_back({"conjugate", first_of(front, &Geodesic::conjugate, "none up to the last time")});
    rows.push_back({"cut", first_of(front, &Geodesic::cut, "none up to the last time: all are shortest")});
    return rows;
}

// A cloud of the page: places in the order of the fan.
ReportRun cloud(const Model& model, const std::string& name, const std::vector<const std::vector<double>*>& places) {
    ReportRun run;
    run.method = name;
    const std::vector<std::string> names = expanded_names(model.q);
    for (const std::string& q : names) run.columns.push_back({q, "q", ColumnGroup::state, {}});
    for (std::size_t i = 0; i < places.size(); ++i) {
        run.t.push_back(static_cast<double>(i));
        for (std::size_t k = 0; k < names.size(); ++k) run.columns[k].values.push_back((*places[i])[k]);
    }
    return run;
}

void write_page(const Common& common, const Model& model, const Wavefront& front) {
    ReportPage page = page_of("wavefront", (model.name.empty() ? model.file : model.name) + ": wavefront");
    page.model = &model;
    for (std::size_t k = 0; k < front.times.size(); ++k)
        for (const bool shortest : {true, false}) {
            std::vector<const std::vector<double>*> places;
            for (const Geodesic& g : front.geodesics)
                if (g.is_shortest(front.times[k]) == shortest) places.push_back(&g.q[k]);
            const std::string at = "t = " + short_number(front.times[k]);
            if (!places.empty())
                page.runs.push_back(
                    cloud(model, shortest ? "sphere, " + at : "wavefront beyond its cut, " + at, places));
        }
    for (const auto& [name, what] :
         {std::pair("cut points", &Geodesic::q_cut), std::pair("conjugate points", &Geodesic::q_conjugate)}) {
        std::vector<const std::vector<double>*> places;
        for (const Geodesic& g : front.geodesics)
            if (!(g.*what).empty()) places.push_back(&(g.*what));
        if (!places.empty()) page.runs.push_back(cloud(model, name, places));
    }
    ReportTable table{"What was found", {"", ""}, {}};
    for (const auto& row : facts_of(model, front)) table.rows.push_back(row);
    page.tables.push_back(std::move(table));
    write_report(common.report, page);
}

} // namespace

int wavefront_verb(const Common& common, const WavefrontCommand& command) {
    const Model model = common.load();
    boundary::WavefrontOptions options = options_of(common, command);
    check_report(common.report);
    Progress progress(common.quiet);
    if (progress) options.progress = [&](long long done, long long total) { progress.show(done, total); };
    const Interruptible running;
    const Wavefront front = boundary::wavefront_of(model, options);
    progress.erase();
    if (front.geodesics.empty()) {
        complain(front.status == Wavefront::Status::interrupted
                     ? "interrupted before a geodesic was followed"
                     : "no geodesic could be followed to the last time: try a shorter time, or more steps");
        return front.status == Wavefront::Status::interrupted ? interrupted : failed;
    }
    write_path(common, rows_of(model, front, command.spheres));
    if (!common.report.empty()) write_page(common, model, front);
    if (common.json)
        std::printf("%s\n", json_of(model, front, command.spheres).c_str());
    else if (!common.quiet) {
        std::vector<std::vector<std::string>> rows = facts_of(model, front);
        rows.insert(rows.begin(), {"model", name_of(model)});
        rows.push_back({"time", short_number(front.seconds_setup) + " s set-up, " + short_number(front.seconds_run) +
                                    " s geodesics"});
        std::fputs(aligned(rows).c_str(), common.output == "-" ? stderr : stdout);
    }
    say_written(common, common.output, "wavefront"), say_written(common, common.report, "page");
    if (front.status == Wavefront::Status::finished) return done;
    complain("interrupted: cut points of all geodesics are not known");
    return interrupted;
}

} // namespace app
