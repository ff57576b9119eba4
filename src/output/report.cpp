#include "output/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "expr/shown.hpp"
#include "output/json.hpp"
#include "output/pictures.hpp"
#include "output/usual_view.hpp"

namespace rattleback {
namespace {

// With those of pictures.cpp they keep a page below 5 MB: a number takes 5.4 bytes in it.
constexpr std::size_t most_pairs = 1500; // of a series: two points for each pixel of a wide screen
constexpr std::size_t most_columns = 40; // of a run, in plots
constexpr std::size_t series_numbers = 215'000, path_numbers = 150'000; // of all runs
constexpr std::size_t most_listed = 8;                                  // of the numbers of a start

Json series_of(const ReportRun& run, std::size_t runs) {
    std::vector<const std::vector<double>*> columns;
    for (const ReportColumn& c : run.columns)
        if (columns.size() < most_columns) columns.push_back(&c.values);
    const std::size_t pairs = series_numbers / 2 / runs / (columns.size() + 2); // times are doubles
    const MinMax few = decimate(run.t, columns, std::clamp<std::size_t>(pairs, 100, most_pairs));
    std::vector<Json> list;
    for (std::size_t i = 0; i < columns.size(); ++i)
        list.push_back(Json()
                           .add("name", run.columns[i].name)
                           .add("group", run.columns[i].group)
                           .add("data", singles(few.values[i])));
    return Json().add("t", doubles(few.t)).add("columns", list);
}

// "Plots show q: 16 of 32, v: 0 of 32." Empty where they show all columns.
std::string shown_of(const ReportRun& run) {
    if (run.columns.size() <= most_columns) return "";
    std::vector<std::string> groups;
    std::map<std::string, std::pair<std::size_t, std::size_t>> counts; // shown, all
    for (std::size_t i = 0; i < run.columns.size(); ++i) {
        const std::string& group = run.columns[i].group;
        if (!counts.contains(group)) groups.push_back(group);
        counts[group].first += i < most_columns, ++counts[group].second;
    }
    std::string words;
    for (const std::string& g : groups)
        if (const auto [some, all] = counts[g]; some < all)
            words += (words.empty() ? "" : ", ") + g + ": " + std::to_string(some) + " of " + std::to_string(all);
    return "Plots show the first " + std::to_string(most_columns) + " of " + std::to_string(run.columns.size()) +
           " columns; not all of " + words + ".";
}

// Nodes of phase plots and sections: as many as these can follow, judged by the states in units of how far they vary.
std::size_t nodes_of_path(const ReportRun& run, const std::vector<const ReportColumn*>& columns, std::size_t most) {
    std::map<std::string, double> widest; // of a group
    std::vector<std::pair<const ReportColumn*, double>> scaled;
    for (const ReportColumn* c : columns) {
        if (c->role != ColumnGroup::state || c->values.empty()) continue;
        const auto [low, high] = std::minmax_element(c->values.begin(), c->values.end());
        scaled.emplace_back(c, *high - *low);
        widest[c->group] = std::max(widest[c->group], *high - *low);
    }
    for (auto& [c, range] : scaled) range = std::max(range, 1e-3 * widest[c->group]); // else it is noise
    return followed(run.t.size(), most, 2e-3, [&](std::size_t node) {
        std::vector<double> x;
        for (const auto& [c, range] : scaled) x.push_back(range > 0 ? c->values[node] / range : 0);
        return x;
    });
}

Json path_of(const ReportRun& run, std::size_t runs) {
    std::vector<const ReportColumn*> columns;
    for (const ReportColumn& c : run.columns)
        if (columns.size() < most_columns && (c.role == ColumnGroup::state || c.role == ColumnGroup::observable))
            columns.push_back(&c);
    const std::size_t most = std::max<std::size_t>(2, path_numbers / runs / (columns.size() + 1));
    const auto places = strided(nodes_of_path(run, columns, most), most);
    std::vector<Json> list;
    list.reserve(columns.size());
    for (const ReportColumn* c : columns)
        list.push_back(
            Json().add("name", c->name).add("group", c->group).add("data", singles(picked(c->values, places))));
    return Json()
        .add("t", doubles(picked(run.t, places)))
        .add("columns", list)
        .add("stride", static_cast<long long>(places.size() < 2 ? 1 : places[1] - places[0]));
}

std::string html(std::string_view text) {
    std::string s;
    for (char c : shown(text)) {
        if (c == '<')
            s += "&lt;";
        else if (c == '>')
            s += "&gt;";
        else if (c == '&')
            s += "&amp;";
        else if (c == '"')
            s += "&quot;";
        else
            s += c;
    }
    return s;
}

} // namespace

MinMax decimate(const std::vector<double>& t, const std::vector<const std::vector<double>*>& columns,
                std::size_t pairs) {
    MinMax result;
    result.values.resize(columns.size());
    const std::size_t n = t.size();
    if (n <= 2 * pairs) {
        result.t = t;
        for (std::size_t c = 0; c < columns.size(); ++c) result.values[c] = *columns[c];
        return result;
    }
    for (std::size_t b = 0; b < pairs; ++b) {
        const std::size_t from = b * n / pairs, to = (b + 1) * n / pairs;
        result.t.push_back(t[from]), result.t.push_back(t[to - 1]);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::vector<double>& x = *columns[c];
            std::size_t low = from, high = from;
            for (std::size_t k = from; k < to; ++k) {
                if (x[k] < x[low]) low = k;
                if (x[k] > x[high]) high = k;
            }
            result.values[c].push_back(x[std::min(low, high)]);
            result.values[c].push_back(x[std::max(low, high)]);
        }
    }
    return result;
}

