// The command line as data: a verb names its options, where their values go, and what to run.
// Only command_line.cpp includes the library that reads it (CLI11): it takes some 8 s to compile in each source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <rattleback/error.hpp>

namespace app {

enum Exit { done = 0, failed = 1, bad_input = 2, interrupted = 3 };

// The command line does not make sense; printed like other errors, exit 2.
struct BadCommand : rattleback::Error {
    using Error::Error;
};

// Where the value of an option goes, which says what it may be: a flag; a text; one text each time it is given; a whole
// number; a number or a formula that is one, like 1/10 or 2*pi.
using Target = std::variant<bool*, std::string*, std::vector<std::string>*, long long*, std::optional<long long>*,
                            std::optional<double>*>;

struct Option {
    std::string names; // "-o,--output"; without dashes: an argument that is known by its place
    Target target;
    std::string help;
    bool required = false;
};

struct Verb {
    std::string name, help;
    std::vector<Option> options;
    std::function<int()> run; // called when the targets are filled; an Exit
};

// What commas separate, but for those in brackets: x, u[3,4]. Blanks around are left out.
std::vector<std::string> split_list(const std::string& list);

// Runs the verb that the command line asks for, or prints help or the version. Throws BadCommand.
int run_command_line(int argc, char** argv, const std::vector<Verb>& verbs);

} // namespace app
