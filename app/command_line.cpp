// The one source that knows CLI11: options as data become a command line.
#include "command_line.hpp"
#include "terminal.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <sstream>

#include <rattleback/scheme.hpp>

#include "expr/nearest.hpp"

namespace app {
namespace {

// Options that are common to all verbs. A verb that has no use for one takes it and says so.
struct Idle {
    const char *option, *why;
};
constexpr Idle idle[] = {{"--threads", " computes on one thread"}, {"--seed", " draws no random numbers"}};

bool takes(const Verb& verb, const std::string& option) {
    return std::any_of(verb.options.begin(), verb.options.end(), [&](const Option& o) { return o.names == option; });
}

double read_number(const std::string& option, const std::string& text) {
    try {
        return static_cast<double>(
            rattleback::Options(std::map<std::string, std::string>{{option, text}}).number(option, 0));
    } catch (const rattleback::BadMethod& e) {
        const std::string what = e.what(); // "option NAME=TEXT: why"
        throw BadCommand(option + " " + text +
                         what.substr(std::string("option =").size() + option.size() + text.size()));
    }
}

// The first that is longer than a letter: --step of "-s,--step,--dt".
std::string long_name(const std::string& names) {
    const std::size_t from = names.rfind("--", 0) == 0 ? 0 : names.find(',') + 1; // npos + 1 is 0
    return names.substr(from, names.find(',', from) - from);
}

long long read_whole_number(const std::string& option, const std::string& text) {
    long long value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::result_out_of_range)
        throw BadCommand(option + " " + text + ": whole numbers go up to 9223372036854775807");
    if (error != std::errc() || at != end) throw BadCommand(option + " " + text + ": a whole number is needed");
    return value;
}

// Tells CLI11 of one option, by the type of its target. Values are read here: CLI11 takes an empty one for none, and
// the nearest number for one that is too large.
struct Adder {
    CLI::App& verb;
    const Option& option;

    CLI::Option* operator()(bool* to) const { return verb.add_flag(option.names, *to, option.help); }
    CLI::Option* operator()(std::vector<std::string>* to) const {
        return verb.add_option(option.names, *to, option.help)->allow_extra_args(false);
    }
    CLI::Option* operator()(std::optional<double>* to) const { return add("NUMBER", to, read_number); }
    CLI::Option* operator()(std::optional<long long>* to) const { return add("INT", to, read_whole_number); }
    CLI::Option* operator()(long long* to) const {
        return add("INT", to, read_whole_number)->default_str(std::to_string(*to));
    }
    CLI::Option* operator()(std::string* to) const {
        return add("TEXT", to, [](const std::string&, const std::string& text) { return text; });
    }

  private:
    template <class To, class Read> CLI::Option* add(const char* kind, To* to, const Read& read) const {
        const auto take = [to, read, name = long_name(option.names)](const std::string& text) {
            if (text.empty()) throw BadCommand(name + " needs a value; the one that is given is empty");
            *to = read(name, text);
        };
        return verb.add_option_function<std::string>(option.names, take, option.help)->type_name(kind);
    }
};

bool is_quiet(const Verb& verb) {
    for (const Option& o : verb.options)
        if (const auto* flag = std::get_if<bool*>(&o.target); flag && o.names == "--quiet") return **flag;
    return false;
}

// The verb that was chosen; says which options it was given in vain.
const Verb& chosen(const CLI::App& program, const std::vector<Verb>& verbs) {
    const CLI::App& asked = *program.get_subcommands().at(0);
    const Verb& verb =
        *std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == asked.get_name(); });
    for (const Idle& i : idle)
        if (!takes(verb, i.option) && asked.count(i.option) > 0 && !is_quiet(verb))
            std::fprintf(stderr, "rattleback: warning: %s has no effect: %s%s\n", i.option, verb.name.c_str(), i.why);
    return verb;
}

// CLI11 would only say that a verb is missing.
void require_verb(const std::vector<Verb>& verbs, const std::string& word) {
    if (word.empty() || word[0] == '-') return;
    std::vector<std::string> names;
    std::string list;
    for (const Verb& verb : verbs) {
        if (verb.name == word) return;
        names.push_back(verb.name);
        list += (list.empty() ? "" : ", ") + verb.name;
    }
    const std::string near = rattleback::nearest(word, names);
    throw BadCommand("unknown verb '" + word + "'; " +
                     (near.empty() ? "verbs are " + list : "did you mean '" + near + "'?"));
}