void add_columns(const Record& record, ReportRun& run) {
    run.t = record["t"];
    const auto is_measured = [](const ColumnGroup& g) {
        return g.role == ColumnGroup::invariant || g.role == ColumnGroup::residual;
    };
    const auto add = [&](const ColumnGroup& g, const Table& table) {
        for (std::size_t i = 0; i < g.columns.size(); ++i) {
            ReportColumn c{g.columns[i], g.name, g.role, table.column(i)};
            const double first = g.role == ColumnGroup::invariant && !c.values.empty() ? c.values[0] : 0;
            for (double& x : c.values) x -= first;
            if (g.role == ColumnGroup::residual &&
                std::all_of(c.values.begin(), c.values.end(), [](double x) { return x == 0; }))
                continue; // without constraints there is nothing to see
            if (is_measured(g) && g.shape.empty()) c.name += g.role == ColumnGroup::residual ? " residual" : " error";
            run.columns.push_back(std::move(c));
        }
    };
    const std::vector<ColumnGroup>& groups = record.layout().groups;
    for (const bool measured : {true, false})
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (is_measured(groups[i]) == measured && groups[i].role != ColumnGroup::time)
                add(groups[i], record.table(i));
}

namespace {

// Why something is not conserved, and how well its balance is kept.
void add_balance(const Json& balance, const std::string& name, ReportRun& run) {
    run.summary.emplace_back(name + " is not conserved", balance["why"].string());
    if (const auto error = balance["error_max"].number_if_any())
        run.summary.emplace_back("largest error of its balance", real::to_text(*error));
}

void add_energy(const Json& summary, ReportRun& run) {
    const auto fact = [&](const char* words, const char* name) {
        run.summary.emplace_back(words, real::to_text(summary[name].number_if_any().value_or(NAN)));
    };
    if (!summary.has("balance") || !summary["balance"].has("energy")) {
        fact("largest energy error", "energy_error_max"), fact("energy drift per time", "energy_drift_per_time");
        return;
    }
    fact("largest change of energy", "energy_error_max");
    add_balance(summary["balance"]["energy"], "energy", run);
    for (ReportColumn& c : run.columns)
        if (c.group == "energy") c.name = "energy", c.group = "change of energy";
}

} // namespace

void add_facts(const std::string& json, const Origin& origin, ReportRun& run) {
    const auto fact = [&](const std::string& name, const std::string& words) { run.summary.emplace_back(name, words); };
    fact("status", run.status), fact("version", origin.version), fact("step", real::to_text(origin.step));
    if (!json.empty()) {
        const Json summary = Json::read(json), momenta = summary["momentum_error_max"];
        const auto number = [&](const char* words, const char* name, bool always = true) {
            const double x = summary[name].number_if_any().value_or(NAN);
            if (always || x != 0) fact(words, real::to_text(x));
        };
        number("steps", "steps"), number("t_end", "t_end"), number("energy at the start", "energy_initial");
        add_energy(summary, run);
        number("largest velocity constraint residual", "constraint_max", false);
        number("largest holonomic residual", "holonomic_max", false);
        for (const std::string& m : momenta.keys()) {
            const bool section = summary.has("momentum_equation_max") && summary["momentum_equation_max"].has(m);
            const bool changes = summary.has("balance") && summary["balance"].has(m);
            fact((section   ? "largest residual of the momentum equation of "
                  : changes ? "largest change of momentum "
                            : "largest error of momentum ") +
                     m,
                 real::to_text(momenta[m].number_if_any().value_or(NAN)));
            if (changes) add_balance(summary["balance"][m], "momentum " + m, run);
            for (ReportColumn& c : run.columns)
                if (changes && c.group == "momenta" && c.name == m) c.group = "changes of momenta";
        }
        number("Newton iterations a step", "newton_iterations_mean"), number("seconds", "seconds_run");
    }
    for (const auto& [name, value] : origin.parameters) fact("parameter " + name, real::to_text(value));
    const auto& [q, v, p, z, lambda, centre] = origin.start;
    for (const auto& [name, values] : {std::pair("q", &q), std::pair("v", &v), std::pair("p", &p), std::pair("z", &z),
                                       std::pair("lambda", &lambda), std::pair("centre", &centre)}) {
        std::string list;
        for (std::size_t i = 0; i < values->size() && i < most_listed; ++i)
            list += (i ? ", " : "") + real::to_text((*values)[i]);
        if (!list.empty()) fact(std::string("start, ") + name, list + (values->size() > most_listed ? ", ..." : ""));
    }
}

