// What the verbs share: options of models and runs, the model argument, tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <rattleback/rattleback.hpp>

#include "command_line.hpp"
#include "files.hpp"

namespace app {

struct Common {
    std::string model, method;
    std::optional<double> step, until, tolerance;
    std::optional<long long> steps;
    long long every = 1;
    std::string output, columns, backend = "auto", force, lambda, principles, report;
    std::vector<std::string> set, q, v, p, z;
    bool json = false, quiet = false, project = false, sync = false;

    rattleback::Model load() const; // a file, or a name of the gallery
    rattleback::Model load_text(const std::string& text, const std::string& file) const; // with the same changes
    rattleback::RunOptions run_options() const;
    std::vector<std::string> column_list() const;
    Files files() const; // what is read, and where results go; throws where these are not apart
    rattleback::LoadOptions::Pairs parameters() const; // of --set
};

// The options every verb with a model takes; `stepping`: also those of a run. `more`: those of the verb itself.
std::vector<Option> model_options(Common& common, bool stepping, const std::vector<Option>& more = {});

// A progress bar on a terminal (standard error), never in a pipe.
class Progress {
  public:
    explicit Progress(bool quiet);
    ~Progress();
    void show(long long done, long long total);
    explicit operator bool() const { return enabled_; }

  private:
    bool enabled_;
    double last_ = -1;
};

int compare_principles_verb(const Common& common); // compare with --principles

const std::string& command_line(); // what was typed
bool line_breaks_typed();          // an argument has some

// On standard error, with what a terminal would obey escaped and names without end shortened.
void complain(const std::string& text);
void warn(const std::string& text);

std::string name_of(const rattleback::Model& model); // "(no name)" where it has none

// "x1e-3" style numbers for people: about 4 significant digits.
std::string short_number(double x);
// Lines of columns, aligned; what a terminal would obey is escaped.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

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

} // namespace app
