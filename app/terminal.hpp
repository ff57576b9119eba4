// What a terminal is told: how wide it is, text and tables that fit, how far the work is.
//
// On a terminal lines have at most its width (COLUMNS, where that is set). In a pipe or a file they are as long as they
// need to be, so that each row stays one line for grep and awk; COLUMNS=80 asks for the layout of a terminal there,
// too.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace app {

std::size_t width_of(std::FILE* stream); // in columns; npos: any

// Broken at blanks into lines of at most `width`; all but the first begin with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent = 0);
void print_text(const std::string& text, std::size_t indent = 0); // wrapped, on standard output

using Rows = std::vector<std::vector<std::string>>;
// Columns, aligned; what a terminal would obey is escaped. Where they are wider than `width`, cells are broken at
// blanks; where that does not help, the columns are laid out in several blocks, each with the first column.
std::string aligned(const Rows& rows, std::size_t width);
std::string aligned(const Rows& rows); // for standard output

// "x1e-3" style numbers for people: about 4 significant digits; state_number: 8.
std::string short_number(double x);
std::string state_number(double x);

// A bar with the time that is left, or what is being done and since when: on a terminal (standard error), never in a
// pipe. It appears after half a second, and erases itself.
class Progress {
  public:
    explicit Progress(bool quiet, std::string what = {});
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void show(long long done, long long total); // steps, lines: cheap enough to be called for each
    // Of studies whose parts take differently long: milliseconds so far, and in all.
    void tell(std::function<void(long long so_far, long long in_all)>& progress);
    void erase(); // until it is shown again
    explicit operator bool() const { return state_ != nullptr; }

  private:
    struct State;
    std::unique_ptr<State> state_; // null: nothing is shown
};

} // namespace app