// What was not expected: an option that is written otherwise, or one word too many.
[[noreturn]] void refuse_extra(const CLI::App& program, const std::vector<Verb>& verbs, const std::string& what) {
    const CLI::App& asked = *program.get_subcommands().at(0);
    const std::vector<std::string> extra =
        asked.remaining(true).empty() ? program.remaining(true) : asked.remaining(true);
    std::vector<std::string> known{"--help"};
    for (const Verb& verb : verbs)
        if (verb.name == asked.get_name())
            for (const Option& o : verb.options)
                for (std::size_t from = 0; from < o.names.size();) {
                    const std::size_t comma = std::min(o.names.find(',', from), o.names.size());
                    known.push_back(o.names.substr(from, comma - from));
                    from = comma + 1;
                }
    for (const std::string& word : extra) {
        if (word.empty() || word[0] != '-') continue;
        const std::string option = word.substr(0, word.find('=')), near = rattleback::nearest(option, known);
        throw BadCommand(asked.get_name() + " has no option '" + option + "'; " +
                         (near.empty() || near[0] != '-' ? "'rattleback " + asked.get_name() + " --help' lists them"
                                                         : "did you mean '" + near + "'?"));
    }
    throw BadCommand(what + "\n'rattleback " + asked.get_name() + " --help' tells what it takes");
}

} // namespace

std::vector<std::string> split_list(const std::string& list) {
    std::vector<std::string> parts{""};
    int depth = 0;
    for (char c : list) {
        depth += (c == '[') - (c == ']');
        if (c == ',' && depth <= 0)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    for (std::string& part : parts) {
        part.erase(0, part.find_first_not_of(" \t"));
        part.erase(part.find_last_not_of(" \t") + 1);
    }
    return parts;
}

namespace {

// As CLI11 lays it out, with lines that fit the terminal: what an option does goes on below its beginning.
std::string fitting(const std::string& help) {
    constexpr std::size_t left = 30, margin = 2; // columns of names, and before them
    const std::size_t width = width_of(stdout);
    std::string all, line;
    for (std::istringstream lines(help); std::getline(lines, line);) {
        const bool item = line.size() > std::min(left, width) && line.starts_with("  ") && line[left - 1] == ' ';
        if (line.size() <= width)
            all += line;
        else if (item) {
            const std::string words = wrapped(line.substr(left), width - left);
            all += line.substr(0, left);
            for (char c : words) all += c == '\n' ? "\n" + std::string(left, ' ') : std::string(1, c);
        } else
            all += wrapped(line, width, margin);
        all += "\n";
    }
    return all;
}

} // namespace

int run_command_line(int argc, char** argv, const std::vector<Verb>& verbs) {
    CLI::App program(
        "Rattleback: mechanical systems, simulated so that what the physics preserves, the numbers preserve.",
        "rattleback");
    program.set_version_flag("--version", "rattleback " RATTLEBACK_VERSION);
    program.require_subcommand(1);
    program.footer(
        "rattleback VERB --help tells more. Start with: rattleback run pendulum -m midpoint --step 0.1 --until 10\n"
        "Environment: RATTLEBACK_CACHE, the folder of compiled steps (empty: none is kept); RATTLEBACK_DENSE_LIMIT, "
        "the operations that derivatives of a dense system may have (default 1e7, about 1 GB).");
    long long ignored = 0;
    for (const Verb& verb : verbs) {
        CLI::App& added = *program.add_subcommand(verb.name, verb.help);
        for (const Option& option : verb.options)
            std::visit(Adder{added, option}, option.target)->required(option.required);
        for (const Idle& i : idle)
            if (!takes(verb, i.option)) Adder{added, {i.option, &ignored, ""}}(&ignored)->group(""); // no help
    }
    if (argc < 2) { // somebody looks for a way in
        std::fputs(fitting(program.help()).c_str(), stdout);
        return 0;
    }
    require_verb(verbs, argv[1]);
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::fputs(fitting(program.help()).c_str(), stdout);
        return 0;
    } catch (const CLI::Success& e) { // --version
        return program.exit(e);
    } catch (const CLI::ExtrasError& e) { refuse_extra(program, verbs, e.what()); } catch (const CLI::ParseError& e) {
        throw BadCommand(std::string(e.what()) + "\n'rattleback --help' lists verbs, 'rattleback VERB --help' options");
    }
    return chosen(program, verbs).run();
}

} // namespace app
