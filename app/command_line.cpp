#include "command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

#include <rattleback/scheme.hpp>

#include "expr/nearest.hpp"

namespace app {
namespace {

// Options that are common to all verbs, but of no use to most: these say so.
struct Refusal {
    const char *option, *why;
};
constexpr Refusal refusals[] = {{"--threads", " computes on one thread"}, {"--seed", " draws no random numbers"}};

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

std::string long_name(const std::string& names) { return names.substr(names.find(',') + 1); } // npos + 1 is 0

// Tells CLI11 of one option, by the type of its target.
struct Adder {
    CLI::App& verb;
    const Option& option;

    CLI::Option* operator()(bool* to) const { return verb.add_flag(option.names, *to, option.help); }
    CLI::Option* operator()(std::vector<std::string>* to) const {
        return verb.add_option(option.names, *to, option.help)->allow_extra_args(false);
    }
    CLI::Option* operator()(std::optional<double>* to) const {
        const auto read = [to, name = long_name(option.names)](const std::string& text) {
            *to = read_number(name, text);
        };
        return verb.add_option_function<std::string>(option.names, read, option.help)->type_name("NUMBER");
    }
    CLI::Option* operator()(auto* to) const { return verb.add_option(option.names, *to, option.help); }
};

// Throws where an argument that a verb does not know is one of those options.
void refuse(const std::string& verb, const std::vector<std::string>& unknown, const std::vector<Verb>& verbs) {
    for (const Refusal& r : refusals)
        for (const std::string& argument : unknown) {
            const std::string option = r.option;
            if (argument != option && !argument.starts_with(option + "=")) continue;
            std::string takers;
            for (const Verb& v : verbs)
                for (const Option& o : v.options)
                    if (o.names == option) takers += (takers.empty() ? "" : ", ") + v.name;
            throw BadCommand(option + ": " + verb + r.why + "; " +
                             (takers.empty() ? "leave it out" : "it is for " + takers));
        }
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

} // namespace

int run_command_line(int argc, char** argv, const std::vector<Verb>& verbs) {
    CLI::App program(
        "Rattleback: mechanical systems, simulated so that what the physics preserves, the numbers preserve.",
        "rattleback");
    program.set_version_flag("--version", "rattleback " RATTLEBACK_VERSION);
    program.require_subcommand(1);
    program.footer(
        "rattleback VERB --help tells more. Start with: rattleback run pendulum -m midpoint --step 0.1 --until 10");
    for (const Verb& verb : verbs) {
        CLI::App& added = *program.add_subcommand(verb.name, verb.help);
        for (const Option& option : verb.options)
            std::visit(Adder{added, option}, option.target)->required(option.required);
    }
    require_verb(verbs, argc > 1 ? argv[1] : "");
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& e) { // --help, --version
        return program.exit(e);
    } catch (const CLI::ParseError& e) {
        for (const CLI::App* verb : program.get_subcommands()) refuse(verb->get_name(), verb->remaining(), verbs);
        throw BadCommand(std::string(e.what()) + "\n'rattleback --help' lists verbs, 'rattleback VERB --help' options");
    }
    const std::string chosen = program.get_subcommands().at(0)->get_name();
    return std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == chosen; })->run();
}

} // namespace app
