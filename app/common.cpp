#include "common.hpp"
#include "model/copy.hpp"
#include "run/initial.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "expr/shown.hpp"

namespace app {
namespace {

// 90deg is short for 90*deg where a value is typed.
std::string with_degrees(const std::string& text) {
    if (!text.ends_with("deg") || text.size() == 3) return text;
    const std::string number = text.substr(0, text.size() - 3);
    return number.find_first_not_of("+-.0123456789eE") == std::string::npos ? number + "*deg" : text;
}

// "name=value" pairs.
std::vector<std::pair<std::string, std::string>> pairs(const std::vector<std::string>& texts, const char* option) {
    std::vector<std::pair<std::string, std::string>> result;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            throw BadCommand(std::string(option) + " " + text + ": write " + option + " name=value");
        result.emplace_back(text.substr(0, equals), with_degrees(text.substr(equals + 1)));
    }
    return result;
}

// A file, or a name of the gallery.
rattleback::Model read(const std::string& model, const rattleback::LoadOptions& options, bool quiet) {
    const ModelSource from = find_model(model);
    if (!from.note.empty() && !quiet) note(from.note);
    if (from.item) return rattleback::read_model(from.item->text, from.item->name + ".toml", options);
    std::error_code ignored;
    const bool is_path = model.find('/') != std::string::npos;
    if (!is_path && !std::filesystem::exists(from.file, ignored)) throw BadCommand(unknown_model(model));
    return rattleback::load(from.file, options);
}

// In quad, so that what is rounded to any scalar afterwards is on the constraints as well as it can be.
void move_onto_constraints(rattleback::Model& model) {
    if (model.holonomic.empty() && model.velocity.empty())
        throw BadCommand("--project: the model has no holonomic or velocity constraints");
    rattleback::InitialData<rattleback::quad> data;
    rattleback::Report report;
    const std::optional<rattleback::Model> independent = rattleback::with_independent_constraints(model, true);
    if (!rattleback::complete_initial_data(independent ? *independent : model, data, report, true))
        throw BadCommand("--project: " + report.text());
    if (!model.typical_start) model.typical_start = start_of(model);
    model.q0 = data.q, model.v0 = data.v, model.p0 = {}, model.lambda0 = data.lambda, model.centre0 = data.centre;
}

// Multipliers to start with, by commas.
void start_multipliers(rattleback::Model& model, const std::string& list, bool both_principles) {
    if (list.empty()) return;
    if (model.velocity.empty() || (!model.variational && !both_principles))
        throw BadCommand("--lambda " + list + ": it is for variational problems with velocity constraints");
    if (model.variational && model.v0.empty())
        throw BadCommand("--lambda " + list + ": the model starts from momenta, which determine the multipliers");
    if (!model.typical_start) model.typical_start = start_of(model);
    model.lambda0.clear();
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string text = list.substr(from, comma - from);
        model.lambda0.push_back(
            rattleback::Options(std::map<std::string, std::string>{{"lambda", text}}).number("lambda", 0));
        from = comma + 1;
    }
    const auto wanted = static_cast<std::size_t>(model.velocity.count());
    if (model.lambda0.size() != wanted)
        throw BadCommand("--lambda " + list + ": " + std::to_string(model.lambda0.size()) + " given, the model has " +
                         std::to_string(wanted) + (wanted == 1 ? " multiplier" : " multipliers"));
}

// What is refused for a mathematical reason.
void force_reason(rattleback::Model& model, const std::string& reason, bool quiet) {
    if (reason.empty()) return;
    if (reason != "index") throw BadCommand("--force " + reason + ": what can be forced is index");
    std::string problem = rattleback::index_problem(model);
    problem.erase(std::min(problem.find('\n'), problem.size()));
    model.any_index = !problem.empty();
    if (!quiet)
        warn("--force index: " + (problem.empty() ? "nothing to force, the equations are of index 1" : problem));
}

} // namespace

namespace {

rattleback::LoadOptions changes_of(const Common& c) {
    return {c.parameters(), pairs(c.q, "--q"), pairs(c.v, "--v"), pairs(c.p, "--p"), pairs(c.z, "--z")};
}

rattleback::Model changed(rattleback::Model loaded, const Common& c) {
    start_multipliers(loaded, c.lambda, !c.principles.empty());
    if (c.project) move_onto_constraints(loaded);
    force_reason(loaded, c.force, c.quiet);
    return loaded;
}

} // namespace