ReportRun report_run(const Run& run) {
    ReportRun r;
    r.method = run.summary().method;
    r.status = run.report().ok() ? "finished" : run.report().text();
    add_columns(run.record, r);
    add_facts(summary_json(run), run.origin, r);
    return r;
}

std::string report_json(const ReportPage& page) {
    Json j;
    j.add("kind", page.kind).add("title", page.title).add("note", page.note).add("command", page.command);
    j.add("version", RATTLEBACK_VERSION);
    const std::size_t runs = std::max<std::size_t>(1, page.runs.size());
    std::optional<Pictures> pictures;
    if (page.model) {
        const Model& m = *page.model;
        j.add("model",
              Json().add("name", m.name).add("reference", m.reference).add("file", m.file).add("text", m.text));
        const bool has_view = m.view && m.view->dimension;
        const std::optional<Model> drawn = has_view || page.runs.empty() ? std::nullopt : with_usual_view(m);
        if ((has_view || drawn) && !page.runs.empty()) {
            pictures.emplace(drawn ? *drawn : m, runs);
            j.add("view", pictures->view());
        }
        if (drawn) j.add("view_text", usual_view(m));
    }
    double until = INFINITY; // of the pictures of all runs
    for (const ReportRun& run : page.runs)
        if (pictures && !run.t.empty()) {
            const std::size_t nodes = pictures->nodes(run);
            if (nodes < run.t.size()) until = std::min(until, std::abs(run.t[nodes - 1] - run.t[0]));
        }
    std::vector<Json> list;
    for (const ReportRun& run : page.runs) {
        Json facts, one;
        for (const auto& [name, value] : run.summary) facts.add(name, value);
        one.add("method", run.method).add("file", run.file).add("status", run.status);
        one.add("nodes", static_cast<long long>(run.t.size())).add("summary", facts);
        if (const std::string some = shown_of(run); !some.empty()) one.add("shown", some);
        one.add("series", series_of(run, runs)).add("path", path_of(run, runs));
        if (pictures) one.add("pictures", pictures->of(run, until));
        list.push_back(one);
    }
    j.add("runs", list);
    std::vector<Json> tables, work;
    for (const ReportTable& t : page.tables) {
        std::vector<Json> rows;
        for (const auto& row : t.rows) rows.push_back(Json().add("cells", row));
        tables.push_back(Json().add("title", t.title).add("head", t.head).add("rows", rows));
    }
    for (const WorkPrecision& w : page.work)
        work.push_back(Json().add("method", w.method).add("cost", w.cost).add("error", w.error));
    return j.add("tables", tables).add("work", work).text();
}

// Inside a script element only "</" and "<!" mean anything: no "<" is left, so nothing in the data can end it.
std::string report_html(const ReportPage& page, std::string_view script, std::string_view style) {
    std::string data;
    for (char c : report_json(page)) data += c == '<' ? std::string("\\u003c") : std::string(1, c);
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n";
    text += "<title>" + html(page.title) + "</title>\n<style>\n";
    text.append(style);
    text += "</style>\n</head>\n<body>\n<noscript>This page draws with JavaScript; the numbers are in its "
            "source.</noscript>\n"
            "<main id=\"page\"></main>\n<script type=\"application/json\" id=\"data\">";
    text += data + "</script>\n<script>\n";
    text.append(script);
    return text + "</script>\n</body>\n</html>\n";
}

} // namespace rattleback
