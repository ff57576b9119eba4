// What the verbs share: options of models and runs, the model argument, tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <rattleback/rattleback.hpp>

#include "command_line.hpp"
#include "files.hpp"
#include "terminal.hpp"

namespace app {

struct Common {
    std::string model, method;
    std::optional<double> step, until, tolerance, accuracy;
    std::optional<long long> steps;
    long long every = 1;
    std::string output, columns, backend = "auto", force, lambda, principles, report, plot, stored, at;
    std::vector<std::string> set, q, v, p, z;
    bool json = false, quiet = false, project = false, sync = false, plain = false, plain_names = false;

    rattleback::Model load() const; // a file, or a name of the gallery
    rattleback::Model load_text(const std::string& text, const std::string& file) const; // with the same changes
    rattleback::RunOptions run_options() const;
    std::vector<std::string> column_list() const;
    std::string source() const; // the file that `model` names; what is no file is a name of the gallery
    Files files() const;        // what is read, and where results go; throws where these are not apart
    rattleback::LoadOptions::Pairs parameters() const; // of --set
};

// The options every verb with a model takes; `stepping`: also those of a run. `more`: those of the verb itself.
std::vector<Option> model_options(Common& common, bool stepping, const std::vector<Option>& more = {});

// What a word on the command line names: a file, with or without .toml, or a model of the gallery.
struct ModelSource {
    std::string file;
    const rattleback::GalleryItem* item = nullptr; // null: it is a file
    std::string note;                              // what is to be said about the choice
};
ModelSource find_model(const std::string& word);
std::string unknown_model(const std::string& word); // the message

// Methods that fit the model, the best first; throws BadCommand where none does.
std::vector<std::string> default_methods(const rattleback::Model& model, const Common& common);
// Where neither the command nor the file names a method, a step or an end: those that fit, with a note that says so.
void choose_method(rattleback::Model& model, const Common& common);
void choose_step(rattleback::Model& model, const Common& common);
void choose_defaults(rattleback::Model& model, const Common& common);

rattleback::Model continued(const Common& common); // of run --from: where a stored run ended
int compare_principles_verb(const Common& common); // compare with --principles

const std::string& command_line(); // what was typed
bool line_breaks_typed();          // an argument has some

// On standard error, with what a terminal would obey escaped and names without end shortened.
void complain(const std::string& text);
void warn(const std::string& text);
void note(const std::string& text);

std::string name_of(const rattleback::Model& model); // "(no name)" where it has none

// On standard output, unless quiet or JSON: where something was written.
void say_written(const Common& common, const std::string& file, const std::string& what);

// Verbs, one a file but for methods, gallery and cite.
Verb make_run();
Verb make_check();
Verb make_methods();
Verb make_gallery();
Verb make_cite();
Verb make_order();
Verb make_solve();
Verb make_compare();
Verb make_verify();
Verb make_papers();
Verb make_report();
Verb make_export();
Verb make_new();
Verb make_schema();
Verb make_completion(const std::vector<Verb>& verbs); // of all other verbs
Verb make_manual(const std::vector<Verb>& verbs);

} // namespace app