rattleback::Model Common::load() const {
    if (backend != "auto" && backend != "interpret" && backend != "jit")
        throw BadCommand("--backend " + backend + ": choose auto, interpret or jit");
    return changed(read(model, changes_of(*this), quiet), *this);
}

rattleback::Model Common::load_text(const std::string& text, const std::string& file) const {
    return changed(rattleback::read_model(text, file, changes_of(*this)), *this);
}

rattleback::RunOptions Common::run_options() const {
    rattleback::RunOptions o;
    o.method = method, o.step = step, o.until = until, o.steps = steps, o.every = every, o.tolerance = tolerance;
    o.accuracy = accuracy;
    using Engine = rattleback::RunOptions::Engine;
    o.engine = backend == "jit" ? Engine::compiled : backend == "interpret" ? Engine::interpreted : Engine::automatic;
    o.command = command_line();
    return o;
}

std::string Common::source() const { return find_model(model).file; }

Files Common::files() const {
    Files all;
    all.reads(source()).reads_method(method).writes("-o", output).writes("--report", report);
    return all;
}

rattleback::LoadOptions::Pairs Common::parameters() const { return pairs(set, "--set"); }

std::vector<std::string> Common::column_list() const {
    return columns.empty() ? std::vector<std::string>() : split_list(columns);
}

std::vector<Option> model_options(Common& c, bool stepping, const std::vector<Option>& more) {
    std::vector<Option> all = {
        {"model", &c.model, "a model file, or a name of the gallery", true},
        {"--set", &c.set, "name=value: give a parameter another value"},
        {"--q", &c.q, "x=value: another initial coordinate"},
        {"--v", &c.v, "x=value: another initial velocity"},
        {"--p", &c.p, "x=value: another initial momentum"},
        {"--z", &c.z, "x=value: another initial variable of J z' = grad H"},
        {"--lambda", &c.lambda, "a,b,...: other initial multipliers of a variational problem"},
        {"--json", &c.json, "print one JSON object and nothing else"},
        {"--quiet", &c.quiet, "print only errors"},
        {"--backend", &c.backend, "auto (machine code for long runs), interpret or jit; the results are the same"},
        {"--project", &c.project, "project initial data onto the constraints"},
        {"--force", &c.force, "do what is refused for this reason: index"},
    };
    const std::vector<Option> of_runs = {
        {"-m,--method", &c.method, "id:option=value:...; several separated by commas where they fit"},
        {"-s,--step,--dt", &c.step, "step size; may be negative, or a formula like 1/10"},
        {"--steps", &c.steps, "number of steps"},
        {"--until", &c.until, "end time, like 2*pi; the step is shortened to divide the interval"},
        {"--every", &c.every, "record every K-th step"},
        {"--tol", &c.tolerance, "tolerance of methods that control their step"},
    };
    if (stepping) all.insert(all.end(), of_runs.begin(), of_runs.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

// NOTE: a line break of an argument could pretend to be a message of ours; those of messages go with it.
void complain(const std::string& text) {
    const std::string lines = line_breaks_typed() ? rattleback::shown(text) : text;
    const std::string message = "rattleback: " + rattleback::shown_message(lines);
    for (std::size_t from = 0; from <= message.size();) {
        const std::size_t end = std::min(message.find('\n', from), message.size());
        const std::string line = message.substr(from, end - from);
        const bool quoted = line.find(" | ") != std::string::npos; // of a file, or the caret below
        std::fprintf(stderr, "%s\n", (quoted ? line : wrapped(line, width_of(stderr), 2)).c_str());
        from = end + 1;
    }
}

void warn(const std::string& text) { complain("warning: " + text); }
void note(const std::string& text) { complain("note: " + text); }

std::string name_of(const rattleback::Model& model) { return model.name.empty() ? "(no name)" : model.name; }

void say_written(const Common& common, const std::string& file, const std::string& what) {
    if (common.json || common.quiet || file.empty() || file == "-" || common.output == "-") return;
    std::fputs(aligned({{"written", file + (what.empty() ? "" : ": " + what)}}).c_str(), stdout);
}

} // namespace app
