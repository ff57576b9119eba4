// papers: every figure and checkable claim of the papers the methods come from, computed again.
#include "common.hpp"
#include "page.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <thread>

#include "evidence/papers.hpp"
#include "expr/nearest.hpp"
#include "output/json.hpp"

namespace app {
namespace {

using namespace rattleback;

struct Arguments {
    std::string which, report;
    bool json = false, quiet = false, list = false;
    std::optional<long long> threads; // empty: as many as there are cores
};

// A seed, or a line: 003, 003-fig-3, fig-3 where only one paper has it.
std::vector<const papers::Line*> chosen(const std::vector<papers::Paper>& all, const std::string& which) {
    std::vector<const papers::Line*> lines;
    std::vector<std::string> names;
    for (const papers::Paper& paper : all) {
        names.push_back(paper.seed);
        for (const papers::Line& line : paper.lines) {
            names.push_back(line.id);
            if (which.empty() || paper.seed == which || line.id == which || line.id == paper.seed + "-" + which)
                lines.push_back(&line);
        }
    }
    if (lines.empty()) {
        const std::string near = nearest(which, names);
        throw BadCommand("no paper and no figure '" + which + "'; " +
                         (near.empty() ? "'rattleback papers --list' lists them" : "did you mean '" + near + "'?"));
    }
    return lines;
}

// Lines are taken in turn by whichever thread is free; each is computed by itself, so their number changes no result.
std::vector<papers::Result> evaluate_all(const std::vector<const papers::Line*>& lines, std::size_t threads,
                                         Progress& progress) {
    std::vector<papers::Result> results(lines.size());
    std::atomic<std::size_t> next = 0;
    std::atomic<long long> ready = 0;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < lines.size();) {
            results[i] = papers::evaluate(*lines[i]);
            progress.show(++ready, static_cast<long long>(lines.size()));
        }
    };
    std::vector<std::future<void>> workers;
    for (std::size_t k = 0; k < std::min(threads, lines.size()); ++k)
        workers.push_back(std::async(std::launch::async, work));
    for (std::future<void>& w : workers) w.get();
    return results;
}

Json as_json(const papers::Line& line, const papers::Result& result) {
    std::vector<Json> checks;
    for (std::size_t i = 0; i < line.checks.size(); ++i) {
        const papers::Check& c = line.checks[i];
        checks.push_back(Json()
                             .add("model", c.model)
                             .add("method", c.method)
                             .add("against", c.against)
                             .add("take", c.take)
                             .add("value", result.values[i])
                             .add("at_least", c.lo)
                             .add("at_most", c.hi));
    }
    return Json()
        .add("id", line.id)
        .add("what", line.what)
        .add("verdict", papers::verdict(line))
        .add("errata", line.errata)
        .add("data", line.data)
        .add("as_expected", result.as_expected ? "yes" : "no")
        .add("checks", checks);
}

void print_line(const papers::Line& line, const papers::Result& result) {
    std::string numbers;
    for (std::size_t i = 0; i < result.values.size() && i < 4; ++i)
        numbers += (numbers.empty() ? "  [" : ", ") + short_number(result.values[i]);
    if (!numbers.empty()) numbers += result.values.size() > 4 ? ", ...]" : "]";
    const auto padded = [](std::string text) {
        text.resize(std::max<std::size_t>(22, text.size()), ' ');
        return text + " ";
    };
    print_text(padded(line.id) + line.what + ": " + (result.as_expected ? papers::verdict(line) : "NOT AS EXPECTED: ") +
                   result.trouble + numbers,
               4);
    if (!line.data.empty()) print_text("    data: " + line.data, 4);
}

