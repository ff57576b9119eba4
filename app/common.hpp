// What the verbs share: options, the model argument, exit codes, messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <rattleback/rattleback.hpp>

namespace CLI {
class App;
}

namespace app {

enum Exit { done = 0, failed = 1, bad_input = 2, interrupted = 3 };

// The command line does not make sense; printed like other errors, exit 2.
struct BadCommand : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Common {
    std::string model, method;
    std::optional<double> step, until, tolerance;
    std::optional<long long> steps;
    long long every = 1;
    std::string output, columns, backend = "auto", force, lambda, principles, report;
    std::vector<std::string> set, q, v, p, z;
    bool json = false, quiet = false, project = false;
    int threads = 0;
    long long seed = 0;

    rattleback::Model load() const; // a file, or a name of the gallery
    rattleback::Model load_text(const std::string& text, const std::string& file) const; // with the same changes
    rattleback::RunOptions run_options() const;
    std::vector<std::string> column_list() const;
    rattleback::LoadOptions::Pairs parameters() const; // of --set
};

// Adds the options every verb with a model takes; `stepping`: also those of a run.
void add_model_options(CLI::App& verb, Common& common, bool stepping);

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

// Set by Ctrl-C.
const volatile int* interrupt_flag();
void watch_interrupts();

// "x1e-3" style numbers for people: about 4 significant digits.
std::string short_number(double x);
// Lines of columns, aligned.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

// Verbs: each adds itself and returns what to run.
void add_run(CLI::App& program, int& exit_code);
void add_check(CLI::App& program, int& exit_code);
void add_methods(CLI::App& program, int& exit_code);
void add_gallery(CLI::App& program, int& exit_code);
void add_cite(CLI::App& program, int& exit_code);
void add_order(CLI::App& program, int& exit_code);
void add_compare(CLI::App& program, int& exit_code);
void add_verify(CLI::App& program, int& exit_code);
void add_papers(CLI::App& program, int& exit_code);
void add_report(CLI::App& program, int& exit_code);
void add_export(CLI::App& program, int& exit_code);

} // namespace app
