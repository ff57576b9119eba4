// The report page: --report of other verbs, and report for results that were stored.
#include "page.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "expr/shown.hpp"
#include "model/copy.hpp"
#include "output/hdf5.hpp"
#include "output/output_file.hpp"
#include "output/sidecar.hpp"
#include "run/columns.hpp"

namespace app {
namespace {

using namespace rattleback;

std::string command;
bool command_has_line_breaks = false;

// As one would type it: quoted where a shell would need it.
std::string typed(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    if (!is_printable(word)) { // as bash reads it
        std::string escaped;
        for (char c : word) escaped += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        return "$'" + shown(escaped) + "'";
    }
    std::string quoted = "'";
    for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void require_readable(const std::string& file) {
    if (std::filesystem::is_directory(file)) throw BadCommand("cannot read " + file + ": " + std::strerror(EISDIR));
    if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
        throw BadCommand(file + " is no result: it is not a regular file");
    if (!std::ifstream(file)) throw BadCommand("cannot read " + file + ": " + std::strerror(errno));
}

// A result of another model has none of its coordinates.
void require_of_model(const std::string& file, const ReportRun& run, const Model& model) {
    const std::vector<std::string> names =
        expanded_names(model.kind == Model::general ? model.z : shown_positions(model));
    for (const ReportColumn& c : run.columns)
        if (std::find(names.begin(), names.end(), c.name) != names.end()) return;
    throw BadCommand(file + " is no result of " + model.file + ": it has no column '" + names[0] + "'");
}

int report_verb(const std::string& file, const Common& common) {
    if (common.output.empty()) throw BadCommand("report needs -o page.html");
    const auto ends = [&](const std::string& e) {
        return file.size() > e.size() && file.substr(file.size() - e.size()) == e;
    };
    if (!ends(".csv") && !ends(".h5")) throw BadCommand(file + ": report takes results of run: FILE.csv or FILE.h5");
    require_readable(file);
    check_report(common.output);
    common.files().reads(file);
    ReportPage page = page_of("report", std::filesystem::path(file).filename().string());
    std::optional<Model> model;
    if (!common.model.empty()) model = common.load();
    if (ends(".h5")) {
        const StoredRun stored = read_hdf5(file);
        if (!stored.finished) {
            const Table& t = stored.record["t"];
            std::fprintf(stderr, "rattleback: warning: %s was not finished: it has the %zu rows up to t = %.6g\n",
                         file.c_str(), t.rows(), t.back());
        }
        page.runs.push_back(report_run(stored));
        if (!model && !stored.origin.model_text.empty()) model = model_of(stored.origin, common.parameters());
    } else {
        page.runs.push_back(read_csv(file));
        page.runs[0].method = file;
        const Sidecar beside = read_sidecar(file);
        if (beside.found) {
            page.runs[0].method = beside.origin.method;
            add_facts(beside.summary, beside.origin, page.runs[0]);
            if (!model && !beside.origin.model_text.empty()) model = model_of(beside.origin, common.parameters());
        } else if (!model) {
            warn(beside.why_not + "\n  the page has the columns alone; --model MODEL draws the motion, too");
        }
    }
    page.note = page.runs[0].note;
    if (!page.note.empty()) warn(page.note);
    page.runs[0].file = file;
    if (model) {
        require_of_model(file, page.runs[0], *model);
        page.model = &*model;
        page.title = model->name.empty() ? page.title : model->name;
    }
    write_report(common.output, page);
    std::printf("written  %s: page\n", common.output.c_str());
    return done;
}

} // namespace

void remember_command(int argc, char** argv) {
    command = "rattleback";
    for (int i = 1; i < argc; ++i) {
        command += " " + typed(argv[i]);
        command_has_line_breaks = command_has_line_breaks || std::strchr(argv[i], '\n');
    }
}

Option report_option(std::string& file) {
    return {"--report", &file, "write a page with plots, animation and numbers: page.html"};
}

void check_report(const std::string& file) {
    if (file.empty()) return;
    const bool named_html = file.ends_with(".html") || file.ends_with(".htm");
    if (!named_html && !file.starts_with("/dev/")) // /dev/stdout will do
        throw BadCommand(file + ": a page is an HTML file; name it page.html");
    if (page_script().empty())
        throw BadCommand(file + ": this program was built without the report page; install nodejs and npm, "
                                "and build it again");
}

void write_report(const std::string& file, const ReportPage& page) {
    OutputFile(file).write_whole(report_html(page, page_script(), page_style()));
}

const std::string& command_line() { return command; }
bool line_breaks_typed() { return command_has_line_breaks; }

ReportPage page_of(const std::string& kind, const std::string& title) {
    ReportPage page;
    page.kind = kind, page.title = title, page.command = command;
    return page;
}

Verb make_report() {
    auto common = std::make_shared<Common>();
    auto file = std::make_shared<std::string>();
    return {"report",
            "a page with plots and animation from a stored result",
            {{"file", file.get(), "a result of run: FILE.csv or FILE.h5", true},
             {"-o,--output", &common->output, "where the page goes: page.html"},
             {"--model", &common->model, "the model it came from, to draw it: a file, or a name of the gallery"},
             {"--set", &common->set, "name=value: give a parameter of the model another value"}},
            [common, file] { return report_verb(*file, *common); }};
}

} // namespace app