// One table a paper, and the runs behind its figures: what each check runs, once.
void write_papers_page(const std::string& file, const std::vector<papers::Paper>& all,
                       const std::vector<const papers::Line*>& lines, const std::vector<papers::Result>& results) {
    ReportPage page;
    page.kind = "papers", page.title = "Figures and claims of the papers, computed again";
    page.command = "rattleback papers --report " + file;
    for (const papers::Paper& paper : all) {
        ReportTable table{paper.seed + "  " + paper.title, {"", "figure or claim", "result", "numbers", "data"}, {}};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i]->seed != paper.seed) continue;
            std::string numbers;
            for (double v : results[i].values) numbers += (numbers.empty() ? "" : ", ") + short_number(v);
            const bool good = results[i].as_expected;
            table.rows.push_back({good ? "pass" : "fail", lines[i]->what,
                                  good ? papers::verdict(*lines[i]) : results[i].trouble, numbers, lines[i]->data});
        }
        if (!table.rows.empty()) page.tables.push_back(std::move(table));
    }
    for (const papers::Line* line : lines) {
        if (line->id.find("fig") == std::string::npos || line->checks.empty() || page.runs.size() >= 8) continue;
        const papers::Check& check = line->checks[0];
        RunOptions options = check.run;
        options.method = check.method;
        page.runs.push_back(report_run(integrate(papers::model_of(check), options)));
        page.runs.back().method = line->id + " " + check.method;
    }
    write_report(file, page);
}

int papers_verb(const Arguments& a) {
    const std::vector<papers::Paper> all = papers::all_papers();
    const std::vector<const papers::Line*> lines = chosen(all, a.which);
    if (a.list) {
        std::vector<std::vector<std::string>> rows;
        for (const papers::Line* line : lines) rows.push_back({line->id, line->what});
        std::fputs(aligned(rows).c_str(), stdout);
        return done;
    }
    if (a.threads && *a.threads < 1)
        throw BadCommand("--threads " + std::to_string(*a.threads) + ": a whole number from 1 on is needed");
    const auto threads =
        static_cast<std::size_t>(a.threads.value_or(std::max(1u, std::thread::hardware_concurrency())));
    check_report(a.report);
    Files().writes("--report", a.report);
    const auto start = std::chrono::steady_clock::now();
    Progress progress(a.quiet, "lines of the papers");
    const std::vector<papers::Result> results = evaluate_all(lines, threads, progress);
    progress.erase();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    int wrong = 0;
    std::vector<Json> list;
    std::string seed;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        wrong += !results[i].as_expected;
        list.push_back(as_json(*lines[i], results[i]));
        if (a.json || a.quiet) continue;
        if (lines[i]->seed != seed) {
            seed = lines[i]->seed;
            for (const papers::Paper& p : all)
                if (p.seed == seed) std::fputs(i ? "\n" : "", stdout), print_text(p.seed + "  " + p.title, 5);
        }
        print_line(*lines[i], results[i]);
    }
    if (!a.report.empty()) write_papers_page(a.report, all, lines, results);
    if (!a.report.empty() && !a.json && !a.quiet) std::printf("\nwritten  %s: page\n", a.report.c_str());
    if (a.json)
        std::printf("%s\n", Json().add("lines", list).add("unexpected", wrong).add("seconds", seconds).text().c_str());
    else if (!a.quiet)
        std::printf("\n%zu %s, %d not as expected, %s s\n", lines.size(), lines.size() == 1 ? "line" : "lines", wrong,
                    short_number(seconds).c_str());
    if (wrong)
        std::fprintf(stderr, "rattleback: %d of %zu lines of the papers are not as expected\n", wrong, lines.size());
    return wrong ? failed : done;
}

} // namespace

Verb make_papers() {
    auto a = std::make_shared<Arguments>();
    return {"papers",
            "the figures and claims of the papers, computed again",
            {{"which", &a->which, "a paper (000 .. 004), or a figure or claim of it (003-fig-3)"},
             {"--list", &a->list, "list them, compute nothing"},
             {"--json", &a->json, "print one JSON object and nothing else"},
             {"--quiet", &a->quiet, "print only errors"},
             report_option(a->report),
             {"--threads", &a->threads, "how many threads may be used"}},
            [a] { return papers_verb(*a); }};
}

} // namespace app
